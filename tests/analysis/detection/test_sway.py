"""What all of a screen does at once, on pages that are drawn where they are known to be."""

import cv2
import numpy as np
import pytest

from analysis.detection.sway import sway_between

SHAPE = (48, 30)


def page(*, seed=1, right=0.0, down=0.0, turn=0.0, zoom=1.0):
    """Return (rows, columns): a page of soft shapes, moved by so many blocks, turned by degrees and zoomed."""
    rng = np.random.default_rng(seed)
    drawn = cv2.GaussianBlur(rng.uniform(0, 255, (96, 60)).astype(np.float32), (0, 0), 1.5)
    drawn = 1.5 * (drawn - drawn.mean()) + 128
    place = cv2.getRotationMatrix2D((29.5, 47.5), turn, zoom)
    place[:, 2] += right - 15, down - 24
    return cv2.warpAffine(drawn, place, SHAPE[::-1], flags=cv2.INTER_CUBIC)


def bands(times):
    return (np.sin(2 * np.pi * times * np.arange(SHAPE[0]) / SHAPE[0])[:, None]).astype(np.float32)


@pytest.mark.parametrize(
    "after",
    [
        page(right=0.2),
        page(down=-0.3),
        page(right=0.1, down=0.1),
        page(turn=0.3),
        page(zoom=1.005),
        page() * 1.05,
        page() + 3,
        page() * (1 + 0.03 * bands(1)),
        page() * (1 + 0.03 * bands(2)),
    ],
    ids=["right", "up", "aslant", "turned", "zoomed", "brighter", "lifted", "a band", "two bands"],
)
def test_what_is_done_to_all_of_a_page_is_told_everywhere(after):
    found = sway_between(page(), after.astype(np.float32))
    assert found.levels == pytest.approx(float(np.sqrt(((after - page()) ** 2).mean())), rel=0.1)
    assert found.told > 0.95
    assert np.nanmin(found.along) > 0.8


def test_what_changes_besides_alters_little():
    """A dialog opens while the hand sways: a piece of the screen shows another thing."""
    after = page(right=0.2)
    after[22:28, 10:20] = 250
    found = sway_between(page(), after)
    alone = sway_between(page(), page(right=0.2))
    assert found.levels == pytest.approx(alone.levels, rel=0.05)
    assert found.told > 0.95


def test_of_noise_nothing_is_told():
    noise = np.random.default_rng(2).normal(0, 2, SHAPE).astype(np.float32)
    found = sway_between(page(), page() + noise)
    assert found.told < 0.05
    assert found.levels < 0.3


def test_what_stays_while_the_rest_moves_is_seen():
    after = page()
    after[16:] = page(down=0.3)[16:]
    along = sway_between(page(), after).along.reshape(6, 4)
    assert (np.abs(along[:2]) < 0.2).all()
    assert (along[2:] > 0.5).all()


def test_an_empty_place_tells_nothing():
    before, after = page(), page(right=0.2)
    before[:9], after[:9] = 20, 20  # an edge is drawn with the block beside it
    along = sway_between(before, after).along.reshape(6, 4)
    assert np.isnan(along[0]).all()
    assert np.isfinite(along[1:]).all()


def test_the_same_picture_does_not_sway():
    found = sway_between(page(), page())
    assert (found.levels, found.told) == (0.0, 0.0)
    assert np.isnan(found.along).all()
