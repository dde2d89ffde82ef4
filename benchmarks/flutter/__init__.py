"""Films what the widgets of Flutter do, with which many apps of phones are made: none of it was made here."""
