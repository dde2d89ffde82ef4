"""A cursor on pictures made pixel by pixel, and the recording that they make."""

from dataclasses import replace

import numpy as np

from analysis.events.cursor.sightings import Track
from analysis.events.cursor.sprites import Sprite
from analysis.events.cursor.tracks import find_tracked
from analysis.options import MeasureOptions
from tests.analysis.events.handmade import SHAPE, film_blocks, nothing_ignored

ACTION_MS = 1000.0
TAP = MeasureOptions(action_ms=ACTION_MS)
ARROW = np.array([[c <= r and not (r > 11 and c > 4) for c in range(10)] for r in range(16)])
RIM = np.array([[ARROW[r, c] and not ARROW[max(r - 1, 0) : r + 2, max(c - 1, 0) : c + 2].all() for c in range(10)]
                for r in range(16)])  # fmt: skip
HAND = [(300, 30), (220, 60), (150, 120), (130, 136), (130, 136), (130, 136), (90, 180), (60, 210)]
ALONG = [(200, 30), (200, 30), (200, 30), (200, 60), (200, 110), (200, 150), (200, 170), (200, 180)]


def screen():
    """Return (height, width) of a page: white above, grey below, lines of text at the left."""
    luma = np.full((SHAPE[0] * 8, SHAPE[1] * 8), 240, np.uint8)
    luma[200:] = 150
    luma[40:60:4, 10:100:3] = 30
    return luma


def with_arrow(luma, place, white=240, black=10):
    top, left = place
    part = luma[top : top + 16, left : left + 10]
    part[ARROW], part[RIM] = white, black
    return luma


def filmed(places, step_ms=125.0, paint=None, draw=with_arrow):
    """Return a recording of an arrow at some places, one in each picture, its changes and its pixels."""
    pictures = []
    for index, place in enumerate(places):
        luma = screen()
        if paint:
            paint(luma, index * step_ms)
        pictures.append(draw(luma, place) if place else luma)

    def blocks(board, time):
        luma = pictures[min(round(time / step_ms), len(pictures) - 1)].astype(float)
        board[:] = luma.reshape(SHAPE[0], 8, SHAPE[1], 8).mean(axis=(1, 3))

    times = [index * step_ms for index in range(len(places))]
    recording, changes = film_blocks(blocks, times)
    fresh = recording.first_frame
    lumas = {number: pictures[frame] for number, frame in enumerate(fresh)}
    decoded = replace(recording, pixels=lambda _, wanted, around: {number: lumas[number] for number in wanted})
    return decoded, changes, lumas


def tracked(places, options=TAP, **how):
    recording, changes, _ = filmed(places, **how)
    return find_tracked(recording, changes, nothing_ignored(), options)


def twice_as_large(luma, place):
    top, left = place
    size = np.ones((2, 2), np.uint8)
    arrow, rim = np.kron(ARROW, size) > 0, np.kron(RIM, size) > 0
    part = luma[top : top + 40, left : left + 20]
    part[:32][arrow], part[:32][rim] = 240, 10
    part[32:, 8:14] = 10
    return luma


def track_of(places):
    return Track(Sprite(np.zeros((16, 10), np.float32), ARROW), dict(enumerate(places)))
