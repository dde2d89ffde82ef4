import numpy as np
import pytest

from analysis.series import FrameSeries
from reports.measuring.evidence import (
    Box,
    Fact,
    chosen_frames,
    judged_action_ms,
    left_out_areas,
    other_facts,
    seen_events,
    seen_together,
)
from reports.measuring.series import RunSeries
from reports.models import Correction, Run

EVIDENCE = {
    "response": {
        "frame": 1,
        "frame_before": 0,
        "time_ms": 591.344,
        "after_action_ms": 79.534,
        "ssim_mean": 0.99,
        "ssim_worst": -0.2,
        "changed_pct": 5.7,
        "changed_rect": [54, 0, 108, 585],
    },
    "finish": None,
    "threshold_levels": 6.0,
    "masks": [],
    "ignored": [{"rect": [0, 0, 8, 8], "reason": "still changing"}],
    "video": {"width": 540, "height": 1170, "full_range": False},
}


def series_of(evidence, *, size=(540, 1170), corrections=None):
    """Return the series of a run with three frames; the action is at 511.81 ms."""
    columns = (np.float32([1.0, 0.9, 0.8]), np.float32([1.0, 0.5, 0.4]), np.float32([0.0, 6.0, 7.0]))
    run = Run(pk=1, action_ms=511.81, width_px=size[0], height_px=size[1])
    return RunSeries(run, FrameSeries(np.array([0.0, 591.344, 700.0]), *columns), evidence, 60.0, corrections or {})


def test_chosen_frames_are_those_that_were_found_with_the_changed_area_in_percent():
    (response,) = chosen_frames(series_of(EVIDENCE))

    assert (response.moment, response.time_us, response.before_us) == ("response", 591344, 0)
    assert (response.ssim_worst, response.changed_pct) == (-0.2, 5.7)
    assert response.box == Box(left=10.0, top=0.0, width=10.0, height=50.0)


def test_a_screen_in_black_is_what_a_place_is_told_of_and_all_of_the_picture_what_is_outlined():
    seen = EVIDENCE | {"screen": [54, 0, 486, 1170]}
    (response,) = chosen_frames(series_of(seen))
    assert (response.box.left, response.box.width) == (10.0, 10.0)
    assert response.box.place == "upper left, about 12 × 50 % of the screen"
    assert left_out_areas(seen) == ("still changing, upper left, about 2 × 1 % of the screen",)


def test_corrected_moment_is_the_frame_of_the_person_and_what_the_series_says_of_it():
    said = Correction(moment="response", value_ms=188.19)

    (response,) = chosen_frames(series_of(EVIDENCE, corrections={"response": said}))

    assert (response.frame, response.before, response.after_action_ms) == (2, 1, 188.19)
    assert (response.changed_pct, response.box, response.correction) == (7.0, None, said)


def test_moment_that_only_a_person_saw_is_a_chosen_frame_too():
    (finish,) = chosen_frames(series_of({}, corrections={"finish": Correction(moment="finish", value_ms=80.0)}))

    assert (finish.moment, finish.frame) == ("finish", 1)


def test_chosen_frame_at_the_start_or_of_unknown_size_has_nothing_before_it_and_no_box():
    first = EVIDENCE["response"] | {"frame": 0, "frame_before": 0}

    (response,) = chosen_frames(series_of({"response": first}, size=(None, None)))

    assert (response.before_us, response.time_us, response.box) == (0, 0, None)


def test_left_out_areas_are_named_with_their_reason():
    masked = {"masks": [{"name": "status bar"}, {"name": ""}]}

    assert left_out_areas(EVIDENCE | masked) == (
        "status bar (masked)",
        "an area (masked)",
        "still changing, upper left, about 1 × 1 % of the screen",
    )


def test_other_facts_leave_out_what_is_empty_and_name_units():
    assert other_facts(EVIDENCE | {"variable_rate": True, "notes": []}) == [
        Fact("From rest, changed from", "6 of 255 grey levels"),
        Fact("Keeps time", "a frame whenever the screen changed"),
    ]


def test_no_evidence_is_nothing():
    assert (chosen_frames(series_of({})), left_out_areas({}), other_facts({})) == ((), (), [])


@pytest.mark.parametrize(
    ("box", "place"),
    [
        (Box(13.3, 16.4, 1.4, 3.4), "upper left, about 1 × 3 % of the screen"),
        (Box(0, 0, 100, 4), "across the upper part, about 100 × 4 % of the screen"),
        (Box(90, 0, 10, 100), "down the right, about 10 × 100 % of the screen"),
        (Box(45, 45, 10, 10), "in the middle, about 10 × 10 % of the screen"),
        (Box(45, 80, 10, 0.2), "lower middle, about 10 × under 1 % of the screen"),
        (Box(2, 2, 80, 90), "most of the screen"),
        (Box(0, 1, 100, 99), "the whole screen"),
        (Box(20, 10, 60, 80, screen=Box(20, 10, 60, 80)), "the whole screen"),
        (Box(26, 14, 6, 4, screen=Box(20, 10, 60, 80)), "upper left, about 10 × 5 % of the screen"),
    ],
)
def test_a_place_is_said_in_words(box, place):
    assert box.place == place


def test_the_action_that_a_run_was_judged_from_stays_with_its_evidence():
    assert judged_action_ms(EVIDENCE, Run(action_ms=700.0)) == pytest.approx(511.81)
    assert judged_action_ms({}, Run(action_ms=700.0)) == 700.0


def event(decides=(), **left_out):
    return {
        "start_ms": 80.0, "end_ms": 396.2, "rect": [0, 8, 540, 908], "changed_pct": 34.25,
        "decides": list(decides), "left_out": left_out,
    }  # fmt: skip


def test_events_say_what_came_of_them():
    events = [
        event(["response", "finish"]),
        event(response="a blinking caret", finish="a blinking caret"),
        event(response="already changing before the action"),
        event(response="a blinking caret", finish="a blinking caret") | {"start_ms": 900.0, "end_ms": 917.0},
        event(),
    ]

    seen = seen_events({"events": events, "video": EVIDENCE["video"]}, action_ms=500.0)

    assert [one.said for one in seen] == [
        "decides response and finish",
        "left out: a blinking caret",
        "no response: already changing before the action",
        "between response and finish",
    ]
    assert (seen[0].place, seen[0].decides, seen[1].decides) == (
        "most of the screen",
        True,
        False,
    )
    assert seen[0].shown_us == 580_000
    assert (seen[1].times, seen[1].start_ms, seen[1].end_ms) == (2, 80.0, 917.0)


def test_changes_that_begin_at_once_and_come_to_the_same_are_told_together():
    small = event(["response"]) | {"rect": [0, 0, 8, 8], "changed_pct": 0.1, "end_ms": 500.0}
    events = [small, event(["response"]), event(["response"]) | {"start_ms": 96.0, "rect": [0, 0, 9, 9]}, event()]

    told = seen_together(seen_events({"events": events}))

    assert [(one.first.changed_pct, one.others, one.end_ms) for one in told] == [
        (34.25, 1, 500.0),
        (34.25, 0, 396.2),
        (34.25, 0, 396.2),
    ]


def test_a_run_measured_before_there_were_events_has_none():
    assert seen_events(EVIDENCE) == ()
    assert not {"events", "moving"} & {fact.name for fact in other_facts({"events": [event()], "moving": [1]})}


def test_a_chosen_frame_says_how_sure_it_is_and_what_else_it_may_be():
    other = {"frame": 2, "after_action_ms": 188.19, "reason": "what decided is as narrow as a caret"}
    evidence = EVIDENCE | {"response": EVIDENCE["response"] | {"confidence": "doubtful", "other": other}}

    (response,) = chosen_frames(series_of(evidence))

    assert response.confidence == "doubtful"
    assert (response.other.time_us, response.other.before_us) == (700000, 591344)
    assert response.other.reason.endswith("as narrow as a caret")


def test_what_a_person_said_is_in_no_doubt():
    evidence = EVIDENCE | {"response": EVIDENCE["response"] | {"confidence": "doubtful", "other": None}}

    (response,) = chosen_frames(series_of(evidence, corrections={"response": Correction(value_ms=188.19)}))

    assert (response.confidence, response.other) == ("", None)
