"""What the drill-down's script needs to start: a small JSON island, no series."""

from dataclasses import dataclass

from django.urls import reverse

from reports.selectors.drilldown import Drilldown
from reports.selectors.drilldown_order import Step
from reports.selectors.drilldown_runs import Side


@dataclass(frozen=True)
class SideState:
    """One player: the run it shows and where its data is."""

    run: int | None
    series: str
    playback: str
    note: str  # why a run does not count; empty for one that does


@dataclass(frozen=True)
class PageState:
    """Both players, the figure of the pair, and where previous and next lead."""

    base: SideState
    new: SideState
    plots: str
    previous: str
    next: str


def page_state(found: Drilldown) -> PageState:
    """Collect the addresses that the page's script asks."""
    pair = [side.chosen.id if side.chosen else 0 for side in found.sides]
    place = found.place
    return PageState(
        base=_side(found.base),
        new=_side(found.new),
        plots=reverse("api-pair-plots", args=pair),
        previous=step_url(found, place.previous) if place else "",
        next=step_url(found, place.next) if place else "",
    )


def step_url(found: Drilldown, step: Step | None) -> str:
    """Return the address of a neighbouring interaction, or nothing."""
    if step is None:
        return ""
    names = (found.base_version.name, found.new_version.name, step.package, step.interaction)
    device = f"?device={step.device_id}" if len(found.devices) > 1 else ""
    return reverse("drilldown", args=names) + device


def _side(side: Side) -> SideState:
    if side.chosen is None:
        return SideState(None, "", "", "")
    number = side.chosen.id
    note = "" if side.chosen.state == "used" else f"{side.chosen.state_words}: {side.chosen.reason}"
    series, playback = (reverse(name, args=[number]) for name in ("api-run-series", "api-run-playback"))
    return SideState(number, series, playback, note)
