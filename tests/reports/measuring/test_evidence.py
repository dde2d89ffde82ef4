from reports.measuring.evidence import Box, Fact, chosen_frames, other_facts

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
    "video": {"width": 540, "full_range": False},
}


def test_chosen_frames_are_those_that_were_found_with_the_changed_area_in_percent():
    (response,) = chosen_frames(EVIDENCE, (540, 1170))

    assert (response.name, response.time_us, response.before_us) == ("response", 591344, 590344)
    assert response.box == Box(left=10.0, top=0.0, width=10.0, height=50.0)


def test_chosen_frame_at_the_start_or_of_unknown_size_has_neither_negative_time_nor_box():
    first = EVIDENCE["response"] | {"time_ms": 0.0}

    (response,) = chosen_frames({"response": first}, (None, None))

    assert (response.before_us, response.box) == (0, None)


def test_other_facts_leave_out_what_is_empty_and_name_units():
    assert other_facts(EVIDENCE) == [
        Fact("threshold", "6 grey levels"),
        Fact("ignored", "rect 0; 0; 8; 8, reason still changing"),
        Fact("width", "540"),
        Fact("full range", "no"),
    ]


def test_no_evidence_is_nothing():
    assert (chosen_frames({}, (1, 1)), other_facts({})) == ([], [])
