"""What can go wrong, each with the exit code that a build server sees."""

from __future__ import annotations

from dataclasses import dataclass

ALL_IN = 0
SOME_REFUSED = 1
USAGE = 2
SERVER = 3
NOT_ALLOWED = 4
GATE_FAILED = 10
NOT_DECIDABLE = 11
RUNS_WANTED = 12
INTERRUPTED = 130  # as shells say it of Ctrl-C


class ClientError(Exception):
    """A command cannot go on; the message tells the cure."""

    exit_code = SERVER


class UsageError(ClientError):
    """The command was called with something that cannot be."""

    exit_code = USAGE


class CommandError(ClientError):
    """A command of somebody else, which was to record, has failed or brought nothing."""

    exit_code = SOME_REFUSED


class ServerError(ClientError):
    """The server cannot be reached, is at fault, or took too long."""


class PassingError(ServerError):
    """Something that another try may mend. ``asked_s`` is how long the server wants to be left alone."""

    def __init__(self, message: str, asked_s: float | None = None) -> None:
        super().__init__(message)
        self.asked_s = asked_s


class NotAllowedError(ClientError):
    """The token is missing, unknown, expired, or may not do this."""

    exit_code = NOT_ALLOWED


class StoppedError(ClientError):
    """Another line met something that ends the whole command."""


@dataclass(frozen=True)
class Fault:
    """Why something was refused: the field, what is wrong with it, and the cure if it is told apart."""

    field: str
    message: str
    cure: str = ""


class RefusedError(ClientError):
    """The server does not take what it was given, and says why (RFC 9457)."""

    exit_code = USAGE

    def __init__(self, status: int, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(_words(fault) for fault in faults))
        self.status = status
        self.faults = faults


def _words(fault: Fault) -> str:
    said = f"{fault.field}: {fault.message}" if fault.field else fault.message
    return f"{said} ({fault.cure})" if fault.cure else said
