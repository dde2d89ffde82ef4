"""What operators and their machines ask: is it alive, is it ready, how much of everything, what happened."""
