"""Decide what the measurements of two OS versions say: statistics, policy, verdicts, risk and the release gate.

Everything here is pure: arrays, DataFrames and frozen dataclasses in and out, no database and no clock.
"""
