"""Say why two versions cannot be compared, and what to do about it."""

from analysis.verdicts.text import count_text
from reports.models import Comparison, OsVersion
from reports.services.comparison_plan import Plan

WORKER = "manage.py worker"
_LISTED = 8


class NothingToCompareError(Exception):
    """The two versions have no measured runs alike; the message says why and the cure."""


class WrongVersionsError(NothingToCompareError):
    """The versions named cannot be a pair at all, whatever is measured."""


def why_nothing(comparison: Comparison, plan: Plan) -> str:
    """Return the reason and the cure for a plan without cells."""
    pair = f"{comparison.base} and {comparison.new}"
    if not plan.shared:
        return f"{pair} share no interaction: import runs of the same interactions on both versions"
    if plan.waiting:
        waiting = count_text(plan.waiting, "run waits", "runs wait")
        return f"{pair}: nothing is measured on both sides yet, {waiting} in the queue. Start a worker: {WORKER}"
    if "not_alike" in plan.gaps.values():
        return f"{pair} were never recorded alike: no device, app version and capture has measured runs of both"
    failed = f": {count_text(plan.failed, 'run')} failed; see why on the Runs page" if plan.failed else ""
    return f"{pair} have no interaction with measured runs on both sides{failed}"


def refuse_same(base: OsVersion, new: OsVersion) -> None:
    """Refuse to compare a version with itself."""
    if base == new:
        raise WrongVersionsError(f"{base} cannot be compared with itself: name another version on one side")


def find_version(name: str) -> OsVersion:
    """Return the version called ``name``; the error lists those that are known."""
    found = OsVersion.objects.filter(name=name).first()
    if found is None:
        known = list(OsVersion.objects.with_runs().values_list("name", flat=True))
        listed = ", ".join(known[-_LISTED:]) + (" …" if len(known) > _LISTED else "") or "none, import runs first"
        raise WrongVersionsError(f"no OS version is called {name!r}; known are: {listed}")
    return found
