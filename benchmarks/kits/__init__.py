"""Films widgets of kits for the web with which apps of phones are made, with known truth."""
