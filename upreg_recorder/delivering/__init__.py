"""What a recording leaves: a folder with a manifest and films, and what is brought to a server."""
