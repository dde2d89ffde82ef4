"""What an import came to, within bounds: refused lines are counted by cause, and the first of each cause are kept.

A manifest may name ten thousand files that are not there, or have a million bad lines: what is remembered of them,
printed and stored does not grow with that.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.manifest.reader import Line
from analysis.manifest.rows import Problem

_QUOTED = re.compile(r"(?<!\w)('[^']*'|\"[^\"]*\")(?!\w)")
_DIGITS = re.compile(r"\d+")
_NOT_STORED = re.compile("[\x00\ud800-\udfff]")  # PostgreSQL takes neither in a text nor in JSON


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is kept of what is refused; what is beyond is counted."""

    lines_of_a_cause: int = 1_000  # more is mended by a search and replace, not line by line
    lines: int = 10_000
    causes: int = 100
    characters_of_a_line: int = 50_000  # the longest scenario has 20,000
    characters: int = 5_000_000  # of all lines: what one import adds to the database at most
    examples: int = 5  # problems of a cause that a terminal prints
    printed: int = 100  # refused lines that a terminal prints one by one


BOUNDS = Bounds()
OTHER = "other reasons than those before"


@dataclass(slots=True)
class Cause:
    """Why lines were refused: the column, the message of the first of them, how many problems there are.

    ``like`` is the message without what it says of its line alone: by it others are told to be the same.
    """

    column: str
    message: str
    line: int
    like: str
    count: int = 0
    kept: int = 0
    examples: list[Problem] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return it, ready for JSON."""
        return {"field": self.column, "message": self.message, "line": self.line, "count": self.count}

    def as_stored(self) -> dict[str, Any]:
        """Return it with what it takes to go on counting."""
        return {**self.as_dict(), "message": storable(self.message), "like": storable(self.like), "kept": self.kept}


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused line as it was, and each of its problems."""

    line: Line
    problems: tuple[Problem, ...]


class Refusals:
    """Collects the refused lines of one import."""

    def __init__(self, bounds: Bounds = BOUNDS) -> None:
        self._bounds = bounds
        self._causes: dict[tuple[str, str], Cause] = {}
        self._before = 0
        self.characters = 0
        self.count = 0
        self.kept: list[Refused] = []

    @classmethod
    def going_on(
        cls, bounds: Bounds, causes: Iterable[dict[str, Any]], *, count: int, kept: int, characters: int
    ) -> "Refusals":
        """Return what goes on from ``count`` refused lines, ``kept`` of which are kept with so many characters."""
        found = cls(bounds)
        found.count, found._before, found.characters = count, kept, characters
        for told in causes:
            cause = Cause(told["field"], told["message"], told["line"], told["like"], told["count"], told["kept"])
            found._causes[cause.column, cause.like] = cause
        return found

    @property
    def causes(self) -> list[Cause]:
        """The causes, those of the most lines first."""
        return sorted(self._causes.values(), key=lambda cause: (-cause.count, cause.line))

    @property
    def problems(self) -> list[Problem]:
        """The problems of the lines that are kept, in their order."""
        return sorted(problem for refused in self.kept for problem in refused.problems)

    @property
    def all_kept(self) -> int:
        """How many lines are kept, with those before."""
        return self._before + len(self.kept)

    @property
    def left_out(self) -> int:
        """How many lines are counted and not kept."""
        return self.count - self.all_kept

    def add(self, line: Line, problems: Sequence[Problem]) -> None:
        """Count one refused line under the cause of each of its problems, and keep it while there is room."""
        self.count += 1
        causes = [self._cause(problem, line) for problem in problems]
        for cause, problem in zip(causes, problems, strict=True):
            cause.count += 1
            if len(cause.examples) < self._bounds.examples:
                cause.examples.append(problem)
        size = len(line.text) + sum(map(len, line.cells.values())) + sum(len(each.message) for each in problems)
        wanted = any(cause.kept < self._bounds.lines_of_a_cause for cause in causes)
        fits = size <= min(self._bounds.characters_of_a_line, self._bounds.characters - self.characters)
        if wanted and fits and self.all_kept < self._bounds.lines:
            self.characters += size
            self.kept.append(Refused(line, tuple(problems)))
            for cause in causes:
                cause.kept += 1

    def texts(self) -> list[str]:
        """Return what a terminal prints: every problem of a few lines, else each cause with its first ones."""
        if self.count <= self._bounds.printed and not self.left_out:
            return [problem.text for problem in self.problems]
        return [text for cause in self.causes for text in _texts_of(cause)]

    def _cause(self, problem: Problem, line: Line) -> Cause:
        key = problem.field, without_particulars(problem, line)
        if key not in self._causes and len(self._causes) >= self._bounds.causes - 1:
            key, problem = ("", OTHER), problem._replace(field="", message=OTHER)
        return self._causes.setdefault(key, Cause(problem.field, problem.message, problem.line, key[1]))


@dataclass(slots=True)
class ImportSummary:
    """What an import came to. ``record_id`` is its number in the import log; a dry run has none.

    ``batch`` is the name of the one batch that all of it is of; empty for none, or several.
    """

    dry_run: bool
    new: int = 0
    updated: int = 0
    unchanged: int = 0
    refusals: Refusals = field(default_factory=Refusals)
    notes: list[str] = field(default_factory=list)
    record_id: int | None = None
    batch: str = ""

    @property
    def refused(self) -> int:
        """Return how many lines were refused; one line may have several problems."""
        return self.refusals.count

    @property
    def lines(self) -> list[Problem]:
        """Tell each problem (line number, column, cure) of the refused lines that are kept: see `refusals`."""
        return self.refusals.problems

    def as_dict(self) -> dict[str, Any]:
        """Return the summary, ready for JSON."""
        counts = {name: getattr(self, name) for name in ("new", "updated", "unchanged", "refused")}
        lines = [problem._asdict() for problem in self.lines]
        causes = [cause.as_dict() for cause in self.refusals.causes]
        told = {"lines": lines, "left_out": self.refusals.left_out, "causes": causes, "notes": self.notes}
        return {**counts, **told, "dry_run": self.dry_run}


def _texts_of(cause: Cause) -> Iterable[str]:
    yield from (problem.text for problem in cause.examples)
    more = cause.count - len(cause.examples)
    if more:
        yield f"… and {more:,} more like that" + (f" ({cause.column})" if cause.column else "")


def without_particulars(problem: Problem, line: Line) -> str:
    """Return the message of a problem without what it says of its line alone: the cell, what is quoted, numbers."""
    words, cell = problem.message, line.cells.get(problem.field, "")
    for written in (cell, cell[:80], cell.rpartition("/")[2]):
        if written and words.startswith(written):
            words = words[len(written) :]
            break
    return _DIGITS.sub("…", _QUOTED.sub("…", words))


def storable(text: str) -> str:
    """Return a text without the characters that no database keeps."""
    return _NOT_STORED.sub("", text)
