"""Look over an installation: every check in its order, repaired where that is safe and asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reports.safety.findings import CHECKS, FIRST, Check, Finding, rot_in_every_byte


@dataclass(frozen=True)
class Examined:
    """What a check found, and what was done about it. ``mended``: a second look found nothing any more."""

    key: str
    finding: Finding
    done: str = ""
    mended: bool = False

    @property
    def serious(self) -> bool:
        """Whether somebody must do something about it still."""
        return self.finding.serious and not self.mended

    def as_dict(self) -> dict[str, Any]:
        """Return the same, ready for JSON."""
        finding = self.finding
        told = {"key": self.key, "what": finding.what, "why": finding.why, "cure": finding.cure}
        return {**told, "serious": self.serious, "done": self.done, "mended": self.mended}


def examine(*, repair: bool = False, read_all: bool = False) -> list[Examined]:
    """Return what is not in order; with ``repair``, after what can safely be done was done.

    ``read_all`` reads every stored file, which takes as long as the disk does. While the schema is not this
    release's, nothing else is looked at.
    """
    found: list[Examined] = []
    for check in CHECKS:
        if found and check.key not in FIRST and found[-1].key in FIRST:
            break
        look = rot_in_every_byte if check.key == "rot" and read_all else check.look
        finding = look()
        if finding is not None:
            found.append(_repaired(check, finding) if repair else Examined(check.key, finding))
    return found


def _repaired(check: Check, finding: Finding) -> Examined:
    if check.repair is None:
        return Examined(check.key, finding)
    done = check.repair()
    return Examined(check.key, finding, done, mended=check.look() is None)
