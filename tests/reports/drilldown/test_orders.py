from types import SimpleNamespace

from reports.drilldown.orders import build_orders
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


def test_orders_follow_the_clock_of_the_bench_and_show_what_is_not_used():
    base, new = side("base", [100, 120]), side("new", [200, 240], state="excluded")

    [chart] = build_orders((result(base, new, median_base=110.0, median_new=220.0),), base, new)

    assert [dot.run_id for dot in chart.dots] == [1, 2, 101, 102]
    assert [dot.used for dot in chart.dots] == [True, True, False, False]
    heights = {dot.value: dot.y for dot in chart.dots}
    assert heights[240] < heights[200] < heights[120] < heights[100], "larger values stand higher"
