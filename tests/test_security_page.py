"""The page on security says what is there: every point once, places that exist, counts that are the rows'."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text()
STATES = ("met", "partly", "not met", "n/a")
ROW = re.compile(r"^\| (\d+)\.(\d+)\.(\d+) \| ([^|]+) \| ([^|]+) \| (.+) \|$", re.MULTILINE)
COUNTS = re.compile(r"^\| \**(\d+|all)\b[^|]*\|((?: \**\d+\** \|){5})$", re.MULTILINE)
# How many points of levels 1 and 2 OWASP ASVS 5.0.0 has in each section of its chapters, always its first ones.
POINTS = (
    [2, 9, 11, 3, 2],
    [3, 3, 4, 1],
    [0, 2, 4, 6, 5, 0, 2],
    [3, 1, 2, 4],
    [1, 3, 2, 3],
    [3, 12, 4, 4, 5, 3, 0, 4],
    [3, 4, 2, 5, 2, 2],
    [2, 3, 1, 1],
    [3, 4],
    [2, 2, 4, 11, 5, 2, 3],
    [2, 3, 3, 4, 1, 1],
    [3, 2, 4],
    [1, 5, 2, 5],
    [2, 4, 3],
    [3, 3, 7],
    [1, 5, 4, 3, 3],
    [1, 4, 2],
)


def rows():
    return [(int(c), int(s), int(n), state.strip()) for c, s, n, _, state, _ in ROW.findall(PAGE)]


def test_every_point_of_both_levels_stands_there_once_and_in_order():
    wanted = [
        (chapter, section, number)
        for chapter, sections in enumerate(POINTS, 1)
        for section, count in enumerate(sections, 1)
        for number in range(1, count + 1)
    ]
    assert [row[:3] for row in rows()] == wanted
    assert len(wanted) == 253


def test_counts_on_top_are_those_of_the_rows():
    by_chapter = {str(chapter): Counter() for chapter in range(1, 18)} | {"all": Counter()}
    for chapter, _, _, state in rows():
        assert state in STATES
        by_chapter[str(chapter)][state] += 1
        by_chapter["all"][state] += 1
    told = {name: [int(number) for number in re.findall(r"\d+", cells)] for name, cells in COUNTS.findall(PAGE)}
    counted = {name: [*(count[state] for state in STATES), count.total()] for name, count in by_chapter.items()}
    assert told == counted
    sentence = "Of {4} points {0} are met, {1} partly, {2} not, and {3} concern what UPReg does not have"
    assert sentence.format(*counted["all"]) in PAGE


def test_every_file_setting_and_command_that_it_names_is_there():
    folders = "analysis|reports|tests|benchmarks|upreg_site|deploy"
    places = set(re.findall(rf"`((?:{folders})/[^`]+)`", PAGE))
    assert {place for place in places if not (ROOT / place).is_file()} == set()
    operations = (ROOT / "docs" / "operations.md").read_text()
    assert set(re.findall(r"UPREG_\w+", PAGE)) <= set(re.findall(r"UPREG_\w+", operations))
    commands = {path.stem for path in (ROOT / "reports" / "management" / "commands").glob("*.py")} | {"check"}
    assert set(re.findall(r"manage\.py (\w+)", PAGE)) <= commands


def test_what_is_called_met_or_not_says_how_or_why():
    assert [row[0] for row in ROW.findall(PAGE) if len(row[5].strip()) < 4] == []
