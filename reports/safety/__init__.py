"""Keeping what is stored safe: schedules, checks of an installation, retention, backup and restore."""
