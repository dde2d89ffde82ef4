import pytest

from reports.drilldown.moments import asked_for, moment_words, opening, story_about
from reports.models import Interaction, Result
from tests.reports.drilldown.test_plots import SLOT, run_series

TAP, LAUNCH = (moment_words(Interaction(type=kind)) for kind in ("tap", "launch"))


def at_rate(moments, end=2000, drops=()):
    """Return a run whose screen shows something new in every refresh between its moments."""
    response, finish = moments
    times = [i * SLOT for i in range(round(end / SLOT))]
    changed = [i for i, at in enumerate(times) if response is not None and response <= at <= (finish or end) + 0.01]
    changed = [i for i in changed if not any(start < times[i] < stop for start, stop in drops)]
    return run_series(times, changed, response=response, finish=finish)


def lead(metric="response_time_ms", verdict="regression", delta=100.0):
    return Result(metric=metric, verdict=verdict, delta=delta)


def slots(count):
    return count * SLOT


def test_response_opens_where_one_side_is_as_far_on_as_it_gets_and_the_other_shows_nothing():
    runs = {"base": at_rate((slots(6), slots(30))), "new": at_rate((slots(20), slots(40)))}

    story = opening(lead(), runs, TAP)

    assert slots(19) <= story.at_ms < slots(20)
    assert (story.moment, story.words) == ("response", "Baseline has responded, Updated has not yet.")


def test_response_that_is_complete_early_opens_on_the_finished_screen():
    runs = {"base": at_rate((slots(6), slots(8))), "new": at_rate((slots(40), slots(44)))}

    assert opening(lead(), runs, TAP).at_ms == pytest.approx(slots(8), abs=0.11)


@pytest.mark.parametrize("slow", ["base", "new"])
def test_finish_opens_on_the_sooner_finish_whichever_side_it_is(slow):
    fast = "base" if slow == "new" else "new"
    runs = {fast: at_rate((slots(3), slots(9))), slow: at_rate((slots(3), slots(50)))}

    story = opening(lead("launch_time_ms"), runs, LAUNCH)

    assert story.at_ms == pytest.approx(slots(9), abs=0.11)
    assert story.at_ms >= slots(9) - 0.06
    names = {"base": "Baseline", "new": "Updated"}
    assert story.words == f"{names[fast]} is usable, {names[slow]} is not yet."


def test_dropped_frames_open_within_the_longest_gap_of_the_side_that_drops_more():
    drops = [(slots(10), slots(13)), (slots(20), slots(27))]
    runs = {"base": at_rate((slots(3), slots(40))), "new": at_rate((slots(3), slots(40)), drops=drops)}

    story = opening(lead("dropped_frames", delta=4.0), runs, TAP)

    assert slots(20) < story.at_ms < slots(27)
    assert story.words == "Updated stands still: 6 frames dropped."


def test_nothing_that_differs_opens_on_the_later_response():
    runs = {"base": at_rate((slots(3), slots(9))), "new": at_rate((slots(4), slots(9)))}

    assert opening(lead("finish_time_ms", "no_change"), runs, TAP).at_ms == pytest.approx(slots(4), abs=0.11)


def test_moments_less_than_a_refresh_apart_are_nothing_to_tell_apart():
    runs = {"base": at_rate((slots(3), slots(9))), "new": at_rate((slots(3.5), slots(9)))}

    assert opening(lead(), runs, TAP).words == "Both sides have responded."


def test_side_that_never_answers_opens_on_the_answer_of_the_other():
    runs = {"base": at_rate((slots(6), slots(9))), "new": at_rate((None, None))}

    story = opening(lead("never_answered"), runs, TAP)

    assert story.at_ms == pytest.approx(slots(9), abs=0.11)
    assert story.words == "Baseline has responded, Updated has not yet."


def test_one_run_opens_on_its_response_and_none_on_the_action():
    assert opening(None, {"new": at_rate((slots(6), slots(9)))}, TAP).at_ms == pytest.approx(slots(6), abs=0.11)
    assert opening(None, {"new": at_rate((None, None))}, TAP).at_ms == 0.0
    assert opening(None, {}, TAP).at_ms == 0.0


@pytest.mark.parametrize(
    ("text", "at"), [("420", 420.0), ("-3.5", -3.5), ("0.0", 0.0), ("", None), (None, None), ("x", None)]
)
def test_time_of_an_address_is_a_number_or_nothing(text, at):
    assert asked_for(text) == at


@pytest.mark.parametrize("text", ["nan", "inf", "1e99"])
def test_time_that_cannot_be_shown_is_passed_over(text):
    assert asked_for(text) is None


@pytest.mark.parametrize(
    ("metric", "verdict", "about"),
    [
        ("dropped_frames", "regression", "dropped_frames"),
        ("dropped_frames", "no_change", "response"),
        ("response_time_ms", "regression", "response"),
        ("finish_time_ms", "improvement", "finish"),
    ],
)
def test_screens_tell_of_the_metric_that_leads(metric, verdict, about):
    runs = {"base": at_rate((slots(6), slots(30))), "new": at_rate((slots(20), slots(50)))}
    result = lead(metric, verdict)

    assert story_about(result, opening(result, runs, TAP)) == about
