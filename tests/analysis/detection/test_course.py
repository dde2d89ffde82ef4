"""How pixels go on to what they come to rest at, on pictures that are drawn."""

import numpy as np
import pytest

from analysis.detection.course import course

SIZE, BLOCKS = (76, 92), (10, 12)  # px, and blocks of 8 × 8 of them: the last ones are cut
REST = np.full(SIZE, 200, np.uint8)
EVERYWHERE = np.ones(BLOCKS, bool)


def lacking(levels, where=np.s_[20:30, 30:34]):
    """Return the picture at rest, but for so many levels somewhere."""
    picture = REST.copy()
    picture[where] = np.clip(REST[where].astype(int) - levels, 0, 255).astype(np.uint8)
    return picture


def test_a_fade_goes_the_way_to_rest_by_a_share_of_what_it_lacks():
    told = course((lacking(80), lacking(40)), lacking(40), lacking(30), REST, EVERYWHERE, 12)
    windows = told.differing > 0
    assert told.alike[windows] == pytest.approx(1)
    assert told.went[windows] == pytest.approx(1)
    assert told.share[windows] == pytest.approx(0.25)
    assert told.differing.sum() == 4 * 40, "each block lies in four windows"
    assert windows[1:4, 2:5].all()
    assert np.count_nonzero(windows) == 9, "two blocks high, two wide"
    assert not told.alike[~windows].any()


def test_what_goes_back_goes_the_other_way():
    told = course((lacking(20), lacking(30)), lacking(30), lacking(40), REST, EVERYWHERE, 12)
    windows = told.differing > 0
    assert told.alike[windows] == pytest.approx(-1)
    assert told.went[windows] == pytest.approx(-1)


def test_errors_of_an_encoder_have_nothing_to_do_with_the_step_that_was_seen():
    random = np.random.default_rng(3)
    place = np.s_[16:64, 16:64]
    errors, before = random.normal(0, 20, (48, 48)), random.normal(0, 60, (48, 48))
    here = lacking(errors, place)
    told = course((lacking(before, place), here), here, lacking(errors / 2, place), REST, EVERYWHERE, 12)
    windows = told.differing > 20
    assert windows.sum() > 20
    assert told.alike[windows].min() > 0.9
    assert told.went[windows].max() < 0.6


@pytest.mark.parametrize(("levels", "least_px", "told"), [(13, 40, True), (13, 41, False), (12, 1, False)])
def test_only_pixels_that_are_seen_to_lack_something_count(levels, least_px, told):
    here = lacking(levels)
    assert (course((lacking(60), here), here, REST, REST, EVERYWHERE, least_px) is not None) is told


def test_only_the_blocks_that_were_asked_for_count():
    blocks = EVERYWHERE.copy()
    blocks[2] = False  # the upper part
    here = lacking(40)
    told = course((lacking(80), here), here, lacking(20), REST, blocks, 1)
    assert told.differing.sum() == 4 * 6 * 4
    blocks[3] = False
    assert course((lacking(80), here), here, lacking(20), REST, blocks, 1) is None


def test_a_block_beside_what_lacks_something_is_part_of_its_window():
    """In the block beside it the step goes the other way, too faintly to count as off."""
    faint = np.s_[24:30, 40:48]
    here, there = lacking(40, np.s_[24:30, 34:40]), lacking(30, np.s_[24:30, 34:40])
    here[faint], there[faint] = 192, 180
    told = course((lacking(80, np.s_[24:30, 34:40]), here), here, there, REST, EVERYWHERE, 12)
    lefts, steps, along = 36 * 40**2 + 48 * 8**2, 36 * 10**2 + 48 * 12**2, 36 * 40 * 10 - 48 * 8 * 12
    assert told.alike[3, 4] == pytest.approx(along / np.sqrt(lefts * steps))


def test_the_last_blocks_may_be_cut():
    corner = np.s_[70:76, 88:92]
    here = lacking(40, corner)
    told = course((lacking(80, corner), here), here, lacking(20, corner), REST, EVERYWHERE, 12)
    assert told.share[9, 11] == pytest.approx(0.5)
    assert told.differing[9, 11] == 4 * 4
