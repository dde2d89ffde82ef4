"""What a film of OBS is worth: whether it is whole, and when in it the action was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from upreg_recorder.drivers.contract import Take
from upreg_recorder.drivers.hands import Touch
from upreg_recorder.drivers.obs.films import Seen
from upreg_recorder.drivers.obs.marker import ROUNDED_MS, SHOWN_PICTURES, Change, Sync, synchronise
from upreg_recorder.drivers.obs.recording import NONE_SKIPPED, Skipped
from upreg_recorder.drivers.obs.settings import Settings
from upreg_recorder.drivers.obs.staging import Rate
from upreg_recorder.failures import TrialError
from upreg_recorder.plans.model import Interaction


@dataclass
class Shot:
    """What is known of one film besides its file; `stats` are OBS's answers to GetStats before and after it."""

    skipped: Skipped = NONE_SKIPPED
    changes: list[Change] = field(default_factory=list)
    touch: Touch | None = None
    stats: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    path: str = ""


def judged(shot: Shot, seen: Seen, interaction: Interaction, settings: Settings, rate: Rate) -> Take:
    """Return the take, without its file, or raise TrialError for what is wrong with it."""
    if shot.skipped.all > settings.skipped_frames:
        raise TrialError(
            f"OBS skipped pictures while it filmed: {shot.skipped}. Close what else runs on its computer, choose a "
            "faster encoder, or allow so many by the device's `skipped_frames`"
        )
    notes = (f"OBS skipped pictures: {shot.skipped}",) if shot.skipped.all else ()
    take = Take(Path(), None, rate.period_ms + ROUNDED_MS, "", rate.capture, notes=notes)
    least_ms = interaction.lead_ms + interaction.watch_ms
    if settings.marker == "obs":
        take = _dated(shot, seen, take, settings, rate)
        least_ms = (take.action_ms or 0.0) + interaction.watch_ms
    else:
        clock = f"the phone shows the action itself ({settings.marker}); the server finds it in the film"
        # without `show_touches`, which would have the server look past the dot; where it finds one it sets it
        take = replace(take, clock=clock, action_from=settings.marker)
    if seen.length_ms < least_ms - rate.period_ms:
        raise TrialError(
            f"the recording is {seen.length_ms:.0f} ms long and should be {least_ms:.0f}: OBS lost its end"
        )
    return take


def _dated(shot: Shot, seen: Seen, take: Take, settings: Settings, rate: Rate) -> Take:
    """Return the take with the instant of its action; TrialError if that is not known well enough."""
    touch = shot.touch
    assert touch is not None
    sync = _synchronised(shot, seen, rate)
    late_ms = shot.skipped.composed * rate.period_ms  # so much later may the film show anything
    uncertain_ms = sync.uncertain_ms + touch.uncertain_ms + late_ms
    accept_ms = settings.accept_ms or rate.period_ms
    if uncertain_ms > accept_ms:
        parts = f"by the phone ± {touch.uncertain_ms:.0f} ({touch.how}), by the film ± {sync.uncertain_ms:.0f}"
        raise TrialError(
            f"the action's instant is known to ± {uncertain_ms:.0f} ms only, ± {accept_ms:.0f} is wanted: {parts}, "
            f"by skipped pictures ± {late_ms:.0f}. Set the phone's `trace_input`, relieve OBS, or raise `accept_ms`"
        )
    return replace(
        take,
        action_ms=round(sync.film_ms(touch.host_s) + settings.capture_delay_ms, 3),
        uncertain_ms=round(uncertain_ms, 3),
        clock=_clock(touch, sync, settings.capture_delay_ms),
    )


def _synchronised(shot: Shot, seen: Seen, rate: Rate) -> Sync:
    if len(seen.changes_ms) != len(SHOWN_PICTURES):
        raise TrialError(
            f"the film shows {len(seen.changes_ms)} changes of OBS's marker and should show {len(SHOWN_PICTURES)}: "
            "nothing may lie over the lower right corner of the scene, and OBS must compose each picture in time"
        )
    return synchronise(shot.changes, seen.changes_ms, rate.period_ms)


def _clock(touch: Touch, sync: Sync, late_ms: float) -> str:
    late = (
        f"{late_ms:g} ms later, the delay of the capture card as the plan says"
        if late_ms
        else "without the delay of the capture card, which the plan does not say"
    )
    return (
        f"{touch.how} (± {touch.uncertain_ms:.1f} ms), brought to the film by a marker that OBS drew "
        f"(± {sync.uncertain_ms:.1f} ms), {late}"
    )
