import re

from reports.charts.dotstrip import LANES, MARGIN, WIDTH, dot_strip
from reports.models import Result


def _strip(base, new, *, threshold=50.0, verdict="regression", median_base=None, median_new=None):
    points = {
        "base": [[n, value] for n, value in enumerate(base)],
        "new": [[n, value] for n, value in enumerate(new)],
    }
    return dot_strip(
        Result(
            metric="response_time_ms",
            verdict=verdict,
            points=points,
            threshold=threshold,
            median_base=median_base,
            median_new=median_new,
        )
    )


def _dots(path):
    return [(float(x), float(y)) for x, y in re.findall(r"M(\S+) (\S+?)h", path)]


def test_strip_has_a_dot_for_every_run_on_one_scale():
    strip = _strip([100.0, 200.0], [300.0, 150.0], median_base=150.0, median_new=225.0)

    assert _dots(strip.base) == [(MARGIN, LANES["base"]), (WIDTH / 2, LANES["base"])]
    assert _dots(strip.new) == [(MARGIN + (WIDTH - 2 * MARGIN) / 4, LANES["new"]), (WIDTH - MARGIN, LANES["new"])]
    assert (strip.median_base, strip.median_new) == (63.0, 148.5)


def test_strip_marks_the_threshold_above_the_baseline_and_below_it_for_an_improvement():
    worse = _strip([100.0, 200.0], [100.0, 200.0], median_base=150.0, threshold=50.0)
    better = _strip([100.0, 200.0], [100.0, 200.0], median_base=150.0, threshold=50.0, verdict="improvement")

    assert (worse.threshold, better.threshold) == (WIDTH - MARGIN, MARGIN)


def test_strip_makes_room_for_a_threshold_beyond_all_runs():
    strip = _strip([100.0], [110.0], median_base=100.0, threshold=100.0)

    assert strip.threshold == WIDTH - MARGIN
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
