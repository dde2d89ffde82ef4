"""The release gate and its waivers."""
