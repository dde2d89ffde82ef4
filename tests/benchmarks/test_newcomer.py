"""What the newcomer's path is walked with, and how it says what it took."""

from itertools import pairwise

from analysis.video.opening import open_container
from benchmarks.journeys import Walked
from benchmarks.newcomer import TYPES, chosen_rows, make_folder, table


def test_chosen_recordings_are_both_versions_of_each_interaction():
    chosen = chosen_rows()

    assert len(chosen) == 2 * len(TYPES) * 5
    assert {row["interaction"]: row["interaction_type"] for row in chosen} == TYPES


def test_folder_is_named_as_people_name_their_recordings_and_shows_every_instant(tmp_path):
    [row] = [row for row in chosen_rows() if row["interaction"] == "add item"][:1]
    folder = make_folder(tmp_path, [row])

    [film] = folder.rglob("*.mp4")
    assert str(film.relative_to(folder)) == "sample-1.0/TodoMVC React/add item/1.mp4"
    with open_container(film) as container:
        times_ms = [1000 * float(frame.time) for frame in container.decode(video=0)]
    assert max(abs(later - time - 1000 / 60) for time, later in pairwise(times_ms)) < 0.1


def test_table_tells_waiting_apart():
    walked = Walked("a zip", 9, 13.4, typed=2, waited_s=9.1)

    assert table([walked]).splitlines()[-1] == "| a zip | 9 | 2 | 4 | 9 |"
