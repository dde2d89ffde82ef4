"""Everything the drill-down shows about one interaction of a comparison, without the frame series."""

from dataclasses import dataclass

from django.db.models import Q

from reports.models import App, Comparison, Device, Interaction, OsVersion, Result
from reports.selectors.drilldown_order import Place, place_in_order
from reports.selectors.drilldown_runs import Side, build_side, load_runs


@dataclass(frozen=True)
class Wanted:
    """What the address asks for. Ids that do not fit are passed over: old links stay usable."""

    base_run: int | None = None
    new_run: int | None = None
    device: int | None = None


@dataclass(frozen=True)
class Drilldown:
    """One interaction on one device, base against new. ``results`` come worst first; ``comparison`` may be None."""

    base_version: OsVersion
    new_version: OsVersion
    interaction: Interaction
    comparison: Comparison | None
    device: Device | None
    devices: tuple[Device, ...]
    results: tuple[Result, ...]
    base: Side
    new: Side
    place: Place | None

    @property
    def worst(self) -> Result | None:
        """The result that the page's sentence speaks of."""
        return self.results[0] if self.results else None

    @property
    def sides(self) -> tuple[Side, Side]:
        """Baseline, updated."""
        return self.base, self.new


def load_drilldown(base: str, new: str, package: str, name: str, wanted: Wanted) -> Drilldown:
    """Load the page; raises DoesNotExist of the model that is unknown."""
    versions = {row.name: row for row in OsVersion.objects.filter(name__in=[base, new])}
    if missing := {base, new} - versions.keys():
        raise OsVersion.DoesNotExist(f"no OS version is called {', '.join(sorted(missing))}")
    interaction = Interaction.objects.select_related("app").get(app__package=package, name=name)
    comparison = _comparison(versions[base], versions[new], wanted.device)
    results = _results(comparison, interaction)
    runs = load_runs(interaction, (versions[base].pk, versions[new].pk))
    devices = {run.device_id: run.device for run in runs}
    device_id = _device_id(wanted.device, results, list(devices))
    here = tuple(row for row in results if row.device_id == device_id)
    runs = [run for run in runs if run.device_id == device_id]
    return Drilldown(
        base_version=versions[base],
        new_version=versions[new],
        interaction=interaction,
        comparison=comparison,
        device=devices.get(device_id) if device_id else None,
        devices=tuple(devices.values()),
        results=here,
        base=build_side("base", versions[base], runs, here, wanted.base_run),
        new=build_side("new", versions[new], runs, here, wanted.new_run),
        place=place_in_order(comparison, interaction, device_id) if comparison else None,
    )


def known_names(package: str) -> str:
    """Return the interactions of an app in words, for the page that says one is unknown."""
    names = Interaction.objects.filter(app__package=package).order_by("name").values_list("name", flat=True)
    if not App.objects.filter(package=package).exists():
        return f"No app has the package {package}."
    return f"{package} has: {', '.join(names[:20]) or 'no interactions'}."


def _comparison(base: OsVersion, new: OsVersion, device_id: int | None) -> Comparison | None:
    found = Comparison.objects.filter(Q(device=None) | Q(device_id=device_id), base=base, new=new)
    return found.order_by("device_id").first()


def _results(comparison: Comparison | None, interaction: Interaction) -> list[Result]:
    if comparison is None:
        return []
    rows = Result.objects.filter(comparison=comparison, interaction=interaction)
    return list(rows.order_by("place", "-times_threshold", "id"))


def _device_id(wanted: int | None, results: list[Result], known: list[int]) -> int | None:
    if wanted in known:
        return wanted
    if results:
        return results[0].device_id
    return known[0] if known else None
