"""What the page benchmark counts, and how it says it."""

from benchmarks.journeys import Walked
from benchmarks.pages import FLOOR, Traffic, Visit, journey_table, weight_table


def _load(traffic, number, *, kind="Script", url="http://host/a.js", size=1500, disk=False, memory=False):
    if memory:
        traffic.on_cached({"requestId": number})
    response = {"url": url, "fromDiskCache": disk}
    traffic.on_response({"requestId": number, "type": kind, "response": response})
    traffic.on_finished({"requestId": number, "encodedDataLength": size})


def test_traffic_counts_what_crossed_the_wire_by_kind():
    traffic = Traffic()

    _load(traffic, "1", kind="Document", size=2000)
    _load(traffic, "2")
    _load(traffic, "3", kind="Fetch", size=100)
    _load(traffic, "4", kind="Manifest", size=1)

    assert traffic.sizes == {"page": 2000, "scripts": 1500, "video, data": 100, "other": 1}
    assert traffic.requests.total() == 4


def test_traffic_does_not_count_what_a_cache_or_the_page_itself_answered():
    traffic = Traffic()

    _load(traffic, "1", disk=True)
    _load(traffic, "2", memory=True)
    _load(traffic, "3", url="data:image/png;base64,AAAA")

    assert traffic.requests.total() == 0


def test_weight_table_gives_medians_and_the_ratio_to_the_floor():
    heavy = Traffic()
    _load(heavy, "1", size=12_340)
    visits = {
        (FLOOR, "empty"): [Visit(Traffic(), 100.0)],
        ("home", "empty"): [Visit(heavy, 150.0), Visit(heavy, 250.0), Visit(heavy, None)],
    }

    *_, floor, home = weight_table(visits).splitlines()

    assert floor.endswith("| 100 | 1.0 |")
    assert home.startswith("| home | empty | 1 | 12.3 |")
    assert home.endswith("| 200 | 2.0 |")


def test_weight_table_of_a_page_that_painted_nothing_has_no_ratio():
    visits = {(FLOOR, "empty"): [Visit(Traffic(), None)]}

    assert weight_table(visits).endswith("| – | – |")


def test_journey_table_names_each_person_and_the_median_time():
    walks = {"manager": [Walked("the reasons", 1, seconds) for seconds in (0.4, 0.9, 0.5)]}

    assert journey_table(walks).splitlines()[-1] == "| manager | the reasons | 1 | 0.5 |"
