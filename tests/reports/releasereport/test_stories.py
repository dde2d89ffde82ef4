import pytest
from django.conf import settings

from analysis.verdicts.outcomes import OUTCOME_METRIC
from reports.gate.formats import by_interaction
from reports.gate.selectors import standing_report
from reports.media import frames
from reports.models import FrameSeriesRecord, Run
from reports.policies.selectors import EVERYTHING, policy_for
from reports.releasereport import stories
from reports.releasereport.stories import TOP, load_stories
from tests import factories
from tests.reports.releasereport.scene import SLOW, number_of, release_scene, shown_runs, stored

pytestmark = pytest.mark.django_db


def regressions(comparison):
    return standing_report(comparison, policy_for(comparison), EVERYTHING)["regressions"]


def told(comparison, **options):
    """Return the one story of the scene."""
    [story] = load_stories(comparison, regressions(comparison), **options)
    return story


def test_response_is_told_by_the_answers_and_the_screen_that_still_waits():
    story = told(release_scene())

    assert [(shot.label, shot.words) for shot in story.shots] == [
        ("Baseline", "responds after 100 ms"),
        ("Updated", "has not responded yet after 100 ms"),
        ("Updated", "responds after 200 ms"),
    ]
    assert [number_of(shot.picture) for shot in story.shots] == [2, 2, 4]
    assert [bool(shot.box) for shot in story.shots] == [True, False, True]
    assert story.sentence.startswith("Updated responds 250 ms later: 104 → 354 ms")
    assert story.note == ""


def test_finish_is_told_by_the_frames_that_were_chosen_for_it():
    story = told(release_scene(metric="finish_time_ms"))

    assert [shot.words for shot in story.shots] == [
        "is ready after 150 ms",
        "is not ready yet after 150 ms",
        "is ready after 500 ms",
    ]
    assert [number_of(shot.picture) for shot in story.shots] == [3, 3, 6]


def test_pair_in_which_the_updated_version_is_sooner_is_told_by_both_answers():
    story = told(release_scene(answers={"base": [4, 6], "new": [2, 3]}))

    assert [(shot.label, shot.words) for shot in story.shots] == [
        ("Baseline", "responds after 200 ms"),
        ("Updated", "responds after 100 ms"),
    ]


def test_dropped_frames_are_told_by_both_screens_at_the_longest_standstill():
    story = told(release_scene(metric="dropped_frames", answers={"base": [2, 3], "new": [2, 3, 4, 5]}))

    assert [(shot.label, shot.words) for shot in story.shots] == [
        ("Baseline", "at the same moment, after 200 ms"),
        ("Updated", "stands still here from 200 to 400 ms: 11 frames lost at once"),
    ]
    assert [number_of(shot.picture) for shot in story.shots] == [4, 4]


def test_run_without_a_drop_says_so():
    story = told(release_scene(metric="dropped_frames", answers={"base": [2], "new": [2]}))

    assert (story.shots, story.note) == ((), "The run that is shown lost no frame.")


def test_pictures_are_made_once(monkeypatch):
    comparison = release_scene()
    first = told(comparison)
    monkeypatch.setattr(frames, "stills_apart", None)  # no recording is opened

    assert told(comparison) == first


def test_lost_screencast_leaves_a_sentence():
    comparison = release_scene()
    for run in shown_runs(comparison):
        stored(run).unlink()

    story = told(comparison)

    assert story.shots == ()
    assert story.note.startswith("No frames: ")
    assert str(settings.MEDIA_ROOT) not in story.note
    assert story.sentence


def test_broken_screencast_leaves_a_sentence():
    comparison = release_scene()
    for run in shown_runs(comparison):
        stored(run).write_bytes(b"no video")

    assert told(comparison).note.startswith("No frames: the screencast cannot be read")


def test_run_without_frame_series_leaves_a_sentence():
    comparison = release_scene()
    FrameSeriesRecord.objects.filter(run__os_version__name="13.0.13").delete()

    assert told(comparison).note == "No frames: the run of Updated that stands for the others has none stored."


def test_side_without_an_answer_is_named_and_the_other_shown():
    comparison = release_scene()
    record = FrameSeriesRecord.objects.get(run__os_version__name="13.0.13")
    record.evidence = {**record.evidence, "response": None}
    record.save()

    story = told(comparison)

    assert [shot.label for shot in story.shots] == ["Baseline"]
    assert story.note == "No response was found in the run of Updated."


def test_frame_too_late_in_the_recording_is_left_out(monkeypatch):
    monkeypatch.setattr(frames, "MAX_DECODED", 3)

    story = told(release_scene())

    assert [shot.words for shot in story.shots] == ["responds after 100 ms", "has not responded yet after 100 ms"]
    assert story.note == "Some frames lie too late in the recording to be shown here."


def test_pictures_that_are_not_ready_in_time_are_told_but_kept_ones_are_shown():
    comparison = release_scene()

    hurried = told(comparison, patience_s=0.0)
    told(comparison)

    assert hurried.shots == ()
    assert "download this report again" in hurried.note
    assert len(told(comparison, patience_s=0.0).shots) == 3


def test_pictures_stop_before_the_file_grows_too_large(monkeypatch):
    comparison = release_scene()
    monkeypatch.setattr(stories, "MOST_BYTES", 0)

    assert told(comparison).note == "Its frames are left out: they would make this file too large."


def test_metric_without_a_frame_of_its_own_says_so():
    comparison = release_scene()
    comparison.results.filter(verdict="regression").update(metric=OUTCOME_METRIC)

    assert told(comparison).note == "No single frame shows this metric."


def test_numbers_that_are_no_longer_stored_have_no_frames():
    comparison = release_scene()
    [row] = regressions(comparison)

    [story] = load_stories(comparison, [row | {"median_new": 999.0}])

    assert (story.shots, story.sentence) == ((), "")
    assert story.note.startswith("The results were computed again since")


def test_metrics_of_an_interaction_are_told_under_the_worst():
    rows = [
        {
            "app": app,
            "interaction": name,
            "device": "phone",
            "metric": metric,
            "severity": "",
            "times_threshold": 2.0,
        }
        for app, name, metric in (("a", "x", "finish"), ("b", "x", "finish"), ("a", "x", "response"))
    ]

    found = by_interaction(rows)

    assert found == [[rows[0], rows[2]], [rows[1]]]


def test_launch_is_told_by_its_launch_time_where_that_is_as_severe_and_stands_in_its_place():
    def row(interaction, metric, times, severity="Severe"):
        place = {"app": "a", "interaction": interaction, "device": "phone"}
        return place | {"metric": metric, "severity": severity, "times_threshold": times}

    launch = [row("launch", "response_time_ms", 7.7), row("launch", "launch_time_ms", 4.8)]
    panel = row("open panel", "dropped_frames", 7.0)
    slow = [row("slow start", "response_time_ms", 4.1), row("slow start", "launch_time_ms", 1.2, "Minor")]

    found = by_interaction([launch[0], panel, launch[1], *slow])

    assert found == [[panel], [launch[1], launch[0]], slow]


def test_query_count_does_not_grow_with_the_regressions(django_assert_num_queries):
    comparison = release_scene()
    [row] = regressions(comparison)
    rows = [row] + [row | {"interaction": f"step {number}"} for number in range(400)]
    told(comparison)

    with django_assert_num_queries(3):
        found = load_stories(comparison, rows)

    assert len(found) == TOP


def test_no_regression_asks_nothing(django_assert_num_queries):
    comparison = release_scene()

    with django_assert_num_queries(0):
        assert load_stories(comparison, []) == ()


def test_two_devices_of_one_interaction_are_two_stories():
    comparison = release_scene()
    tablet = factories.device("tablet")
    [old] = comparison.results.filter(verdict="regression")
    old.pk, old.device = None, tablet
    old.save()

    found = load_stories(comparison, regressions(comparison))

    assert {story.row["device"] for story in found} == {"phone", "tablet"}
    assert all(story.row["median_new"] == SLOW[3] + 0.5 for story in found)


@pytest.mark.parametrize(("size", "wide"), [((160, 240), False), ((320, 180), True)])
def test_wide_screens_are_told_apart_as_they_need_more_room(size, wide):
    comparison = release_scene()
    Run.objects.update(width_px=size[0], height_px=size[1])

    assert told(comparison).wide == wide
