from types import SimpleNamespace

import pytest

from reports.drilldown.dots import build_orders, build_strip
from reports.drilldown.runs import RunRow, Side
from reports.models import Result, Run


def side(key, values, *, chosen=0, state="used"):
    rows = tuple(
        RunRow(Run(pk=number + (100 if key == "new" else 0), repetition=number), state, "", {"m": value}, False)
        for number, value in enumerate(values, start=1)
    )
    return Side(key, SimpleNamespace(), rows, rows[chosen])


def result(base, new, **values):
    points = {key: [[row.id, row.values["m"]] for row in rows.runs] for key, rows in (("base", base), ("new", new))}
    return Result(metric="m", points=points, **values)


def test_strip_places_all_runs_and_the_threshold_on_one_axis():
    base, new = side("base", [100, 110, 120]), side("new", [200, 220, 240], chosen=1)

    strip = build_strip(result(base, new, median_base=110.0, median_new=220.0, threshold=50.0), base, new)

    scale = (strip.new[0].x - strip.base[-1].x) / 100  # percent of the width per unit: 200 against 100
    assert strip.threshold - strip.median_base == pytest.approx(50 * scale, abs=0.05)
    assert [(dot.number, dot.chosen) for dot in strip.new] == [(1, False), (3, False), (2, True)]
    assert all(0 <= dot.x <= 100 for dot in (*strip.base, *strip.new))


def test_strip_of_equal_values_stays_on_the_axis():
    base, new = side("base", [5, 5]), side("new", [5, 5])

    strip = build_strip(result(base, new, median_base=5.0), base, new)

    assert {dot.x for dot in (*strip.base, *strip.new)} == {50.0}
    assert strip.ci is None


def test_orders_follow_the_clock_of_the_bench_and_show_what_is_not_used():
    base, new = side("base", [100, 120]), side("new", [200, 240], state="excluded")

    [chart] = build_orders((result(base, new, median_base=110.0, median_new=220.0),), base, new)

    assert [dot.run_id for dot in chart.dots] == [1, 2, 101, 102]
    assert [dot.used for dot in chart.dots] == [True, True, False, False]
    heights = {dot.value: dot.y for dot in chart.dots}
    assert heights[240] < heights[200] < heights[120] < heights[100], "larger values stand higher"
