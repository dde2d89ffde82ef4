"""What containers say of themselves, and whether it agrees: MP4 and MOV, Matroska and WebM, AVI."""
