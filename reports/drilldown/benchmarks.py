"""What the drill-down tells of an interaction that nobody filmed: where its values came from, and all of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reports.drilldown.runs import RunRow
from reports.drilldown.selectors import Drilldown

_OF_ONE_RUN = ("Iteration", "Fingerprint")
MOST_VALUES = 6  # of a fact that differs among the runs of a file, in one line


@dataclass(frozen=True)
class Source:
    """One file of results of a side: how many of the listed runs it gave, and what it says of itself."""

    key: str
    label: str
    file: str
    runs: int
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Benchmarked:
    """``sources`` of both sides; ``shown`` are the metrics that runs have values of and that nothing judges."""

    sources: tuple[Source, ...]
    shown: tuple[str, ...]


def benchmarked(page: Drilldown) -> Benchmarked | None:
    """Return what is told in the place of screencasts; None for an interaction that is filmed. No query."""
    if page.interaction.filmed:
        return None
    listed = [(side, [row for group in side.groups for row in group.rows]) for side in page.sides]
    judged = {result.metric for result in page.results}
    keys = {key for _, rows in listed for row in rows for key in row.values}
    sources = (source for side, rows in listed for source in _sources(side.key, side.label, rows))
    return Benchmarked(tuple(sources), tuple(sorted(keys - judged)))


def _sources(key: str, label: str, rows: Iterable[RunRow]) -> Iterator[Source]:
    files: dict[tuple[str, str], list[RunRow]] = {}
    for row in rows:
        files.setdefault((row.run.original_name, row.run.sha256), []).append(row)
    for (name, _), found in files.items():
        yield Source(key, label, name, len(found), tuple(_facts(found)))


def _facts(rows: list[RunRow]) -> Iterator[tuple[str, str]]:
    """Yield each fact once, with all its values where the runs of a file differ in it."""
    names = dict.fromkeys(name for row in rows for name in row.run.metadata if name not in _OF_ONE_RUN)
    for name in names:
        values = list(dict.fromkeys(str(row.run.metadata[name]) for row in rows if name in row.run.metadata))
        more = ", …" if len(values) > MOST_VALUES else ""
        yield name, ", ".join(values[:MOST_VALUES]) + more
