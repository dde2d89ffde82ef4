"""What the changes mean: what goes on by itself, which change is the response, which the finish."""
