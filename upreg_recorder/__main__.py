"""``python -m upreg_recorder`` is the same as ``upreg-record``."""

import sys

from upreg_recorder.commandline import main

sys.exit(main())
