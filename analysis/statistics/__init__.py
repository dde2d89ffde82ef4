"""Rank test, effect size, intervals and sample sizes of many pairs of samples at once; knows no policy."""
