"""Fifty people walk the ranking and the drill-down while the workers measure.

``python -m benchmarks.load`` starts the product with its samples, has a real browser visit the ranking and each
drill-down once and keeps what it asked for: pages, styles, scripts, numbers, pictures, parts of films. Then
``--people`` people, each with a session, an empty cache and six connections of its own, come within 10 s and walk
for ``--seconds``: the ranking, a drill-down or two from it, the ranking again, and look at each for a while; what a
page asks for is asked for as the browser did, the state of the queue every 2 s as its header does. Meanwhile two
worker processes measure the samples, again and again. What has not come within 10 s, or with a status of 400 or
more, is an error. Prints for each kind of request how many there were, errors, median and 95th percentile, and what
the workers measured. ``--folder DIR`` keeps the measured samples for the next time; ``--idle`` leaves the workers
without work.

``--look`` says how long a page is looked at. 4 to 10 s is quick: of all pages that people visit, a quarter is left
within 4 s and half within 10 s (Weinreich, Obendorf, Herder, Mayer: Not Quite the Average, ACM Transactions on the
Web 2(1), 2008), and a ranking or a film takes more looking at than most. 1 to 3 s is nobody's pace; it shows where
the limit lies. Each number of people is tried with each of these.
"""

import argparse
import asyncio
import logging
import os
import random
import re
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import product as product_of
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from playwright.sync_api import Request

from benchmarks.faults.slow_clients import p95
from benchmarks.product import RANKING, SCREENS_READY, Product, running_product, until

ARRIVE_S, QUEUE_EVERY_S, PATIENCE_S, CONNECTIONS = 10.0, 2.0, 10.0, 6
LOOKS = [(4.0, 10.0), (1.0, 3.0)]
FEW = 20  # runs left: then all are queued again
QUEUE = "/api/queue/"
KINDS = (
    (re.compile(r"/compare/[^/]+/[^/]+/$"), "ranking"),
    (re.compile(r"/compare/[^/]+/[^/]+/[^/]+/[^/]+/$"), "drill-down"),
    (re.compile(r"/static/|/favicon"), "styles, scripts, fonts"),
    (re.compile(r"/runs/\d+/(video|proxy)"), "films"),
    (re.compile(r"\.(webp|png)$"), "pictures"),
    (re.compile(QUEUE), "queue"),
)
_MAX_AGE = re.compile(rb"cache-control:[^\r]*max-age=(\d+)", re.IGNORECASE)
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """One thing that a page asks for."""

    path: str
    part: str = ""  # of a film, as its Range header

    @property
    def kind(self) -> str:
        """Return the row of the table."""
        place = self.path.partition("?")[0]
        return next((kind for pattern, kind in KINDS if pattern.search(place)), "numbers")


def record(product: Product) -> dict[str, list[Asked]]:
    """Return for the ranking and each drill-down what a browser with an empty cache asks for, the page first."""
    found: dict[str, list[Asked]] = {}
    with product.visitor() as context:
        page = context.new_page()
        page.goto(RANKING)
        links = page.eval_on_selector_all("a[href]", "all => all.map((link) => link.pathname)")
    inside = re.compile(re.escape(RANKING) + r"[^/]+\.[^/]+/[^/]+/$")
    for path in [RANKING, *sorted({link for link in links if inside.match(link)})]:
        with product.visitor() as context:
            page = context.new_page()
            asked = found.setdefault(path, [])
            page.on("request", lambda request, asked=asked: _note(request, asked))
            page.goto(path)
            if path != RANKING:
                until(page, SCREENS_READY)
            page.wait_for_timeout(1500)
    return found


def _note(request: Request, asked: list[Asked]) -> None:
    address = urlsplit(request.url)
    if request.method == "GET" and address.scheme == "http" and address.path != QUEUE:
        path = address.path + (f"?{address.query}" if address.query else "")
        asked.append(Asked(path, request.headers.get("range", "")))


@dataclass
class Tally:
    """Seconds and errors by kind."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def table(self) -> Iterator[str]:
        """Yield the lines of the table."""
        yield f"{'what':24} {'count':>7} {'errors':>7} {'median':>7} {'p95':>7}  ms"
        everything = [took for each in self.seconds.values() for took in each]
        rows = [*sorted(self.seconds.items()), ("all", everything)]
        for kind, took in rows:
            wrong = sum(map(len, self.errors.values())) if kind == "all" else len(self.errors[kind])
            middle, high = (1000 * median(took), 1000 * p95(took)) if took else (0.0, 0.0)
            yield f"{kind:24} {len(took) + wrong:7} {wrong:7} {middle:7.0f} {high:7.0f}"
        for kind, words in sorted(self.errors.items()):
            if words:
                yield f"errors of {kind}: {'; '.join(sorted(set(words)))}"


class Person:
    """One browser: a session, a cache, some connections that stay open."""

    def __init__(self, place: tuple[str, int], cookie: str, tally: Tally, look_s: tuple[float, float]) -> None:
        self._place, self._cookie, self._tally, self._look_s = place, cookie, tally, look_s
        self._kept: set[Asked] = set()
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._slots = asyncio.Semaphore(CONNECTIONS)

    async def walk(self, pages: dict[str, list[Asked]], end: float, chance: random.Random) -> None:
        """Walk until the end; the queue is asked meanwhile."""
        await asyncio.sleep(chance.uniform(0, ARRIVE_S))
        looking = asyncio.create_task(self._watch(end))
        drilldowns = [path for path in pages if path != RANKING]
        try:
            while time.monotonic() < end:
                for path in (RANKING, *chance.sample(drilldowns, chance.choice((1, 2)))):
                    await self._visit(pages[path])
                    await asyncio.sleep(chance.uniform(*self._look_s))
                    if time.monotonic() > end:
                        break
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            for _, writer in self._free:
                writer.close()

    async def _watch(self, end: float) -> None:
        while time.monotonic() < end:
            await asyncio.sleep(QUEUE_EVERY_S)
            await self._get(Asked(QUEUE))

    async def _visit(self, page: list[Asked]) -> None:
        await self._get(page[0])
        await asyncio.gather(*(self._get(asked) for asked in page[1:] if asked not in self._kept))

    async def _get(self, asked: Asked) -> None:
        async with self._slots:
            start = time.perf_counter()
            try:
                async with asyncio.timeout(PATIENCE_S):
                    status, head = await self._exchange(asked)
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                self._tally.errors[asked.kind].append(type(error).__name__)
                return
        if status >= 400:
            self._tally.errors[asked.kind].append(f"status {status}")
            return
        self._tally.seconds[asked.kind].append(time.perf_counter() - start)
        kept = _MAX_AGE.search(head)
        if kept and int(kept[1]) > 60:
            self._kept.add(asked)

    async def _exchange(self, asked: Asked) -> tuple[int, bytes]:
        """Ask on a connection that is free, or on a new one; as in a browser, a kept one may have ended."""
        reused = bool(self._free)
        reader, writer = self._free.pop() if reused else await asyncio.open_connection(*self._place)
        lines = [
            f"GET {asked.path} HTTP/1.1",
            f"Host: {self._place[0]}:{self._place[1]}",
            f"Cookie: {self._cookie}",
        ]
        lines += ["Accept-Encoding: gzip", *([f"Range: {asked.part}"] if asked.part else []), "", ""]
        try:
            writer.write("\r\n".join(lines).encode())
            head = await reader.readuntil(b"\r\n\r\n")
        except (OSError, asyncio.IncompleteReadError):
            writer.close()
            if reused:
                return await self._exchange(asked)
            raise
        status = int(head[9:12])
        try:
            await _body(reader, status, head)
        except BaseException:
            writer.close()
            raise
        self._free.append((reader, writer))
        return status, head


async def _body(reader: asyncio.StreamReader, status: int, head: bytes) -> None:
    length = _LENGTH.search(head)
    if status in (204, 304):
        return
    if length:
        await reader.readexactly(int(length[1]))
        return
    while size := int(await reader.readline(), 16):
        await reader.readexactly(size + 2)
    await reader.readline()


def sessions(people: int) -> list[str]:
    """Sign that many people up and in; return their cookies."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    cookies = []
    for number in range(people):
        user, _ = get_user_model().objects.get_or_create(username=f"walker{number}")
        browser = Client()
        browser.force_login(user)
        cookies.append(f"sessionid={browser.cookies['sessionid'].value}")
    return cookies


class Work:
    """Keeps the workers busy, and knows how many runs they have measured."""

    def __init__(self) -> None:
        self._queued, self._over = 0, threading.Event()

    def done(self) -> int:
        """Return how many runs were measured since the start."""
        return self._queued - self._open()

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Queue what is measured anew whenever little is left."""
        thread = threading.Thread(target=self._keep, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _keep(self) -> None:
        from django.db import connection

        while not self._over.wait(1.0):
            if self._open() < FEW:
                self.queue()
        connection.close()

    def queue(self) -> None:
        """Queue every run that is not waiting already."""
        from reports.measuring.services import measure_runs_anew
        from reports.models import Run, RunStatus

        judged = Run.objects.filter(status__in=[RunStatus.DONE, RunStatus.FAILED])
        count = judged.count()
        measure_runs_anew(runs=judged)
        self._queued += count

    def _open(self) -> int:
        from reports.models import Run, RunStatus

        return Run.objects.filter(status__in=[RunStatus.PENDING, RunStatus.RUNNING]).count()


async def crowd(
    place: tuple[str, int],
    cookies: list[str],
    pages: dict[str, list[Asked]],
    seconds: float,
    look_s: tuple[float, float],
) -> Tally:
    """Have everybody walk; return what came of it."""
    tally, end = Tally(), time.monotonic() + seconds
    people = [Person(place, cookie, tally, look_s) for cookie in cookies]
    walks = (person.walk(pages, end, random.Random(number)) for number, person in enumerate(people))
    await asyncio.gather(*walks)
    return tally


def seconds_between(words: str) -> tuple[float, float]:
    """Read ``4-10``."""
    low, _, high = words.partition("-")
    return float(low), float(high)


@contextmanager
def folder_of(kept: Path | None) -> Iterator[Path]:
    """Give the folder that is kept, or one for this time."""
    if kept:
        yield kept.resolve()
        return
    with TemporaryDirectory() as made:
        yield Path(made)


def main() -> None:
    """Start, record, walk, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, nargs="+", default=[50], help="people (%(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they walk (%(default)s)")
    parser.add_argument(
        "--look", type=seconds_between, nargs="+", default=LOOKS, metavar="LOW-HIGH", help="s on a page (4-10 1-3)"
    )
    parser.add_argument("--folder", type=Path, help="keep the product's data here and use it again")
    parser.add_argument("--idle", action="store_true", help="no worker has work")
    options = parser.parse_args()
    with folder_of(options.folder) as var:
        os.environ.update(DJANGO_SETTINGS_MODULE="upreg_site.settings", UPREG_VAR_DIR=str(var))
        with running_product(var) as product:
            pages = record(product)
            product.browser.close()
            # Django here reads and writes the same database, as another process of the site would.
            import django

            django.setup()
            logging.disable(logging.INFO)
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright has a loop of its own in this thread
            cookies, work = sessions(max(options.people)), Work()
            if not options.idle:
                work.queue()
            with nullcontext() if options.idle else work.going_on():
                for look_s, people in product_of(options.look, options.people):
                    _round(product.address, cookies[:people], pages, options.seconds, look_s, work)


def _round(
    address: str,
    cookies: list[str],
    pages: dict[str, list[Asked]],
    seconds: float,
    look_s: tuple[float, float],
    work: Work,
) -> None:
    place, load = urlsplit(address), os.getloadavg()[0]
    at = place.hostname or "", place.port or 80
    before, start = work.done(), time.monotonic()
    with ThreadPoolExecutor(1) as apart:  # Playwright's loop is this thread's
        tally = apart.submit(asyncio.run, crowd(at, cookies, pages, seconds, look_s)).result()
    took, done = time.monotonic() - start, work.done() - before
    print(
        f"{len(cookies)} people, {look_s[0]:g} to {look_s[1]:g} s on a page, {took:.0f} s; load average "
        f"{load:.1f} before, {os.getloadavg()[0]:.1f} after, on {os.cpu_count()} cores"
    )
    print("\n".join(tally.table()))
    print(f"measured meanwhile: {done} runs, {60 * done / took:.0f} a minute\n", flush=True)


if __name__ == "__main__":
    main()
