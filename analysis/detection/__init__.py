"""Which blocks of which picture differ visibly: the noise model and what passes it."""
