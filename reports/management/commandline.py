"""What `manage.py` runs: Django's commands, which end in words where a disk or the database fails."""

import sys
from collections.abc import Sequence

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

from reports.web.trouble import refuse_newer_database, trouble_words

# These look at what is wrong, or need no database: a newer one does not stop them.
_ANY_DATABASE = {
    "", "help", "version", "check", "compilemessages", "collectstatic", "doctor", "makemigrations", "measure",
    "migrate", "restore", "showmigrations", "test",
}  # fmt: skip


def main(argv: Sequence[str]) -> int:
    """Run a command; return 1, with words on standard error, where a disk, the database or a setting failed it.

    Any other error is raised as it is, and so are these with ``--traceback``.
    """
    command = argv[1] if len(argv) > 1 else ""
    try:
        django.setup()
        if command.lstrip("-") not in _ANY_DATABASE and "--help" not in argv:
            refuse_newer_database()
        execute_from_command_line(list(argv))
    except (DatabaseError, ImproperlyConfigured, OSError) as error:
        words = str(error) if isinstance(error, ImproperlyConfigured) else trouble_words(error)
        if not words or "--traceback" in argv:
            raise
        print(f"{command}: {words}", file=sys.stderr)
        return 1
    return 0
