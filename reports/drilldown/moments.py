"""The moments of a pair of runs: what they are called, and which one the page opens on."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.verdicts.words import NO_CHANGE
from reports.drilldown.runs import LABELS
from reports.measuring.series import RunSeries
from reports.models import Interaction, InteractionType, Result
from reports.models.measured import MOMENT_OF

DROPS = "dropped_frames"

Pair = dict[str, RunSeries]
Times = dict[str, float]


def pair_of(series: Mapping[str, RunSeries | None]) -> Pair:
    """Return the runs that have frames, by side."""
    return {key: run for key, run in series.items() if run is not None and len(run.series.time_ms)}


@dataclass(frozen=True)
class MomentWords:
    """What a moment is called on buttons, lines and pictures, and what is said of a screen that is there."""

    label: str
    reached: str


def moment_words(interaction: Interaction) -> dict[str, MomentWords]:
    """Return the words for response and finish. The finish of a launch is its launch time, so it is called that."""
    launch = interaction.type == InteractionType.LAUNCH
    return {
        "response": MomentWords("Response", "responded"),
        "finish": MomentWords("Launch", "usable") if launch else MomentWords("Finish", "ready"),
    }


@dataclass(frozen=True)
class Opening:
    """Where the page opens, ms after the action, which moment it is about, and what is to be seen there."""

    at_ms: float
    moment: str
    words: str


def opening(lead: Result | None, runs: Pair, words: dict[str, MomentWords]) -> Opening:
    """Choose the moment that tells the story of a pair.

    A time: one side is there and the other is not. Dropped frames: the longest stretch without a picture on the
    side that drops more. Where there is nothing to tell apart: the later response, else the action.
    """
    if lead and lead.verdict == NO_CHANGE:
        return _default(runs, words)
    metric = lead.metric if lead else ""
    if lead and metric == DROPS:
        found = _worst_drop(runs, "new" if (lead.delta or 0.0) >= 0 else "base")
        if found:
            return found
    moment = MOMENT_OF.get(metric, "response")
    return _apart(moment, runs, words[moment]) or _default(runs, words)


def story_about(lead: Result | None, story: Opening) -> str:
    """Return what the line on a screen is about: ``dropped_frames`` where those lead, else the story's moment."""
    return DROPS if lead and lead.metric == DROPS and lead.verdict != NO_CHANGE else story.moment


def asked_for(text: str | None) -> float | None:
    """Return the time that an address asks for; None where it asks for none that can be shown."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if abs(value) < 1e7 else None


def _apart(moment: str, runs: Pair, words: MomentWords) -> Opening | None:
    """Return the moment at which one side is there and the other is not; None if no picture lies between them."""
    times = _times(moment, runs)
    if not times:
        return None
    first = min(times, key=lambda key: times[key])
    others = [run for key, run in runs.items() if key != first]
    if not others:
        return None
    run, late = runs[first], max(times.values()) if len(times) == len(runs) else None
    slot = 1000.0 / run.refresh_hz
    if late is not None and late - times[first] < slot:
        return None
    at = times[first]
    if moment == "response" and run.finish_ms is not None:
        # A response may be a ripple: as far on as the sooner side gets while the other still shows nothing.
        at = max(at, run.finish_ms if late is None else min(run.finish_ms, late - slot))
    other = LABELS["new" if first == "base" else "base"]
    return Opening(_tenths(at), moment, f"{LABELS[first]} {_is(words)}, {other} {_is_not(words)}.")


def _worst_drop(runs: Pair, key: str) -> Opening | None:
    run = runs.get(key)
    drop = run.longest_drop if run else None
    if run is None or drop is None:
        return None
    at = max(drop["from_ms"], drop["to_ms"] - 500.0 / run.refresh_hz)  # half a refresh before it goes on
    frames = f"{drop['frames']:g} {'frame' if drop['frames'] == 1 else 'frames'}"
    return Opening(_tenths(at), "finish", f"{LABELS[key]} stands still: {frames} dropped.")


def _default(runs: Pair, words: dict[str, MomentWords]) -> Opening:
    for moment in ("response", "finish"):
        times = _times(moment, runs)
        if times:
            who = "Both sides" if len(times) > 1 else LABELS[next(iter(times))]
            have = "have" if len(times) > 1 else "has"
            state = f"{have} responded" if moment == "response" else f"{'are' if have == 'have' else 'is'} there"
            return Opening(_tenths(max(times.values())), moment, f"{who} {state}.")
    return Opening(0.0, "response", "")


def _times(moment: str, runs: Pair) -> Times:
    found = {key: run.response_ms if moment == "response" else run.finish_ms for key, run in runs.items()}
    return {key: at for key, at in found.items() if at is not None}


def _is(words: MomentWords) -> str:
    return f"{'has' if words.reached == 'responded' else 'is'} {words.reached}"


def _is_not(words: MomentWords) -> str:
    return "has not yet" if words.reached == "responded" else "is not yet"


def _tenths(at_ms: float) -> float:
    """Round as addresses carry times, never to before the frame."""
    return -(-round(at_ms * 100) // 10) / 10
