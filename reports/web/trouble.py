"""Say in words, with the cure, what a disk or a database did not do: for commands, and for pages that need it."""

from __future__ import annotations

import errno
import sys

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, ProgrammingError, connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, HttpResponse

from reports.web.problems import problem

FULL = (errno.ENOSPC, errno.EDQUOT)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)
_KEPT = "What was stored before is kept."
_OLDER = "the database {name} is older than this release: bring it up to date with manage.py migrate"
# What SQLite says → what it means. PostgreSQL's own words follow as they are.
_SQLITE = {
    "disk is full": f"the disk of the database {{name}} is full: make room. {_KEPT}",
    "disk i/o error": f"the disk of the database {{name}} cannot be read or written: make room, check it. {_KEPT}",
    "is not a database": (
        "{name} is no database: put a backup in its place (manage.py restore), or move it away to start empty"
    ),
    "malformed": (
        "the database {name} is damaged: put a backup in its place (manage.py restore); "
        "what is left of it comes out with: sqlite3 {name} .recover"
    ),
    "readonly": "the database {name} cannot be written: make the file and its folder writable for this user",
    "unable to open": "the database {name} cannot be opened: check that its folder exists and can be written",
    "locked": "the database {name} is held by another process: wait until that is done, then try again",
    "no such table": _OLDER,
    "no such column": _OLDER,
}


class NewerDatabaseError(DatabaseError):
    """The database was brought up to date by a later release; the message tells the cure."""


def refuse_newer_database() -> None:
    """Raise NewerDatabaseError if a later release has changed the schema: this one would misread it."""
    unknown = unknown_migrations()
    if unknown:
        raise NewerDatabaseError(
            f"the database {database_name()} belongs to a newer release of UPReg (it has {unknown[-1]}): "
            "start that release, or put a backup of this one's in its place (manage.py restore)"
        )


def unknown_migrations() -> list[str]:
    """Return the names of the steps that a later release has taken on the schema, in their order."""
    loader = MigrationLoader(connection)
    ours = {app for app, _ in loader.disk_migrations}
    known = set(loader.disk_migrations)
    return sorted(name for app, name in loader.applied_migrations if app in ours and (app, name) not in known)


def database_name() -> str:
    """Return what a person knows the database by: its file, or its name and host."""
    database = settings.DATABASES["default"]
    return f"{database['NAME']} on {database['HOST']}" if database.get("HOST") else str(database["NAME"])


def trouble_words(error: BaseException | None) -> str:
    """Return what a disk or database that failed means and its cure; nothing for any other error."""
    for cause in _causes(error):
        if isinstance(cause, NewerDatabaseError):
            return str(cause)
        if isinstance(cause, DatabaseError | InterfaceError):
            words = _database_words(cause)
            if words:
                return words
        elif isinstance(cause, OSError) and (words := disk_words(cause)):
            return words
    return ""


def disk_words(error: OSError) -> str:
    """Return what a file that could not be written means and its cure; nothing for other errors of files."""
    where = str(error.filename or settings.VAR_DIR)
    if error.errno in FULL:
        return f"the disk is full ({where}): make room. {_KEPT}"
    if error.errno in READ_ONLY:
        return f"{where} cannot be written or read: make it so for this user. {_KEPT}"
    return ""


def is_disk_trouble(error: BaseException) -> bool:
    """Tell whether an error speaks of a disk that takes nothing more, not of what was to be done with it."""
    return isinstance(error, OSError) and error.errno in (*FULL, errno.EROFS)


def server_error_page(request: HttpRequest) -> HttpResponse:
    """Answer a request that failed: 503 with the cure if a disk or the database did, else as a mistake of ours."""
    words = trouble_words(sys.exc_info()[1])
    if not words:
        return problem(request, 500)
    response = problem(request, 503, reason=f"{words[:1].upper()}{words[1:]}")
    response["Retry-After"] = "60"
    return response


def _database_words(error: Exception) -> str:
    said = str(error).lower()
    for sign, words in _SQLITE.items():
        if sign in said:
            return words.format(name=database_name())
    if isinstance(error, ProgrammingError) and "does not exist" in said:
        return (
            f"the database {database_name()} is older than this release: bring it up to date with manage.py migrate"
        )
    if isinstance(error, OperationalError | InterfaceError):
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        return f"the database {database_name()} cannot be used: {reason}: check that it runs and UPREG_DATABASE_URL"
    return ""


def _causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
