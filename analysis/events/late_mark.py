"""Whether a ring or a dot that comes some pictures after the action is what a system shows of the finger.

An app may have answered by then, and lights up what is pressed, or draws a button of a choice. What a system draws
has a rim, and goes with the finger, whatever the app does meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F64, U8, Bools
from analysis.events.circles import Circle


@dataclass(frozen=True, slots=True)
class LateLimits:
    """What tells a system's ring or dot from an app's."""

    tap_ms: float = 250.0  # after it came: a finger that taps has left by then, and what showed it has gone
    thumb: float = 0.03  # of the screen's shorter side is its radius, at least: a button's of a choice is 0.024
    rim: float = 0.16  # of its radius is its rim wide
    changed: float = 12.0  # levels: a person sees it
    seen_px: int = 24  # that many pixels of it
    fainter: float = 0.5  # times as much, at most, as it does as it came did a sector of its rim stand out before
    new: float = 0.25  # of its sectors: over the edges of a button not all are
    stays: float = 0.2  # of how what lies within it differs: a ripple grows, or pales, little by little
    seen_still: float = 0.35  # of how its rim stood out as it came: it is not seen any more


LATE = LateLimits()


def last_of_tap(times_ms: F64, came: int) -> int:
    """Return the last picture by which a finger that taps has left; `times_ms` (m,) says when each picture came."""
    return max(came, int(np.searchsorted(times_ms, times_ms[came] + LATE.tap_ms)) - 1)


def has_rim(lumas: Mapping[int, U8], came: int, circle: Circle) -> bool:
    """Return whether what came is a dot within a rim of its own: what apps light up is of one piece."""
    then, now = (lumas[picture].astype(np.int16) for picture in (came - 1, came))
    far, differs = circle.distance(then.shape), now - then
    inner = (1 - LATE.rim) * circle.radius
    rim, within = differs[(far > inner) & (far <= circle.radius)], differs[far <= inner - 1]
    return bool(abs(float(np.median(rim) - np.median(within))) >= LATE.changed)


def comes(lumas: Mapping[int, U8], came: int, circle: Circle) -> bool:
    """Return whether a rim is new: that of a round button which goes pale stood out before."""
    before, shown = (_stands_out(lumas[picture], circle) for picture in (came - 1, came))
    return bool(_is_new(before, shown).mean() >= LATE.new)


def leaves(lumas: Mapping[int, U8], came: int, gone: int, later: int, circle: Circle) -> bool:
    """Return whether what came had `gone` in a picture (0: was not seen to), or its rim, if it is large, `later`.

    Then whatever is there may be there. What answers within it as it comes stays as it goes.
    """
    if gone:
        return not _answers_within(lumas, came, gone, circle)
    if later not in lumas or circle.radius < LATE.thumb * min(lumas[came].shape):
        return False
    return _rim_has_gone(lumas, came, later, circle)


def grows_over(lumas: Mapping[int, U8], came: int, circle: Circle) -> bool:
    """Return whether a dot's rim has gone in a picture that shows the dot, so that it lies further out.

    Where a ripple grows beneath what a system shows, that stands out as before; and it goes with its rim.
    """
    within = circle.distance(lumas[came].shape) < (1 - 2 * LATE.rim) * circle.radius
    then, shown = (lumas[picture][within].astype(np.int16) for picture in (came - 1, came))
    differs = float(np.median(shown - then))

    def stays(picture: int) -> bool:
        return abs(float(np.median(lumas[picture][within] - then)) - differs) <= LATE.stays * abs(differs)

    later = (picture for picture in lumas if picture > came)
    return abs(differs) >= LATE.changed and any(
        stays(picture) and _rim_has_gone(lumas, came, picture, circle) for picture in later
    )


def _rim_has_gone(lumas: Mapping[int, U8], came: int, later: int, circle: Circle) -> bool:
    """Return whether a rim, where it was new as it came, does not stand out any more in a later picture."""
    before, shown, now = (_stands_out(lumas[picture], circle) for picture in (came - 1, came, later))
    new = _is_new(before, shown)
    if not new.any():
        return False
    still = np.median((now * np.sign(shown))[new])
    return bool(still <= LATE.seen_still * np.median(np.abs(shown[new])))


def _answers_within(lumas: Mapping[int, U8], came: int, gone: int, circle: Circle) -> bool:
    """Return whether something within a rim changed as that came, and is as it was then when the rim has gone."""
    then, shown, now = (lumas[picture].astype(np.int16) for picture in (came - 1, came, gone))
    within = circle.distance(then.shape) < (1 - 2 * LATE.rim) * circle.radius
    stays = (np.abs(shown - then) > LATE.changed) & (np.abs(now - shown) <= LATE.changed)
    return int(np.count_nonzero(within & stays)) >= LATE.seen_px


def _is_new(before: F64, shown: F64) -> Bools:
    """Return (n,): in which sectors a rim has come; elsewhere lies the edge of what is under it."""
    new: Bools = np.abs(before) <= LATE.fainter * np.abs(shown)
    return new


def _stands_out(luma: U8, circle: Circle) -> F64:
    """Return (n,): by how many levels a circle's rim is lighter than what lies right beyond, sector by sector."""
    far, sector = circle.distance(luma.shape), circle.sectors(luma.shape)
    wide = max(LATE.rim * circle.radius, 1.0)
    rim = (far > circle.radius - wide) & (far <= circle.radius)
    beyond = (far > circle.radius + 1) & (far <= circle.radius + 1 + wide)
    lighter = [
        float(luma[rim & (sector == one)].mean() - luma[beyond & (sector == one)].mean())
        for one in np.intersect1d(sector[rim], sector[beyond])
    ]
    return np.array(lighter, float)
