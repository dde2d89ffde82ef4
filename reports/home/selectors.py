"""What can be chosen on the first page: versions, devices, the pinned baseline, and what two versions share."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef

from analysis.verdicts.text import count_text, number_text
from reports.models import Device, OsVersion, Run


@dataclass(frozen=True)
class CompareChoices:
    """What can be compared; versions newest first."""

    versions: list[OsVersion]
    devices: list[Device]

    @property
    def proposal(self) -> dict[str, str]:
        """Name the newest version as "new", and as "base" the pinned one of its line, else the one before it.

        A pinned version that is the newest itself is nothing to hold the newest against. {} without any version.
        """
        if not self.versions:
            return {}
        newest, *others = self.versions
        older = [version for version in others if version.channel == newest.channel] or others
        base = next((version for version in older if version.pinned), older[0] if older else newest)
        return {"base": base.name, "new": newest.name}

    @property
    def lone(self) -> OsVersion | None:
        """The only version that has runs, if there is just one: nothing can be compared yet."""
        return self.versions[0] if len(self.versions) == 1 else None

    def has_runs(self, version: OsVersion) -> bool:
        """Tell whether a version can be chosen."""
        return version in self.versions


@dataclass(frozen=True)
class SharedFacts:
    """What two versions have in common; all counts are of interactions unless said."""

    apps: int
    shared: int
    only_base: int
    only_new: int
    runs_base: tuple[int, int]  # fewest and most runs of a shared interaction
    runs_new: tuple[int, int]

    @property
    def runs_base_text(self) -> str:
        """Say how many runs a shared interaction has on the baseline."""
        return _runs_text(self.runs_base)

    @property
    def runs_new_text(self) -> str:
        """Say how many runs a shared interaction has on the updated version."""
        return _runs_text(self.runs_new)


def compare_choices() -> CompareChoices:
    """List versions and devices that have runs: two queries."""
    versions = OsVersion.objects.filter(Exists(Run.objects.filter(os_version=OuterRef("pk"))))
    devices = Device.objects.filter(Exists(Run.objects.filter(device=OuterRef("pk"))))
    return CompareChoices(list(versions.order_by("-sort_key", "-name")), list(devices))


def pinned_baseline(choices: CompareChoices) -> OsVersion | None:
    """Return the version that is pinned in the line of the newest one, with who pinned it; one query."""
    channel = choices.versions[0].channel if choices.versions else ""
    return OsVersion.objects.baselines(channel).select_related("pinned_by").first()


def shared_facts(base: OsVersion, new: OsVersion, device: Device | None = None) -> SharedFacts:
    """Count what two versions share, on one device or on all, in one query."""
    runs = Run.objects.filter(os_version__in=[base, new])
    if device:
        runs = runs.filter(device=device)
    counts: dict[int, Counter[int]] = {base.pk: Counter(), new.pk: Counter()}
    apps: dict[int, int] = {}
    groups = runs.order_by().values_list("os_version", "interaction", "interaction__app").annotate(Count("id"))
    for version, interaction, app, count in groups:
        counts[version][interaction] = count
        apps[interaction] = app
    return _facts(counts[base.pk], counts[new.pk], apps)


def _facts(base: Counter[int], new: Counter[int], apps: dict[int, int]) -> SharedFacts:
    shared = base.keys() & new.keys()
    return SharedFacts(
        apps=len({apps[interaction] for interaction in shared}),
        shared=len(shared),
        only_base=len(base.keys() - shared),
        only_new=len(new.keys() - shared),
        runs_base=_span(base[interaction] for interaction in shared),
        runs_new=_span(new[interaction] for interaction in shared),
    )


def _span(counts: Iterable[int]) -> tuple[int, int]:
    found = list(counts)
    return (min(found), max(found)) if found else (0, 0)


def _runs_text(span: tuple[int, int]) -> str:
    fewest, most = span
    return count_text(most, "run") if fewest == most else f"{number_text(fewest)}–{count_text(most, 'run')}"
