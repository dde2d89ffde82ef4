"""What the drill-down is tried on: clips whose frames say their own number, and how to read it off the page."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page

from tests import factories
from tests.numbered import render_numbered
from tests.reports.drilldown.rows import add_series, compared

ACTION_MS = 500.0
TINTS = (60, 160)  # grey below the numbers: baseline, updated
# A phone's recorder: a frame only when the screen changes. A capture card: a frame in every refresh.
VARIABLE_MS = [0, 16.67, 33.33, 480, 583.33, 600, 616.67, 650, 700, 716.67, 733.33, 950, 966.67, 983.33, 1000, 1600]
ENCODED = {"bf": 0, "g": 8, "preset": "ultrafast"}
CONSTANT_MS = [round(i * 1000 / 60, 2) for i in range(100)]

READ_NUMBER = """side => {
  const shown = document.querySelector(`[data-side=${side}] canvas`);
  const { width, height } = shown;
  window.scratch ??= {};
  const canvas = (window.scratch[side] ??= Object.assign(document.createElement("canvas"), { width, height }));
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(shown, 0, 0);
  const block = canvas.width / 16;
  const row = (y) => pen.getImageData(0, Math.floor(y * block), canvas.width, 1).data;
  const [bits, inverse] = [row(1), row(3)];
  let number = 0;
  for (let bit = 0; bit < 8; bit += 1) {
    const x = 4 * Math.floor((2 * bit + 1) * block);
    const on = bits[x] > 128;
    if (on === inverse[x] > 128) return -1;
    number += on << bit;
  }
  return number;
}"""


@dataclass(frozen=True)
class Scene:
    """An interaction with one run on each side, its address and the times of its frames (ms after the action)."""

    path: str
    times: dict[str, list[float]]

    def expected(self, side: str, t: float) -> int:
        """Return the frame on the screen at t, found the slow way."""
        return max((i for i, at in enumerate(self.times[side]) if at <= t + 0.06), default=0)


def clip_scene(base_ms=VARIABLE_MS, new_ms=CONSTANT_MS, *, runs=1, **options) -> Scene:
    """Store a compared interaction whose screencasts are numbered clips with these frame times."""
    _, *sides = compared(values=((100.0,) * runs, (310.0,) * runs))
    folder = Path(settings.MEDIA_ROOT) / "screencasts"
    folder.mkdir(parents=True, exist_ok=True)
    size = options.get("size", (160, 240))
    for side, times, tint in zip(sides, (base_ms, new_ms), TINTS, strict=True):
        for run in side:
            render_numbered(folder / Path(run.file_name).name, times, tint=tint, **ENCODED | options)
            run.width_px, run.height_px, run.action_ms = *size, ACTION_MS
            run.save()
            add_series(run, times, changed=[i for i, at in enumerate(times) if 600 <= at <= 960])
    path = reverse("drilldown", args=["13.0.12", "13.0.13", factories.app().package, "open inbox"])
    shift = {"base": base_ms, "new": new_ms}
    return Scene(path, {side: [at - ACTION_MS for at in times] for side, times in shift.items()})


def wait_ready(page: Page) -> Page:
    """Wait until both players and the plots are there."""
    page.wait_for_selector("[data-side=base] .screen[data-state=ready]")
    page.wait_for_selector("[data-side=new] .screen[data-state=ready]")
    page.wait_for_selector("[data-plots][data-drawn=true]")
    return page


def shown(page: Page, scene: Scene, t: float) -> dict[str, int]:
    """Wait until both sides show their frames of time t, and read the numbers that are in the pictures."""
    for side in scene.times:
        page.wait_for_selector(f'[data-side={side}] canvas[data-frame="{scene.expected(side, t)}"]')
    return {side: page.evaluate(READ_NUMBER, side) for side in scene.times}


def wanted(scene: Scene, t: float) -> dict[str, int]:
    """Return the frames that both sides must show at t."""
    return {side: scene.expected(side, t) for side in scene.times}
