"""What a bisection cannot be, or cannot go on with: each a plain sentence with its cure, for all who ask."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from analysis.verdicts.text import count_text
from reports.models import Bisection, OsVersion

LISTED = 8  # names in one sentence


class BisectionError(ValueError):
    """What cannot be; ``field`` names what is wrong, the message tells the cure."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(f"{field}: {words}")
        self.field, self.words = field, words


class FinishedError(BisectionError):
    """It is over; nothing of it changes any more."""


class ComputingError(BisectionError):
    """Runs have come in that nobody has looked at yet."""


def line_between(good: OsVersion, bad: OsVersion, *, begins: bool = False) -> list[OsVersion]:
    """Return the versions of a line from the good one to the bad one, with runs or without; one query.

    Raises BisectionError where they are no line to search: versions of two lines, the same one twice, the wrong way
    round, without an order; where it ``begins`` also where nothing lies between them.
    """
    _check_ends(good, bad)
    whole = list(OsVersion.objects.filter(channel=good.channel).order_by("sort_key", "name"))
    places = [place for place, version in enumerate(whole) if version in (good, bad)]
    line = whole[places[0] : places[-1] + 1] if places else []
    for before, after in pairwise(line):
        if before.sort_key == after.sort_key:
            words = f"{before} and {after} have no order; set what one of them sorts as on its page"
            raise BisectionError("good", words)
    if begins and len(line) == 2:
        raise BisectionError(
            "builds",
            f"no version lies between {good} and {bad}, so {bad} is the one; to search further, name the builds "
            "between them, or an earlier good version",
        )
    return line


def _check_ends(good: OsVersion, bad: OsVersion) -> None:
    if good.channel != bad.channel:
        words = f"{bad} is in the line {_line_name(bad)}, {good} in {_line_name(good)}"
        raise BisectionError("bad", f"{words}; choose two of one line, or set the line of one on its page")
    if good == bad:
        raise BisectionError("bad", f"{bad} is the good version as well; name a later one")
    if (good.sort_key, good.name) > (bad.sort_key, bad.name):
        words = f"{good} comes after {bad}; exchange them, or set what one of them sorts as on its page"
        raise BisectionError("good", words)


def refuse_finished(row: Bisection) -> None:
    """Raise FinishedError for one that has ended."""
    if row.finished_at:
        raise FinishedError("id", f"bisection {row.pk} is finished; start another")


def no_regression(row: Bisection, numbers: str) -> str:
    """Say why there is nothing to search for; ``numbers`` say how the two ends compare."""
    return (
        f"from {row.good} to {row.bad} there is no regression that people feel: {numbers}; "
        "name an earlier good or a later bad version, or the metric that got worse"
    )


def changed_since(row: Bisection, line: Sequence[OsVersion], policy_number: int) -> list[str]:
    """Say what changed under a bisection since it began, and what follows; nothing of it stops the search."""
    told = []
    names = {version.name for version in line}
    gone = [name for name in row.began_with if name not in names]
    if gone and line:
        told.append(
            f"{listed(gone)}: no longer between the two, as it was deleted, renamed or given another place. "
            "The search goes on without it; where that was a mistake, mend it on the page of the version."
        )
    if policy_number != row.policy_number:
        told.append(
            "The thresholds were changed since it began: every version is judged by those in force now, so "
            "what was good may be bad by now and the other way round. Finish it and start another to begin afresh."
        )
    return told


def never_came(build: str, days: int) -> str:
    """Say what to do about a build that is waited for."""
    return (
        f"Nothing has come in for {count_text(days, 'day')}, and {build} is waited for: record it, or skip it "
        "if it cannot be had; the search goes on around it."
    )


def listed(names: Iterable[object]) -> str:
    """List names, the first of them where they are many."""
    known = [str(name) for name in names]
    return ", ".join(known[:LISTED]) + (" …" if len(known) > LISTED else "") or "none"


def _line_name(version: OsVersion) -> str:
    return version.channel or "the main line"
