import pytest

from reports.drilldown.selectors import Wanted, load_drilldown, threshold_origin
from reports.models import Comparison
from tests import factories
from tests.reports.drilldown.rows import compared


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"absolute": 50, "relative_pct": 20}, "the larger of 50 ms and 20 % of the baseline's median"),
        ({"absolute": 70, "relative_pct": 0, "reason": "agreed"}, "70 ms (agreed)"),
        ({"absolute": 0, "relative_pct": 12.5}, "12.5 % of the baseline's median"),
    ],
)
def test_origin_names_both_parts_and_the_reason(db, rules, words):
    comparison = Comparison(policy={"thresholds": {"response_time_ms": {"reason": "", **rules}}})

    assert threshold_origin(comparison, factories.interaction(), "response_time_ms") == words


def test_policy_that_cannot_be_read_is_named_without_numbers(db):
    comparison = Comparison(policy={"no such rule": 1})

    origin = threshold_origin(comparison, factories.interaction(), "response_time_ms")

    assert origin == "the policy that this comparison was computed with"


def test_pair_that_was_not_compared_has_the_default_rules(db):
    assert "50 ms" in threshold_origin(None, factories.interaction(), "response_time_ms")


def test_the_comparison_of_a_device_is_taken_whatever_order_the_database_gives_unknown_devices(db):
    base, new, phone = factories.os_version("13.0.12"), factories.os_version("13.0.13"), factories.device()
    of = factories.interaction()
    for version in (base, new):
        factories.run(version=version, of=of, on=phone)
    whole = Comparison.objects.create(base=base, new=new)
    limited = Comparison.objects.create(base=base, new=new, device=phone)

    def found(device):
        wanted = Wanted(device=device)
        return load_drilldown("13.0.12", "13.0.13", of.app.package, of.name, wanted).comparison

    assert (found(None), found(phone.pk)) == (whole, limited)


def a_launch(launch, *, leads):
    """Store a launch with both results, of which one is marked to speak for it; return its page."""
    of = factories.interaction("start", type="launch")
    compared(of=of, times_threshold=7.7, worst=not leads)
    compared(of=of, metric="launch_time_ms", times_threshold=4.8, worst=leads, **launch)
    return load_drilldown("13.0.12", "13.0.13", of.app.package, of.name, Wanted())


def test_page_speaks_of_the_result_that_the_ranking_shows(db):
    page = a_launch({"values": ((500, 510, 520), (900, 910, 920))}, leads=True)

    assert [row.metric for row in page.results] == ["launch_time_ms", "response_time_ms"]
    assert page.lead.metric == "launch_time_ms"
    assert page.sentence.startswith("Updated is usable 400 ms later: 510 → 910 ms")


def test_launch_that_only_responds_later_speaks_of_the_response_below_its_launch_time(db):
    page = a_launch(
        {"values": ((500, 510, 520), (501, 511, 521)), "verdict": "no_change", "severity": ""}, leads=False
    )

    assert page.results[0].metric == "launch_time_ms"
    assert page.lead.metric == "response_time_ms"
    assert page.sentence.startswith("Updated responds 200 ms later: ")
