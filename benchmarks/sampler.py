"""What the sampler of resources costs: `python -m benchmarks.sampler`.

A page does a fixed piece of work (JavaScript, layout, painting), with the sampler and without it in turns, another
one first in each pair. Compared are what the page took by its own clock, what processor time all processes of the
browser took, and the memory that they held. Then the sampler looks at that browser alone, for what it takes itself.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Page, async_playwright

from tests.find_browser import CURE, find_browser
from upreg_recorder.traces import Sample, Sampler, procfs, write_trace

WORK = """rounds => {
  const began = performance.now()
  let kept = 0
  for (let round = 0; round < rounds; round++) {
    const list = document.createElement('ul')
    for (let item = 0; item < 400; item++) {
      const line = document.createElement('li')
      line.textContent = `${round} ${(item * 16807 % 997).toString(36)}`
      list.append(line)
    }
    document.body.replaceChildren(list)
    kept += document.body.offsetHeight + [...list.children].map(each => each.textContent).sort().length
  }
  return performance.now() - began
}"""
ROUNDS, ALONE_S = 60, 5.0


@dataclass(frozen=True)
class Turn:
    """One piece of work: ms by the page's clock, s of processor time of the browser, MB that it held at its end."""

    page_ms: float
    processor_s: float
    memory_mb: float


async def measure(pairs: int, every_ms: float) -> None:
    """Do the work in turns, and print what it took."""
    path = find_browser()
    if not path:
        raise SystemExit(CURE)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--disable-gpu"])
        session = await browser.new_browser_cdp_session()
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        pid = next(each["id"] for each in processes if each["type"] == "browser")
        page = await browser.new_page()
        await turn(page, pid, None)
        found: dict[bool, list[Turn]] = {True: [], False: []}
        for pair in range(pairs):
            for sampled in (pair % 2 == 0, pair % 2 == 1):
                found[sampled].append(await turn(page, pid, every_ms if sampled else None))
        print(f"{pairs} pairs, {len(procfs.tree(pid))} processes, looked at every {every_ms:g} ms\n")
        show(found)
        alone(pid, every_ms)
        await browser.close()


async def turn(page: Page, pid: int, every_ms: float | None) -> Turn:
    """Do the work once in a fresh document, sampled or not."""
    await page.goto("about:blank")
    sampler = Sampler(pid, every_ms) if every_ms else None
    before = spent_s(pid)
    if sampler:
        sampler.start()
    page_ms = await page.evaluate(WORK, ROUNDS)
    if sampler:
        await asyncio.to_thread(sampler.stop)
    return Turn(page_ms, spent_s(pid) - before, held_mb(pid))


def show(found: dict[bool, list[Turn]]) -> None:
    """Print medians without and with the sampler, and the median of the ratios of pairs with how they spread."""
    print(f"{'of the browser':24}{'without':>10}{'with':>10}{'ratio':>8}   quartiles")
    for label, key in (("page, ms", "page_ms"), ("processor time, s", "processor_s"), ("memory, MB", "memory_mb")):
        without, with_ = ([getattr(each, key) for each in found[sampled]] for sampled in (False, True))
        ratios = [one / other for one, other in zip(with_, without, strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        medians = f"{statistics.median(without):10.2f}{statistics.median(with_):10.2f}"
        print(f"{label:24}{medians}{middle:8.3f}   {low:.3f} to {high:.3f}")


def alone(pid: int, every_ms: float) -> None:
    """Print what the sampler itself takes, while nothing else runs in this process."""
    sampler, began = Sampler(pid, every_ms), time.process_time()
    sampler.start()
    time.sleep(ALONE_S)
    recording = sampler.stop()
    processor_s, kept = time.process_time() - began, sum(map(bytes_of, recording.samples))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "a.perfetto-trace"
        began = time.process_time()
        write_trace(recording, file)
        written_s, size = time.process_time() - began, file.stat().st_size
    each_s = f"{kept / ALONE_S / 1e3:.0f} kB kept for each s"
    print(f"\nthe sampler itself: {processor_s / ALONE_S:.2%} of a core, {each_s}")
    size_each_s = f"{size / ALONE_S / 1e3:.1f} kB for each s"
    print(f"its trace, written after the film: {written_s:.2f} s of processor time, {size_each_s}")


def bytes_of(sample: Sample) -> int:
    """Return how much text a sample keeps, bytes."""
    texts = [text for pair in sample.processes.values() for text in pair]
    return sum(map(len, [*texts, sample.stat, sample.meminfo, *sample.khz]))


def spent_s(pid: int) -> float:
    """Return the processor time of a tree of processes, s; to 10 ms, as the kernel tells it."""
    stats = map(procfs.parse_stat, texts(pid, "stat"))
    return sum(stat.user_ns + stat.kernel_ns for stat in stats) / 1e9


def held_mb(pid: int) -> float:
    """Return what a tree of processes holds of memory that is no file, MB."""
    said = map(procfs.parse_lines, texts(pid, "status"))
    return sum(procfs.kilobytes(each.get("RssAnon", "0 kB")) for each in said) / 1e3


def texts(pid: int, name: str) -> Iterator[bytes]:
    """Yield a file of /proc of each process of a tree."""
    for each in procfs.tree(pid):
        with suppress(OSError):  # it has ended meanwhile
            yield (procfs.PROC / str(each) / name).read_bytes()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.sampler",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pairs", type=int, default=20, help="pairs of pieces of work, with and without")
    parser.add_argument("--every", type=float, default=100.0, metavar="MS", help="between two samples")
    asked = parser.parse_args()
    asyncio.run(measure(asked.pairs, asked.every))


if __name__ == "__main__":
    main()
