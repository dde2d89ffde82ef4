"""Many versions at once: levels, deviations between neighbours, and what became of them over time."""
