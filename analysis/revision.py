"""The revision of the measuring code; apart from that code, so that pages can name it without loading it."""

# Raise it with every change after which some recording may be measured differently, and keep the golden file of the
# samples anew: comparisons of runs measured by different revisions say so.
REVISION = 56
