"""What the names of files and folders tell: a table, as people name their recordings."""

import pytest

from analysis.manifest.guesses import Guesser, Known

KNOWN = Known(
    versions=["13.0.12", "Baklava"],
    apps=["Mail", "Google Maps"],
    devices=["Pixel 9"],
    types={("Mail", "Open inbox"): "launch"},
)


def cells(version="", app="", interaction="", **others):
    named = {"os_version": version, "app": app, "interaction": interaction, **others}
    return {column: cell for column, cell in named.items() if cell}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("13.0.12/Mail/open inbox/3.mp4", cells("13.0.12", "Mail", "open inbox", repetition="3")),
        ("13.0.12/Mail/open_inbox_03.mp4", cells("13.0.12", "Mail", "open inbox", repetition="3")),
        ("recordings/v14.1/Mail/open-inbox (2).mp4", cells("v14.1", "Mail", "open inbox", repetition="2")),
        ("14.1-rc2/Pixel 9/Mail/search_1.mp4",
         cells("14.1-rc2", "Mail", "search", repetition="1", device="Pixel 9")),
        ("films2/14.1/Mail/search/1.mp4", cells("14.1", "Mail", "search", repetition="1")),
        ("videos/add_item/sample-1.0_01.mp4", cells("sample-1.0", "", "add item", repetition="1")),
        ("14.1__Mail__open inbox__tap__7.mp4",
         cells("14.1", "Mail", "open inbox", repetition="7", interaction_type="tap")),
        ("Mail - fling the list - 4.webm", cells("", "Mail", "fling the list", repetition="4")),
        ("Mail/scroll feed 12.mp4", cells("", "Mail", "scroll feed", repetition="12", interaction_type="scroll")),
        ("14.1/120hz/Mail/open_at_533ms_2.mp4",
         cells("14.1", "Mail", "open", repetition="2", action_ms="533", refresh_hz="120")),
        ("14.1/Mail/open_533.91ms.mp4", cells("14.1", "Mail", "open", action_ms="533.91")),
        ("Screen_Recording_20261122-090000.mp4", {}),
        ("DCIM/Camera/VID_20261122_090000.mp4", {}),
        ("clip.mp4", cells("", "", "clip")),
        ("14.1/Post/مرحبا/2.mp4", cells("14.1", "Post", "مرحبا", repetition="2")),
    ],
)  # fmt: skip
def test_names_tell_what_a_recording_shows(path, expected):
    assert Guesser().guess(path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("baklava/mail/open_inbox/1.mp4",
         cells("Baklava", "Mail", "Open inbox", repetition="1", interaction_type="launch")),
        ("pixel-9/google_maps/zoom in 2.mp4",
         cells("", "Google Maps", "zoom in", repetition="2", device="Pixel 9")),
    ],
)  # fmt: skip
def test_names_that_are_stored_are_found_however_they_are_written(path, expected):
    assert Guesser(KNOWN).guess(path) == expected


@pytest.mark.parametrize(
    "path", ["", "/", "a" * 5000, "../..", ".mp4", "((((((((((", "1" * 400 + ".mp4", "- - -.mp4"]
)
def test_any_name_gives_an_answer(path):
    assert isinstance(Guesser(KNOWN).guess(path), dict)
