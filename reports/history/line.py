"""Lines of versions: which versions follow one another, and which of them are behind their runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from django.db.models import Exists, Max, OuterRef

from analysis.policy.policyjson import verdict_fingerprint
from reports.models import HistoryStatus, OsVersion, Run, VersionHistory
from reports.policies.selectors import current_policy

RULES = "4"  # raise it when the code that computes levels or steps changes what it says


@dataclass(frozen=True)
class Behind:
    """A version whose history is to be computed, and what it will have been computed from."""

    version_id: int
    basis: str


def versions_with_runs() -> list[OsVersion]:
    """Return the versions that have usable runs, line by line, each in its order; one query."""
    usable = Run.objects.usable().filter(os_version=OuterRef("pk"))
    return list(OsVersion.objects.filter(Exists(usable)).order_by("channel", "sort_key", "name"))


def bases(versions: Sequence[OsVersion] | None = None) -> dict[int, str]:
    """Return what the history of each version with runs is to be computed from: the versions before it, the rules.

    ``versions`` are those with runs of whole lines, where they are loaded already: one query then, else two. All
    versions before it count: an interaction may have been left out on the nearest. The last of a line counts on the
    pinned one as well, as drift is told since then.
    """
    rules = f"{RULES}-{verdict_fingerprint(current_policy())}"
    before: dict[str, int] = {}
    last: dict[str, int] = {}
    pins: dict[str, int] = {}
    found: dict[int, str] = {}
    for version in versions_with_runs() if versions is None else versions:
        found[version.pk] = f"{before.get(version.channel, 0):08x}-{rules}"
        before[version.channel] = crc32(f"{before.get(version.channel, 0)} {version.pk}".encode())
        last[version.channel] = version.pk
        if version.pinned:
            pins[version.channel] = version.pk
    return found | {pk: f"{found[pk]}-{pins.get(channel, 0)}" for channel, pk in last.items()}


def line_of(version: OsVersion) -> list[OsVersion]:
    """Return the versions with runs of a version's line in their order, and itself, with runs or without."""
    others = [row for row in versions_with_runs() if row.channel == version.channel and row != version]
    return sorted([*others, version], key=lambda row: (row.sort_key, row.name))


def behind() -> list[Behind]:
    """Return the versions whose history is missing or out of date, in their order; four queries."""
    wanted = bases()
    without_runs = VersionHistory.objects.exclude(version__in=wanted).values_list("version_id", flat=True)
    return _behind(wanted | dict.fromkeys(without_runs, ""))


def behind_among(versions: Sequence[OsVersion]) -> list[Behind]:
    """Return the same of the versions of one line, which have runs; two queries."""
    return _behind(bases(versions))


def _behind(wanted: dict[int, str]) -> list[Behind]:
    computed = VersionHistory.objects.filter(status=HistoryStatus.DONE, stale=False)
    done = dict(computed.values_list("version_id", "basis"))
    return [Behind(pk, basis) for pk, basis in wanted.items() if done.get(pk) != basis]


def written_at(versions: Sequence[OsVersion]) -> str:
    """Return when the history of any of these versions was last computed, as text; empty before that; one query."""
    last = VersionHistory.objects.filter(version__in=versions).aggregate(last=Max("computed_at"))["last"]
    return last.isoformat() if last else ""
