"""Android's *Pointer location*: what of it is found, and what of the app beside it is left."""

from functools import partial

import cv2
import numpy as np
import pytest

from analysis.detection.crosshair import CROSSHAIR, find_crosshair
from analysis.detection.crosslines import Cross, find_crosslines
from analysis.measure import measure_screencast, read_screencast
from analysis.options import MeasureOptions
from tests.analysis.cursor_scenes import tick
from tests.analysis.filmed import CLEAN
from tests.analysis.located_scenes import drag, located, page_follows, tap_at, window_opens
from tests.analysis.scenes import ACTION_MS, SLOT, box, dialog, nothing
from tests.synthetic import Clip, Screen, every, film

SIXTY = every(60, 2)


def seen_in(folder, paint, times=SIXTY):
    """Return the recording of a scene, its changes, and what Pointer location draws in it."""
    path = film(folder / "clip.mp4", Screen(), paint, Clip(times, options=CLEAN))
    recording, finder = read_screencast(path, MeasureOptions(action_ms=ACTION_MS))
    changes = finder.found(last_anew=False)
    return recording, changes, find_crosshair(recording, changes)


def ms_of(recording, picture):
    return pytest.approx(float(recording.picture_ms[picture]), abs=SLOT / 2)


@pytest.mark.parametrize("x", [12, 135, 255])
@pytest.mark.parametrize("y", [30, 292, 560])
def test_a_touch_is_found_wherever_it_is(x, y, tmp_path):
    recording, changes, found = seen_in(tmp_path, partial(located, nothing, tap_at(x, y, 500)))
    (touch,) = found.touches
    assert ms_of(recording, touch.picture) == 500
    assert ms_of(recording, touch.gone) == 583
    assert np.array(touch.place) * recording.grid.size == pytest.approx((y, x), abs=8)
    assert not changes.without(found.steps).count.any()


def black_bar(picture, time):
    """The system's bar below is black: hardly anything is seen of a dark line over it."""
    picture[-72:] = 0


def former_trace(picture, time):
    """The trace of an earlier touch stays until the finger comes again."""
    if time < 500:
        cv2.polylines(picture, [np.array([(40, 400), (70, 380), (110, 384)])], False, (0, 96, 255), 2)


def test_the_former_trace_goes_with_the_finger(tmp_path):
    _, changes, found = seen_in(tmp_path, partial(located, former_trace, tap_at(190, 200, 500)))
    assert not changes.without(found.steps).count.any()


def test_a_touch_beside_a_black_bar_is_found(tmp_path):
    _, changes, found = seen_in(tmp_path, partial(located, black_bar, tap_at(230, 480, 500)))
    assert len(found.touches) == 1
    assert not changes.without(found.steps).count.any()


def test_two_touches_are_two(tmp_path):
    paint = partial(located, partial(located, nothing, tap_at(200, 150, 1200)), tap_at(60, 420, 500))
    recording, _, found = seen_in(tmp_path, paint)
    assert [round(float(recording.picture_ms[touch.picture]), -1) for touch in found.touches] == [500, 1200]


def page_opens(picture, time):
    """Another page is there as the first finger leaves: it hides that."""
    if time >= 583:
        picture[:] = (30, 90, 60)
        box(picture, 0.1, 0.1, 0.9, 0.8, (230, 230, 210))


def test_a_finger_that_leaves_unseen_does_not_hide_the_next_one(tmp_path):
    paint = partial(located, partial(located, page_opens, tap_at(200, 150, 1200)), tap_at(60, 420, 500))
    recording, _, found = seen_in(tmp_path, paint)
    assert [round(float(recording.picture_ms[touch.picture]), -1) for touch in found.touches] == [500, 1200]
    assert [touch.gone is None for touch in found.touches] == [True, False]


def test_a_finger_that_drags_and_rests_is_followed_until_it_leaves(tmp_path):
    path = drag((140, 420), (60, 260), 500, 300, 700)
    recording, changes, found = seen_in(tmp_path, partial(located, nothing, path))
    (touch,) = found.touches
    assert ms_of(recording, touch.gone) == 1500
    assert not changes.without(found.steps).count.any()


def row_lights_up(picture, time):
    """A row of a list lights up under the finger from 33 to 150 ms after it came, from edge to edge."""
    if 533 <= time < 650:
        box(picture, 0, 0.5, 1, 0.56, (200, 210, 240))


def rows_of_one_pixel(picture, time):
    """A line is drawn across, and 300 ms later another one down: an app may draw one at a time."""
    if time >= 500:
        picture[300] = (0, 0, 192)
    if time >= 800:
        picture[:, 100] = (0, 0, 192)


def corner_comes(picture, time):
    """Two edges of a card come at once, and meet: lines that end there."""
    if time >= 600:
        picture[60, :248], picture[60:, 248] = (0, 0, 192), (0, 0, 192)


NONE_OF_IT = [partial(window_opens, 600), row_lights_up, rows_of_one_pixel, corner_comes, partial(dialog, 600)]


@pytest.mark.parametrize("paint", NONE_OF_IT)
def test_what_apps_draw_is_none(paint, tmp_path):
    _, changes, found = seen_in(tmp_path, paint)
    assert changes.count.any()
    assert not found.steps
    assert not found.touches


def test_a_row_that_lights_up_under_the_finger_stays_an_answer(tmp_path):
    recording, changes, found = seen_in(tmp_path, partial(located, row_lights_up, tap_at(135, 310, 500)))
    left = changes.without(found.steps)
    times = [round(float(recording.picture_ms[picture])) for picture in left.changed_pictures()]
    assert times[0] == pytest.approx(533, abs=SLOT / 2)
    assert times[-1] == pytest.approx(650, abs=SLOT / 2)


def test_a_box_that_is_ticked_in_the_row_of_the_finger_stays_an_answer(tmp_path):
    _, changes, found = seen_in(tmp_path, partial(located, partial(tick, 600), tap_at(190, 300, 500)))
    left = changes.without(found.steps)
    assert np.count_nonzero(left.count) == 1


def test_a_page_that_follows_the_finger_is_left(tmp_path):
    path = drag((140, 420), (140, 260), 500, 300, 700)
    recording, changes, found = seen_in(tmp_path, partial(located, partial(page_follows, path), path))
    left = [float(recording.picture_ms[picture]) for picture in changes.without(found.steps).changed_pictures()]
    assert left[0] == pytest.approx(517, abs=SLOT)
    assert left[-1] == pytest.approx(800, abs=SLOT)


def test_a_slow_recorders_first_picture_of_a_finger_may_show_the_answer_as_well(tmp_path):
    tapped = partial(located, partial(tick, 520), tap_at(190, 200, 510, 200))
    for hz in (60, 10):
        _, changes, found = seen_in(tmp_path, tapped, every(hz, 2))
        assert np.count_nonzero(changes.without(found.steps).count) == 1, hz
        assert len(found.touches) == 1


def icon_lights_up(picture, time):
    """A small icon under the finger lights up from 33 ms after it came on."""
    if time >= 533:
        box(picture, 0.45, 0.49, 0.55, 0.51, (250, 200, 90))


def test_under_a_finger_that_reports_nothing_what_changes_is_an_answer(tmp_path):
    script = [(500.0, 135.0, 292.0), (583.0, 135.0, 292.0)]
    recording, changes, found = seen_in(tmp_path, partial(located, icon_lights_up, script))
    left = changes.without(found.steps)
    assert ms_of(recording, next(left.changed_pictures())) == 533


def test_under_a_finger_that_reports_its_ovals_change(tmp_path):
    trembling = [(500.0 + 16.7 * step, 135.0 + step % 2, 292.0 - step % 2) for step in range(6)]
    _, changes, found = seen_in(tmp_path, partial(located, nothing, trembling))
    assert not changes.without(found.steps).count.any()


def words_on_dark(picture, time):
    """Two words, white on a ground as dark as a line that runs through them."""
    picture[72:] = 30
    for x in (40, 200):
        picture[284:302, x : x + 24 : 2] = 240


def test_where_it_trembles_what_a_line_uncovers_of_words_is_no_answer(tmp_path):
    trembling = [(500.0 + 16.7 * step, 135.0, 292.0 + step % 2) for step in range(6)]
    _, changes, found = seen_in(tmp_path, partial(located, words_on_dark, trembling))
    assert len(found.steps) > 2
    assert not changes.without(found.steps).count.any()


LATER_MS = 30.0


@pytest.mark.parametrize(
    ("came_ms", "late"),
    [
        (-CROSSHAIR.before_ms - LATER_MS, False),
        (0.0, False),
        (CROSSHAIR.drawn_ms, False),
        (CROSSHAIR.drawn_ms + LATER_MS, True),
    ],
)
def test_a_finger_that_comes_too_late_to_be_the_action_is_a_change(came_ms, late, tmp_path):
    recording, changes, found = seen_in(tmp_path, partial(located, partial(dialog, 900), tap_at(135, 292, 500)))
    (touch,) = found.touches
    since = found.since(recording, changes, 500 - came_ms)
    assert since.late == (touch if late else None)
    assert (touch.picture in since.steps) is not late


def test_a_late_finger_is_told_with_its_cure_and_doubted(tmp_path):
    paint = partial(located, partial(dialog, 900), tap_at(135, 400, 700))
    path = film(tmp_path / "clip.mp4", Screen(), paint, Clip(SIXTY, options=CLEAN))
    said = measure_screencast(path, MeasureOptions(action_ms=500.0))
    assert said.metrics["response_time_ms"] == pytest.approx(200, abs=1)
    response = said.evidence["response"]
    assert response["confidence"] == "doubtful"
    assert response["other"]["after_action_ms"] == pytest.approx(400, abs=1)
    assert "action_ms is 700.0" in said.evidence["notes"][-1]
    assert measure_screencast(path, MeasureOptions(action_ms=700.0)).metrics["response_time_ms"] == pytest.approx(
        200, abs=1
    )


@pytest.mark.parametrize("came_ms", [500, 640])
def test_where_nothing_else_changes_the_message_says_what_does(came_ms, tmp_path):
    paint = partial(located, nothing, tap_at(135, 400, came_ms))
    path = film(tmp_path / "clip.mp4", Screen(), paint, Clip(SIXTY, options=CLEAN))
    said = measure_screencast(path, MeasureOptions(action_ms=500.0))
    assert said.outcome == "no_response"
    assert "Pointer location" in said.message
    assert any("Pointer location is on" in note for note in said.evidence["notes"])


def test_nothing_is_noted_where_it_is_off(tmp_path):
    recording, changes, found = seen_in(tmp_path, partial(dialog, 600))
    assert not list(found.notes(recording, 500.0))
    assert found.since(recording, changes, 500.0) is found


def test_lines_say_which_come_and_which_go(tmp_path):
    recording, _, found = seen_in(tmp_path, partial(located, nothing, tap_at(135, 292, 500)))
    (touch,) = found.touches
    came = find_crosslines(recording, touch.picture)
    gone = find_crosslines(recording, touch.gone)
    assert came.alone
    assert came.come.single
    assert not came.gone.any
    assert gone.gone.single
    assert not gone.come.any


def test_a_cross_is_single_only_if_each_line_is_one_line():
    assert Cross((3,), (7, 8)).single
    assert not Cross((3, 5), (7,)).single
    assert not Cross((3,), ()).single
    assert Cross((3,), (7, 8)).middle == (3.5, 8.0)
