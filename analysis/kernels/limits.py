"""What a block must reach to count as changed: the one list of limits, for the kernels and for who sets them."""

from __future__ import annotations

from typing import NamedTuple


class BlockLimits(NamedTuple):
    """Limits of one picture. Levels are those of 8-bit luma or chroma, shares are of a strength in levels.

    The causes are told in analysis/detection/noise.py, which raises some limits for pictures that are noisy by
    nature. Kernels take the fields by name.
    """

    moving: float = 3.0  # levels, where the screen is in motion: rounding of a transform block
    isolated: float = 6.0  # levels, from rest: all corrections of the encoder come at once
    drift: float = 8.0  # levels against the last kept picture, from rest
    share_recent: float = 0.07  # of what moved in and around a block lately: the encoder corrects that
    share_peak: float = 0.04  # of the strongest change near by, in motion
    share_isolated: float = 0.10  # of the strongest change near by, from rest
    coherent: float = 0.8  # levels by which a whole neighbourhood moves the same way, in motion: noise does not
    coherent_isolated: float = 1.5  # levels, likewise from rest
    share_coherent: float = 0.03  # of the strongest change near by: a large step shifts its surroundings as well
    support: float = 3.0  # blocks of 3 × 3 that must move too: rounding errors lie scattered
    supporting: float = 0.7  # of its own limit is enough for such a neighbour
    strong: float = 2.5  # times its limit: a block that moves so far needs no neighbours, in motion
    strong_isolated: float = 1.5  # likewise from rest
    coherent_reach: int = 2  # blocks: a neighbourhood is (2 · 2 + 1)² of them
    jump: float = 2.0  # levels: what drifts moves less from one picture to the next
    in_motion_ms: float = 150.0  # a place that changed this short ago is still in motion, even on a janky screen
    correcting_ms: float = 500.0  # an encoder has corrected what it coded coarsely after this
    fading: float = 0.5  # levels: neighbours that drift together by this much may be fading
    decay: float = 0.8  # how much of a block's recent strength is left one picture later
    stir: float = 2.0  # levels: a block that moved at all
