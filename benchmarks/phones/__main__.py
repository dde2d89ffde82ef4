"""Recordings of what goes wrong on phones, with known truth: `python -m benchmarks.phones OUT [--only CLASS]`.

Writes videos and `truth.csv` (benchmarks/devices.py) into OUT. Chromium paints scenes (files .js) by slots;
each is recorded three ways, most at a variable rate, at 60 Hz, and at 60 Hz with 1.2 Mbit/s. What Chromium cannot
show (grain, a camera, an encoder's habits) is done to its pictures before they are coded. Beside each class lie
ordinary interactions that resemble it. The same seed gives the same films; another one other pages and other times.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.metrics.smoothness import SMOOTHNESS
from benchmarks.phones.captures import (
    CFR10,
    CFR20,
    CFR30,
    CFR60,
    CFR120,
    LOW,
    VFR,
    Alter,
    Capture,
    by_camera,
    grain,
    limit_cycle,
    recorded_times,
    refined,
    refreshed,
    shown,
    write,
)  # fmt: skip
from benchmarks.phones.filming import Take, film, stage
from tests.find_browser import find_browser

USUAL = (VFR, CFR60, LOW)
PAUSE_MS = SMOOTHNESS.pause_ms  # from then on a gap is no drop: what counts as one is a definition, not a finding
NOISY = (CFR60, CFR30, LOW)  # no recorder at a variable rate leaves out a picture of a camera
Altering = Callable[[Take, int], tuple[Alter, list[float]]]  # and when a recorder sees a change besides


@dataclass(frozen=True)
class Recipe:
    """A scene (scenes.js), the class that it is of, how it is recorded, and what becomes of its pictures."""

    group: str
    scene: str
    captures: tuple[Capture, ...] = USUAL
    altering: Altering | None = None
    variant: str = ""
    hz: float = 60.0

    @property
    def name(self) -> str:
        """Return what its files are called."""
        return "_".join(filter(None, (self.group.split()[0], self.scene, self.variant)))


def _with_grain(sigma: float) -> Altering:
    return lambda take, seed: (grain(sigma, seed), [])


def _by_camera(**how: float) -> Altering:
    return lambda take, seed: (by_camera(seed, **how), [])


def _refreshed(take: Take, seed: int) -> tuple[Alter, list[float]]:
    random = np.random.default_rng(seed)
    slots = np.cumsum(random.integers(6, 30, 40))
    times = [1000 * slot / 60 for slot in slots if slot < 60 * take.seconds - 1]
    return refreshed(times, seed), times


def _coded_anew(take: Take, seed: int) -> tuple[Alter, list[float]]:
    random = np.random.default_rng(seed)
    slot = int(random.integers(24, 60)) + round(60 * max(take.strict_ms) / 1000)
    times = [1000 * min(slot, round(60 * take.seconds) - 12) / 60]
    return refreshed(times, seed, levels=float(random.uniform(7, 10))), times


def _refined(take: Take, seed: int) -> tuple[Alter, list[float]]:
    until = 1000 * int(np.random.default_rng(seed).integers(3, 10)) / 60
    return refined(until), [1000 * slot / 60 for slot in range(round(60 * until / 1000) + 1)]


def _cycling(levels: int, blocks: int, from_share: float) -> Altering:
    def altering(take: Take, seed: int) -> tuple[Alter, list[float]]:
        since = from_share * 1000 * take.seconds
        slots = range(round(60 * since / 1000), round(60 * take.seconds))
        return limit_cycle(since - 1, seed, levels, blocks), [1000 * slot / 60 for slot in slots]

    return altering


FADES = ("dot_fades", "dot_goes", "scrollbar_fades", "dialog_opens")
LEAPING = (
    "cursor_then_dialog", "cursor_alone", "cursor_clicks_button", "cursor_leaves_a_fade", "cursor_passes_over_rows",
    "switch_moves", "badge", "chip_is_dragged", "checkbox",
)  # fmt: skip
ANEW = ("dialog_opens", "page_opens", "row_appears", "switch_moves", "over_wallpaper", "checkbox")
SLOW_GRID = ("dialog_opens", "one_letter", "page_opens", "scrollbar_fades", "checkbox")
PLAIN = {
    "1 system bars": "wifi_arrow_first wifi_arrow_last clock_turns recorder_icon recording_pill "
    "home_indicator_first home_indicator_last snackbar_at_the_edge tab_at_the_bottom",
    "2 carets": "one_letter narrow_letter letters blink_then_letter caret_and_dialog caret_comes_with_focus "
    "large_thing_blinks large_thing_flashes",
    "3 tickers": "countdown countdown_first player seconds_clock counter_is_tapped counter_is_tapped_again",
    "7 late": "late_banner late_picture late_tick spinner_to_the_end",
    "8 thin fades": "scrollbar_fades scrollbar_goes_at_once dot_fades dot_goes line_fades_in",
    "9 again": "switch_again scroll_again pages_again",
    "0 ordinary": "dialog_opens page_opens row_appears ripple_then_page switch_moves checkbox badge thin_line "
    "toast_comes_and_goes launch",
    "14 drops": "turns_slowly turns_and_loses pulses sheen",
    "16 lamps": "pill_pulses_after clock_on_red_pulses light_goes_after light_flashes_after "
    "title_changes_at_the_top button_at_the_top_again",
    "17 sent": "sent_and_caret_later sent_with_hint sent_and_ends_soon field_loses_and_regains "
    "sent_from_a_lower_line focus_moves_on bar_stays quote_bar_after_sending",
    "19 loaders": "loader_circles loader_goes_to_and_fro loader_jumps_and_waits loader_shimmers loader_sweeps "
    "loader_circles_until_there loader_jumps_until_there loader_shimmers_until_there",
    "4 cursor": "cursor_then_dialog cursor_never_rests cursor_alone cursor_sets_out_after_click "
    "cursor_clicks_button chip_is_dragged",
}
RECIPES = (
    *(Recipe(group, scene) for group, scenes in PLAIN.items() for scene in scenes.split()),
    Recipe("5 grain", "checkbox", NOISY, _with_grain(4), "weak"),
    Recipe("5 grain", "dialog_opens", NOISY, _with_grain(7), "some"),
    Recipe("5 grain", "row_appears", NOISY, _with_grain(10), "strong"),
    Recipe("5 grain", "page_opens", NOISY, _with_grain(14), "very_strong"),
    Recipe("6 camera", "dialog_opens", NOISY, _by_camera(shake_px=4.0), "handheld"),
    Recipe("6 camera", "page_opens", NOISY, _by_camera(shake_px=10.0, exposure=0.06), "shaken"),
    Recipe("6 camera", "row_appears", NOISY, _by_camera(flicker=0.03), "flicker"),
    Recipe("6 camera", "launch", NOISY, _by_camera(exposure=0.15, flicker=0.01), "exposure"),
    Recipe("10 photograph", "over_wallpaper", USUAL, _refreshed, "refreshed"),
    Recipe("10 photograph", "over_wallpaper"),
    Recipe("11 limit cycle", "dialog_opens", USUAL, _cycling(4, 2, 0.0), "always"),
    Recipe("11 limit cycle", "row_appears", USUAL, _cycling(6, 1, 0.5), "afterwards"),
    Recipe("11 limit cycle", "page_opens", USUAL, _cycling(3, 2, 0.6), "faint"),
    Recipe("11 limit cycle", "little_spinner"),
    Recipe("12 first frame", "at_once", USUAL, _refined, "refined"),
    Recipe("12 first frame", "at_once"),
    *(Recipe("18 coded anew", scene, (*USUAL, CFR10), _coded_anew, "anew") for scene in ANEW),
    *(Recipe("15 slow films", scene, (CFR10, CFR20)) for scene in LEAPING),
    *(Recipe("13 rates", scene, (CFR30,)) for scene in SLOW_GRID),
    *(Recipe("13 rates", scene, (VFR, CFR120), variant="120hz", hz=120.0) for scene in FADES),
)


def main(argv: list[str] | None = None) -> int:
    """Film, encode, and write what is true; what is there of other classes is kept."""
    asked = _parser().parse_args(argv)
    recipes = [recipe for recipe in RECIPES if asked.only in ("", recipe.group.split()[0], recipe.scene)]
    if not recipes:
        raise SystemExit(f"no class or scene is called {asked.only}")
    with stage(find_browser()) as page:
        for recipe in recipes:
            seed = zlib.crc32(f"{asked.seed} {recipe.scene} {recipe.variant}".encode())
            take = film(page, recipe.scene, seed, recipe.hz)
            rows = [_record(take, recipe, capture, asked.out, seed) for capture in recipe.captures]
            keep_truth(asked.out / "truth.csv", rows)
            print(f"{recipe.group}: {recipe.name}", flush=True)
    return 0


def _record(take: Take, recipe: Recipe, capture: Capture, out: Path, seed: int) -> dict[str, Any]:
    """Write one recording and return its line of the truth."""
    video = f"videos/{recipe.name}_{capture.name}.mp4"
    alter, added_ms = recipe.altering(take, seed) if recipe.altering else (None, [])
    write(take, capture, out / video, alter, added_ms)
    hz = min(recipe.hz, capture.hz or recipe.hz)
    return {"video": video, **truth(take, recorded_times(take, capture, added_ms), hz)} | {
        "interaction_type": take.about["type"],
        "refresh_hz": recipe.hz,
        "class": recipe.group,
        "recorded": capture.name,
        "note": f"{recipe.scene} {recipe.variant}".replace("_", " ").strip(),
    }


def truth(take: Take, times_ms: list[float], hz: float = 60.0) -> dict[str, Any]:
    """Return what is true of a recording whose frames come at these times: moments in ms after the action.

    `hz` is how often a recording of this screen can show something new.
    """
    about = take.about
    said: dict[str, Any] = {"action_ms": take.action_ms}
    for kind, changes in (("", take.strict_ms), ("_visible", take.visible_ms)):
        after = [shown(times_ms, at) for at in changes if at >= take.action_ms and at <= times_ms[-1]]
        for moment, at in zip(("response", "finish"), (after[:1], after[-1:]), strict=True):
            said[f"{moment}{kind}_ms"] = round(at[0] - take.action_ms, 3) if at else None
        said[f"dropped_frames{kind}"] = dropped(after, hz) if after else None
    return said | {"outcome": about["outcome"], "settles": about["settles"]}


def dropped(changes_ms: Sequence[float], hz: float) -> int:
    """Return how many frames are missing between changes; where nothing comes for long, that is a pause."""
    gaps = np.diff(sorted(set(changes_ms)))
    return int((np.rint(gaps * hz / 1000) - 1)[gaps < PAUSE_MS].sum())


def keep_truth(file: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows into a table of truth; lines of other videos stay."""
    new = pd.DataFrame(rows)
    if file.exists():
        old = pd.read_csv(file)
        new = pd.concat([old[~old["video"].isin(new["video"])], new])
    part = file.with_suffix(".part")
    new.to_csv(part, index=False)
    part.rename(file)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.phones", description=__doc__)
    parser.add_argument("out", type=Path, help="folder for the videos and their truth")
    parser.add_argument("--only", default="", help="number of a class, or name of a scene")
    parser.add_argument("--seed", type=int, default=1, help="another one gives other pages and other times")
    return parser


if __name__ == "__main__":
    sys.exit(main())
