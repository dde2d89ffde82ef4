"""Does the trials of a plan: lane beside lane, each again where it failed, on from where it stopped."""
