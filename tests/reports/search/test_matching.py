import pytest

from reports.search.matching import marked, near_in_names, words_of


def test_signs_between_words_are_no_words():
    assert words_of("Mail · Open inbox → 13.0.9") == ["mail", "open", "inbox", "13.0.9"]
    assert words_of(" · ") == []


@pytest.mark.parametrize(
    ("words", "near"),
    [(["pol"], 0), (["set"], 1), (["oli"], 4), (["pol", "set"], 1), (["pol", "none"], None), (["ting"], None)],
)
def test_start_of_a_name_is_nearer_than_of_another_word_and_that_than_the_middle(words, near):
    assert near_in_names(words, ["Policy"], "settings") == near


def test_marks_stand_at_the_beginning_of_words_where_there_is_one():
    assert marked("Solo open", ["o"]) == [("Solo ", False), ("o", True), ("pen", False)]


def test_marks_of_words_that_overlap_are_one():
    assert marked("inbox", ["inb", "box"]) == [("inbox", True)]


def test_marks_leave_a_text_alone_that_has_none_of_the_words():
    assert marked("inbox", ["z"]) == [("inbox", False)]
    assert marked("", ["z"]) == []
