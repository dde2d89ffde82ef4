"""A newcomer's path: from a folder of videos to the ranking, in the browser alone.

``python -m benchmarks.newcomer`` starts the product empty, on loopback, and walks two paths, each in an
installation of its own, from the login to the first row of the ranking: a folder of recordings whose names say
version, app, interaction and repetition, and a zip of the same recordings with their manifest. The recordings are
those of the samples: two versions, two interactions, five of each. Those of the folder are written anew at a
constant rate, as a capture card does, so that a picture shows when the user acts; here the samples' own manifest
stands for the eye.

It prints clicks (a choice in a list is two, a key one, the system's dialog for files three), typed fields, and
seconds of the machine: while pages answer, and while nothing can be done but wait for the queue. A person's reading
comes on top. ``--shots DIR`` keeps a picture of each page as it is reached.
"""

import argparse
import csv
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import av
import cv2
from playwright.sync_api import Locator, Page

from analysis.video.opening import open_container
from benchmarks.journeys import Walked, Walker, rows, walk_steps
from benchmarks.phones.captures import CFR60, write
from benchmarks.phones.filming import Take
from benchmarks.product import BASE, NEW, PATIENCE_MS, ROOT, Product, running_product
from reports.launch.login import USER

SAMPLES = ROOT / "samples"
TYPES = {"add item": "type", "open side panel": "tap"}
REPETITIONS = 5
MEASURED_MS = 600_000  # what has not come by then will not come
FRAME_MS = 1000 / 60
Shoot = Callable[[Page], None]


def chosen_rows() -> list[dict[str, str]]:
    """Return the lines of the samples' manifest that the newcomer has recorded."""
    with (SAMPLES / "runs.csv").open(encoding="utf-8", newline="") as stream:
        found = [row for row in csv.DictReader(stream) if row["interaction"] in TYPES]
    return [row for row in found if int(row["repetition"]) <= REPETITIONS]


def _path(row: dict[str, str]) -> str:
    return f"films/{row['os_version']}/{row['app']}/{row['interaction']}/{row['repetition']}.mp4"


def make_folder(inside: Path, chosen: list[dict[str, str]]) -> Path:
    """Write the recordings at a constant rate, into folders as people name them; return the widest."""
    for row in chosen:
        write(_take(SAMPLES / row["video"]), CFR60, inside / _path(row))
    return inside / "films"


def _take(film: Path) -> Take:
    """Return the pictures of a film, and when each came."""
    with open_container(film) as container:
        frames = [(1000 * float(frame.time), _png(frame)) for frame in container.decode(video=0)]
    times_ms, pictures = zip(*frames, strict=True)
    return Take(times_ms, pictures, (), (), seconds=times_ms[-1] / 1000)


def _png(frame: av.VideoFrame) -> bytes:
    return cv2.imencode(".png", frame.to_ndarray(format="bgr24"))[1].tobytes()


def make_zip(file: Path, chosen: list[dict[str, str]]) -> Path:
    """Pack the recordings with their manifest; return the zip."""
    manifest = file.with_suffix(".csv")
    with manifest.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, chosen[0])
        writer.writeheader()
        writer.writerows(chosen)
    with ZipFile(file, "w") as archive:
        archive.write(manifest, "runs.csv")
        for row in chosen:
            archive.write(SAMPLES / row["video"], row["video"])
    return file


def with_folder(walker: Walker, *, password: str, folder: Path, actions: dict[str, float], shoot: Shoot) -> None:
    """Send a folder, say what its names do not: the type of each interaction, the action of each recording."""
    page = walker.page
    _log_in(walker, password, shoot)
    _send(walker, "Or a whole folder", folder, shoot)
    for interaction, kind in TYPES.items():
        walker.clicks += 2
        page.get_by_role("combobox", name=re.compile(rf"^{interaction} in ")).select_option(kind)
    walker.click(page.get_by_role("button", name="Set and look again").first)
    shoot(page)
    walker.click(page.get_by_role("button", name=re.compile("^On the picture")).first)
    shoot(page)
    for _ in actions:
        _set_action(walker, actions)
    shoot(page)
    _import_and_compare(walker, len(actions), shoot)


def with_zip(walker: Walker, *, password: str, file: Path, recordings: int, shoot: Shoot) -> None:
    """Send a zip with its manifest: nothing is left to say."""
    _log_in(walker, password, shoot)
    _send(walker, "Choose files", file, shoot)
    _import_and_compare(walker, recordings, shoot)


def _log_in(walker: Walker, password: str, shoot: Shoot) -> None:
    walker.type("User name", USER)
    walker.type("Password", password)
    walker.click(walker.page.get_by_role("button", name="Log in"))
    start = walker.page.get_by_role("link", name="Import recordings")
    start.wait_for()
    shoot(walker.page)
    walker.click(start)


def _send(walker: Walker, field: str, what: Path, shoot: Shoot) -> None:
    page = walker.page
    walker.send(field, what)
    shoot(page)
    walker.click(page.get_by_role("button", name="Send and look"))
    page.wait_for_url(re.compile(r"/import/[0-9a-f-]{36}/"))
    shoot(page)


def _set_action(walker: Walker, actions: dict[str, float]) -> None:
    """Step to the frame nearest to when the user acts, ten at once while that is nearer, and set it there."""
    page = walker.page
    page.wait_for_load_state()  # keys are heard from then on
    path = page.locator(".page-head .import-message").inner_text()
    shown = page.locator(".frames-at b")
    while frames := round((actions[path] - _ms(shown.inner_text())) / FRAME_MS):
        before = shown.inner_text()
        walker.press(("Shift+" if abs(frames) > 5 else "") + ("ArrowRight" if frames > 0 else "ArrowLeft"))
        _until_not(page, shown, before)
    walker.press("Enter")
    _until_not(page, page.locator(".page-head h1 + span"), path)


def _until_not(page: Page, shown: Locator, before: str) -> None:
    """Wait until something else is shown."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while shown.inner_text() == before:
        if time.monotonic() > end:
            raise SystemExit(f"{page.url}: still {before}")
        page.wait_for_timeout(10)


def _ms(text: str) -> float:
    return float(re.sub(r"[^0-9.]", "", text.replace("ms", "")))


def _import_and_compare(walker: Walker, recordings: int, shoot: Shoot) -> None:
    page = walker.page
    walker.click(page.get_by_role("button", name=f"Import {recordings} recordings"))
    with walker.waiting():
        page.get_by_text(f"{recordings} of {recordings} recordings measured").wait_for(timeout=MEASURED_MS)
    shoot(page)
    walker.click(page.get_by_role("link", name=f"Compare {BASE} with {NEW}"))
    shoot(page)
    walker.click(page.get_by_role("button", name="Compare", exact=True))
    page.wait_for_url(re.compile(rf"/compare/{re.escape(BASE)}/{re.escape(NEW)}/"))
    with walker.waiting():
        rows(page).first.wait_for(timeout=MEASURED_MS)
    shoot(page)


def table(walks: list[Walked]) -> str:
    """Return what the paths took in Markdown."""
    lines = [
        "| from an empty installation, with | clicks | typed fields | pages, s | waiting, s |",
        "| --- " * 5 + "|",
    ]
    for walked in walks:
        pages = walked.seconds - walked.waited_s
        lines.append(f"| {walked.way} | {walked.clicks} | {walked.typed} | {pages:.0f} | {walked.waited_s:.0f} |")
    return "\n".join(lines)


@contextmanager
def _empty(shots: Path | None, name: str) -> Iterator[tuple[Product, Shoot]]:
    numbers = count(1)

    def shoot(page: Page) -> None:
        if shots is not None:
            page.screenshot(path=shots / f"{name}-{next(numbers)}.png")

    with running_product(samples=False) as product:
        yield product, shoot


def main() -> None:
    """Walk both paths, print what they took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shots", type=Path, help="keep pictures of the pages here")
    asked = parser.parse_args()
    chosen = chosen_rows()
    walks = []
    with TemporaryDirectory() as name:
        folder, file = make_folder(Path(name), chosen), make_zip(Path(name) / "films.zip", chosen)
        with _empty(asked.shots, "folder") as (product, shoot):
            actions = {_path(row): float(row["action_ms"]) for row in chosen}
            steps = partial(with_folder, password=product.password, folder=folder, actions=actions, shoot=shoot)
            walks.append(walk_steps(product, f"a folder of {len(chosen)} recordings", steps, logged_in=False))
        with _empty(asked.shots, "zip") as (product, shoot):
            steps = partial(with_zip, password=product.password, file=file, recordings=len(chosen), shoot=shoot)
            walks.append(walk_steps(product, f"a zip of {len(chosen)} and a manifest", steps, logged_in=False))
    print(table(walks))


if __name__ == "__main__":
    main()
