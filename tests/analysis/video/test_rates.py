"""Whether a recorder wrote at a variable rate, told from its timestamps and repeats where nobody declared it."""

from dataclasses import replace

import pytest

from tests.analysis.events.handmade import film_blocks


def variable(times_ms, changes_ms=()):
    """Return what is told of a recording with frames at these times, on which something changes at some of them."""

    def paint(board, time):
        board[0, 0] = 10 * sum(time >= at - 1e-6 for at in changes_ms) % 200

    recording, _ = film_blocks(paint, list(times_ms))
    return replace(recording, declared_variable=None).variable_rate


def grid(hz, seconds, lost=()):
    return [1000 * slot / hz for slot in range(round(hz * seconds)) if slot not in lost]


@pytest.mark.parametrize("hz", [10, 20, 30, 60])
@pytest.mark.parametrize("lost", [(), (12, 13, 14), range(11, 19)], ids=["whole", "three lost", "a stall"])
def test_a_recorder_that_writes_repeats_is_at_a_constant_rate_whatever_it_loses(hz, lost):
    times = grid(hz, 3, lost)
    assert not variable(times, times[8:11])


@pytest.mark.parametrize("times", [grid(60, 3, (70, 71, 72, 90, 91, 92, 93)), grid(5, 3)], ids=["60 Hz", "5 Hz"])
def test_one_whose_pictures_never_repeat_is_at_a_constant_rate_if_little_is_lost(times):
    assert not variable(times, times[1:])


@pytest.mark.parametrize(
    "times",
    [
        (0, 1100, 1200, 2900),  # three changes and the end, on a grid of 10 Hz
        (0, 900, 1000, 1100, 3000),
        (0, 1300, 3000),  # one change
        (0, 700, 800, 1100, 1200, 1500, 2900),
        (0, 600, 616.7, 633.3, 650, 666.7, 2100),
        (0, 200, 400, *(600 + 16.7 * slot for slot in range(12)), 1000, 1200),  # repeats, now and then
        (*grid(60, 2), 2300),  # in motion, but for the end
        (0, 450, 917, 1150, 1433, 1967, 2500, 3000),  # three letters, and a caret that blinks before and after
    ],
)
def test_one_that_writes_nothing_while_the_screen_rests_is_at_a_variable_rate(times):
    assert variable(times, times[1:-1])


def test_a_single_frame_tells_nothing():
    assert not variable((0,))
