"""Clients that hold connections and give nothing, or take nothing, while somebody else asks for pages.

``python -m benchmarks.faults.slow_clients`` starts the product on a folder of its own, with one large screencast,
and attacks it in every way with ``--clients`` connections for ``--seconds`` each, from this machine's address. A
client that is thrown out comes back after half a second. Meanwhile somebody who is logged in asks for the first
page every 0.2 s, on a connection of its own; what has not come within 5 s is an error. Prints, for each attack:
connections that it had open at its end, pages asked for and served, errors, median and 95th percentile of what was
served.
"""

import argparse
import asyncio
import os
import resource
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from benchmarks.product import serving

ASK_EVERY_S, PATIENCE_S, COME_BACK_S = 0.2, 5.0, 0.5
SCREENCAST_BYTES = 64 << 20  # larger than what a server keeps in memory for one answer
SMALL_WINDOW = 4096


@dataclass
class Target:
    """The site under attack, and what a logged-in browser knows of it."""

    address: str
    cookie: str
    video: str

    @property
    def place(self) -> tuple[str, int]:
        """Return host and port."""
        parts = urlsplit(self.address)
        return parts.hostname or "127.0.0.1", parts.port or 80

    def get(self, path: str, *more: str) -> bytes:
        """Return a request for a page, with the lines ``more`` in its head."""
        host, port = self.place
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", f"Cookie: {self.cookie}", *more, "", ""]
        return "\r\n".join(lines).encode()


@dataclass
class Asked:
    """What came of the pages that were asked for."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def row(self, name: str, open_at_end: int) -> str:
        """Return a line of the table."""
        served, missed = len(self.seconds), len(self.errors)
        often = "; ".join(sorted(set(self.errors)))
        taken = (median(self.seconds), p95(self.seconds)) if served else ()
        ms = [f"{1000 * value:6.0f}" for value in taken] or ["     –"] * 2
        return f"{name:22} {open_at_end:6} {served + missed:6} {served:6} {missed:6}  {'  '.join(ms)}   {often}"


Client = Callable[[Target, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def silent(target: Target, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Connect and say nothing."""
    await reader.read()


async def slow_head(target: Target, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send the head of a request, a letter a second, without end (slowloris)."""
    writer.write(target.get("/login/")[:-2] + b"X-Long: ")
    while not reader.at_eof():
        await _send(writer, b"x")


async def slow_body(target: Target, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Promise a form of a megabyte and send it a letter a second."""
    head = target.get("/login/", "Content-Length: 1000000", "Content-Type: application/x-www-form-urlencoded")
    writer.write(head.replace(b"GET", b"POST", 1))
    while not reader.at_eof():
        await _send(writer, b"x")


async def slow_reader(target: Target, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Ask for the large screencast and take a kilobyte a second."""
    writer.write(target.get(target.video))
    while await reader.read(1024):
        await asyncio.sleep(1.0)


async def half_open(target: Target, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take one page, promise to stay, and never ask again."""
    writer.write(target.get("/login/", "Connection: keep-alive"))
    while await reader.read(1 << 16):
        pass


ATTACKS: dict[str, Client | None] = {
    "nobody": None,
    "silent": silent,
    "slow heads": slow_head,
    "slow bodies": slow_body,
    "slow readers": slow_reader,
    "half-open keep-alives": half_open,
}


async def attack(target: Target, client: Client | None, clients: int, seconds: float) -> tuple[Asked, int]:
    """Attack for some seconds; return what came of the pages asked for meanwhile and the connections left."""
    held: set[object] = set()
    crowd = [asyncio.create_task(_come_back(target, client, held)) for _ in range(clients if client else 0)]
    await asyncio.sleep(1.0)
    asked = Asked()
    pages = []
    for _ in range(round(seconds / ASK_EVERY_S)):
        pages.append(asyncio.create_task(_ask(target, asked)))
        await asyncio.sleep(ASK_EVERY_S)
    await asyncio.gather(*pages)
    left = len(held)
    for task in crowd:
        task.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
    await asyncio.sleep(1.0)
    return asked, left


async def _come_back(target: Target, client: Client, held: set[object]) -> None:
    """Be one client, again and again."""
    while True:
        with suppress(OSError):
            await _be(client, target, held)
        await asyncio.sleep(COME_BACK_S)


async def _be(client: Client, target: Target, held: set[object]) -> None:
    plug = socket.socket()
    plug.setblocking(False)
    plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_WINDOW)
    try:
        await asyncio.get_running_loop().sock_connect(plug, target.place)
    except BaseException:
        plug.close()
        raise
    reader, writer = await asyncio.open_connection(sock=plug, limit=SMALL_WINDOW)
    held.add(writer)
    try:
        await client(target, reader, writer)
    finally:
        held.discard(writer)
        writer.close()


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()
    await asyncio.sleep(1.0)


async def _ask(target: Target, asked: Asked) -> None:
    start = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE_S):
            status = await _status(target)
    except (OSError, TimeoutError) as error:
        asked.errors.append(type(error).__name__)
        return
    if status == 200:
        asked.seconds.append(time.perf_counter() - start)
    else:
        asked.errors.append(f"status {status}")


async def _status(target: Target) -> int:
    """Ask for the first page, read it to its end, return its status."""
    reader, writer = await asyncio.open_connection(*target.place)
    try:
        writer.write(target.get("/", "Connection: close"))
        answer = await reader.read()
    finally:
        writer.close()
    return int(answer[9:12] or 0)


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return quantiles([*values, *values[:1]], n=20, method="inclusive")[-1]


def prepare(var: Path) -> tuple[str, str]:
    """Make an installation with one large screencast; return a session's cookie and the screencast's address."""
    os.environ.update(DJANGO_SETTINGS_MODULE="upreg_site.settings", UPREG_VAR_DIR=str(var))
    import django

    django.setup()
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from tests import factories

    call_command("migrate", verbosity=0)
    run = factories.run(file_bytes=SCREENCAST_BYTES)
    file = var / "media" / run.file_name
    file.parent.mkdir(parents=True)
    with file.open("wb") as stream:
        stream.truncate(SCREENCAST_BYTES)
    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("attacked", password="attacked"))
    return f"sessionid={browser.cookies['sessionid'].value}", f"/runs/{run.pk}/video/"


def main() -> None:
    """Attack in every way and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=150, help="connections of an attack (%(default)s)")
    parser.add_argument("--seconds", type=float, default=15.0, help="length of an attack (%(default)s)")
    parser.add_argument("--attack", choices=ATTACKS, action="append", help="only this one; may be repeated")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most) if most > 0 else 4096, most))
    with TemporaryDirectory() as folder:
        cookie, video = prepare(Path(folder))
        with serving(Path(folder), "--no-samples", "--no-worker") as address:
            target = Target(address, cookie, video)
            asyncio.run(_status(target))  # what is loaded at the first page is no attack's doing
            print(f"{options.clients} clients, load average {os.getloadavg()[0]:.1f}")
            print(f"{'attack':22} {'open':>6} {'asked':>6} {'served':>6} {'errors':>6}  median     p95  ms")
            for name in options.attack or ATTACKS:
                asked, left = asyncio.run(attack(target, ATTACKS[name], options.clients, options.seconds))
                print(asked.row(name, left), flush=True)


if __name__ == "__main__":
    main()
