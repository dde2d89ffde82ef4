from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.manifest.columns import COLUMNS, TO_IMPORT, TO_MEASURE
from analysis.manifest.reader import Line
from analysis.manifest.rows import options_of, parse_row
from analysis.options import MeasureOptions
from tests.intake import ROW


def parse(**cells):
    return parse_row(Line(7, {**ROW, **cells}), TO_IMPORT)


def problem_of(**cells):
    row, problems = parse(**cells)
    assert row is None
    (problem,) = problems
    assert problem.line == 7
    return problem


def test_a_row_with_the_required_columns_alone_gets_the_documented_defaults():
    row, problems = parse()
    assert problems == []
    assert (row.device, row.refresh_hz, row.package, row.capture) == ("unspecified", 60.0, "mail", "")
    assert (row.x, row.y, row.show_touches, row.recorded_at, row.metadata) == (None, None, False, None, {})


def test_every_column_is_read():
    row, _ = parse(
        device="Pixel 9", refresh_hz="120", app_version="2.1", package="org.example.mail", category="mail",
        scenario="Tap the tray", capture="CFR60", recorded_at="2026-11-20T09:00:00+01:00", log="a.log",
        trace="a.trace", x="270.5", y="12", show_touches="1", operator="night shift", channel="beta",
        released_on="2026-11-18",
    )  # fmt: skip
    assert (row.device, row.refresh_hz, row.app_version, row.package) == (
        "Pixel 9",
        120.0,
        "2.1",
        "org.example.mail",
    )
    assert (row.capture, row.x, row.y, row.show_touches) == ("cfr60", 270.5, 12.0, True)
    assert row.recorded_at == datetime(2026, 11, 20, 8, tzinfo=UTC)
    assert (row.log, row.trace, row.scenario) == ("a.log", "a.trace", "Tap the tray")
    assert (row.channel, row.released_on) == ("beta", date(2026, 11, 18))
    assert row.metadata == {"operator": "night shift"}


def test_a_package_is_made_of_the_name_of_the_app_in_any_script():
    assert parse(app="Google Maps!")[0].package == "google-maps"
    assert parse(app="微信")[0].package == "微信"
    assert parse(app="☺")[0].package == "☺"


def test_an_instant_without_an_offset_is_utc():
    assert parse(recorded_at="2026-11-20T08:49:45")[0].recorded_at == datetime(2026, 11, 20, 8, 49, 45, tzinfo=UTC)


@pytest.mark.parametrize("column", [name for name in ROW if name != "action_ms"])
def test_a_required_cell_that_is_empty_is_refused(column):
    assert problem_of(**{column: ""}).field == column


@pytest.mark.parametrize(
    "cell", ["nan", "inf", "-inf", "1e999", "-1", "12 ms", "1_000", "٣", "0x10", "1e12", "--1"]
)
@pytest.mark.parametrize("column", ["action_ms", "refresh_hz", "repetition"])
def test_a_number_that_is_none_or_out_of_range_is_refused(column, cell):
    assert problem_of(**{column: cell}).field == column


@pytest.mark.parametrize("cell", ["nan", "-3", "1e7"])
def test_a_touch_off_any_screen_is_refused(cell):
    assert problem_of(x=cell, y="1").field == "x"


def test_a_touch_needs_both_coordinates():
    assert "both" in problem_of(x="10").message


def test_a_decimal_comma_is_named_as_such():
    assert "write a point" in problem_of(action_ms="511,81").message


def test_a_repetition_may_be_written_as_a_spreadsheet_does_but_not_as_a_fraction():
    assert parse(repetition="3.0")[0].repetition == 3
    assert problem_of(repetition="3.5").field == "repetition"


@pytest.mark.parametrize("sign", ["/", "\\", "?", "#", "\n", "\x07"])
@pytest.mark.parametrize("column", ["os_version", "device", "app", "package", "interaction"])
def test_a_name_that_breaks_an_address_is_refused(column, sign):
    row, problems = parse(**{column: f"a{sign}b"})
    assert row is None
    assert problems[0].field == column
    assert "leave out" in problems[0].message


@pytest.mark.parametrize("name", [".", ".."])
def test_a_name_that_an_address_takes_for_a_step_is_refused(name):
    assert problem_of(os_version=name).field == "os_version"


def test_an_unknown_interaction_type_lists_the_known_ones():
    assert problem_of(interaction_type="pinch").message.endswith("tap, scroll, swipe, type, draw, launch")


@pytest.mark.parametrize("cell", ["60", "cfr-60", "vfr 60", "gif", "cfr" + "6" * 30])
def test_an_unknown_capture_is_refused(cell):
    assert problem_of(capture=cell).field == "capture"


@pytest.mark.parametrize("cell", ["yesterday", "20.11.2026", "2026-13-01", "0001-01-01T00:00:00+23:00"])
def test_a_date_that_is_no_iso_8601_is_refused(cell):
    assert problem_of(recorded_at=cell).field == "recorded_at"


@pytest.mark.parametrize("cell", ["yesterday", "18.11.2026", "2026-13-01"])
def test_a_day_that_is_none_is_refused(cell):
    assert problem_of(released_on=cell).field == "released_on"


def test_show_touches_is_yes_or_no():
    assert problem_of(show_touches="perhaps").field == "show_touches"


@pytest.mark.parametrize(
    ("column", "limit"),
    [("os_version", 80), ("channel", 40), ("interaction", 160), ("app_version", 80), ("video", 500)],
)
def test_a_cell_must_fit_its_column_in_the_database(column, limit):
    assert parse(**{column: "v" * limit})[0] is not None
    assert str(limit) in problem_of(**{column: "v" * (limit + 1)}).message


@pytest.mark.parametrize("column", ["app_version", "scenario", "operator", "video"])
def test_a_nul_byte_is_refused_wherever_it_is(column):
    _, problems = parse(**{column: "a\x00b"})
    assert (problems[0].field, "NUL" in problems[0].message) == (column, True)


def test_every_problem_of_a_line_is_told_at_once():
    _, problems = parse(action_ms="x", interaction_type="y", repetition="")
    assert sorted(problem.field for problem in problems) == ["action_ms", "interaction_type", "repetition"]


def measured(**cells):
    return parse_row(Line(7, cells), TO_MEASURE)


def test_a_video_alone_can_be_measured_and_takes_the_documented_defaults():
    row, problems = measured(video="a.mp4")
    assert problems == []
    assert options_of(row) == MeasureOptions()
    assert (row.os_version, row.app, row.interaction, row.repetition) == (*["unspecified"] * 3, 0)


def test_a_row_without_a_video_cannot_be_measured():
    assert measured(action_ms="5")[1] == [(7, "video", "is empty: fill it")]


def test_the_options_of_a_row_are_its_cells():
    row, _ = parse(
        action_ms="12.5", interaction_type="launch", refresh_hz="120", x="3", y="4", show_touches="1", capture="VFR"
    )
    assert options_of(row) == MeasureOptions(
        action_ms=12.5, interaction_type="launch", refresh_hz=120, touch_xy=(3, 4), show_touches=True, capture="vfr"
    )


def test_a_row_may_leave_it_to_the_recording_when_the_user_acts():
    row, problems = parse(action_ms="", action_from="Dot")
    assert not problems
    assert options_of(row) == MeasureOptions(find_action="dot")
    assert "action_ms" not in row.given
    assert options_of(parse(action_ms="")[0]) == MeasureOptions()
    assert problem_of(action_from="dot", action_ms="3").field == "action_from"
    assert "use one of any, cross, dot, flash, key" in problem_of(action_from="smell", action_ms="").message


@given(st.dictionaries(st.sampled_from([*ROW, "x", "refresh_hz", "recorded_at", "capture", "note"]), st.text()))
def test_no_cell_breaks_the_row_and_a_refused_row_says_where(cells):
    row, problems = parse(**cells)
    assert (row is None) == bool(problems)
    assert all(problem.field and problem.message for problem in problems)


CELLS = st.one_of(
    st.text(max_size=20),
    st.floats().map(str),
    st.sampled_from(["TAP", "cfr60", "VFR", "yes", "maybe", ",5", "1e3", "a/b", "2026-11-20T08:49:45Z", "x" * 501]),
).map(str.strip)


@given(st.dictionaries(st.sampled_from([*COLUMNS, "note"]), CELLS))
def test_whoever_reads_a_row_reads_the_same_where_all_is_said(cells):
    line = Line(7, {**ROW, **{name: cell for name, cell in cells.items() if cell}})
    row, problems = parse_row(line, TO_IMPORT)
    assert parse_row(line, TO_MEASURE) == (row, problems)
    if row:
        assert options_of(row).action_ms == row.action_ms


@given(st.dictionaries(st.sampled_from(list(COLUMNS)), CELLS))
def test_what_measuring_refuses_importing_refuses_in_the_same_words(cells):
    line = Line(7, cells)
    refused = set(parse_row(line, TO_MEASURE)[1])
    lacking = {(7, name, "is empty: fill it") for name in TO_IMPORT if not cells.get(name)}
    both = "is for recordings without action_ms: leave one of them empty"
    # Looked at when all else is right.
    pair = {(7, "x", "x and y belong together: give both or neither"), (7, "action_from", both)}
    assert set(parse_row(line, TO_IMPORT)[1]) - pair == (refused | lacking) - pair
