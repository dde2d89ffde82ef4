"""The mouse cursor on captures of simulators, desktops and mirrored phones: where it is, and what it explains."""
