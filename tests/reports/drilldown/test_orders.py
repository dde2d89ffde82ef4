from types import SimpleNamespace

from reports.drilldown.orders import build_orders
from reports.drilldown.runs import Drawn, Side
from reports.models import Result


def side(key, values, *, chosen=0, state="used"):
    first = 101 if key == "new" else 1
    drawn = tuple(
        Drawn(first + place, place + 1, 0.0, state == "used", {"m": value}) for place, value in enumerate(values)
    )
    numbers = {dot.id: dot.number for dot in drawn}
    return Side(key, SimpleNamespace(), numbers, SimpleNamespace(id=drawn[chosen].id), (), drawn)


def result(base, new, **values):
    points = {
        key: [[dot.id, dot.values["m"]] for dot in side.drawn] for key, side in (("base", base), ("new", new))
    }
    return Result(metric="m", points=points, **values)


def test_orders_follow_the_clock_of_the_bench_and_show_what_is_not_used():
    base, new = side("base", [100, 120]), side("new", [200, 240], state="excluded")

    [chart] = build_orders((result(base, new, median_base=110.0, median_new=220.0),), base, new)

    assert [dot.run_id for dot in chart.dots] == [1, 2, 101, 102]
    assert [dot.used for dot in chart.dots] == [True, True, False, False]
    heights = {dot.value: dot.y for dot in chart.dots}
    assert heights[240] < heights[200] < heights[120] < heights[100], "larger values stand higher"
