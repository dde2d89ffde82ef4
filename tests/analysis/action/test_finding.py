"""The action found in clips of known truth: each kind of sign, and what looks like one."""

import pytest

from analysis.action.proposals import Proposal, choose, say
from analysis.measure import measure_screencast
from analysis.options import MeasureOptions
from tests.analysis.acting import ACTED, RATES, SLOT, Acted, two_taps

NOT_STARVED = ("pale_circle", "dot_over_ripple")  # at 350 kbit/s they are not found, or not told for certain
CERTAIN = [name for name, scene in ACTED.items() if scene.kind and scene.certain]
OTHERS = [name for name in ACTED if name not in CERTAIN]


def rate_of(name: str) -> str:
    """Return one of the rates for each scene; `benchmarks.actions` films each at all of them."""
    rates = list(RATES)[:2] if name in NOT_STARVED else list(RATES)
    return rates[list(ACTED).index(name) % len(rates)]


@pytest.mark.parametrize("name", CERTAIN)
def test_what_marks_the_action_is_found_and_is_no_answer_to_it(name, tmp_path):
    scene = ACTED[name]
    measured = measure_screencast(scene.film(tmp_path, rate_of(name)), scene.options())
    assert measured.outcome == "ok", measured.message
    chosen = measured.evidence["action"]["chosen"]
    assert chosen["kind"] == scene.kind
    assert chosen["time_ms"] == pytest.approx(scene.down_ms, abs=0.5)
    # What lies under the dot, or while the whole screen is lit, cannot be seen: a ripple shows beside the dot.
    hidden = 2 * SLOT if name == "dot_over_ripple" else 0
    assert (
        scene.response - 0.5 * SLOT <= measured.metrics["response_time_ms"] <= scene.response + SLOT + hidden + 0.5
    )


@pytest.mark.parametrize("name", OTHERS)
def test_what_only_looks_like_a_sign_is_left_to_a_person(name, tmp_path):
    scene = ACTED[name]
    measured = measure_screencast(scene.film(tmp_path, rate_of(name)), scene.options())
    assert measured.outcome == "no_action"
    assert set(measured.metrics.values()) == {None}
    assert not any(found["certain"] for found in measured.evidence["action"]["proposals"])
    assert len(measured.series.time_ms) > 2


def test_of_two_touches_a_person_says_which_is_meant_and_it_is_measured_from_that(tmp_path):
    scene = Acted(two_taps, "dot")
    path = scene.film(tmp_path, "cfr60")
    asked = measure_screencast(path, scene.options())
    assert asked.outcome == "no_action"
    assert "2 touch dots at 700, 1600 ms" in asked.message
    confirmed = measure_screencast(path, scene.options("confirmed", action_ms=700.0))
    assert confirmed.metrics["response_time_ms"] == pytest.approx(200, abs=SLOT)
    elsewhere = measure_screencast(path, scene.options("confirmed", action_ms=800.0))
    assert elsewhere.evidence["action"]["chosen"] is None
    assert elsewhere.metrics["response_time_ms"] == pytest.approx(33.3, abs=1)  # the dot goes, and nobody marked it


def test_pointer_location_says_where_the_finger_went_as_well(tmp_path):
    scene = ACTED["pointer_location"]
    chosen = measure_screencast(scene.film(tmp_path, "cfr60"), scene.options("cross")).evidence["action"]["chosen"]
    x0, y0, x1, y1 = chosen["rect"]
    assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx((160, 400), abs=8)
    assert chosen["gone_ms"] == pytest.approx(783, abs=SLOT)


def test_a_person_is_asked_even_if_there_is_one_sign(tmp_path):
    scene = ACTED["tap"]
    measured = measure_screencast(scene.film(tmp_path, "cfr60"), scene.options("ask"))
    assert measured.outcome == "no_action"
    assert "found: a touch dot at 700 ms" in measured.message
    assert measured.evidence["action"]["proposals"][0]["uncertain_ms"] == pytest.approx(SLOT, abs=0.1)


def test_the_touch_that_the_manifest_names_must_be_the_dot(tmp_path):
    scene = ACTED["tap"]
    path = scene.film(tmp_path, "cfr60")
    assert measure_screencast(path, scene.options("dot", touch_xy=(160.0, 400.0))).outcome == "ok"
    assert measure_screencast(path, scene.options("dot", touch_xy=(40.0, 40.0))).outcome == "no_action"
    said = scene.options("dot", touch_xy=(160.0, 400.0), show_touches=True)  # covered as an answer, not as a sign
    assert measure_screencast(path, said).metrics["response_time_ms"] == pytest.approx(scene.response, abs=SLOT)


def found(kind, time_ms, certain=True):
    return Proposal(kind, time_ms, 1, 0, None, (0, 0, 10, 10), 16.7, certain, "")


def test_one_kind_decides_before_another_and_only_alone():
    dot, flash, late = found("dot", 500.0), found("flash", 480.0), found("dot", 900.0)
    assert choose([dot, flash], "any") is flash
    assert choose([dot, flash], "dot") is dot
    assert choose([dot, late], "any") is None
    assert choose([dot, late, flash], "any") is flash
    assert choose([found("dot", 500.0, certain=False)], "any") is None
    assert choose([dot], "ask") is None
    assert choose([], "any") is None


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("any", "no touch dot, marker flash, pressed key or lines of Pointer location was found"),
        ("dot", "no touch dot was found"),
        ("flash", "no marker flash was found"),
        ("key", "no pressed key was found"),
    ],
)
def test_nothing_found_says_what_was_looked_for_and_what_a_person_does(mode, words):
    said = say([], mode)
    assert words in said
    assert "name its frame, or give action_ms" in said


def test_options_refuse_another_way_to_find_the_action():
    with pytest.raises(ValueError, match="use one of any, cross, dot, flash, key"):
        MeasureOptions(find_action="magic")
