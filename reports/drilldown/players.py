"""How the two players start: shape of their pictures, neighbours of the chosen run, addresses to ask."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from reports.drilldown.moments import MomentWords, Opening, story_about
from reports.drilldown.runs import RunRow, Side
from reports.drilldown.selectors import Drilldown, Step
from reports.media.stills import LARGE_PX

PHONE = (1080, 2340)  # the shape of a screen that nobody has measured yet
CARRIED = ("view", "wipe", "film", "speed")  # goes along to the next interaction, as in address.js


@dataclass(frozen=True)
class Pick:
    """The chosen run among its side's runs."""

    position: int
    previous: int | None
    next: int | None
    poster: str
    video: str
    changes: str


def screen_shape(*sides: Side) -> tuple[int, int]:
    """Return width and height in px of the pictures, so that their boxes stand before they load."""
    for side in sides:
        run = side.chosen.run if side.chosen else None
        if run and run.width_px and run.height_px:
            return run.width_px, run.height_px
    return PHONE


def pick(side: Side, at_ms: float) -> Pick | None:
    """Describe the chosen run of a side, with its picture ``at_ms`` after the action; None without a run."""
    if side.chosen is None:
        return None
    ids = side.ids
    at = ids.index(side.chosen.id)
    return Pick(
        position=at + 1,
        previous=ids[at - 1] if at else None,
        next=ids[at + 1] if at + 1 < len(ids) else None,
        poster=_poster(side.chosen, at_ms),
        video=reverse("run-video", args=[side.chosen.id]),
        changes=reverse("run-changes", args=[side.chosen.id]),
    )


def _poster(row: RunRow, at_ms: float) -> str:
    run = row.run
    if not run.width_px or not row.film.plays:
        return ""  # nothing was ever read from this recording, or it is gone
    at = min(max(run.action_ms + at_ms, 0.0), run.duration_ms or float("inf"))
    return f"{frame_url(row.id, at)}?h={LARGE_PX}"


def frame_url(run_id: int, time_ms: float) -> str:
    """Return the address of the frame shown ``time_ms`` after the first one."""
    return reverse("run-frame", args=[run_id, round(time_ms * 1000)])


@dataclass(frozen=True)
class SideState:
    """One player: the run it shows and where its data is."""

    run: int | None
    series: str
    playback: str
    note: str  # why a run does not count; empty for one that does


@dataclass(frozen=True)
class PageState:
    """Both players, the figure of the pair, where previous and next lead, and what the page opens on.

    ``opening``: ms after the action; ``moment``: response or finish, whichever the page speaks of; ``about``: what
    the line on a screen tells of the pair, that moment or ``dropped_frames``; ``words``: what moments are called.
    """

    base: SideState
    new: SideState
    plots: str
    previous: str
    next: str
    opening: float
    moment: str
    about: str
    words: dict[str, MomentWords]


def page_state(
    found: Drilldown, story: Opening, words: dict[str, MomentWords], query: Mapping[str, str]
) -> PageState:
    """Collect the addresses that the script asks. ``query``: of this page, for what goes along to the next one."""
    kept = {name: query[name] for name in CARRIED if query.get(name)}
    pair = [side.chosen.id if side.chosen else 0 for side in found.sides]
    place = found.place
    return PageState(
        base=_side_state(found.base),
        new=_side_state(found.new),
        plots=reverse("api-pair-plots", args=pair),
        previous=step_url(found, place.previous, kept) if place else "",
        next=step_url(found, place.next, kept) if place else "",
        opening=story.at_ms,
        moment=story.moment,
        about=story_about(found.lead, story),
        words=words,
    )


def step_url(found: Drilldown, step: Step | None, kept: dict[str, str]) -> str:
    """Return the address of a neighbouring interaction with this query, or nothing."""
    if step is None:
        return ""
    names = (found.base_version.name, found.new_version.name, step.package, step.interaction)
    device = {"device": str(step.device_id)} if len(found.devices) > 1 else {}
    query = urlencode(device | kept)
    return reverse("drilldown", args=names) + (f"?{query}" if query else "")


def _side_state(side: Side) -> SideState:
    if side.chosen is None:
        return SideState(None, "", "", "")
    number = side.chosen.id
    note = "" if side.chosen.state == "used" else f"{side.chosen.state_words}: {side.chosen.reason}"
    series, playback = (reverse(name, args=[number]) for name in ("api-run-series", "api-run-playback"))
    return SideState(number, series, playback, note)
