"""What people may choose about a verdict: thresholds, overrides, gate rules, and their form in JSON."""
