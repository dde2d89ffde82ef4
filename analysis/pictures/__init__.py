"""What pages show of a recording: single frames, where it changed, a copy to step through, where its frames lie."""
