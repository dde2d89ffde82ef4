"""What is shown over and over up to the end: it does not decide the finish, wherever in its round the end comes."""

import numpy as np
import pytest

from tests.analysis.events.acted import measure, near, opens
from tests.analysis.events.handmade import SLOT

PAGE = (slice(2, 46), slice(0, 30))
BEGIN = 1300.0


def page(board, time):
    opens(board, time, place=PAGE)


def dots(board, time, period, begin=BEGIN, until=np.inf):
    """Three dots that jump one after the other, and then wait for the next round."""
    if begin - 1 <= time < until - 1:
        for number in range(3):
            done = ((time - begin) / period - 0.15 * number) % 1
            jumped = int(done < 0.3 and (time - begin) / period - 0.15 * number > 0)
            column = 8 + 5 * number
            board[24 - 3 * jumped : 26 - 3 * jumped, column : column + 4] = 200


def shimmers(board, time, period, begin=BEGIN):
    """A light that goes over the boxes of a page that loads, from left to right, and begins anew."""
    if time >= begin - 1:
        columns = np.arange(4, 26)
        light = 40 * np.exp(-(((columns - 34 * ((time - begin) / period % 1) + 2) / 3.0) ** 2))
        for top in (6, 14, 22, 30):
            board[top : top + 4, 4:26] = 150 + light


@pytest.mark.parametrize("period", [620, 777, 1000, 1234])
@pytest.mark.parametrize("loader", [dots, shimmers])
@pytest.mark.parametrize("seconds", [3.6, 3.8, 4.0, 4.2])
def test_a_loader_decides_no_finish_wherever_in_its_round_the_recording_ends(loader, period, seconds):
    def paint(board, time):
        page(board, time)
        loader(board, time, period)

    (response, finish), moments = measure(paint, seconds)
    assert (response, moments.settles) == (near(200), False)
    assert finish == near(200) or finish == near(300)  # when it came, at the latest


@pytest.mark.parametrize("at", [1900, 2700, 3300])
def test_what_changes_once_beside_a_loader_decides(at):
    def paint(board, time):
        page(board, time)
        dots(board, time, 800)
        if time >= at - 1:
            board[36:44, 4:26] = 120

    assert measure(paint)[0] == [near(200), near(at - 1000)]


@pytest.mark.parametrize("until", [2600, 3000, 3400])
def test_what_takes_the_place_of_a_loader_decides(until):
    def paint(board, time):
        page(board, time)
        dots(board, time, 700, until=until)
        if time >= until - 1:
            board[10:40, 4:26] = 230

    assert measure(paint)[0] == [near(200), near(until - 1000)]


def test_a_loader_that_has_stopped_decides():
    def paint(board, time):
        page(board, time)
        dots(board, min(time, 2760.0), 700)

    (response, finish), moments = measure(paint, 5.0)
    assert (response, moments.settles) == (near(200), True)
    assert 1500 < finish < 1800


@pytest.mark.parametrize("until", [3500, 3700])
def test_what_takes_the_place_of_a_light_that_keeps_time_decides(until):
    def paint(board, time):
        page(board, time)
        shimmers(board, min(time, until - 2.0), 700)
        if time >= until - 1:
            board[3:42, 1:29] = 90

    assert measure(paint, 4.0)[0] == [near(200), near(until - 1000)]


def test_a_card_that_comes_where_a_loader_goes_on_decides():
    def paint(board, time):
        down = int(np.clip((time - 1183) / SLOT, 0, 14))
        board[4 : 4 + down, 2:28] = 60 + 40 * ((np.arange(down) - down) % 2)[:, None]
        if time >= 1600:
            light = 40 * np.exp(-(((np.arange(18) - 26 * ((time - 1600) / 900 % 1) + 2) / 3.0) ** 2))
            board[9:12, 6:24] = 150 + light

    (response, finish), moments = measure(paint, 4.0)
    assert (response, finish, moments.settles) == (near(200), near(200 + 13 * SLOT), False)


def test_what_ends_twice_alike_but_began_otherwise_has_come_to_rest():
    """A wheel that is rolled far, and a while later once more by a little."""

    def paint(board, time):
        page(board, time)
        for turn in (1300, 1500, 1700, 2850):
            if turn - 1 <= time < turn + 99:
                board[20:24, 8:20] = 200

    (response, finish), moments = measure(paint, 3.45)
    assert (response, finish, moments.settles) == (near(200), near(1950), True)
