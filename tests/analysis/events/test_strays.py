"""What changes beside a mouse cursor while it goes on: an encoder's corrections, and what answers the user."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.events.faint import is_stray
from analysis.options import MeasureOptions
from tests.analysis.events.cursor.pointed import filmed
from tests.analysis.events.handmade import SLOT, film_blocks, judged, nothing_ignored

ACTION = 30  # pictures before it
TO = [(300 - 5 * step, 20 + 4 * step + step % 3) for step in range(20)]
FROM = [(200 - 3 * step, 100 + 3 * step - step % 3) for step in range(40)]


def finish(strays, levels, at, variable=True):
    """Return when the screen came to rest, in pictures after the action, and what it is without the rule.

    A page is dimmed from picture 4 to 11 after the action; the cursor leaves from picture 14 on. From picture
    `at` on a few blocks, in three pictures, are put right by some levels.
    """

    def paint(luma, time):
        since = round(time / SLOT) - ACTION
        luma[64:] -= 10 * np.uint8(min(max(since - 3, 0), 8))
        for step in range(3):
            if since >= at + step:
                luma[320 : 320 + 8 * strays, 200 + 8 * step : 208 + 8 * step] += np.uint8(levels)

    places = [*TO, *[TO[-1]] * (ACTION + 14 - len(TO)), *FROM, *[FROM[-1]] * 30]
    recording, changes, _ = filmed(places, step_ms=SLOT, paint=paint)
    recording = replace(recording, declared_variable=variable)
    options = MeasureOptions(action_ms=ACTION * SLOT)
    moments = [judged(recording, changes, options, without) for without in ((), {"correction"})]
    return [round(recording.time_ms[one.finish] / SLOT) - ACTION for one in moments]


@pytest.mark.parametrize(("strays", "levels", "at"), [(1, 8, 20), (2, 8, 25)])
@pytest.mark.parametrize("variable", [False, True])
def test_a_few_blocks_beside_a_cursor_soon_after_a_motion_are_the_encoders(strays, levels, at, variable):
    assert finish(strays, levels, at, variable) == [11, at + 2]


@pytest.mark.parametrize(
    ("strays", "levels", "at"), [(2, 8, 40), (2, 20, 25), (8, 8, 25), (2, 8, 11)],
    ids=["long after it", "what is seen", "a light that fades", "before the cursor goes on"],
)  # fmt: skip
def test_what_comes_later_or_is_more_counts(strays, levels, at):
    assert finish(strays, levels, at) == [at + 2, at + 2]


@pytest.mark.parametrize(("blocks", "levels", "stray"), [(2, 4, True), (2, 8, False), (6, 4, False)])
def test_a_few_blocks_that_nobody_sees_are_no_answer_however_long_after_a_motion(blocks, levels, stray):
    def paint(board, time):
        board[40, 4 : 4 + blocks] = 200 - levels if time >= 1500 else 200

    recording, _ = film_blocks(paint, [0.0, 1400.0, 1500.0, 1600.0])
    left = nothing_ignored()
    left[40, 4 : 4 + blocks] = True
    assert is_stray(recording, np.array([0.0, 12.0]), left, 1, recording.picture_ms, 3.0) is stray


@pytest.mark.parametrize(
    ("blocks", "levels", "stray"),
    [(3, (190, 180, 172), False), (3, (190, 180, 188), True), (2, (190, 180, 172), True)],
    ids=["a fade", "back", "by chance"],
)
def test_a_few_blocks_that_go_on_as_they_went_are_the_end_of_a_fade(blocks, levels, stray):
    """A scroll bar fades as a cursor sets out; an encoder puts its corrections right."""

    def paint(board, time):
        board[40, 4 : 4 + blocks] = levels[min(int(time // 50), 2)] if time else 200

    recording, _ = film_blocks(paint, [0.0, 50.0 - 1, 50.0, 100.0])
    left = nothing_ignored()
    left[40, 4 : 4 + blocks] = True
    count, last = np.full(len(recording.picture_ms), 500.0), len(recording.picture_ms) - 1
    assert is_stray(recording, count, left, last, recording.picture_ms, 3.0) is stray


def test_a_button_that_lights_up_beside_a_cursor_is_the_answer():
    """Blocks alone do not tell them apart, as both lie within a patch; the cursor's own pixels do."""

    def lights(luma, time):
        if round(time / SLOT) >= ACTION + 3:
            luma[256:280, 40:64] = 60

    def measured(paint):
        comes = [(352 - 4 * step, 2 + step + step % 2) for step in range(26)]
        stirs = [(250 + 3 * (step % 3), 30 + 3 * (step // 2 % 2)) for step in range(ACTION - 26 + 14)]
        places = [*comes, *stirs]
        recording, changes, _ = filmed([*places, *[places[-1]] * 30], step_ms=SLOT, paint=paint)
        options = MeasureOptions(action_ms=ACTION * SLOT)
        moments = judged(recording, changes, options)
        return moments.outcome, moments.response and round(recording.time_ms[moments.response] / SLOT) - ACTION

    assert measured(lights) == ("ok", 3)
    assert measured(None)[0] == "no_response"


def test_what_shifts_beside_a_cursor_that_is_seen_to_rest_is_the_answer():
    """A mark hops by its width beside the arrow: a cursor that shifted a little would take its light along, too."""
    comes = [(352 - 4 * step, 20 + 3 * step + step % 2) for step in range(26)]

    def hops(luma, time):
        at = 108 if round(time / SLOT) < ACTION + 6 else 114
        luma[260:272, at : at + 4] = 20

    recording, changes, _ = filmed([*comes, *[comes[-1]] * 60], step_ms=SLOT, paint=hops)
    moments = judged(recording, changes, MeasureOptions(action_ms=ACTION * SLOT))
    assert round(recording.time_ms[moments.response] / SLOT) == ACTION + 6
