"""What the policy editor shows besides the policy: comparisons to try it on, and what it would change there."""

from collections.abc import Iterable
from dataclasses import dataclass

from analysis.policy.policy import Policy
from analysis.policy.policyjson import policy_changes
from analysis.verdicts.words import VERDICTS
from reports.models import App, Comparison
from reports.selectors.policies import ChangedVerdict, preview_policy

LISTED = 100


@dataclass(frozen=True)
class Moved:
    """How many results would go from one verdict to another."""

    old: str
    new: str
    count: int


@dataclass(frozen=True)
class Preview:
    """What the typed policy would change. ``comparison`` is None where none was chosen."""

    changes: tuple[str, ...]
    comparison: Comparison | None
    results: int
    changed: tuple[ChangedVerdict, ...]  # the first of them
    changed_count: int
    moved: tuple[Moved, ...]
    names: dict[str, str]  # package: the app's name


def comparable() -> list[Comparison]:
    """List the comparisons that have results, newest first; one query."""
    return list(Comparison.objects.for_home().exclude(computed_at=None).defer("summary")[:30])


def load_preview(comparison_id: str, now: Policy, typed: Policy) -> Preview:
    """Compare the typed policy with the one in force, and judge a comparison's stored statistics by it."""
    changes = tuple(policy_changes(now, typed))
    comparison = _find(comparison_id)
    if comparison is None:
        return Preview(changes, None, 0, (), 0, (), {})
    found = preview_policy(comparison, typed)
    listed = found.changed[:LISTED]
    return Preview(
        changes=changes,
        comparison=comparison,
        results=found.results,
        changed=listed,
        changed_count=len(found.changed),
        moved=_moved(found.counts),
        names=_app_names({row.app for row in listed}),
    )


def _find(comparison_id: str) -> Comparison | None:
    if not (comparison_id.isascii() and comparison_id.isdecimal() and len(comparison_id) < 18):
        return None
    return Comparison.objects.select_related("base", "new").filter(pk=int(comparison_id)).first()


def _moved(counts: dict[tuple[str, str], int]) -> tuple[Moved, ...]:
    moves = [Moved(old, new, count) for (old, new), count in counts.items() if old != new]
    return tuple(sorted(moves, key=lambda move: (VERDICTS.index(move.new), VERDICTS.index(move.old))))


def _app_names(packages: Iterable[str]) -> dict[str, str]:
    return dict(App.objects.filter(package__in=packages).values_list("package", "name"))
