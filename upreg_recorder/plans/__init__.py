"""What is to be recorded: apps, interactions, devices and how often."""
