"""What the newcomer's path is walked with, and how it says what it took."""

from benchmarks.journeys import Walked
from benchmarks.newcomer import TYPES, chosen_rows, make_folder, table


def test_chosen_recordings_are_both_versions_of_each_interaction_at_a_constant_rate():
    chosen = chosen_rows()

    assert len(chosen) == 2 * len(TYPES) * 5
    assert {row["capture"] for row in chosen} == {"cfr60"}  # else no picture shows when the user acts
    assert {row["interaction"]: row["interaction_type"] for row in chosen} == TYPES


def test_folder_is_named_as_people_name_their_recordings(tmp_path):
    folder = make_folder(tmp_path, chosen_rows()[:1])

    assert [str(file.relative_to(folder)) for file in folder.rglob("*.mp4")] == [
        "sample-1.0/TodoMVC React/add item/1.mp4"
    ]


def test_table_tells_waiting_apart():
    walked = Walked("a zip", 9, 13.4, typed=2, waited_s=9.1)

    assert table([walked]).splitlines()[-1] == "| a zip | 9 | 2 | 4 | 9 |"
