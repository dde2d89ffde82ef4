"""What can be filmed and acted on: each kind of device behind one contract (`contract.py`)."""
