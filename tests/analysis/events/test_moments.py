"""Which outcome a recording has, on events made by hand."""

import pytest

from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SLOT, film_blocks, judged, slots

ACTION_MS = 1000.0


@pytest.mark.parametrize(
    ("steps", "still", "variable", "outcome"),
    [
        (6, 0, False, "never_settles"),
        (2, 0, False, "never_settles"),
        (6, 1, False, "ok"),
        (6, 0, True, "ok"),
        (1, 0, False, "ok"),
    ],
    ids=["in the middle", "two steps", "rests", "nothing is written at rest", "at once"],
)
def test_a_recording_that_ends_in_the_middle_of_a_motion_shows_no_finish(steps, still, variable, outcome):
    shown = slots(1.5)

    def paint(board, time):
        left = round((shown[-1 - still] - time) / SLOT)
        board[20 : 40 - 2 * max(left, 0), 4:26] = 60 if left < steps else 200

    recording, found = film_blocks(paint, shown, variable=variable)
    moments = judged(recording, found, MeasureOptions(action_ms=ACTION_MS), {"goes_on"})

    assert moments.outcome == outcome
    begins_ms = shown[-1 - still] - (steps - 1) * SLOT
    assert recording.time_ms[moments.response] == pytest.approx(begins_ms, abs=1)
    if outcome == "ok":
        assert recording.time_ms[moments.finish] == pytest.approx(shown[-1 - still], abs=1)
    else:
        assert moments.finish is None
        assert "in the middle of the answer" in moments.message
