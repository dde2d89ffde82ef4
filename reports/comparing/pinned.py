"""What the gate's rule against the pinned version reads: the comparison of a version with the pinned one of a line.

It is a comparison like any other, so that the gate counts what its ranking shows. Nothing is asked for here.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q

from analysis.gate.drift import COUNTED, ITSELF, SAME, UNKNOWN, WAITS
from reports.models import Comparison, ComparisonStatus, OsVersion

UNDER_WAY = (ComparisonStatus.PENDING, ComparisonStatus.RUNNING)


@dataclass(frozen=True)
class PinnedPair:
    """The updated version of a comparison and the ``pinned`` one of its line, both as analysis.gate.drift names it.

    ``comparison`` is the one of the two, on the same device; None if nobody has asked for it. ``askable``: it makes
    sense to ask. ``why`` ends a sentence that says that nothing is known.
    """

    state: str
    pinned: OsVersion | None = None
    comparison: Comparison | None = None
    why: str = ""
    askable: bool = False


def pinned_pairs(comparisons: Iterable[Comparison]) -> dict[int, PinnedPair]:
    """Return comparison id → its updated version and the pinned one of that version's line: two queries for all."""
    rows = list(comparisons)
    pins = {row.channel: row for row in OsVersion.objects.pinned()}
    news = {row.new_id for row in rows if row.new.channel in pins and row.base_id != pins[row.new.channel].pk}
    found = {}
    if news:
        asked = Comparison.objects.filter(base__in=pins.values(), new__in=news).select_related(
            "base", "new", "device"
        )
        found = {(row.base_id, row.new_id, row.device_id): row for row in asked}
    return {row.pk: _pair(row, pins.get(row.new.channel), found) for row in rows}


def _pair(
    row: Comparison, pinned: OsVersion | None, found: Mapping[tuple[int, int, int | None], Comparison]
) -> PinnedPair:
    if pinned is None:
        line = f"the line {row.new.channel}" if row.new.channel else "the main line"
        return PinnedPair(UNKNOWN, why=f"no version of {line} is pinned; pin one on its page")
    if row.base_id == pinned.pk:
        return PinnedPair(SAME, pinned)
    if row.new_id == pinned.pk:
        return PinnedPair(ITSELF, pinned)
    if (row.new.sort_key, row.new.name) < (pinned.sort_key, pinned.name):
        why = f"the pinned {pinned} comes after {row.new} in its line; it tells of later versions alone"
        return PinnedPair(UNKNOWN, pinned, why=why)
    comparison = found.get((pinned.pk, row.new_id, row.device_id))
    return PinnedPair(*_stands(comparison, pinned, row.new), askable=True)


def _stands(
    comparison: Comparison | None, pinned: OsVersion, new: OsVersion
) -> tuple[str, OsVersion, Comparison | None, str]:
    pair = f"{pinned} → {new}"
    if comparison is None:
        return UNKNOWN, pinned, None, f"{pair} has not been compared yet; have it compared"
    again = " again" if comparison.summary else ""
    if comparison.status in UNDER_WAY:
        return WAITS, pinned, comparison, f"{pair} is being computed{again}"
    if comparison.stale:
        return WAITS, pinned, comparison, f"{pair} waits for runs, and is computed again with them"
    if not comparison.summary:
        return UNKNOWN, pinned, comparison, comparison.error or f"{pair} could not be computed"
    return COUNTED, pinned, comparison, ""


def waiting_for(comparison: Comparison) -> Collection[Comparison]:
    """Return, for update, the settled comparisons whose gate may ask what this one says: its baseline is pinned."""
    settled = Comparison.objects.select_for_update(of=("self",)).filter(status=ComparisonStatus.DONE, stale=False)
    same = Q(new=comparison.new_id, device=comparison.device_id)
    pinned = comparison.base.pinned and comparison.base.channel == comparison.new.channel
    rows = settled.filter(same).exclude(pk=comparison.pk).exclude(summary={})
    return rows.select_related("base", "new", "device") if pinned else ()
