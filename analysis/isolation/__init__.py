"""Decoding apart: a process of its own with little power does all that a recording could break or capture."""
