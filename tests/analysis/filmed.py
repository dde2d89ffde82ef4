"""Scenes that people film, each with the rules that it needs: without one of them it is measured wrong.

Times are ms of the clip. `benchmarks.ablation` measures all of them with every rule off in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from analysis.options import MeasureOptions
from tests.analysis.caret_scenes import (
    becomes,
    focused,
    goes_then_letter,
    goes_then_sheet,
    lamp,
    narrow_letter,
    typing,
    typing_fading,
)
from tests.analysis.scenes import ACTION_MS, SCENES, box, circle, nothing, tint
from tests.synthetic import Clip, Draw, Screen, every, film, on_change

SLOT = 1000 / 60
QUICK = {"preset": "veryfast", "crf": "25", "tune": "zerolatency"}
CLEAN = {"preset": "veryfast", "crf": "10", "tune": "zerolatency"}
LOSSLESS = {"preset": "ultrafast", "qp": "0"}
Motion = Callable[[np.ndarray, int], None]
STARVED = {"preset": "veryfast", "tune": "zerolatency", "crf": "25", "maxrate": "1500k", "bufsize": "1500k"}


@dataclass(frozen=True)
class Filmed:
    """A clip, what the caller knows of it, and what a person says: response and finish in ms after the action."""

    paint: Draw
    clip: Clip
    response: float | None
    finish: float | None
    needs: tuple[str, ...] = ()
    options: MeasureOptions = field(default_factory=lambda: MeasureOptions(action_ms=ACTION_MS))
    dropped: int | None = None
    settles: bool | None = True
    slack_ms: float = SLOT + 0.5
    outcome: str = ""  # where it does not follow from the times

    def film(self, folder: Path) -> Path:
        """Render the clip."""
        return film(folder / "clip.mp4", Screen(), self.paint, self.clip)

    def is_right(self, outcome: str, settles: bool | None, metrics: dict[str, float | None]) -> bool:
        """Return whether a person would say the same."""
        near = all(
            (value is None) == (true is None) and (value is None or abs(value - true) <= self.slack_ms)
            for value, true in (
                (metrics["response_time_ms"], self.response),
                (metrics["finish_time_ms"], self.finish),
            )
        )
        drops = self.dropped is None or abs((metrics["dropped_frames"] or 0) - self.dropped) <= 1
        return near and drops and settles in (self.settles, None) and outcome == _outcome(self)


def _outcome(scene: Filmed) -> str:
    if scene.outcome:
        return scene.outcome
    return "no_response" if scene.response is None else "never_settles" if scene.finish is None else "ok"


def changing(paint: Draw, seconds: float) -> list[float]:
    """Return the times at which a recorder at a variable rate writes a frame, and one at the end."""
    constant = every(60, seconds)
    pages = [Screen().page() for _ in constant]
    for page, time in zip(pages, constant, strict=True):
        paint(page, time)
    changed = [bool((one != other).any()) for one, other in pairwise(pages)]
    return on_change(np.array(constant[1:])[changed], constant[-1])


def digits(picture: np.ndarray, time: float) -> None:
    """A page opens; then its download counts up, now faster, now slower, to the end of the recording."""
    if time >= 600:
        box(picture, 0.1, 0.2, 0.9, 0.5, (20, 60, 60))
    done = sum(time >= at for at in (1000, 1350, 2050, 2600, 3000, 3700))
    box(picture, 0.4, 0.7, 0.6, 0.76, (245, 245, 245))
    cv2.putText(picture, f"{17 * done} %", (112, 435), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)


def seconds_pass(picture: np.ndarray, time: float) -> None:
    """A player's bar and its digits go on once a second, each by itself; a sheet opens between them."""
    played = sum(time >= at for at in (200, 1200))
    box(picture, 0.1, 0.2, 0.9, 0.21, (225, 225, 225))
    box(picture, 0.1, 0.2, 0.4 + 0.02 * played, 0.21, (200, 40, 40))
    box(picture, 0.1, 0.22, 0.3, 0.26, (245, 245, 245))
    digits_at = sum(time >= at for at in (620, 1620))
    cv2.putText(picture, f"0:1{digits_at}", (30, 148), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    if time >= 900:
        box(picture, 0.1, 0.5, 0.9, 0.8, (40, 60, 60))


def halo(leaves: bool, picture: np.ndarray, time: float) -> None:
    """A dark knob jumps under the finger with a faint halo around it, which goes 300 ms later, at once."""
    box(picture, 0.0, 0.3, 1.0, 0.6, (240, 240, 240))
    x = 0.6 if time >= 550 else 0.2
    if time >= 550 and not (leaves and time >= 850):
        tint(picture, circle(picture, x, 0.45, 0.16), 0.04)
    picture[circle(picture, x, 0.45, 0.06)] = (20, 30, 120)


def dot_goes(picture: np.ndarray, time: float) -> None:
    """A dot of 17 px fades from 600 to 1,100 ms, by 3 levels a picture at 120 Hz."""
    light = 50 + 180 * float(np.clip((time - 600) / 500, 0, 1))
    box(picture, 0.1, 0.1, 0.9, 0.5, (230, 230, 230))
    picture[circle(picture, 0.5, 0.3, 0.032)] = (light,) * 3


def scrollbar_goes(picture: np.ndarray, time: float) -> None:
    """A page comes at 600 ms; its scrollbar, 4 px wide, fades from 1,200 to 1,600 ms by 3 levels a picture."""
    if time < 600:
        return
    box(picture, 0.0, 0.2, 1.0, 0.9, (235, 235, 235))
    light = 235 - 75 * (1 - float(np.clip((time - 1200) / 400, 0, 1)))
    box(picture, 0.97, 0.3, 0.985, 0.6, (light,) * 3)


def backdrop(picture: np.ndarray, time: float) -> None:
    """A dialog's backdrop dims the page over three seconds: six frames make a level."""
    tint(picture, slice(None), 0.25 * float(np.clip((time - 700) / 3000, 0, 1)))


def faint_then_clear(picture: np.ndarray, time: float) -> None:
    """A pressed tile grows a little darker, by four levels, one slot before the page moves there."""
    box(picture, 0.2, 0.25, 0.5, 0.9, (200, 200, 200))
    if time >= 600:
        box(picture, 0.2, 0.3, 0.28, 0.33, (196, 196, 196))
    if time >= 616:
        box(picture, 0.2, 0.3, 0.4, 0.4, (90, 60, 120))


def sharpened_late(since: float, phases: int, picture: np.ndarray, time: float) -> None:
    """A dialog opens at 600 ms; from `since` on a faint patch sways, as an encoder does after a key frame."""
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
    sways = time >= since - 5
    picture[400:416, 80:96] = 200 + (4 * (round(time * 60 / 1000) % phases) if sways else 0)


def begins_coarsely(picture: np.ndarray, time: float) -> None:
    """The first picture is coded coarsely, and sharpened for 300 ms, here more, there less; then a dialog opens."""
    fine = np.random.default_rng(3).integers(-12, 13, (37, 17)).repeat(16, axis=0).repeat(16, axis=1)
    off = fine[: picture.shape[0], : picture.shape[1], None] * max(0.0, 1 - time / 300)
    picture[:] = np.clip(picture + np.rint(off).astype(int), 0, 255)
    dialog(400, picture, time)


def late_notice(picture: np.ndarray, time: float) -> None:
    """A dialog opens; 150 ms before the recording ends a notice fades in, in three steps, and stays."""
    dialog(600, picture, time)
    shade = sum(time >= at - 1 for at in (1850, 1867, 1883))
    if shade:
        box(picture, 0.1, 0.8, 0.9, 0.88, (240 - 60 * shade,) * 3)


def tooltip_goes(picture: np.ndarray, time: float) -> None:
    """A dark tooltip came 200 ms before the tap, is corrected for as long as an encoder does, and goes with it."""
    if 300 <= time < 600:
        left = max(0.0, 1 - (time - 300) / 160)
        box(picture, 0.3, 0.4, 0.7, 0.46, (round(20 + 40 * left**2),) * 3)


def spinner_around_a_key_frame(began: float, picture: np.ndarray, time: float) -> None:
    """A spinner turns before the action at 1000 ms, or began with the key frame just before it; a bar comes."""
    if time >= began - 5:
        turn = 2 * np.pi * time / 800
        y, x = round(300 + 24 * np.sin(turn)), round(135 + 24 * np.cos(turn))
        picture[y - 6 : y + 6, x - 6 : x + 6] = (60, 60, 60)
    if time >= 1200:
        box(picture, 0.2, 0.75, 0.8, 0.9, (40, 60, 60))


def held_frame(picture: np.ndarray, time: float) -> None:
    """A dialog opens; in the frame that the recorder writes once more when it is stopped, text is coded anew."""
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
    picture[400:424, 80:120] = 208 if time >= 2000 else 200


def status_bar(picture: np.ndarray, time: float) -> None:
    """An arrow of the status bar comes, a dialog opens half a second later; a second later the clock goes on."""
    if time >= 540:
        box(picture, 0.86, 0.012, 0.885, 0.026, (250, 250, 250))
    if time >= 1000:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
    box(picture, 0.06, 0.012, 0.085 if time < 2000 else 0.095, 0.03, (250, 250, 250))


def caret_comes_back(picture: np.ndarray, time: float) -> None:
    """A field loses its blinking caret as a sheet opens, and has it again later, at the line's start."""
    box(picture, 0.0, 0.1, 1.0, 0.2, (245, 245, 245))
    if time < 1400 and time % 1000 < 500:
        box(picture, 0.6, 0.13, 0.607, 0.165, (20, 60, 200))
    if time >= 1400:
        box(picture, 0.1, 0.5, 0.9, 0.8, (40, 60, 60))
    if time >= 1900 and (time - 1900) % 1000 < 500:
        box(picture, 0.1, 0.13, 0.107, 0.165, (20, 60, 200))


def recording_light(picture: np.ndarray, time: float) -> None:
    """A red light in the status bar fades and comes back, before the action and right after a dialog opens."""
    if time >= 1600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))
    since = [time - at for at in (300, 1750) if 0 <= time - at <= 600]
    out = 0.5 - 0.5 * np.cos(2 * np.pi * since[0] / 600) if since else 0.0
    box(picture, 0.03, 0.008, 0.15, 0.032, tuple(int(level) for level in np.array((230, 50, 40)) * (1 - 0.5 * out)))


def refined(picture: np.ndarray, time: float) -> None:
    """An encoder refines a photograph, block by block and level by level; one neighbourhood goes the same way."""
    rows, columns = (length // 16 for length in picture.shape[:2])
    rng = np.random.default_rng(5)
    error, when = rng.integers(-3, 4, (rows, columns)), rng.uniform(0, 1000, (3, rows, columns))
    error[20:23, 6:9], when[:2, 20:23, 6:9] = 2, np.linspace(250, 560, 18).reshape(2, 3, 3)
    left = error - np.sign(error) * np.sum((when < time) & (np.arange(3)[:, None, None] < np.abs(error)), axis=0)
    coarse = np.kron(left, np.ones((16, 16), np.int64))[..., None] + np.full(picture.shape[2], 120)
    picture[: 16 * rows, : 16 * columns] = coarse
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.5, (40, 60, 60))


def coded_anew(picture: np.ndarray, time: float) -> None:
    """A dialog opens; 800 ms later all of the picture stirs at once, as where an encoder changes its quality."""
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.5, (40, 60, 60))
    if time >= 1400:
        noise = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 1, picture.shape[:2]), (0, 0), 1.5)
        picture[:] = np.clip(picture + (9 * noise / noise.std())[..., None], 0, 255)


def opens(picture: np.ndarray, time: float) -> None:
    """A dialog opens."""
    if time >= 600:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))


def ticked(picture: np.ndarray, time: float) -> None:
    """A box is ticked."""
    if time >= 600:
        box(picture, 0.3, 0.4, 0.4, 0.43, (90, 90, 90))


def grainy(levels: float, paint: Draw, picture: np.ndarray, time: float) -> None:
    """The picture has grain of so many levels."""
    paint(picture, time)
    rng = np.random.default_rng(round(time))
    picture[:] = np.clip(picture + rng.normal(0, levels, (*picture.shape[:2], 1)), 0, 255)


def filmed_by(shake: float, flicker: float, drift: float, picture: np.ndarray, time: float) -> None:
    """A camera films the screen on which a dialog opens: it shakes by px, and bands or its exposure come and go."""
    opens(picture, time)
    height, width = picture.shape[:2]
    x, y = (shake * np.sin(2 * np.pi * rate * time / 1000 + rate) for rate in (5.3, 3.9))
    seen = np.float32([[0.86, 0.02, 0.07 * width + x], [-0.02, 0.86, 0.07 * height + y]])
    film = cv2.warpAffine(picture, seen, (width, height), borderValue=(40, 40, 40)).astype(float)
    film *= 1 + flicker * np.sin(2 * np.pi * (1.5 * np.arange(height) / height + 7.3 * time / 1000))[:, None, None]
    film *= 1 + drift * np.sin(2 * np.pi * 0.4 * time / 1000 - 1.2)
    rng = np.random.default_rng(round(time))
    picture[:] = np.clip(film + rng.normal(0, 2, (height, width, 1)), 0, 255)


def dragged(picture: np.ndarray, time: float) -> None:
    """A finger drags the page to and fro before the action; a dialog opens."""
    if time < 300:
        picture[:] = np.roll(picture, round(30 * np.sin(time / 40)), axis=0)
    opens(picture, time)


def swiped(answers: bool, picture: np.ndarray, time: float) -> None:
    """A finger with the platform's dot goes 14 px to the left in every slot; the page follows, or does not."""
    if answers and time >= 700:
        place = min((time - 700) / 300, 1) * 0.5
        box(picture, 0.55 - place, 0.1, 0.95 - place, 0.5, (40, 60, 120))
    if 500 <= time < 700:
        tint(picture, circle(picture, 0.8 - 14 / 270 * (time - 500) / SLOT, 0.8, 0.055), 0.5)


def slides_in(picture: np.ndarray, time: float) -> None:
    """A card slides in over 400 ms."""
    if time >= 600:
        left = 0.9 * max(0.0, 1 - (time - 600) / 400)
        box(picture, 0.05 + left, 0.3, 0.95, 0.6, (30, 90, 160))


ARROW = np.array([(0, 0), (0, 16), (4, 12), (7, 18), (9, 17), (6, 11), (11, 11)])
Way = Sequence[tuple[float, float, float]]  # ms, and where a hand is by then, in pixels; it pauses at each


LEAPS = ((0, 20, 560), (450, 140, 390), (900, 140, 390), (1700, 235, 60))  # it leaves while the key still fades
OVER = ((0, 60, 540), (400, 140, 310), (1100, 140, 310), (1800, 120, 425))


def at_hand(way: Way, bend: float, time: float) -> tuple[float, float]:
    """Return where a hand is that goes from place to place, each time with a bend to one side."""
    x, y = way[0][1:]
    for (since, x0, y0), (until, x1, y1) in pairwise(way):
        if time >= since:
            done = min(1.0, (time - since) / (until - since))
            eased, aside = done**3 * (10 - 15 * done + 6 * done**2), bend * np.sin(np.pi * done)
            x, y = x0 + eased * (x1 - x0) - aside * (y1 - y0), y0 + eased * (y1 - y0) + aside * (x1 - x0)
    return float(x), float(y)


def with_cursor(way: Way, shows: Draw, picture: np.ndarray, time: float) -> None:
    """A computer's arrow, black with a white rim, moves over what a screen shows."""
    shows(picture, time)
    outline = np.rint((ARROW + at_hand(way, 0.1, time)) * 16).astype(np.int32)
    cv2.fillPoly(picture, [outline], (20, 20, 20), cv2.LINE_AA, 4)
    cv2.polylines(picture, [outline], True, (255, 255, 255), 1, cv2.LINE_AA, 4)


def dialog(at: float, picture: np.ndarray, time: float) -> None:
    """A dialog opens."""
    if time >= at:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))


def touch_mark(opens_at: float, picture: np.ndarray, time: float) -> None:
    """A recorder draws a ring where the user acts, until the finger is up; a dialog opens elsewhere."""
    dialog(opens_at, picture, time)
    if ACTION_MS <= time + 0.5 < ACTION_MS + 150:
        cv2.circle(picture, (135, 470), 14, (90, 90, 90), 3, cv2.LINE_AA)


def tick(at: float, picture: np.ndarray, time: float) -> None:
    """A box of 16 px is ticked."""
    box(picture, 0.3, 0.5, 0.36, 0.53, (255, 255, 255))
    if time >= at:
        box(picture, 0.31, 0.505, 0.35, 0.525, (30, 60, 200))


def switch(at: float, picture: np.ndarray, time: float) -> None:
    """The knob of a switch goes to the other side."""
    done = float(np.clip((time - at) / 150, 0, 1))
    cv2.rectangle(picture, (100, 290), (140, 304), (170, 170, 170), -1)
    cv2.circle(picture, (round((108 + 18 * done) * 16), 297 * 16), 9 * 16, (250, 250, 250), -1, cv2.LINE_AA, 4)


def fading_key(since: float, until: float, picture: np.ndarray, time: float) -> None:
    """A dialog opens; the key that was pressed is lit since then, and fades until another time."""
    dialog(since, picture, time)
    left = 1 - min(1.0, (time - since) / (until - since)) if time >= since else 0.0
    box(picture, 0.4, 0.64, 0.62, 0.72, (240 - round(150 * left),) * 3)


def row_lights_up(way: Way, picture: np.ndarray, time: float) -> None:
    """A dialog opens; later a row lights up as long as an arrow is on it."""
    dialog(600, picture, time)
    box(picture, 0.2, 0.7, 0.8, 0.76, (245, 245, 245))
    x, y = at_hand(way, 0.1, time)
    if 54 <= x <= 216 and 0.7 * 584 <= y <= 0.76 * 584:
        box(picture, 0.2, 0.7, 0.8, 0.76, (170, 200, 240))


def key_pressed(picture: np.ndarray, time: float) -> None:
    """A key is pressed and let go: three steps, and the recording ends with the second picture after them."""
    for at, light in ((600, 120), (700, 180), (800, 225)):
        if time >= at - 1:
            box(picture, 0.3, 0.7, 0.5, 0.76, (light,) * 3)


def thumb_slides(picture: np.ndarray, time: float) -> None:
    """A grey thumb as small as a cursor slides along its bar."""
    box(picture, 0.2, 0.5, 0.8, 0.505, (150, 150, 150))
    x = 80 + 100 * (1 - (1 - float(np.clip((time - 600) / 500, 0, 1))) ** 2)
    cv2.circle(picture, (round(x * 16), 293 * 16), 9 * 16, (90, 90, 90), -1, cv2.LINE_AA, 4)


def red_ball(way: Way, bend: float, picture: np.ndarray, time: float) -> None:
    """A ball as small as a cursor goes its way."""
    x, y = at_hand(way, bend, time)
    cv2.circle(picture, (round(x * 16), round(y * 16)), 9 * 16, (200, 40, 40), -1, cv2.LINE_AA, 4)


START, SLOTS = 36, 36  # a motion's first slot and how many it takes
LOST = (40, 41, 47, 53, 54, 55, 60)  # slots that show the picture before once more


def thin_spinner(picture: np.ndarray, slot: int) -> None:
    """An arc, two pixels wide, turns on a card."""
    box(picture, 0.25, 0.4, 0.75, 0.55, (255, 255, 255))
    cv2.ellipse(picture, (135, 278), (20, 20), 7.0 * slot, 0, 90, (60, 120, 220), 2, cv2.LINE_AA)


def shimmer(picture: np.ndarray, slot: int) -> None:
    """A faint band of light travels over the grey bars of a page that is being loaded."""
    light = 18 * np.exp(-(((np.arange(picture.shape[1]) - 12 * (slot - START)) / 45) ** 2))
    for top in range(100, 500, 100):
        picture[top : top + 50, 20:250] = (225 + light).astype(np.uint8)[None, 20:250, None]


def fades(picture: np.ndarray, slot: int) -> None:
    """The page dims."""
    tint(picture, slice(None), 0.6 * (slot - START + 1) / SLOTS)


def slides(picture: np.ndarray, slot: int) -> None:
    """Another page slides in and slows down."""
    page = Screen(seed=2).page()
    left = round(picture.shape[1] * (1 - (slot - START + 1) / SLOTS) ** 2)
    picture[:, left:] = page[:, : page.shape[1] - left]


def changes_colour(picture: np.ndarray, slot: int) -> None:
    """A card's colour fades by two thirds of a level in every slot."""
    box(picture, 0.1, 0.3, 0.9, 0.7, (245, 240, 225))
    shade = round(24 * (slot - START + 1) / SLOTS)
    box(picture, 0.1, 0.3, 0.9, 0.7, (245 - shade, 240 - shade, 225 - shade))


def losing(motion: Motion, lost: Sequence[int], picture: np.ndarray, time: float) -> None:
    """Paint a motion that loses slots."""
    slot = round(time / SLOT)
    while slot in lost:
        slot -= 1
    if slot >= START:
        motion(picture, min(slot, START + SLOTS - 1))


def mark_after_slide(marks: bool, picture: np.ndarray, time: float) -> None:
    """A page slides in and stops, and the encoder corrects the slide; 83 ms later a mark may appear on it."""
    slot = round(time / SLOT)
    if slot >= START:
        slides(picture, START + min(3 * (slot - START), SLOTS - 1))
    if marks and slot >= START + 17:
        box(picture, 0.3, 0.5, 0.42, 0.53, (225, 225, 225))


def small_step_beside_a_large_one(picture: np.ndarray, time: float) -> None:
    """The whole page lights up, one row goes back, the page slides: none of the three is a repeat."""
    slot = round(time / SLOT)
    if slot >= START:
        box(picture, 0.0, 0.2, 1.0, 0.9, (190, 200, 230))
    if slot >= START + 1:
        box(picture, 0.1, 0.3, 0.35, 0.33, (205, 212, 236))
    if slot >= START + 2:
        slides(picture, min(slot, START + SLOTS - 1))


TYPE = MeasureOptions(action_ms=1540.0, interaction_type="type")
TOUCHED = MeasureOptions(
    action_ms=ACTION_MS, interaction_type="swipe", show_touches=True, touch_xy=(0.8 * 270, 0.8 * 584)
)


def _keyed(slots: int) -> dict[str, str]:
    return CLEAN | {"x264-params": f"keyint={slots}:min-keyint={slots}:scenecut=0"}


def _typed(paint: Draw, response: float, finish: float, needs: tuple[str, ...], variable: bool = False) -> Filmed:
    return Filmed(paint, Clip(changing(paint, 4.5) if variable else every(60, 4.5)), response, finish, needs, TYPE)


def _pointed(
    paint: Draw, response: float | None, finish: float | None, needs: tuple[str, ...] = (), hz: float = 60
) -> Filmed:
    return Filmed(paint, Clip(every(hz, 2)), response, finish, needs)


def _short(paint: Draw, seconds: float, at: float, needs: tuple[str, ...]) -> Filmed:
    """A scene that answers at once, in a clip of one or two blinks."""
    return Filmed(paint, Clip(every(60, seconds)), at, at, needs)


def _motion(motion: Motion, lost: Sequence[int], needs: tuple[str, ...] = ()) -> Filmed:
    clip = Clip(every(60, 2), options=STARVED, gop=120)
    last = START + SLOTS - 1 - (8 if motion is shimmer else 0)  # the band of light has left the bars by then
    end = last * SLOT - ACTION_MS
    return Filmed(partial(losing, motion, lost), clip, 100.0, end, needs, dropped=len(lost), slack_ms=60)


def _plain(name: str) -> Filmed:
    scene = SCENES[name]
    times = [None if at is None else at - ACTION_MS for at in (scene.response, scene.finish)]
    needs = {
        "caret": ("caret",), "carousel": ("keeps_time",), "seconds_clock": ("keeps_time",),
        "spinner_in_corner": ("moved_before", "goes_on"), "game": ("goes_on",),
    }  # fmt: skip
    return Filmed(
        scene.paint, Clip(every(60, scene.seconds)), *times, needs.get(name, ()),
        settles=scene.settles, slack_ms=max(scene.slack_ms, SLOT + 0.5),
    )  # fmt: skip


def _noisy() -> dict[str, Filmed]:
    starved = Clip(every(60, 1.6), options=STARVED, gop=120)
    slow = Clip(every(30, 1.8), options=QUICK)
    named: dict[str, Any] = {"response": None, "finish": None, "settles": None}
    camera: dict[str, Any] = named | {"needs": ("camera",), "outcome": "moving_camera"}
    return {
        "grain": Filmed(partial(grainy, 20, opens), starved, 100, 100, ("frozen_grain",)),
        "ticked_in_grain": Filmed(partial(grainy, 12, ticked), starved, 100, 100),
        "nothing_but_grain": Filmed(
            partial(grainy, 40, nothing), starved, **named, needs=("frozen_grain",), outcome="too_noisy"
        ),
        "handheld": Filmed(partial(filmed_by, 1.5, 0, 0), slow, **camera),
        "flickers": Filmed(partial(filmed_by, 0, 0.03, 0), slow, **camera),
        "exposure_drifts": Filmed(partial(filmed_by, 0, 0, 0.15), slow, **camera),
        "fixed_camera": Filmed(partial(filmed_by, 0, 0, 0), slow, 100, 100, slack_ms=34),
        "dragged_before": Filmed(dragged, Clip(every(60, 1.6), options=QUICK), 100, 100),
    }  # fmt: skip


def filmed() -> dict[str, Filmed]:
    """Return every scene by name."""
    starved = Clip(every(60, 2), options=STARVED, gop=120)
    arrives = [(0, 30, 500), (350, 140, 310)]
    no_tail = [0.0, *[600 + SLOT * step for step in range(25)]]
    slide_times = [slot * SLOT for slot in (0, *range(START, START + SLOTS), 120)]
    return {
        **{name: _plain(name) for name in SCENES},
        "letter_beside_caret": _typed(partial(typing, (1600.0,), 390), 60, 60, ("caret",)),
        "three_letters": _typed(partial(typing, (1600.0, 1850.0, 2100.0), 0), 60, 560, ("caret",), variable=True),
        "blink_then_letter": _typed(partial(typing, (1760.0,), 390), 220, 220, ("caret",)),
        "narrow_letter": _typed(partial(narrow_letter, 0), 60, 60, ("caret",)),
        "narrow_letter_vfr": _typed(partial(narrow_letter, 390), 60, 60, ("caret",), variable=True),
        "letter_beside_fading_caret": _typed(partial(typing_fading, (1600.0, 1850.0), 390), 60, 310, ("caret",)),
        "full_stop": _typed(partial(becomes, "Hello.", 1600.0, 390), 60, 60, ("caret",)),
        "deleted_letter": _typed(partial(becomes, "Hell", 1600.0, 0), 60, 60, ("caret",), variable=True),
        "caret_goes_then_letter": _short(partial(goes_then_letter, 590.0, 800.0), 1.6, 300, ("caret",)),
        "caret_blinks_once_after": _short(partial(goes_then_letter, 9e9, 600.0), 1.4, 100, ("caret",)),
        "caret_goes_then_sheet": _short(partial(goes_then_sheet, 590.0, 900.0), 1.4, 400, ("caret",)),
        "caret_comes_with_the_tap": _short(partial(focused, 900.0), 2.6, 400, ("caret",)),
        "lamp_goes_again": _short(partial(lamp, (100.0, 700.0), 1000.0), 1.6, 500, ("brings_back",)),
        "lamp_blinks": Filmed(
            partial(lamp, (400.0, 1000.0, 1850.0), 700.0), Clip(every(60, 2.4)), 200, 200, ("blinking",),
            settles=False,
        ),
        "seconds_pass": _short(seconds_pass, 2.1, 400, ("seconds",)),
        "digits_to_the_end": Filmed(digits, Clip(every(60, 4)), 100, 100, ("ticks",), settles=False),
        "halo": Filmed(partial(halo, True), Clip(every(60, 2), options=QUICK), 50, 350, ("coherence",)),
        "dot_goes": Filmed(dot_goes, Clip(every(120, 1.5), options=QUICK), 100, 600, ("small_fade",), slack_ms=34),
        "scrollbar_goes": Filmed(
            scrollbar_goes, Clip(every(60, 2), options=QUICK), 100, 1100, ("small_fade",), slack_ms=51
        ),
        "slow_backdrop": Filmed(backdrop, Clip(every(60, 4.5)), 200, 3200, ("fade",), slack_ms=120),
        "faint_then_clear": Filmed(
            faint_then_clear, Clip(every(60, 2), options=CLEAN), 100, 117, ("first_stir",), slack_ms=2
        ),
        "sharpened_late": Filmed(
            partial(sharpened_late, 2000, 3), Clip(every(60, 2.2), options=_keyed(120)), 100, 100, ("sharpened",)
        ),
        "encoder_cycle": Filmed(
            partial(sharpened_late, 1700, 2), Clip(every(60, 2.2), options=_keyed(120)), 100, 100, ("cycle",)
        ),
        "touch_mark": Filmed(partial(touch_mark, 600), Clip(every(60, 2)), 100, 100, ("mark",)),
        "begins_coarsely": Filmed(
            begins_coarsely, Clip(every(60, 1.2), options=CLEAN), 400, 400, ("first",), MeasureOptions()
        ),
        "late_notice": Filmed(late_notice, Clip(every(60, 2)), 100, 1383, ("rests",)),
        "tooltip_goes": Filmed(tooltip_goes, Clip(every(60, 1.5), options=CLEAN), 100, 100, ("corrected",)),
        "sways_to_the_end": Filmed(
            partial(sharpened_late, 1700, 3), Clip(every(60, 2.2), options=_keyed(120)), 100, 100, settles=False
        ),
        "spinner_began_with_key_frame": Filmed(
            partial(spinner_around_a_key_frame, 500), Clip(every(60, 2), options=_keyed(30)), 200, 200,
            ("moved_before",), MeasureOptions(action_ms=1000.0), settles=False,
        ),
        "status_bar": Filmed(status_bar, Clip(every(60, 2.5)), 500, 500, ("edge",)),
        "status_bar_vfr": Filmed(status_bar, Clip(changing(status_bar, 2.5)), 500, 500, ("edge",)),
        "caret_comes_back": Filmed(
            caret_comes_back, Clip(every(60, 3.7)), 100, 100, ("caret_back",), MeasureOptions(action_ms=1300)
        ),
        "recording_light": Filmed(
            recording_light, Clip(every(60, 3.2)), 100, 100, ("lamp",), MeasureOptions(action_ms=1500)
        ),
        "coded_anew": Filmed(coded_anew, Clip(every(60, 2.2), options=CLEAN), 100, 100, ("anew",)),
        "refined": Filmed(refined, Clip(every(60, 1.5), options=LOSSLESS), 100, 100, ("refreshed",)),
        "cursor_leaves": _pointed(
            partial(with_cursor, [*arrives, (1200, 140, 310), (1600, 230, 90)], partial(dialog, 600)),
            100, 100, ("cursor",),
        ),
        "cursor_while_waiting": _pointed(
            partial(with_cursor, [(0, 140, 310), (700, 140, 310), (1000, 60, 120)], partial(dialog, 1300)),
            800, 800, ("cursor",),
        ),
        "cursor_alone": _pointed(
            partial(with_cursor, [(0, 140, 310), (700, 140, 310), (1100, 60, 120)], partial(dialog, 9000)),
            None, None, ("cursor",),
        ),
        "cursor_ticks_a_box": _pointed(
            partial(with_cursor, [(0, 30, 500), (350, 85, 300)], partial(tick, 600)), 100, 100, ("cursor",)
        ),
        "cursor_leaps": replace(_pointed(
            partial(with_cursor, LEAPS, partial(fading_key, 600, 1200)), 100, 700, ("cursor",), 10
        ), slack_ms=101),
        "cursor_passes_over_a_row": _pointed(
            partial(with_cursor, OVER, partial(row_lights_up, OVER)), 100, 100, ("hover",), 10
        ),
        "thumb_slides_at_10_hz": replace(_pointed(thumb_slides, 200, 600, (), 10), slack_ms=101),
        "key_at_10_hz": Filmed(key_pressed, Clip(every(10, 1.0), options=CLEAN), 100, 300),
        "cursor_on_a_switch": replace(_pointed(
            partial(with_cursor, [(0, 30, 500), (350, 110, 298)], partial(switch, 600)), 117, 250
        ), slack_ms=34.0),
        "ball_jumps": replace(
            _pointed(partial(red_ball, [(600, 60, 100), (900, 200, 450)], 0.0), 117, 400), slack_ms=34.0
        ),
        "red_ball_on_an_arc": replace(
            _pointed(partial(red_ball, [(600, 60, 100), (900, 200, 450)], 0.1), 117, 400), slack_ms=34.0
        ),
        **_noisy(),
        "held_frame": Filmed(held_frame, Clip([0.0, 600.0, 617.0, 633.0, 2100.0], options=CLEAN), 100, 100),
        "no_tail": Filmed(slides_in, Clip(no_tail), 100, 500, ("no_tail",)),
        "dot_and_page": Filmed(partial(swiped, True), Clip(every(60, 2)), 200, 500, ("finger",), TOUCHED),
        "smooth_slide": _motion(slides, ()),
        "janky_slide": _motion(slides, LOST),
        "smooth_fade": _motion(fades, ()),
        "janky_fade": _motion(fades, LOST),
        "smooth_shimmer": _motion(shimmer, (), ("step_agrees",)),
        "janky_spinner": _motion(thin_spinner, LOST, ("step_agrees",)),
        "smooth_colour": _motion(changes_colour, (), ("step_faint",)),
        "mark_after_slide": Filmed(partial(mark_after_slide, True), starved, 100, 383),
        "slide_is_corrected": Filmed(partial(mark_after_slide, False), starved, 100, 300),
        "small_step": Filmed(
            small_step_beside_a_large_one, starved, 100, 683, dropped=0, slack_ms=60
        ),
        "written_without_a_change": Filmed(
            partial(losing, slides, LOST), Clip(slide_times, options={"preset": "veryfast", "crf": "26"}), 100, 683,
            dropped=len(LOST), slack_ms=60,
        ),
    }  # fmt: skip
