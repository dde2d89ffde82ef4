import re

import pytest

from reports.charts.dotstrip import AIR, LANES, WIDTH, dot_strip, draw_strip
from reports.models import Result

LEFT = round(WIDTH * AIR / (1 + 2 * AIR), 1)


def _result(base, new, *, threshold=50.0, verdict="regression", **values):
    points = {
        "base": [[n, value] for n, value in enumerate(base, start=1)],
        "new": [[n, value] for n, value in enumerate(new, start=101)],
    }
    return Result(metric="response_time_ms", verdict=verdict, points=points, threshold=threshold, **values)


def _strip(*args, **kwargs):
    return draw_strip(_result(*args, **kwargs))


def _dots(path):
    return [(float(x), float(y)) for x, y in re.findall(r"M(\S+) (\S+?)h", path)]


def test_strip_has_a_dot_for_every_run_on_one_scale():
    strip = _strip([100.0, 200.0], [300.0, 150.0], median_base=150.0, median_new=225.0)

    span = (WIDTH - 2 * LEFT) / 4  # 100 to 300, a quarter is 50
    assert _dots(strip.base) == [(LEFT, LANES["base"]), (WIDTH / 2, LANES["base"])]
    assert _dots(strip.new) == [(pytest.approx(LEFT + span, abs=0.1), LANES["new"]), (WIDTH - LEFT, LANES["new"])]
    assert (strip.median_base, strip.median_new) == pytest.approx((LEFT + span, LEFT + 2.5 * span), abs=0.1)


def test_strip_marks_the_threshold_above_the_baseline_and_below_it_for_an_improvement():
    worse = _strip([100.0, 200.0], [100.0, 200.0], median_base=150.0, threshold=50.0)
    better = _strip([100.0, 200.0], [100.0, 200.0], median_base=150.0, threshold=50.0, verdict="improvement")

    assert (worse.threshold, better.threshold) == (WIDTH - LEFT, LEFT)


def test_strip_makes_room_for_a_threshold_beyond_all_runs():
    strip = _strip([100.0], [110.0], median_base=100.0, threshold=100.0)

    assert strip.threshold == WIDTH - LEFT
    assert max(x for x, _ in _dots(strip.new)) < WIDTH / 2


def test_strip_of_equal_values_stands_in_the_middle_and_stacks():
    strip = _strip([5.0, 5.0, 5.0], [], threshold=None)

    dots = _dots(strip.base)
    assert {x for x, _ in dots} == {WIDTH / 2}
    assert len({y for _, y in dots}) == 3
    assert strip.new == ""


def test_strip_of_no_run_is_none():
    assert _strip([], []) is None


def test_strip_is_said_in_words_for_those_who_do_not_see_it():
    strip = _strip([100.0, 1200.0], [], median_base=650.0)

    assert strip.label == "2 baseline runs from 100 to 1\u202f200 ms; no updated run; threshold at 700 ms"


def test_strip_marks_the_interval_and_paints_the_chosen_runs_last():
    result = _result(
        [100, 110, 120], [200, 220, 240], median_base=110.0, median_new=220.0, ci_low=80.0, ci_high=130.0
    )

    strip = dot_strip(result, numbers={101: 1, 102: 2, 103: 3}, chosen=[102])

    scale = (strip.new[0].x - strip.base[-1].x) / 80  # percent of the width per unit
    assert strip.threshold - strip.median_base == pytest.approx(50 * scale, abs=0.05)
    assert strip.ci_width == pytest.approx(50 * scale, abs=0.05)
    assert [(dot.number, dot.chosen) for dot in strip.new] == [(1, False), (3, False), (2, True)]
    assert all(0 <= dot.x <= 100 for dot in (*strip.base, *strip.new))


def test_row_and_page_show_one_strip():
    result = _result(
        [100, 110], [60, 70], median_base=105.0, median_new=65.0, threshold=30.0, verdict="improvement"
    )

    drawn, strip = draw_strip(result), dot_strip(result)

    assert drawn.threshold == pytest.approx(strip.threshold * WIDTH / 100, abs=0.05)
    assert strip.threshold < strip.median_base, "an improvement has to pass the threshold below the baseline"
    assert [x for x, _ in _dots(drawn.new)] == pytest.approx([dot.x * WIDTH / 100 for dot in strip.new], abs=0.05)


def test_strip_of_thousands_of_runs_keeps_every_place_and_stays_small():
    values = [float(value % 997) for value in range(10_000)]

    path = _strip(values, [], threshold=None).base

    assert {round(x) for x, _ in _dots(path)} == set(range(round(LEFT), round(WIDTH - LEFT) + 1))
    assert len(path) < 20_000


def test_strip_of_a_crowd_is_a_shape_with_dots_for_its_ends_and_the_chosen():
    values = [float(value) for value in range(1000)]

    strip = dot_strip(_result(values, [500.0], median_base=499.5, threshold=None), chosen=[37])

    dots = {dot.run_id for dot in strip.base}
    assert {1, 2, 3, 998, 999, 1000, 37} <= dots
    assert len(dots) < 40
    heights = [float(height) for height in re.findall(r"h1v(\S+?)h", strip.base_shape)]
    assert len(heights) > 100
    assert max(heights) == 16.0
    assert min(heights[1:-1]) > 12.0, "as many runs everywhere: as high everywhere, but in the bins at the edges"
    assert (strip.new_shape, len(strip.new)) == ("", 1)
