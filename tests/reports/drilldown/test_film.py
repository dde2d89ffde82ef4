import pytest

from reports.drilldown.film import DEFAULT, MOST_COLUMNS, film_strip
from reports.drilldown.moments import moment_words
from reports.models import Interaction
from tests.reports.drilldown.test_plots import SLOT, run_series

WORDS = moment_words(Interaction(type="launch"))


def a_run(changed_ms, *, end=2000):
    """Return a run with a picture in every refresh, new at these times; the first and last are its moments."""
    times = [i * SLOT for i in range(round(end / SLOT))]
    changed = [min(range(len(times)), key=lambda i: abs(times[i] - at)) for at in changed_ms]
    run = run_series(times, changed, response=times[changed[0]], finish=times[changed[-1]])
    run.run.pk = 7
    return run


def strip(base, new, interval=""):
    return film_strip({"base": base, "new": new}, WORDS, interval)


def test_both_sides_share_the_columns_from_the_action_to_the_later_end():
    film = strip(a_run([100, 250]), a_run([300, 1210]))

    assert film.interval == DEFAULT
    assert film.times_ms == tuple(100.0 * i for i in range(14))
    assert [(row.label, len(row.cells)) for row in film.rows] == [("Baseline", 14), ("Updated", 14)]
    assert all(base.at_ms == new.at_ms for base, new in zip(*(row.cells for row in film.rows), strict=True))


def test_cell_shows_the_frame_of_its_time_and_says_what_has_come_since_the_column_before():
    base = a_run([100, 250])
    film = strip(base, a_run([300, 1210]))
    cells = film.rows[0].cells

    assert [cell.frame for cell in cells[:3]] == [0, 6, 12]
    assert cells[1].picture == "/runs/7/frames/100000.webp?h=360"
    assert [[mark.label for mark in cell.marks] for cell in cells[:4]] == [[], ["Response"], [], ["Launch"]]
    assert [cell.fresh for cell in cells[:4]] == [False, True, False, True]


def test_every_change_has_a_column_and_the_action_one_of_its_own():
    film = strip(a_run([100, 250]), a_run([100, 400]), "changes")

    assert film.times_ms == pytest.approx((0.0, 100.0, 250.0, 400.0), abs=0.01)
    assert [mark.label for row in film.rows for mark in row.cells[-1].marks] == ["Launch"]


def test_changes_within_half_a_refresh_share_a_column_that_shows_both():
    base, new = a_run([100, 250]), a_run([100, 250])
    new.run.action_ms = -4.0  # its clock is 4 ms later

    film = strip(base, new, "changes")

    assert len(film.times_ms) == 3
    assert [len(row.cells[1].marks) for row in film.rows] == [1, 1]


def test_strip_of_a_long_recording_is_thinned_and_keeps_both_moments():
    every = [100 + i * SLOT for i in range(400)]
    film = strip(a_run(every, end=8000), a_run([100, 250], end=8000), "changes")

    assert MOST_COLUMNS <= len(film.times_ms) <= MOST_COLUMNS + 4
    assert film.left_out == 401 - len(film.times_ms)
    assert sum(len(cell.marks) for row in film.rows for cell in row.cells) == 4


def test_one_side_alone_has_a_strip_and_none_has_none():
    assert len(film_strip({"new": a_run([100, 250])}, WORDS).rows) == 1
    assert film_strip({}, WORDS) is None


@pytest.mark.parametrize("interval", ["x", "0", "-100", "1e9"])
def test_unknown_interval_is_passed_over(interval):
    assert strip(a_run([100]), a_run([200]), interval).interval == DEFAULT
