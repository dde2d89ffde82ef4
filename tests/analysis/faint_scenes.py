"""Changes that are faint, small or slow, to be filmed. Times in ms."""

from __future__ import annotations

import numpy as np

from tests.analysis.scenes import box, circle, dialog, tint


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


def scrollbar_goes_slowly(picture: np.ndarray, time: float) -> None:
    """A page comes at 600 ms; its scrollbar fades from 1,200 to 2,000 ms, 12 levels are left at 1,680."""
    if time < 600:
        return
    box(picture, 0.0, 0.2, 1.0, 0.9, (235, 235, 235))
    left = (1 - float(np.clip((time - 1200) / 800, 0, 1))) ** 2
    box(picture, 0.96, 0.3, 0.985, 0.8, (235 - round(75 * left),) * 3)


def scrollbar_slides_off(picture: np.ndarray, time: float) -> None:
    """A page of dark and light cards comes at 600 ms; its scrollbar slides off from 1,400 ms, by 2 px in 50 ms."""
    if time < 600:
        return
    for card in range(7):
        box(picture, 0.0, 0.04 + card / 7.5, 1.0, 0.1 + card / 7.5, (12, 12, 12) if card % 2 else (250, 250, 250))
    steps = int(np.clip((time - 1350) // 50, 0, 3))
    picture[150:300, 262 + 2 * steps : 268] = (60, 60, 60)
    picture[150:300, 240 : 262 + 2 * steps] = (120, 120, 120)


def earlier_scrollbar(picture: np.ndarray, time: float) -> None:
    """A button lights up at 600 ms; the page's scrollbar, there from the first, fades from 1,000 to 1,200 ms."""
    box(picture, 0.0, 0.2, 1.0, 0.9, (235, 235, 235))
    box(picture, 0.1, 0.7, 0.4, 0.8, (60, 90, 200) if time >= 600 else (180, 190, 220))
    light = 235 - 75 * (1 - float(np.clip((time - 1000) / 200, 0, 1)))
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


def faint_before(picture: np.ndarray, time: float) -> None:
    """An encoder shifts a photograph by four levels, which nobody sees; 150 ms later a dialog opens beside it."""
    box(picture, 0.2, 0.65, 0.8, 0.9, (120 + 4 * (time >= 600),) * 3)
    if time >= 750:
        box(picture, 0.2, 0.3, 0.8, 0.6, (40, 60, 60))


def late_notice(picture: np.ndarray, time: float) -> None:
    """A dialog opens; 150 ms before the recording ends a notice fades in, in three steps, and stays."""
    dialog(600, picture, time)
    shade = sum(time >= at - 1 for at in (1850, 1867, 1883))
    if shade:
        box(picture, 0.1, 0.8, 0.9, 0.88, (240 - 60 * shade,) * 3)


def last_ghost(picture: np.ndarray, time: float) -> None:
    """A page dims in three steps from 600 ms on; 67 ms after the last its card goes on by two levels."""
    step = int(np.clip((time - 533) * 15 / 1000, 0, 4))
    shade = 240 - (0, 60, 110, 150, 152)[step]
    box(picture, 0.0, 0.2, 1.0, 0.9, (shade,) * 3)
