#!/usr/bin/env python
"""Run a management command of UPReg."""

import os
import sys

from reports.management.commandline import main

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "upreg_site.settings")
    sys.exit(main(sys.argv))
