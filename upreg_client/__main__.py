"""``python -m upreg_client`` is the same as ``upreg``."""

import sys

from upreg_client.commandline import main

sys.exit(main())
