"""What is remembered of refused lines stays small, however many there are; every one is counted."""

import pytest

from analysis.manifest.reader import Line
from analysis.manifest.rows import Problem
from reports.importing.summary import OTHER, Bounds, Refusals, without_particulars


def missing(number):
    line = Line(number, {"video": f"night/{number}.mp4"})
    return line, [Problem(number, "video", f"night/{number}.mp4: No such file: check the path")]


def refused(*pairs, **bounds):
    refusals = Refusals(Bounds(**bounds))
    for line, problems in pairs:
        refusals.add(line, problems)
    return refusals


@pytest.mark.parametrize(
    ("field", "cell", "message", "cause"),
    [
        ("video", "a/b.mp4", "a/b.mp4: No such file: check the path", ": No such file: check the path"),
        ("video", "a/b.mp4", "b.mp4 changed while it was imported", " changed while it was imported"),
        ("action_ms", "s", "'s' is not a finite number", "… is not a finite number"),
        ("refresh_hz", "0", "0 is out of range: give 1 to 1000", " is out of range: give … to …"),
        ("repetition", "1", "is the same recording as line 17", "is the same recording as line …"),
        (
            "video",
            "..",
            "lies outside the manifest's folder: move it",
            "lies outside the manifest's folder: move it",
        ),
    ],
)
def test_a_cause_is_what_a_message_says_of_every_such_line(field, cell, message, cause):
    assert without_particulars(Problem(3, field, message), Line(3, {field: cell})) == cause


def test_lines_of_one_cause_are_all_counted_and_the_first_kept():
    refusals = refused(*map(missing, range(2, 102)), lines_of_a_cause=10)

    [cause] = refusals.causes
    assert (refusals.count, refusals.left_out, cause.count, cause.line) == (100, 90, 100, 2)
    assert [each.line.number for each in refusals.kept] == list(range(2, 12))


def test_a_line_with_two_problems_is_one_line_of_two_causes():
    problems = [Problem(2, "action_ms", "'a' is not a finite number"), Problem(2, "video", "is empty: fill it")]
    refusals = refused((Line(2, {"action_ms": "a"}), problems))

    assert (refusals.count, len(refusals.kept), len(refusals.causes)) == (1, 1, 2)
    assert refusals.problems == problems


def test_what_is_kept_of_long_lines_and_of_ever_new_reasons_has_a_bound():
    long = Line(2, {"scenario": "x" * 60_000}), [Problem(2, "app", "is empty: fill it")]
    others = [(Line(n, {}), [Problem(n, f"column {n}", "is wrong")]) for n in range(3, 203)]
    refusals = refused(long, *others, causes=20, lines=50)

    assert (refusals.count, len(refusals.kept), len(refusals.causes)) == (201, 50, 20)
    assert refusals.causes[0].message == OTHER
    assert sum(cause.count for cause in refusals.causes) == 201


def test_few_lines_are_printed_one_by_one_and_many_as_some_of_each_cause():
    few = refused(*map(missing, (3, 2)))
    many = refused(*map(missing, range(2, 10_002)))

    assert [text.split(",")[0] for text in few.texts()] == ["line 2", "line 3"]
    assert len(many.texts()) == 6
    assert many.texts()[-1] == "… and 9,995 more like that (video)"
