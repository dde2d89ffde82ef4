"""Scenes that people film, each with the rules that it needs: without one of them it is measured wrong.

Times are ms of the clip. `benchmarks.ablation` measures all of them with every rule off in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from analysis.options import MeasureOptions
from tests.analysis.camera_scenes import dragged, filmed_by, grainy, opens, ticked
from tests.analysis.caret_scenes import (
    becomes,
    caret_comes_back,
    focused,
    goes_then_letter,
    goes_then_sheet,
    lamp,
    narrow_letter,
    typing,
    typing_fading,
)
from tests.analysis.click_scenes import modal, ring_goes_along, ring_spreads, window
from tests.analysis.counting_scenes import digits, framed, recording_light, seconds_pass, status_bar
from tests.analysis.cursor_scenes import (
    LEAPS,
    OVER,
    RESTS,
    ball_after_dialog,
    card_swings,
    fading_key,
    key_pressed,
    red_ball,
    row_lights_up,
    swiped,
    switch,
    thumb_slides,
    tick,
    touch_mark,
    with_cursor,
    with_disc,
    with_halo,
)
from tests.analysis.encoder_scenes import (
    begins_coarsely,
    coded_anew,
    held_frame,
    refined,
    sharpened_late,
    spinner_around_a_key_frame,
    stirs_by_itself,
    tooltip_goes,
)
from tests.analysis.faint_scenes import (
    backdrop,
    dot_goes,
    earlier_scrollbar,
    faint_before,
    faint_then_clear,
    halo,
    last_ghost,
    late_notice,
    scrollbar_goes,
    scrollbar_goes_slowly,
    scrollbar_slides_off,
)
from tests.analysis.located_scenes import FOLLOWED, located, tap_at, window_opens
from tests.analysis.motion_scenes import (
    LOST,
    SLOTS,
    START,
    Motion,
    changes_colour,
    comes_to_rest,
    fades,
    losing,
    mark_after_slide,
    marked_page,
    shimmer,
    slides,
    slides_in,
    small_step_beside_a_large_one,
    thin_spinner,
    thumb_glides,
    waits_to_the_end,
)
from tests.analysis.scenes import ACTION_MS, SCENES, SLOT, dialog, nothing
from tests.synthetic import Clip, Draw, Screen, every, film, on_change

QUICK = {"preset": "veryfast", "crf": "25", "tune": "zerolatency"}
CLEAN = {"preset": "veryfast", "crf": "10", "tune": "zerolatency"}
LOSSLESS = {"preset": "ultrafast", "qp": "0"}
STARVED = {"preset": "veryfast", "tune": "zerolatency", "crf": "25", "maxrate": "1500k", "bufsize": "1500k"}
SPARING = {"deadline": "realtime", "cpu-used": "-8", "b": "600k"}  # below 0: at one speed, however busy all is
TYPE = MeasureOptions(action_ms=1540.0, interaction_type="type")
SWIPED = MeasureOptions(action_ms=ACTION_MS, interaction_type="swipe")
TOUCHED = MeasureOptions(
    action_ms=ACTION_MS, interaction_type="swipe", show_touches=True, touch_xy=(0.8 * 270, 0.8 * 584)
)


@dataclass(frozen=True)
class Filmed:
    """A clip, what the caller knows of it, and what a person says: response and finish in ms after the action.

    `needs` names the rules without each of which it is measured wrong; "a+b" those without both of which it is.
    """

    paint: Draw
    clip: Clip
    response: float | None
    finish: float | None
    needs: tuple[str, ...] = ()
    options: MeasureOptions = field(default_factory=lambda: MeasureOptions(action_ms=ACTION_MS))
    dropped: int | None = None
    settles: bool | None = True
    slack_ms: float = SLOT + 0.5
    outcome: str = ""  # where it does not follow from the times

    def film(self, folder: Path) -> Path:
        """Render the clip."""
        name = "clip.webm" if self.clip.codec == "libvpx" else "clip.mp4"
        return film(folder / name, Screen(), self.paint, self.clip)

    def is_right(self, outcome: str, settles: bool | None, metrics: dict[str, float | None]) -> bool:
        """Return whether a person would say the same."""
        near = all(
            (value is None) == (true is None) and (value is None or abs(value - true) <= self.slack_ms)
            for value, true in (
                (metrics["response_time_ms"], self.response),
                (metrics["finish_time_ms"], self.finish),
            )
        )
        drops = self.dropped is None or abs((metrics["dropped_frames"] or 0) - self.dropped) <= 1
        return near and drops and settles in (self.settles, None) and outcome == _outcome(self)


def _outcome(scene: Filmed) -> str:
    if scene.outcome:
        return scene.outcome
    return "no_response" if scene.response is None else "never_settles" if scene.finish is None else "ok"


def changing(paint: Draw, seconds: float) -> list[float]:
    """Return the times at which a recorder at a variable rate writes a frame, and one at the end."""
    constant = every(60, seconds)
    pages = [Screen().page() for _ in constant]
    for page, time in zip(pages, constant, strict=True):
        paint(page, time)
    changed = [bool((one != other).any()) for one, other in pairwise(pages)]
    return on_change(np.array(constant[1:])[changed], constant[-1])


def _keyed(slots: int) -> dict[str, str]:
    return CLEAN | {"x264-params": f"keyint={slots}:min-keyint={slots}:scenecut=0"}


def _typed(paint: Draw, response: float, finish: float, needs: tuple[str, ...], variable: bool = False) -> Filmed:
    return Filmed(paint, Clip(changing(paint, 4.5) if variable else every(60, 4.5)), response, finish, needs, TYPE)


def _pointed(
    paint: Draw, response: float | None, finish: float | None, needs: tuple[str, ...] = (), hz: float = 60
) -> Filmed:
    return Filmed(paint, Clip(every(hz, 2)), response, finish, needs)


def _short(paint: Draw, seconds: float, at: float, needs: tuple[str, ...]) -> Filmed:
    """A scene that answers at once, in a clip of one or two blinks."""
    return Filmed(paint, Clip(every(60, seconds)), at, at, needs)


def _motion(motion: Motion, lost: Sequence[int], needs: tuple[str, ...] = ()) -> Filmed:
    clip = Clip(every(60, 2), options=STARVED, gop=120)
    last = START + SLOTS - 1 - (8 if motion is shimmer else 0)  # the band of light has left the bars by then
    end = last * SLOT - ACTION_MS
    return Filmed(partial(losing, motion, lost), clip, 100.0, end, needs, dropped=len(lost), slack_ms=60)


def _plain(name: str) -> Filmed:
    scene = SCENES[name]
    times = [None if at is None else at - ACTION_MS for at in (scene.response, scene.finish)]
    needs = {
        "caret": ("caret",), "carousel": ("keeps_time",), "seconds_clock": ("keeps_time",),
        "spinner_in_corner": ("goes_on",), "game": ("goes_on",),
    }  # fmt: skip
    return Filmed(
        scene.paint, Clip(every(60, scene.seconds)), *times, needs.get(name, ()),
        settles=scene.settles, slack_ms=max(scene.slack_ms, SLOT + 0.5),
    )  # fmt: skip


def _blinking() -> dict[str, Filmed]:
    """Return scenes of carets and of lamps."""
    return {
        "letter_beside_caret": _typed(partial(typing, (1600.0,), 390), 60, 60, ("caret",)),
        "three_letters": _typed(partial(typing, (1600.0, 1850.0, 2100.0), 0), 60, 560, ("caret",), variable=True),
        "blink_then_letter": _typed(partial(typing, (1760.0,), 390), 220, 220, ("caret",)),
        "narrow_letter": _typed(partial(narrow_letter, 0), 60, 60, ("caret",)),
        "narrow_letter_vfr": _typed(partial(narrow_letter, 390), 60, 60, ("caret",), variable=True),
        "letter_beside_fading_caret": _typed(partial(typing_fading, (1600.0, 1850.0), 390), 60, 310, ("caret",)),
        "full_stop": _typed(partial(becomes, "Hello.", 1600.0, 390), 60, 60, ("caret",)),
        "deleted_letter": _typed(partial(becomes, "Hell", 1600.0, 0), 60, 60, ("caret",), variable=True),
        "caret_goes_then_letter": _short(partial(goes_then_letter, 590.0, 800.0), 1.6, 300, ("caret",)),
        "caret_blinks_once_after": _short(partial(goes_then_letter, 9e9, 600.0), 1.4, 100, ("caret",)),
        "caret_goes_then_sheet": _short(partial(goes_then_sheet, 590.0, 900.0), 1.4, 400, ("caret",)),
        "caret_comes_with_the_tap": _short(partial(focused, 900.0), 2.6, 400, ("caret",)),
        "lamp_goes_again": _short(partial(lamp, (100.0, 700.0), 1000.0), 1.6, 500, ("brings_back",)),
        "lamp_blinks": Filmed(
            partial(lamp, (400.0, 1000.0, 1850.0), 700.0), Clip(every(60, 2.4)), 200, 200, ("blinking",),
            settles=False,
        ),
    }  # fmt: skip


def _slight() -> dict[str, Filmed]:
    """Return scenes in which what changes is a digit, or faint."""
    return {
        "seconds_pass": _short(seconds_pass, 2.1, 400, ("seconds",)),
        "digits_to_the_end": Filmed(digits, Clip(every(60, 4)), 100, 100, ("ticks",), settles=False),
        "halo": Filmed(partial(halo, True), Clip(every(60, 2), options=QUICK), 50, 350, ("coherence",)),
        "dot_goes": Filmed(dot_goes, Clip(every(120, 1.5), options=QUICK), 100, 600, ("small_fade",), slack_ms=34),
        "scrollbar_goes": Filmed(scrollbar_goes, Clip(every(60, 2), options=QUICK), 100, 1100, slack_ms=51),
        "scrollbar_goes_slowly": Filmed(
            scrollbar_goes_slowly, Clip(every(60, 2.6), options=LOSSLESS), 100, 1340, ("drift",),
            dropped=0, slack_ms=160,
        ),
        "scrollbar_slides_off": Filmed(
            scrollbar_slides_off, Clip(every(60, 2.2), options=QUICK), 100, 1000, ("lone",)
        ),
        "earlier_scrollbar": Filmed(earlier_scrollbar, Clip(every(60, 2), options=QUICK), 100, 100, ("scrollbar",)),
        "comes_to_rest": Filmed(comes_to_rest, Clip(every(60, 2), options=QUICK), 117, 517, ("last_step",)),
        "thumb_glides": Filmed(
            thumb_glides, Clip(every(60, 2), options=QUICK), 117, 492, ("glide",), dropped=0, slack_ms=43
        ),
        "last_ghost": Filmed(last_ghost, Clip(every(15, 2), options=CLEAN), 100, 233, ("left_over",)),
        "waits_to_the_end": Filmed(
            waits_to_the_end, Clip(every(10, 1.4), options=CLEAN), 100, 100, ("turning",), settles=False
        ),
        "slow_backdrop": Filmed(backdrop, Clip(every(60, 4.5)), 200, 3200, ("fade",), slack_ms=120),
        "faint_then_clear": Filmed(
            faint_then_clear, Clip(every(60, 2), options=CLEAN), 100, 117, ("first_stir",), slack_ms=2
        ),
        "faint_before": Filmed(faint_before, Clip(every(60, 2), options=LOSSLESS), 250, 250, ("faint",)),
    }  # fmt: skip


def _coded() -> dict[str, Filmed]:
    """Return scenes with something that an encoder, or a recorder, seems to have drawn."""
    return {
        "sharpened_late": Filmed(
            partial(sharpened_late, 2000, 3), Clip(every(60, 2.2), options=_keyed(120)), 100, 100, ("sharpened",)
        ),
        "encoder_cycle": Filmed(
            partial(sharpened_late, 1700, 2), Clip(every(60, 2.2), options=_keyed(120)), 100, 100, ("cycle",)
        ),
        "touch_mark": Filmed(partial(touch_mark, 600), Clip(every(60, 2)), 100, 100, ("mark",)),
        "begins_coarsely": Filmed(
            begins_coarsely, Clip(every(60, 1.2), options=CLEAN), 400, 400, ("first",), MeasureOptions()
        ),
        "finer_when_all_rests": Filmed(
            marked_page, Clip(every(25, 3), "libvpx", SPARING, time_base=Fraction(1, 1000)), 100, 460, ("finer",)
        ),
        "late_notice": Filmed(late_notice, Clip(every(60, 2)), 100, 1383, ("rests",)),
        "tooltip_goes": Filmed(tooltip_goes, Clip(every(60, 1.5), options=CLEAN), 100, 100, ("corrected",)),
        "sways_to_the_end": Filmed(
            partial(sharpened_late, 1700, 3), Clip(every(60, 2.2), options=_keyed(120)), 100, 100, settles=False
        ),
        "spinner_began_with_key_frame": Filmed(
            partial(spinner_around_a_key_frame, 500), Clip(every(60, 2), options=_keyed(30)), 200, 200,
            ("moved_before",), MeasureOptions(action_ms=1000.0), settles=False,
        ),
    }  # fmt: skip


def _by_itself() -> dict[str, Filmed]:
    """Return scenes in which more changes than what answers."""
    return {
        "status_bar": Filmed(status_bar, Clip(every(60, 2.5)), 500, 500, ("edge",)),
        "status_bar_in_a_frame": Filmed(
            partial(framed, status_bar), Clip(every(60, 2.5), options=CLEAN), 500, 500, ("inset",)
        ),
        "status_bar_vfr": Filmed(status_bar, Clip(changing(status_bar, 2.5)), 500, 500, ("edge",)),
        "caret_comes_back": Filmed(
            caret_comes_back, Clip(every(60, 3.7)), 100, 100, ("caret_back",), MeasureOptions(action_ms=1300)
        ),
        "recording_light": Filmed(
            recording_light, Clip(every(60, 3.2)), 100, 100, ("lamp",), MeasureOptions(action_ms=1500)
        ),
        "coded_anew": Filmed(coded_anew, Clip(every(60, 2.2), options=CLEAN), 100, 100, ("anew",)),
        "stirs_by_itself": Filmed(
            stirs_by_itself, Clip(every(60, 1.5), options=LOSSLESS), 100, 100, ("stirs",)
        ),
        "refined": Filmed(refined, Clip(every(60, 1.5), options=LOSSLESS), 100, 100, ("faint+refreshed",)),
    }  # fmt: skip


def _pointed_at() -> dict[str, Filmed]:
    """Return scenes with a cursor, or with something that moves as one does."""
    arrives = [(0, 30, 500), (350, 140, 310)]
    return {
        "cursor_leaves": _pointed(
            partial(with_cursor, [*arrives, (1200, 140, 310), (1600, 230, 90)], partial(dialog, 600)),
            100, 100, ("cursor",),
        ),
        "green_cursor_leaves": _pointed(
            partial(
                with_cursor, [*arrives, (1200, 140, 310), (1320, 230, 60)], partial(dialog, 600), body=(40, 170, 40)
            ),
            100, 100, ("cursor",),
        ),
        "cursor_while_waiting": _pointed(
            partial(with_cursor, [(0, 140, 310), (700, 140, 310), (1000, 60, 120)], partial(dialog, 1300)),
            800, 800, ("cursor",),
        ),
        "cursor_alone": _pointed(
            partial(with_cursor, [(0, 140, 310), (700, 140, 310), (1100, 60, 120)], partial(dialog, 9000)),
            None, None, ("cursor",),
        ),
        "disc_rests_and_leaves": _pointed(
            partial(with_disc, RESTS, partial(dialog, 600), 26), 100, 100, ("cursor",)
        ),
        "disc_leaves_at_15_hz": _pointed(
            partial(with_disc, RESTS, partial(dialog, 600), 26), 100, 100, ("cursor",), 15
        ),
        "halo_leaves_at_15_hz": _pointed(
            partial(with_halo, RESTS, partial(dialog, 600), 26), 100, 100, ("cursor",), 15
        ),
        "card_swings": replace(_pointed(card_swings, 117, 500), slack_ms=34.0),
        "cursor_ticks_a_box": _pointed(
            partial(with_cursor, [(0, 30, 500), (350, 85, 300)], partial(tick, 600)), 100, 100, ("cursor",)
        ),
        "cursor_leaps": replace(_pointed(
            partial(with_cursor, LEAPS, partial(fading_key, 600, 1200)), 100, 700, ("cursor",), 10
        ), slack_ms=101),
        "cursor_passes_over_a_row": _pointed(
            partial(with_cursor, OVER, partial(row_lights_up, OVER)), 100, 100, ("hover",), 10
        ),
        "thumb_slides_at_10_hz": replace(_pointed(thumb_slides, 200, 600, (), 10), slack_ms=101),
        "key_at_10_hz": Filmed(key_pressed, Clip(every(10, 1.0), options=CLEAN), 100, 300),
        "cursor_on_a_switch": replace(_pointed(
            partial(with_cursor, [(0, 30, 500), (350, 110, 298)], partial(switch, 600)), 117, 250
        ), slack_ms=34.0),
        "ball_jumps": replace(
            _pointed(partial(red_ball, [(600, 60, 100), (900, 200, 450)], 0.0), 117, 400), slack_ms=34.0
        ),
        "red_ball_after_a_dialog": replace(
            _pointed(ball_after_dialog, 100, 1100), slack_ms=50.0
        ),
        "red_ball_on_an_arc": replace(
            _pointed(partial(red_ball, [(600, 60, 100), (900, 200, 450)], 0.1), 117, 400), slack_ms=34.0
        ),
    }  # fmt: skip


def _located() -> dict[str, Filmed]:
    """Return scenes with Pointer location on, and one that draws lines as well."""
    clip, tap = Clip(every(60, 2), options=CLEAN), tap_at(190, 300, ACTION_MS)
    small = partial(tick, 600)
    return {
        "located_tap": Filmed(partial(located, partial(dialog, 700), tap), clip, 200, 200, ("crosshair",)),
        "located_small_answer": Filmed(partial(located, small, tap), clip, 100, 100, ("crosshair",)),
        "located_alone": Filmed(partial(located, nothing, tap), clip, None, None, ("crosshair",)),
        "located_drag": Filmed(FOLLOWED, clip, 17, 300, ("crosshair",), SWIPED, slack_ms=34.0),
        "window_opens": Filmed(partial(window_opens, 600), clip, 100, 500),
    }  # fmt: skip


def _clicked() -> dict[str, Filmed]:
    """Return scenes in which rings show a click or a finger, and a window comes to the front."""
    clip, tap = Clip(every(60, 2), options=CLEAN), (190, 300, ACTION_MS)
    return {
        "ring_spreads": Filmed(partial(ring_spreads, partial(dialog, 700), tap), clip, 200, 200, ("round",)),
        "ring_spreads_alone": Filmed(partial(ring_spreads, nothing, tap), clip, None, None, ("round",)),
        "ring_goes_along": Filmed(partial(ring_goes_along, partial(dialog, 1000), tap), clip, 500, 600, ("round",)),
        "window_to_the_front": Filmed(partial(window, partial(dialog, 700), 530), clip, 200, 200, ("focus",)),
        "window_alone": Filmed(partial(window, nothing, 530), clip, None, None, ("focus",)),
        "modal": Filmed(partial(modal, 600), clip, 100, 500),
    }  # fmt: skip


def _noisy() -> dict[str, Filmed]:
    """Return scenes with grain or before a camera."""
    starved = Clip(every(60, 1.6), options=STARVED, gop=120)
    slow = Clip(every(30, 1.8), options=QUICK)
    named: dict[str, Any] = {"response": None, "finish": None, "settles": None}
    camera: dict[str, Any] = named | {"needs": ("camera",), "outcome": "moving_camera"}
    return {
        "grain": Filmed(partial(grainy, 20, opens), starved, 100, 100, ("frozen_grain",)),
        "ticked_in_grain": Filmed(partial(grainy, 12, ticked), starved, 100, 100),
        "nothing_but_grain": Filmed(
            partial(grainy, 40, nothing), starved, **named, needs=("frozen_grain",), outcome="too_noisy"
        ),
        "handheld": Filmed(partial(filmed_by, 1.5, 0, 0), slow, **camera),
        "flickers": Filmed(partial(filmed_by, 0, 0.03, 0), slow, **camera),
        "exposure_drifts": Filmed(partial(filmed_by, 0, 0, 0.15), slow, **camera),
        "fixed_camera": Filmed(partial(filmed_by, 0, 0, 0), slow, 100, 100, slack_ms=34),
        "dragged_before": Filmed(dragged, Clip(every(60, 1.6), options=QUICK), 100, 100),
    }  # fmt: skip


def _moving() -> dict[str, Filmed]:
    """Return scenes of motions: how they end, and what of them is lost."""
    starved = Clip(every(60, 2), options=STARVED, gop=120)
    no_tail = [0.0, *[600 + SLOT * step for step in range(25)]]
    slide_times = [slot * SLOT for slot in (0, *range(START, START + SLOTS), 120)]
    return {
        "held_frame": Filmed(held_frame, Clip([0.0, 600.0, 617.0, 633.0, 2100.0], options=CLEAN), 100, 100),
        "no_tail": Filmed(slides_in, Clip(no_tail), 100, 500, ("no_tail",)),
        "dot_and_page": Filmed(partial(swiped, True), Clip(every(60, 2)), 200, 500, ("finger",), TOUCHED),
        "smooth_slide": _motion(slides, ()),
        "janky_slide": _motion(slides, LOST),
        "smooth_fade": _motion(fades, ()),
        "janky_fade": _motion(fades, LOST),
        "smooth_shimmer": _motion(shimmer, (), ("step_agrees",)),
        "janky_spinner": _motion(thin_spinner, LOST, ("step_agrees",)),
        "smooth_colour": _motion(changes_colour, (), ("step_faint",)),
        "mark_after_slide": Filmed(partial(mark_after_slide, True), starved, 100, 383),
        "slide_is_corrected": Filmed(partial(mark_after_slide, False), starved, 100, 300),
        "small_step": Filmed(
            small_step_beside_a_large_one, starved, 100, 683, dropped=0, slack_ms=60
        ),
        "written_without_a_change": Filmed(
            partial(losing, slides, LOST), Clip(slide_times, options={"preset": "veryfast", "crf": "26"}), 100, 683,
            dropped=len(LOST), slack_ms=60,
        ),
    }  # fmt: skip


def filmed() -> dict[str, Filmed]:
    """Return every scene by name."""
    plain = {name: _plain(name) for name in SCENES}
    return (
        plain
        | _blinking()
        | _slight()
        | _coded()
        | _by_itself()
        | _pointed_at()
        | _located()
        | _clicked()
        | _noisy()
        | _moving()
    )
