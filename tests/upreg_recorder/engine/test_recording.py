import json
import time
from pathlib import Path

import pytest

from analysis.manifest.columns import TO_IMPORT
from analysis.manifest.reader import open_manifest
from analysis.manifest.rows import parse_row
from tests.upreg_recorder.drivers.fake import film
from upreg_client.manifest import Row, read_manifest
from upreg_recorder import films


def keys(rows):
    return sorted((row["os_version"], int(row["repetition"])) for row in rows)


def test_plan_is_recorded_and_each_film_is_what_was_filmed(record, rows, write_plan, tmp_path, farm):
    assert record(write_plan(repetitions=2)) == 0

    found = rows()
    assert keys(found) == [("13.0.13", 1), ("13.0.13", 2), ("13.0.9", 1), ("13.0.9", 2)]
    content, action_ms = film(300.0, 600.0)
    for row in found:
        assert (tmp_path / "night" / row["video"]).read_bytes() == content
        assert float(row["action_ms"]) == pytest.approx(action_ms)
    assert farm.open == set()
    assert sorted(path.name for path in (tmp_path / "night").iterdir()) == [
        ".lock", "films", "journal.jsonl", "runs.csv", "starts",
    ]  # fmt: skip


def test_devices_take_turns_forwards_and_backwards(record, write_plan, farm):
    record(write_plan(repetitions=4))

    assert farm.films() == ["old", "new", "new", "old", "old", "new", "new", "old"]


def test_manifest_is_read_by_the_server_and_by_the_client_without_a_complaint(record, rows, write_plan, tmp_path):
    record(write_plan(repetitions=1), "--batch", "night-7")
    manifest = tmp_path / "night" / "runs.csv"

    with open_manifest(manifest, TO_IMPORT) as reader:
        parsed = [parse_row(line, TO_IMPORT) for line in reader]
    sent = list(read_manifest(manifest))

    assert [problems for _, problems in parsed] == [[], []]
    first = parsed[0][0]
    assert (first.os_version, first.device, first.app, first.package) == (
        "13.0.9",
        "One",
        "Mail",
        "org.example.mail",
    )
    assert (first.category, first.app_version, first.interaction_type) == ("productivity", "4.2", "tap")
    assert (first.interaction, first.scenario, first.repetition) == ("open inbox", "Tap the inbox", 1)
    assert (first.capture, first.action_ms, first.x, first.y, first.show_touches) == (
        "cfr30",
        300.0,
        36.0,
        64.0,
        False,
    )
    assert (first.refresh_hz, first.batch, first.recorded_at is not None) == (60.0, "night-7", True)
    assert first.metadata == {
        "os_build": "13.0.9.build", "screen": "72×128", "action_uncertain_ms": "2",
        "clock": "the made-up clock is that of the film", "start_picture": "first", "tries": "1",
        "temperature_before_c": "31.5", "temperature_after_c": "31.5", "battery_before_pct": "80",
        "battery_after_pct": "80", "clocks_before_mhz": "1800 1800", "clocks_after_mhz": "1800 1800",
        "board": "board of old",
    }  # fmt: skip
    assert [type(row) for row in sent] == [Row, Row]
    assert {column: path.is_file() for row in sent for column, path in row.files.items()} == {
        "video": True, "log": True, "trace": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("mishap", "words"),
    [
        ("missing", "text 'Inbox' is not on the screen (line 15 of the plan)"),
        ("crash", "Mail crashed while it was filmed"),
        ("permission", "Mail asks for a permission: grant it in the plan"),
        ("short", "the film is too short: from the action on"),
        ("damaged", "the film cannot be played"),
        ("clocks", "do the clocks of host and device differ?"),
        ("bug", "ValueError: the library stumbled"),
    ],
)
def test_failed_trial_is_tried_again(record, rows, write_plan, farm, capsys, mishap, words):
    farm.mishaps["new"] = [mishap, mishap]

    assert record(write_plan(repetitions=1)) == 0

    said = capsys.readouterr().err
    assert said.count("it is tried again") == 2
    assert words in said
    assert [(row["os_version"], row["tries"]) for row in rows()] == [("13.0.9", "1"), ("13.0.13", "3")]


def test_trial_that_fails_too_often_is_given_up_with_all_reasons_and_the_others_go_on(
    record, rows, write_plan, farm, capsys
):
    farm.mishaps["new"] = ["crash", "missing", "short"]

    assert record(write_plan(repetitions=2), "--json") == 1

    told = json.loads(capsys.readouterr().out)
    [failed] = told["failed"]
    assert failed["trial"] == "new/org.example.mail/open inbox/1"
    assert [reason.split()[0] for reason in failed["reasons"]] == ["Mail", "text", "the"]
    assert keys(rows()) == [("13.0.13", 2), ("13.0.9", 1), ("13.0.9", 2)]


def test_what_another_try_cannot_mend_is_tried_once_for_all_trials_of_the_app(record, write_plan, farm, capsys):
    farm.mishaps["new"] = ["settled"]

    assert record(write_plan(repetitions=3), "--json") == 1

    told = json.loads(capsys.readouterr().out)
    assert [len(each["reasons"]) for each in told["failed"]] == [1, 1, 1]
    assert [name for call, name in farm.calls if call == "install"] == ["old", "new"]


def test_device_that_vanishes_leaves_the_others_alone(record, rows, write_plan, farm, capsys):
    farm.mishaps["old"] = ["gone"]

    assert record(write_plan(repetitions=3), "--json") == 1

    told = json.loads(capsys.readouterr().out)
    assert told["gone"] == {"old": "old is offline: plug it in again"}
    assert len(told["left"]) == 3
    assert keys(rows()) == [("13.0.13", 1), ("13.0.13", 2), ("13.0.13", 3)]
    assert farm.open == set()


def test_device_that_cannot_be_opened_is_told_with_its_cure(record, rows, write_plan, farm, capsys):
    farm.unreachable["new"] = "new is unauthorised: allow debugging on its screen"

    assert record(write_plan(repetitions=1)) == 1
    assert "new was left out: new is unauthorised: allow debugging on its screen" in capsys.readouterr().out
    assert keys(rows()) == [("13.0.9", 1)]


def test_device_out_of_battery_is_left_before_anything_is_filmed(record, write_plan, farm, capsys):
    plan = write_plan(words={"model: One}\n  - {name: new": "model: One, settings: {battery: 3}}\n  - {name: new"})

    assert record(plan) == 1
    assert "old is out of battery (3 %)" in capsys.readouterr().out
    assert "old" not in farm.films()


def test_run_that_began_from_another_screen_is_flagged_and_delivered(record, rows, write_plan, farm, capsys):
    plan = write_plan(repetitions=1)
    record(plan)
    farm.mishaps["new"] = ["dialog"]
    capsys.readouterr()

    assert record(write_plan(repetitions=2)) == 0

    said = capsys.readouterr().out
    assert "1 run began from another screen than the first of its kind" in said
    states = {(row["os_version"], row["repetition"]): row["start_picture"] for row in rows()}
    assert states.pop(("13.0.13", "2")).startswith("differs by ")
    assert states == {("13.0.9", "1"): "first", ("13.0.13", "1"): "first", ("13.0.9", "2"): "same"}


def test_run_that_failed_is_not_what_others_are_held_against(record, rows, write_plan, farm):
    farm.mishaps["old"] = ["dialog", "crash"]

    record(write_plan(repetitions=2))

    assert [row["start_picture"] for row in rows() if row["os_version"] == "13.0.9"] == ["first", "same"]


def test_film_shorter_than_a_long_gesture_is_none(record, write_plan, farm, capsys):
    swipe = "{swipe: {from: [0.5, 0.9], to: [0.5, 0.1], ms: 400}}"

    assert record(write_plan(repetitions=1, words={"{tap: Inbox}": swipe}), "--only", "device=old") == 1
    assert "the film is too short: from the action on 633 ms in place of at least 940 ms" in capsys.readouterr().out


def test_lanes_go_on_side_by_side(record, write_plan, farm, tmp_path):
    """Each of two devices waits in its film until the other one films, too."""
    seen = set()

    def meet(name):
        def wait(video):
            seen.add(name)
            for _ in range(3000):
                if len(seen) == 2:
                    return
                time.sleep(0.01)
            raise AssertionError(f"{name} is alone")

        return wait

    farm.mishaps = {name: [meet(name)] for name in ("old", "new")}
    plan = write_plan(repetitions=1, words={"13.0.13, model: One": "13.0.13, model: Two"})

    assert record(plan) == 0


def test_names_of_all_kinds_make_files_of_their_own(record, rows, write_plan, tmp_path):
    words = {"open inbox": "=öffne “Alles”", "13.0.9,": "13.0.9 (beta),", "name: old": "name: .."}

    assert record(write_plan(repetitions=1, words=words)) == 0

    night = tmp_path / "night"
    videos = {Path(row["video"]) for row in rows()}
    assert len(videos) == 2
    assert all((night / video).resolve().is_relative_to(night / "films") for video in videos)
    with open_manifest(night / "runs.csv", TO_IMPORT) as reader:
        assert {parse_row(line, TO_IMPORT)[0].interaction for line in reader} == {"=öffne “Alles”"}


def test_screens_are_told_apart_by_what_a_person_would_see():
    from tests.upreg_recorder.drivers.fake import png, screen

    plain, dialog = films.cells(png(screen())), films.cells(png(screen(dialog=True)))
    clock = screen()
    clock[0:4, 60:70] = 0  # a status bar that ticks
    caret = screen()
    caret[24:28, 40:41] = 0

    assert films.difference(plain, dialog).other
    assert not films.difference(plain, films.cells(png(clock))).other
    assert not films.difference(plain, films.cells(png(caret))).other
