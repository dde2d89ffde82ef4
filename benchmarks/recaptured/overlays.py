"""What recorders, systems and desktops draw over an app: bars, cursors, dots, carets, bubbles.

Each is made for one take and seed, and says when it changes, so that a recorder at a variable rate sees that too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.phones.captures import Alter
from benchmarks.phones.filming import Image
from benchmarks.recaptured.drawing import SOON, Making, Overlay, Scene, blend, slots, text, turned, turns

BAR, FOOT = 36, 24  # px, of the system above and below the app
Way = Callable[[float], tuple[float, float]]  # x and y at a time in ms


def _framed(image: Image, light: bool) -> Image:
    """Return a picture with a bar of the system above and below."""
    height, width = image.shape[:2]
    framed = np.full((BAR + height + FOOT, width, 3), 245 if light else 16, np.uint8)
    framed[BAR : BAR + height] = image
    return framed


def _system(random: np.random.Generator) -> Callable[[Image, str], Image]:
    light, hour, battery = bool(random.random() < 0.5), int(random.integers(10, 24)), int(random.integers(20, 100))

    def draw(image: Image, clock: str = "41") -> Image:
        framed, ink = _framed(image, light), 30 if light else 230
        width = framed.shape[1]
        text(framed, f"{hour}:{clock}", (16, 25), ink)
        text(framed, f"{battery}%", (width - 96, 25), ink, 0.5)
        cv2.rectangle(framed, (width - 44, 12), (width - 18, 25), (ink,) * 3, 1)
        cv2.rectangle(
            framed,
            (width // 2 - 90, BAR + image.shape[0] + 14),
            (width // 2 + 90, BAR + image.shape[0] + 18),
            (ink,) * 3,
            -1,
        )
        return framed

    return draw


def clock(scene: Scene, random: np.random.Generator) -> Overlay:
    """Turn the minute."""
    system, at = _system(random), scene.outside(random)
    return Overlay(lambda image, ms, n: system(image, "42" if ms >= at - SOON else "41"), [at])


def wifi(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let the network's arrows come and go, but not as the app is about to rest."""
    system = _system(random)
    times = np.cumsum(random.uniform(200, 900, 40))
    times = [float(t) for t in times if t < scene.end_ms and not scene.response_ms - 20 < t < scene.finish_ms + 280]

    def draw(image: Image, ms: float, number: int) -> Image:
        framed = system(image)
        state, width = turned(times, ms), framed.shape[1]
        ink = (120,) * 3
        cv2.ellipse(framed, (width - 130, 26), (12, 12), 0, 225, 315, ink, -1)
        if state % 2:
            cv2.drawMarker(framed, (width - 118, 22), ink, cv2.MARKER_TRIANGLE_UP, 7, 1)
        if state % 3 == 1:
            cv2.drawMarker(framed, (width - 110, 22), ink, cv2.MARKER_TRIANGLE_DOWN, 7, 1)
        return framed

    return Overlay(draw, times, goes_on=True)


def recorder(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a recorder's red light blink, once or twice a second."""
    system, period, phase = _system(random), float(random.choice([500, 1000])), float(random.uniform(0, 500))
    times = turns(phase, period, scene)

    def draw(image: Image, ms: float, number: int) -> Image:
        framed = system(image)
        if turned(times, ms) % 2:
            cv2.circle(framed, (100, 18), 7, (220, 30, 30), -1, cv2.LINE_AA)
        return framed

    return Overlay(draw, times, goes_on=True)


def pill(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let the red pill behind the clock breathe all the time."""
    system, phase = _system(random), float(random.uniform(0, 2000))

    def draw(image: Image, ms: float, number: int) -> Image:
        framed = system(image)
        cover = 0.55 + 0.45 * np.cos(2 * np.pi * (ms + phase) / 2000)
        blend(framed, lambda over: cv2.rectangle(over, (8, 6), (78, 31), (235, 60, 50), -1), float(cover))
        text(framed, "9:41", (20, 25), 255)
        return framed

    return Overlay(draw, slots(0, scene.end_ms, 2), goes_on=True)


def handle(scene: Scene, random: np.random.Generator) -> Overlay:
    """Fade out the home indicator in a third of a second."""
    system = _system(random)
    start = float(random.choice([scene.action_ms - 420, scene.late(random)]))

    def draw(image: Image, ms: float, number: int) -> Image:
        framed = system(image)
        left = float(np.clip(1 - (ms - start) / 300, 0, 1))
        foot = framed[-FOOT:]
        blend(foot, lambda over: over.__setitem__(slice(None), foot[0, 0]), 1 - left)
        return framed

    return Overlay(draw, slots(start, start + 320))


def seconds(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show seconds in the bar's clock."""
    system, phase = _system(random), float(random.uniform(0, 1000))
    times = turns(phase, 1000, scene)
    return Overlay(lambda image, ms, n: system(image, f"41:{23 + turned(times, ms)}"), times, goes_on=True)


def meter(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a developer's meter in a corner tell another number twice a second."""
    phase, values = float(random.uniform(0, 500)), random.integers(40, 61, 40)
    times = turns(phase, 500, scene)
    place = (int(random.choice([8, scene.shape[1] - 108])), int(random.choice([8, scene.shape[0] - 40])))

    def draw(image: Image, ms: float, number: int) -> Image:
        image = image.copy()
        x, y = place
        image[y : y + 30, x : x + 100] = 0
        text(image, f"{values[turned(times, ms)]} fps", (x + 10, y + 21), 230)
        return image

    return Overlay(draw, times, goes_on=True)


def player(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a thin bar at the bottom grow while music plays."""
    every = float(random.uniform(180, 400))
    times = turns(0, every, scene)

    def draw(image: Image, ms: float, number: int) -> Image:
        image = image.copy()
        height = image.shape[0]
        image[height - 56 :] = 32
        text(image, "Now playing", (70, height - 22), 220)
        image[height - 56 : height - 53, : 120 + 2 * turned(times, ms)] = (90, 200, 120)
        return image

    return Overlay(draw, times, goes_on=True)


def caret(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a caret blink in a field above the app."""
    phase, x = float(random.uniform(0, 500)), int(random.integers(60, 300))
    times = turns(phase, 500, scene)
    light = bool(random.random() < 0.5)

    def draw(image: Image, ms: float, number: int) -> Image:
        framed = np.full((image.shape[0] + 60, image.shape[1], 3), 250 if light else 30, np.uint8)
        framed[60:] = image
        cv2.rectangle(framed, (20, 8), (image.shape[1] - 20, 52), (150, 150, 150), 1)
        text(framed, "search", (x - 58, 36), 90 if light else 200)
        if turned(times, ms) % 2:
            framed[17:44, x + 4 : x + 6] = (40, 110, 230)
        return framed

    return Overlay(draw, times, goes_on=True)


def bubble(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a recorder's floating button fade to a half, and slip into the edge."""
    start, y = float(random.choice([scene.action_ms - 380, scene.late(random)])), int(random.integers(200, 900))

    def draw(image: Image, ms: float, number: int) -> Image:
        image = image.copy()
        done = float(np.clip((ms - start) / 250, 0, 1))
        x = image.shape[1] - 34 + round(24 * done)
        blend(image, lambda over: cv2.circle(over, (x, y), 30, (60, 120, 240), -1, cv2.LINE_AA), 0.95 - 0.45 * done)
        return image

    return Overlay(draw, slots(start, start + 270))


def dot(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show a dot where the finger is, from the action on, as systems do that show touches."""
    return _touch(scene.action_ms, scene.action_ms + 60, float(random.choice([0, 120])), lambda ms: scene.at)


def touch(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let such a dot come and go some pictures late, as most systems draw it."""
    late_ms, fades_ms = random.uniform(10, 70), float(random.choice([0, 120]))
    return _touch(scene.action_ms + late_ms, scene.release_ms + late_ms, fades_ms, lambda ms: scene.at)


def finger(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let such a dot go along with the finger that drags, at once or late."""
    late_ms, fades_ms = float(random.choice([0, random.uniform(10, 70)])), float(random.choice([0, 120]))
    comes_ms, goes_ms = scene.action_ms + late_ms, scene.release_ms + late_ms

    def path(ms: float) -> tuple[float, float]:
        done = np.clip((ms - comes_ms) / (goes_ms - comes_ms), 0, 1)
        return scene.at[0] + scene.way[0] * done, scene.at[1] + scene.way[1] * done

    return _touch(comes_ms, goes_ms, fades_ms, path, slots(comes_ms, goes_ms))


def _touch(comes_ms: float, goes_ms: float, fades_ms: float, path: Way, moves_ms: Sequence[float] = ()) -> Overlay:
    """Return a dot that is there between two times, and then fades for so long."""

    def draw(image: Image, ms: float, number: int) -> Image:
        if not comes_ms - SOON <= ms < goes_ms + fades_ms:
            return image
        image = image.copy()
        left = 1.0 if ms < goes_ms else 1 - (ms - goes_ms) / fades_ms
        x, y = (round(place) for place in path(ms))
        blend(image, lambda over: cv2.circle(over, (x, y), 24, (255, 255, 255), -1, cv2.LINE_AA), 0.5 * left)
        blend(image, lambda over: cv2.circle(over, (x, y), 24, (90, 90, 90), 2, cv2.LINE_AA), 0.6 * left)
        return image

    fading = slots(goes_ms, goes_ms + fades_ms) if fades_ms else ()
    return Overlay(draw, [comes_ms, *moves_ms, goes_ms, *fading, goes_ms + fades_ms])


ARROW = np.array([(0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12)])
HAND = np.array([(4, 0), (7, 0), (7, 8), (16, 10), (16, 16), (13, 22), (5, 22), (0, 13), (4, 14)])


def _pointing(image: Image, x: float, y: float, shape: np.ndarray, size: float) -> None:
    points = np.rint(16 * (shape * size + (x, y))).astype(np.int32)
    cv2.fillPoly(image, [points], (10, 10, 10), cv2.LINE_AA, 4)
    cv2.polylines(image, [points], True, (255, 255, 255), 1, cv2.LINE_AA, 4)


Drawing = Callable[[Image, float, float], None]  # draws on a picture at x and y


def _cursor(random: np.random.Generator, path: Way) -> Alter:
    return _drawn(_arrow_or_hand(random), path)


def _arrow_or_hand(random: np.random.Generator) -> Drawing:
    shape, size = (ARROW, HAND)[int(random.random() < 0.3)], float(random.uniform(0.9, 1.6))
    return lambda image, x, y: _pointing(image, x, y, shape, size)


def _drawn(pointer: Drawing, path: Way) -> Alter:
    def draw(image: Image, ms: float, number: int) -> Image:
        image = image.copy()
        pointer(image, *path(ms))
        return image

    return draw


def cursor(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a mouse cursor come, click, and leave after a while."""
    far = [(random.uniform(0, scene.shape[1]), random.uniform(0, scene.shape[0])) for _ in range(2)]
    arrives = scene.action_ms - random.uniform(60, 300)
    leaves = float(random.choice([scene.action_ms + random.uniform(100, 300), scene.late(random)]))
    takes = random.uniform(250, 500)

    def path(ms: float) -> tuple[float, float]:
        begin, end = (far[0], scene.at) if ms < leaves else (scene.at, far[1])
        done = np.clip((ms - (arrives - takes if ms < leaves else leaves)) / takes, 0, 1)
        done = 3 * done**2 - 2 * done**3
        return (begin[0] + (end[0] - begin[0]) * done, begin[1] + (end[1] - begin[1]) * done)

    return Overlay(_cursor(random, path), [*slots(arrives - takes, arrives), *slots(leaves, leaves + takes)])


def waiting(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a mouse cursor rest where it clicks, and a hand move it about once the app has answered, or meanwhile."""
    path, changes_ms = _waits(scene, random)
    return Overlay(_cursor(random, path), changes_ms, goes_on=True)


def disc(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show a grey disc for a cursor, as emulated touch screens do; one sees through it. It waits as well."""
    path, changes_ms = _waits(scene, random)
    radius, ink, alpha = random.uniform(12, 22), random.uniform(60, 140), random.uniform(0.5, 0.9)

    def pointer(image: Image, x: float, y: float) -> None:
        at, size = (round(16 * x), round(16 * y)), round(16 * radius)
        blend(image, lambda over: cv2.circle(over, at, size, (ink,) * 3, -1, cv2.LINE_AA, 4), alpha)

    return Overlay(_drawn(pointer, path), changes_ms, goes_on=True)


def halo(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show a cursor within a yellow disc, as screencast software does, that one sees through. It waits as well."""
    path, changes_ms = _waits(scene, random)
    arrow, radius, alpha = _arrow_or_hand(random), random.uniform(20, 32), random.uniform(0.3, 0.6)

    def pointer(image: Image, x: float, y: float) -> None:
        at, size = (round(16 * x), round(16 * y)), round(16 * radius)
        blend(image, lambda over: cv2.circle(over, at, size, (255, 230, 60), -1, cv2.LINE_AA, 4), alpha)
        arrow(image, x, y)

    return Overlay(_drawn(pointer, path), changes_ms, goes_on=True)


def dragging(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a mouse cursor drag in a finger's place, as in a simulator, and leave from where it lets go."""
    path, changes_ms = _waits(scene, random, drags=True)
    return Overlay(_cursor(random, path), changes_ms, goes_on=True)


def _waits(scene: Scene, random: np.random.Generator, *, drags: bool = False) -> tuple[Way, list[float]]:
    """Return where a hand has a cursor, ms by ms, and when that moves: from where it clicks on, not before.

    It goes from place to place on bent ways, slowly at their ends, and rests in between, or turns at once. If it
    `drags`, it first goes the finger's way.
    """
    here = np.array(scene.at)
    starts = [
        scene.action_ms + random.uniform(100, 300),
        scene.finish_ms + random.uniform(60, 250),
        scene.late(random),
    ]
    ways: list[tuple[float, float, np.ndarray, np.ndarray, np.ndarray]] = []
    if drags:
        starts[0] = scene.release_ms + float(random.choice([0, random.uniform(50, 200)]))
        held_ms, there = scene.release_ms - scene.action_ms, here + scene.way
        ways.append((scene.action_ms, held_ms, here, there, random.uniform(-0.05, 0.05) * (there - here)[::-1]))
        starts, here = [max(ms, scene.release_ms) for ms in starts], there
    ms = float(random.choice(starts))
    while ms < scene.end_ms:
        there = np.clip(here + random.uniform(-260, 260, 2), 20, np.array(scene.shape[::-1]) - 20)
        takes, aside = random.uniform(200, 600), random.uniform(-0.2, 0.2)
        ways.append((ms, takes, here, there, aside * (there - here)[::-1] * (1, -1)))
        ms, here = ms + takes + float(random.choice([0, random.uniform(80, 400)])), there

    def path(ms: float) -> tuple[float, float]:
        at = np.array(scene.at)
        for starts, takes, begin, end, bow in ways:
            if ms >= starts:
                done = min((ms - starts) / takes, 1.0)
                done = 3 * done**2 - 2 * done**3
                at = begin + (end - begin) * done + bow * np.sin(np.pi * done)
        return float(at[0]), float(at[1])

    return path, [slot for starts, takes, *_ in ways for slot in slots(starts, starts + takes)]


def restless(scene: Scene, random: np.random.Generator) -> Overlay:
    """Let a mouse cursor wander about where it clicks, and never rest."""
    phases, reach = random.uniform(0, 2 * np.pi, 4), random.uniform(15, 90)

    def path(ms: float) -> tuple[float, float]:
        at = ms / 1000
        dx = np.sin(3.1 * at + phases[0]) + 0.5 * np.sin(7.3 * at + phases[1])
        dy = np.sin(2.7 * at + phases[2]) + 0.5 * np.sin(6.1 * at + phases[3])
        return (scene.at[0] + reach * dx, scene.at[1] + reach * dy)

    return Overlay(_cursor(random, path), slots(0, scene.end_ms), goes_on=True)


def desktop(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show the app smaller, in a window on a desktop with a picture; a cursor clicks in it."""
    wall = cv2.GaussianBlur(random.uniform(0, 255, (20, 32, 3)).astype(np.float32), (0, 0), 2)
    wall = cv2.resize(wall, (1280, 800), interpolation=cv2.INTER_CUBIC).clip(0, 255).astype(np.uint8)
    left, top, high = int(random.integers(60, 800)), 30, 740
    wide = 2 * round(high * scene.shape[1] / scene.shape[0] / 2)
    scale = high / scene.shape[0]
    at = (left + scene.at[0] * scale, top + scene.at[1] * scale)
    pointing = cursor(replace(scene, at=at, shape=(800, 1280)), random)

    def draw(image: Image, ms: float, number: int) -> Image:
        picture = wall.copy()
        picture[top - 6 : top + high + 6, left - 6 : left + wide + 6] = 20
        picture[top : top + high, left : left + wide] = cv2.resize(
            image, (wide, high), interpolation=cv2.INTER_AREA
        )
        return pointing.draw(picture, ms, number)

    return Overlay(draw, pointing.changes_ms, scale=scale)


IN_BARS: tuple[Making, ...] = (clock, wifi, recorder, pill, handle, seconds)


def frame(scene: Scene, random: np.random.Generator) -> Overlay:
    """Show the phone in its frame, before one colour, as demos do, and let something go on in its bars."""
    phone = IN_BARS[int(random.integers(len(IN_BARS)))](scene, random)
    side, top, ground = int(random.integers(20, 120)), int(random.integers(30, 110)), int(random.choice([40, 235]))

    def draw(image: Image, ms: float, number: int) -> Image:
        screen = phone.draw(image, ms, number)
        height, width = screen.shape[:2]
        picture = np.full((height + 2 * top, width + 2 * side, 3), ground, np.uint8)
        rim = (side - 16, top - 16), (side + width + 15, top + height + 15)
        cv2.rectangle(picture, *rim, (12, 12, 12), -1)
        picture[top : top + height, side : side + width] = screen
        return picture

    return replace(phone, draw=draw)


def nothing(scene: Scene, random: np.random.Generator) -> Overlay:
    """Leave the app alone."""
    return Overlay(lambda image, ms, number: image)


OVERLAYS: dict[str, Making] = {
    made.__name__: made
    for made in (
        nothing, clock, wifi, recorder, pill, handle, seconds, meter, player, caret, bubble, dot, cursor, restless,
        desktop, waiting, dragging, touch, finger, disc, halo, frame,
    )
}  # fmt: skip
