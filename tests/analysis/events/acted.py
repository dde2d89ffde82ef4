"""What is measured on recordings made by hand, in which the user acts after a second."""

import pytest

from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, judged, ruled, slots

ACTION_MS = 1000.0
OPTIONS = MeasureOptions(action_ms=ACTION_MS)
CARET = (slice(10, 13), slice(5, 6))
ELSEWHERE = (slice(30, 40), slice(8, 24))


def measure(paint, seconds=4.0, without=(), options=OPTIONS, **film):
    """Return response and finish in ms after the action, and whether the screen settled."""
    recording, changes = film_blocks(paint, slots(seconds), **film)
    moments = judged(recording, changes, options, without)
    times = recording.time_ms - options.action_ms
    return [None if frame is None else float(times[frame]) for frame in (moments.response, moments.finish)], moments


def opens(board, time, at=1200.0, place=ELSEWHERE):
    if time >= at - 1:
        board[place] = 60


def near(expected):
    return pytest.approx(expected, abs=SLOT)


def left_out(paint, moment, seconds=4.0, **film):
    """Return the key of the rule that left out each event after the action; None for one that counts."""
    recording, changes = film_blocks(paint, slots(seconds), **film)
    rules = [event.why_not(moment) for event in ruled(recording, changes, OPTIONS)]
    return [rule and rule.key for rule in rules]


def blinking(board, time, period=1060.0, place=CARET):
    if time % period < period / 2:
        board[place] = 40
