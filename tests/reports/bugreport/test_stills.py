import numpy as np
import pytest

from analysis.series import FrameSeries
from reports.bugreport.stills import FILM_FRAMES, film_frames, moments_of
from reports.drilldown.moments import moment_words
from reports.measuring.series import RunSeries
from reports.models import Interaction, Run

WORDS = moment_words(Interaction(type="tap"))


def series(*, count=100, changed=(), response=None, finish=None, action_ms=200.0):
    """Return a series of ``count`` frames every 10 ms; response and finish are frames."""
    new = np.isin(np.arange(count), changed)
    frames = FrameSeries(
        np.arange(count) * 10.0,
        np.where(new, 0.9, 1.0).astype(np.float32),
        np.where(new, 0.2, 1.0).astype(np.float32),
        np.where(new, 8.0, 0.0).astype(np.float32),
    )
    chosen = {"response": response, "finish": finish}
    evidence = {
        name: {
            "frame": at, "frame_before": at - 1, "time_ms": at * 10.0, "after_action_ms": at * 10.0 - action_ms,
            "ssim_mean": 0.9, "ssim_worst": 0.2, "changed_pct": 8.0,
        }
        for name, at in chosen.items()
        if at is not None
    }  # fmt: skip
    return RunSeries(Run(action_ms=action_ms), frames, evidence, 60.0, {})


def test_film_shows_all_changes_of_a_short_answer():
    assert film_frames(series(changed=[5, 30, 31, 40], response=30, finish=40)) == ([20, 30, 31, 40], 3)


def test_film_of_a_long_answer_is_evenly_chosen_with_response_and_finish():
    shown, count = film_frames(series(changed=range(25, 95), response=26, finish=93))

    assert count == 69  # frames 25 to 93
    assert {20, 26, 93} <= set(shown)
    assert len(shown) <= FILM_FRAMES + 3
    gaps = np.diff(shown[3:])
    assert gaps.max() - gaps.min() <= 1


def test_film_ends_with_the_finish():
    shown, _ = film_frames(series(changed=[30, 40, 90], response=30, finish=40))

    assert shown == [20, 30, 40], "a caret that blinks later is no part of it"


@pytest.mark.parametrize("action_ms", [0.0, 5000.0])
def test_film_of_a_still_screen_is_what_was_there_at_the_action(action_ms):
    shown, count = film_frames(series(action_ms=action_ms))

    assert (shown, count) == ([min(int(action_ms / 10), 99)], 0)


def test_response_that_is_the_finish_is_shown_once():
    [moment] = moments_of(series(changed=[30], response=30, finish=30), WORDS)

    assert (moment.label, moment.frames) == ("response and finish", (29, 30))


def test_missing_finish_is_not_invented():
    [moment] = moments_of(series(changed=[30], response=30), WORDS)

    assert moment.label == "response"
