"""Films one interaction as it runs, and says from its pictures what changed when."""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.flutter.filming import NothingShownError, is_caret
from benchmarks.phones.filming import VISIBLE, Image, Take, changed
from benchmarks.phosh.interactions import Gesture, Interaction
from benchmarks.phosh.session import SCALE, SIZE, Phone, phone
from benchmarks.phosh.wayland import Hand, Recorder

RESTS_S, GIVES_UP_S, LOOKS_S = 1.2, 20.0, 0.1  # what nothing but a caret has changed for so long, rests
SLOT_S = 1 / 60
HELD_S = 0.08  # a finger on what it taps
GLIDES_S, AIMS_S = 0.35, 0.7  # a cursor on its way, and before it clicks
CARET_PX, RIM_PX = (180, 10), 2  # a timer's digits are high
TELLS_S = 0.02  # about so late a touch screen tells of a finger, and a mouse of a click
FAST = [cv2.IMWRITE_PNG_COMPRESSION, 1]
COMES_AND_GOES = 1.5  # times as far as from the first picture to the last
BESIDE_PX = 16  # from the edge, where scrollbars are: no caret is
CLOCK = (slice(0, 80), slice(290, 430))  # of the bar, closed and pulled down: minutes pass by themselves
Shown = tuple[float, Image]


@dataclass(frozen=True)
class Look:
    """How the phone looks and is used, drawn from a seed."""

    dark: bool
    cursor: bool
    lead_s: float
    """From the beginning of the film to the action."""

    @classmethod
    def drawn(cls, name: str, seed: int) -> Look:
        """Return the look of an interaction; one in three has a cursor, as emulators show it."""
        random = np.random.default_rng(zlib.crc32(f"{seed} {name}".encode()))
        return cls(bool(random.integers(2)), not random.integers(3), float(random.uniform(0.6, 1.2)))


def film(told: Interaction, look: Look) -> Take:
    """Start a phone, do what leads to an interaction, then it, and keep every picture that differs.

    Raises NothingShownError if it does not come to rest before, or does not answer.
    """
    with phone(look.cursor, look.dark) as running:
        running.hand.point(0, 0)
        with Recorder(running.display) as recorder:
            rest(recorder)
            _lead(told, look, running, recorder)
            began = time.monotonic()
            time.sleep(look.lead_s)
            action = do(running.hand, told.gesture) - TELLS_S
            time.sleep(max(0.0, action + told.seconds + 2 * SLOT_S - time.monotonic()))
            recorder.newest()  # it has not failed meanwhile
    return taken(recorder.pictures, began, action, told)


def _lead(told: Interaction, look: Look, running: Phone, recorder: Recorder) -> None:
    """Do what leads to an interaction."""
    if told.app:
        home = recorder.newest()[1]
        running.start(*told.app.split())
        opens(recorder, home, told.app)
        rest(recorder)
    for gesture in told.before:
        do(running.hand, gesture)
        rest(recorder)
    if look.cursor:
        x, y = told.gesture[1:3]
        _move(running.hand, (360, 900), (SCALE * x, SCALE * y), GLIDES_S)
        time.sleep(AIMS_S)
        rest(recorder)


def opens(recorder: Recorder, home: Image, app: str) -> None:
    """Wait until an app is seen on the home screen; raises NothingShownError if it is not."""
    until = time.monotonic() + GIVES_UP_S
    while not is_own(changed(recorder.newest()[1][..., :3], home[..., :3])):
        if time.monotonic() > until:
            raise NothingShownError(f"{app} shows nothing within {GIVES_UP_S:.0f} s")
        time.sleep(LOOKS_S)


def rest(recorder: Recorder) -> None:
    """Wait until something is shown and nothing but carets has changed for a while."""
    until = time.monotonic() + GIVES_UP_S
    seen, since = recorder.newest()[1], time.monotonic()
    while (now := time.monotonic()) < until:
        time.sleep(LOOKS_S)
        shown = recorder.newest()[1]
        if is_own(changed(shown[..., :3], seen[..., :3])):
            seen, since = shown, now
        elif now - since > RESTS_S and np.ptp(shown[..., :3]) > VISIBLE[1]:
            return
    raise NothingShownError(f"the screen does not come to rest within {GIVES_UP_S:.0f} s")


def do(hand: Hand, gesture: Gesture) -> float:
    """Do a gesture, and return when it began, in s of the monotonic clock."""
    kind, *given = gesture
    place = np.array(given[:2]) * SCALE
    hand.point(*place)
    began = time.monotonic()
    if kind == "turn":
        for _ in range(abs(given[2])):
            hand.turn(int(np.sign(given[2])))
            time.sleep(2 * SLOT_S)
        return began
    hand.press(True)
    if kind == "swipe":
        _move(hand, place, np.array(given[2:4]) * SCALE, given[4] / 1000)
    else:
        time.sleep(HELD_S)
    hand.press(False)
    return began


def _move(hand: Hand, place: Sequence[float] | Image, there: Sequence[float] | Image, seconds: float) -> None:
    """Move to a place at an even pace, a step per slot."""
    begin, end = np.asarray(place, float), np.asarray(there, float)
    steps = max(1, round(seconds / SLOT_S))
    for step in range(1, steps + 1):
        time.sleep(SLOT_S)
        hand.point(*(begin + (end - begin) * step / steps))
        hand.settle()


def taken(pictures: Sequence[Shown], began: float, action: float, told: Interaction) -> Take:
    """Return the pictures from `began` on, with what changed after the action but carets and the bar's clock.

    `pictures` are BGRX, each with s of the monotonic clock, as `began` and `action` are. An eye sees an answer in
    the first picture that differs visibly from what was there, and its end in the first from which on none differs
    visibly from the last. Raises NothingShownError if nothing changes.
    """
    first = max(place for place, (at, _) in enumerate(pictures) if place == 0 or at <= began)
    kept: list[Shown] = []  # ms of the film, BGR
    blinks = _Blinks()
    for at, picture in pictures[first:]:
        ms, image = max(0.0, 1000 * (at - began)), picture[..., :3]
        if at > action + told.seconds:
            break
        difference = changed(image, kept[-1][1]) if kept else None
        if difference is not None and not difference.any():
            continue
        if difference is not None and not is_own(difference):
            blinks.add(_around(difference), image.astype(np.int32) - kept[-1][1])
        kept.append((ms, image))
    own = ~blinks.places()
    own[CLOCK] = False
    acted, images = 1000 * (action - began), [image for _, image in kept]
    after = [place for place in range(1, len(kept)) if kept[place][0] >= acted]
    strict = [place for place in after if changed(images[place], images[place - 1])[own].any()]
    seen = _seen(images, strict, own)
    if not seen:
        raise NothingShownError("nothing answers where the finger is")
    about = {"action": acted, "outcome": "ok", "settles": int(told.settles)}
    files = [cv2.imencode(".png", image, FAST)[1].tobytes() for image in images]
    strict_ms, seen_ms = ([kept[place][0] for place in places] for places in (strict, seen))
    return Take([ms for ms, _ in kept], files, strict_ms, seen_ms, acted / 1000 + told.seconds, about)


def _seen(images: Sequence[Image], strict: Sequence[int], own: Image) -> list[int]:
    """Return the places of changes in which an eye sees the first and the last of an answer."""
    if not strict:
        return []

    def is_seen(image: Image, other: Image) -> bool:
        return bool((changed(image, other)[own] > VISIBLE[1]).sum() >= VISIBLE[0])

    was, last = images[strict[0] - 1], images[-1]
    begins = next((place for place in strict if is_seen(images[place], was)), None)
    if begins is None:
        return []
    ends = next((place for place in reversed(strict) if is_seen(images[place - 1], last)), begins)
    return [begins, max(begins, ends)]


class _Blinks:
    """What changed alone and is as narrow as a caret: one goes and comes; what only comes is an answer."""

    def __init__(self) -> None:
        self._place = np.zeros(SIZE[::-1], bool)
        self._way, self._far = np.zeros((2, *SIZE[::-1], 3), np.int32)

    def add(self, place: Image, difference: Image) -> None:
        self._place |= place
        self._way[place] += np.abs(difference[place])
        self._far[place] += difference[place]

    def places(self) -> Image:
        """Return where something went and came, (height, width)."""
        count, labels = cv2.connectedComponents(self._place.astype(np.uint8))
        for label in range(1, count):
            there = labels == label
            if self._way[there].sum() <= COMES_AND_GOES * np.abs(self._far[there]).sum():
                self._place[there] = False
        return self._place


def is_own(difference: Image) -> bool:
    """Return whether more changes, (height, width), than a caret or the minutes of the bar's clock."""
    others = _without_clock(difference)
    return bool(others[:, -BESIDE_PX:].any() or (others.any() and not is_caret(others, CARET_PX)))


def _without_clock(difference: Image) -> Image:
    others = difference.copy()
    others[CLOCK] = 0
    return others


def _around(difference: Image) -> Image:
    """Return where what changes lies, but in the bar's clock: a caret's place, with a rim."""
    others = _without_clock(difference)
    place = np.zeros(difference.shape, bool)
    if others.any():
        rows, columns = np.nonzero(others)
        top, left = max(rows.min() - RIM_PX, 0), max(columns.min() - RIM_PX, 0)
        place[top : rows.max() + RIM_PX + 1, left : columns.max() + RIM_PX + 1] = True
    return place
