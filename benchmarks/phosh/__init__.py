"""A phone's own shell and apps, filmed as they run on this machine."""
