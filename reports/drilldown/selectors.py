"""Everything the drill-down shows about one interaction of a comparison, without the frame series."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.forms import model_to_dict

from analysis.policy.checks import PolicyError
from analysis.policy.policyjson import stored_policy
from analysis.policy.thresholds import Threshold
from analysis.verdicts.risk import LAUNCH_METRIC
from analysis.verdicts.sentences import metric_unit, result_sentence
from analysis.verdicts.text import number_text
from analysis.verdicts.words import REGRESSION
from reports.comparing.selectors import load_pair
from reports.drilldown.runs import Side, build_sides, load_devices, load_entries
from reports.models import App, Comparison, Device, Interaction, OsVersion, Result
from reports.models.comparisons import WORST_FIRST


@dataclass(frozen=True)
class Wanted:
    """What the address asks for. Ids that do not fit are passed over: old links stay usable."""

    base_run: int | None = None
    new_run: int | None = None
    device: int | None = None


@dataclass(frozen=True)
class Step:
    """A neighbour in the order: enough for a link."""

    package: str
    interaction: str
    label: str
    device_id: int


@dataclass(frozen=True)
class Place:
    """Where an interaction stands. ``total`` counts the regressed ones if it is one of them, else all."""

    position: int
    total: int
    regressed: bool
    previous: Step | None
    next: Step | None


@dataclass(frozen=True)
class Drilldown:
    """One interaction on one device, base against new; ``comparison`` may be None.

    ``results`` come worst first, but a launch begins with its launch time.
    """

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
    def lead(self) -> Result | None:
        """The result that speaks for the interaction on every page; it gives it its verdict and severity."""
        return _lead(self.results)

    @property
    def sentence(self) -> str:
        """Say what the leading metric did; nothing without a comparison."""
        return result_sentence(model_to_dict(self.lead)) if self.lead else ""

    @property
    def headline(self) -> str:
        """The sentence up to its numbers."""
        return self.sentence.partition(": ")[0]

    @property
    def detail(self) -> str:
        """The numbers of the sentence."""
        return self.sentence.partition(": ")[2]

    @property
    def sides(self) -> tuple[Side, Side]:
        """Baseline, updated."""
        return self.base, self.new


def load_drilldown(base: str, new: str, package: str, name: str, wanted: Wanted) -> Drilldown:
    """Load the page; raises DoesNotExist of the model that is unknown."""
    pair = load_pair(base, new, wanted.device)
    base_version, new_version, comparison = pair.base, pair.new, pair.comparison
    interaction = Interaction.objects.select_related("app").get(app__package=package, name=name)
    results = _results(comparison, interaction)
    entries = load_entries(interaction, (base_version.pk, new_version.pk))
    devices = load_devices(entries)
    device_id = _device_id(wanted.device, results, list(devices))
    here = _launch_first(row for row in results if row.device_id == device_id)
    spoken_of = sorted(here, key=lambda row: row is not _lead(here))
    base_side, new_side = build_sides(
        (base_version, new_version),
        [entry for entry in entries if entry.device_id == device_id],
        spoken_of,
        (wanted.base_run, wanted.new_run),
    )
    return Drilldown(
        base_version=base_version,
        new_version=new_version,
        interaction=interaction,
        comparison=comparison,
        device=devices.get(device_id) if device_id else None,
        devices=tuple(devices.values()),
        results=here,
        base=base_side,
        new=new_side,
        place=place_in_order(comparison, interaction, device_id) if comparison else None,
    )


def _lead(results: tuple[Result, ...]) -> Result | None:
    return min(results, key=lambda row: (not row.worst, row.place, -(row.times_threshold or 0.0)), default=None)


def _launch_first(results: Iterable[Result]) -> tuple[Result, ...]:
    return tuple(sorted(results, key=lambda row: row.metric != LAUNCH_METRIC))


def known_names(package: str) -> str:
    """Return the interactions of an app in words, for the page that says one is unknown."""
    names = Interaction.objects.filter(app__package=package).order_by("name").values_list("name", flat=True)
    if not App.objects.filter(package=package).exists():
        return f"No app has the package {package}."
    return f"{package} has: {', '.join(names[:20]) or 'no interactions'}."


def _results(comparison: Comparison | None, interaction: Interaction) -> list[Result]:
    if comparison is None:
        return []
    rows = Result.objects.filter(comparison=comparison, interaction=interaction)
    return list(rows.order_by(*WORST_FIRST))


def _device_id(wanted: int | None, results: list[Result], known: list[int]) -> int | None:
    if wanted in known:
        return wanted
    if results:
        return results[0].device_id
    return known[0] if known else None


def threshold_origin(comparison: Comparison | None, interaction: Interaction, metric: str) -> str:
    """Say where θ comes from: ``the larger of 50 ms and 20 % of the baseline's median (reason)``."""
    rules: dict[str, Any] = comparison.policy if comparison else {}
    try:
        policy = stored_policy(rules)
    except PolicyError:
        return "the policy that this comparison was computed with"
    found = policy.threshold(app=interaction.app.package, interaction_type=interaction.type, metric=metric)
    return threshold_words(found, metric)


def threshold_words(threshold: Threshold, metric: str) -> str:
    """Say what θ is: ``the larger of 50 ms and 20 % of the baseline's median (reason)``."""
    unit, decimals = metric_unit(metric)
    parts = [f"{number_text(threshold.absolute, decimals)} {unit}".strip()] if threshold.absolute else []
    parts += (
        [f"{number_text(threshold.relative_pct, 1)} % of the baseline's median"] if threshold.relative_pct else []
    )
    text = " and ".join(parts) if len(parts) < 2 else "the larger of " + " and ".join(parts)
    return f"{text} ({threshold.reason})" if threshold.reason else text


def place_in_order(comparison: Comparison, interaction: Interaction, device_id: int | None) -> Place | None:
    """Return the place of this interaction among the worst rows of the comparison; None if it has none."""
    rows = list(
        Result.objects.filter(comparison=comparison, worst=True)
        .order_by(*WORST_FIRST)
        .values_list("interaction_id", "device_id", "verdict")
    )
    at = _position(rows, interaction.pk, device_id)
    if at is None:
        return None
    regressed = sum(verdict == REGRESSION for _, _, verdict in rows)
    steps = _steps([rows[place][:2] for place in (at - 1, at + 1) if 0 <= place < len(rows)])
    return Place(
        position=at + 1,
        total=regressed if at < regressed else len(rows),
        regressed=at < regressed,
        previous=steps.get(rows[at - 1][:2]) if at else None,
        next=steps.get(rows[at + 1][:2]) if at + 1 < len(rows) else None,
    )


def _position(rows: list[tuple[int, int, str]], interaction_id: int, device_id: int | None) -> int | None:
    places = [
        (device != device_id, place)
        for place, (interaction, device, _) in enumerate(rows)
        if interaction == interaction_id
    ]
    return min(places)[1] if places else None


def _steps(keys: list[tuple[int, int]]) -> dict[tuple[int, int], Step]:
    ids = {interaction for interaction, _ in keys}
    found = {row.pk: row for row in Interaction.objects.filter(pk__in=ids).select_related("app")}
    return {
        key: Step(found[key[0]].app.package, found[key[0]].name, str(found[key[0]]), key[1])
        for key in keys
        if key[0] in found
    }
