"""From a file to pictures, and from pictures to blocks with exact times."""
