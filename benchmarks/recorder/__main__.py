"""Film web apps on Chromium builds of three years: `python -m benchmarks.recorder record RAW`, then `encode RAW`.

The history among the samples (samples/history.csv) was made by it, on Linux and x64, with node and npm. `record`
keeps every picture that the browser's screen delivered with its own timestamp, and the instant of the input as the
page got it, on the same clock; `encode` makes films and a manifest of them. Run `record` on a machine that has
nothing else to do. What is recorded already is left as it is, so that it can go on after an interruption.

A phone is emulated: 412 × 892 CSS px, touch, and a processor that is slowed down 4 times, as Lighthouse does. Every
run has a page of its own with an empty cache, in a browser that is warm; the builds take turns, and another one
begins in each round.
"""

import argparse
import asyncio
import csv
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Error, async_playwright

from benchmarks.postgres import free_port
from benchmarks.recorder.browsers import BUILDS, Build, executable, site
from benchmarks.recorder.filming import Film, film, keep, kept, write_video
from benchmarks.recorder.scenes import HOME, SCENES, Scene

FLAGS = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
CHANNEL, DEVICE = "chromium", "phone emulation"


async def record(raw: Path, cache: Path, rounds: int, until: datetime | None) -> None:
    """Film every scene on every build, in rounds, until all is done or it is that late."""
    async with opened(cache) as (browsers, address):
        for browser in browsers.values():
            await warm_up(browser, [address + path for path in sorted({scene.path for scene in SCENES})])
        for round_, scene, build in turns(rounds):
            file = raw / scene.slug / f"{build.name}_{round_:02}.zip"
            if until and datetime.now() > until:
                print("It is late; the rest is not recorded.")
                return
            if not file.is_file():
                print(f"{datetime.now():%H:%M:%S} {file.relative_to(raw)}", flush=True)
                try:
                    keep(file, await film(browsers[build.name], address, scene))
                except (RuntimeError, Error) as error:
                    print(f"is left: {error}")


async def warm_up(browser: Browser, addresses: list[str]) -> None:
    """Show every page once, so that no run pays for what a browser does when it is new."""
    for address in addresses:
        page = await browser.new_page()
        await page.goto(address)
        await page.context.close()


def turns(rounds: int) -> Iterable[tuple[int, Scene, Build]]:
    """Yield what is to be filmed next: the builds take turns, another one begins in each round."""
    for round_ in range(1, rounds + 1):
        first = (round_ - 1) * 3 % len(BUILDS)
        for scene in SCENES:
            for build in BUILDS[first:] + BUILDS[:first]:
                yield round_, scene, build


@asynccontextmanager
async def opened(cache: Path) -> AsyncIterator[tuple[dict[str, Browser], str]]:
    """Start every build and the server of the apps; give the browsers by name, and the address."""
    folder, port = site(cache), free_port()
    (folder / "home.html").write_text(HOME)
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        async with async_playwright() as playwright:
            browsers = {}
            for build in BUILDS:
                path = executable(build, cache)
                browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
                if browser.version != build.version:
                    raise SystemExit(f"{path} says that it is {browser.version}, not {build.version}")
                browsers[build.name] = browser
            yield browsers, f"http://127.0.0.1:{port}"
            for browser in browsers.values():
                await browser.close()
    finally:
        server.terminate()
        server.wait()


def encode(raw: Path, samples: Path) -> None:
    """Make videos and a manifest of what was recorded."""
    rows = []
    for scene in SCENES:
        for build in BUILDS:
            for file in sorted((raw / scene.slug).glob(f"{build.name}_*.zip")):
                run = kept(file)
                rows.append(line_of(scene, build, run, name=file.stem))
                write_video(run, samples / rows[-1]["video"])
    with (samples / "history.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} videos, {sum((samples / row['video']).stat().st_size for row in rows) / 1e6:.1f} MB")


def line_of(scene: Scene, build: Build, run: Film, *, name: str) -> dict[str, Any]:
    """Return the line of the manifest."""
    return {
        "os_version": build.name,
        "channel": CHANNEL,
        "released_on": build.released_on,
        "build": build.version,
        "device": DEVICE,
        "app": scene.app,
        "app_version": scene.app_version,
        "package": scene.package,
        "category": scene.category,
        "interaction": scene.interaction,
        "interaction_type": scene.type,
        "scenario": scene.scenario,
        "repetition": int(name.rpartition("_")[2]),
        "capture": "vfr",
        "video": f"videos/history/{scene.slug}/{name}.mp4",
        "action_ms": run.action_ms,
        "refresh_hz": 60,
        "recorded_at": run.recorded_at,
    }


def main() -> None:
    """Record, or make videos of what was recorded."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recorder",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=["record", "encode"])
    parser.add_argument("raw", type=Path, help="folder with what was recorded")
    parser.add_argument("--cache", type=Path, default=Path("build/chromium"), help="keep browsers and apps here")
    parser.add_argument("--samples", type=Path, default=Path("samples"), help="where videos and manifest go")
    parser.add_argument("--rounds", type=int, default=6, help="runs of each interaction on each build")
    parser.add_argument("--until", type=datetime.fromisoformat, help="begin no recording after this, local time")
    asked = parser.parse_args()
    if asked.what == "encode":
        encode(asked.raw, asked.samples)
    else:
        asyncio.run(record(asked.raw, asked.cache, asked.rounds, asked.until))


if __name__ == "__main__":
    main()
