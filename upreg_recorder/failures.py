"""What can go wrong, each with what it is and the cure, and what becomes of the rest of a plan."""

from __future__ import annotations


class RecorderError(Exception):
    """Anything that a person has to know; the message says what it is and what to do."""


class PlanError(RecorderError):
    """The plan cannot be used: `problems` are its errors, each with its line."""

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        super().__init__("\n".join(f"line {line}: {text}" if line else text for line, text in problems))
        self.problems = problems


class TrialError(RecorderError):
    """One trial came to nothing; it is worth another try: an element not found, an app that crashed."""


class SettledTrialError(TrialError):
    """Another try would end the same way: a file that cannot be installed, a step that the device cannot do."""


class DeviceGoneError(RecorderError):
    """The device is not there any more: offline, unauthorised, out of battery. The others go on."""


class ServerRefusesError(RecorderError):
    """The server does not let this token do it, or its address is wrong: asking again changes nothing.

    `code` is what a command ends with.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class AwayError(RecorderError):
    """The server cannot be reached, or is at fault: another time it may do."""
