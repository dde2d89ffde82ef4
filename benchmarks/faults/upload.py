"""A disk that fills up, and a server that is killed, during an upload: `python -m benchmarks.faults.upload`.

The tus project's own client sends a recording of ``--mb`` MB to the product with a token. In the first fault the
file system of the screencasts (in memory; needs root) is filled halfway and given room again; in the second all
processes of the server are killed (SIGKILL) ``--kills`` times while parts are sent, and started again. Prints what
was lost: an answer that is no problem in words, a part that was stored and is not there any more, a run whose
recording is not the one that was sent.
"""

from __future__ import annotations

import argparse
import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed
from tusclient.uploader import Uploader

from benchmarks.faults.disk_full import grow, small_disk
from benchmarks.faults.installation import LONGEST_S, Installation, Outcome, installation, kill
from benchmarks.postgres import free_port
from tests.intake import MP4_HEAD

PART_BYTES = 1 << 20
ROW = {"os_version": "13.0", "app": "Mail", "interaction": "open inbox", "interaction_type": "tap", "repetition": 1,
       "action_ms": 250}  # fmt: skip
TOKEN = """
from django.contrib.auth import get_user_model
from reports.tokens.services import make_token
person = get_user_model().objects.create_superuser("farm", password="only-for-this-benchmark")
print(make_token(user=person, name="farm", scopes=["upload"], days=1)[1])
"""


class Site:
    """The product on a port of its own, and a farm's host that sends it a file."""

    def __init__(self, made: Installation, file: Path) -> None:
        self._made, self._file = made, file
        self._port = free_port()
        self._headers = {"Authorization": f"Bearer {made.must('shell', '-c', TOKEN).split()[-1]}"}
        self.address = f"http://127.0.0.1:{self._port}/api/v1/"
        self._process: Any = None

    def start(self) -> None:
        """Start the server, again if the port is still held, and wait until it answers."""
        until = time.monotonic() + LONGEST_S
        while time.monotonic() < until:
            if self._process is None or self._process.poll() is not None:
                self._process = self._made.start("start", "--no-worker", "--no-samples", "--port", str(self._port))
            with suppress(httpx.TransportError):
                httpx.get(f"http://127.0.0.1:{self._port}/healthz", timeout=5).raise_for_status()
                return
            time.sleep(0.1)
        raise RuntimeError("the server does not answer")

    def kill(self) -> None:
        """End it with all its processes, as a lack of memory does."""
        if self._process:
            kill(self._process)
            self._process = None

    def uploader(self, address: str | None = None) -> Uploader:
        """Begin to send the file, or go on with what an earlier host has begun: nothing is remembered here."""
        client = TusClient(f"{self.address}uploads/", headers=self._headers)
        known = {"filename": "open inbox.mp4", "sha256": sha256_of(self._file)}
        return client.uploader(str(self._file), url=address, chunk_size=PART_BYTES, metadata=known)

    def make_run(self, address: str) -> int:
        """Make the run twice, as a host does that lost the answer; return 1 if its recording is another, else 0."""
        sent = {**ROW, "upload": address.rstrip("/").rpartition("/")[2]}
        answers = [
            httpx.post(f"{self.address}runs/", json=sent, headers=self._headers, timeout=300) for _ in range(2)
        ]
        print(f"  runs: {[answer.status_code for answer in answers]}")
        [(count, sha256, name)] = self._made.ask("select count(*), max(sha256), max(file_name) from reports_run")
        kept = sha256_of((self._made.media or self._made.folder / "media") / name) if name else ""
        good = [answer.status_code for answer in answers] == [201, 200]
        return int(not good or count != 1 or sha256 != sha256_of(self._file) or kept != sha256)


@contextmanager
def site(made: Installation, scratch: Path, size_mb: int) -> Iterator[Site]:
    """Give a site that runs, and ends with the block."""
    file = scratch / "film.mp4"
    pattern = hashlib.sha256(b"a film").digest() * 32  # 1 KB
    with file.open("wb") as film:
        film.write(MP4_HEAD)
        for number in range(size_mb << 10):
            film.write(pattern[:-8] + number.to_bytes(8, "big"))
    found = Site(made, file)
    try:
        found.start()
        yield found
    finally:
        found.kill()


def disk_full(scratch: Path, size_mb: int, _: int) -> tuple[int, str]:
    """Fill the disk halfway through; return what was lost, and in words what came of it."""
    with small_disk(scratch / "media", f"{4 * size_mb}m") as media:
        made = Installation(scratch / "var", media)
        made.must("migrate", "-v", "0")
        with site(made, scratch, size_mb) as found:
            sender = found.uploader()
            sender.upload(stop_at=size_mb // 2 << 20)
            with (media / "filler").open("wb", buffering=0) as filler, suppress(OSError):
                while True:
                    filler.write(bytes(4096))
            sender.stop_at = sender.get_file_size()
            status, words = refused(sender.upload_chunk)
            print(f"  upload: {status} {words}")
            (media / "filler").unlink()
            grow(media, f"{8 * size_mb}m")
            again = found.uploader(sender.url)
            lost = int(status != 507) + int(again.offset != sender.offset)
            again.upload()
            lost += found.make_run(again.url)
    return lost, f"{status}, said in words; goes on where it stood once there is room"


def killed(scratch: Path, size_mb: int, kills: int) -> tuple[int, str]:
    """Kill the server again and again; return what was lost, and in words what came of it."""
    with installation() as made, site(made, scratch, size_mb) as found:
        sender = found.uploader()
        sender.upload(stop_at=PART_BYTES)
        lost, most = 0, 0
        for number in range(kills):
            at = min((number + 1) * size_mb // (kills + 1), size_mb) << 20
            with suppress(TusUploadFailed, TusCommunicationError):
                sender.upload(stop_at=at)
                sender.stop_at = sender.get_file_size()
                ending = threading.Timer(0.002 * number, found.kill)  # the next part meets it sooner or later
                ending.start()
                while True:
                    sender.upload_chunk()
            ending.join()
            stood = sender.offset
            found.start()
            sender = found.uploader(sender.url)
            most = max(most, stood - sender.offset)
        sender.upload()
        lost += int(most > 0) + found.make_run(sender.url)
    return lost, f"no stored part lost; the run once, byte for byte ({size_mb} MB)"


def refused(send: Callable[[], None]) -> tuple[int, str]:
    """Send what the server cannot take; return the status and the words of its problem."""
    try:
        send()
    except TusUploadFailed as error:
        told = httpx.Response(error.status_code or 0, content=error.response_content or b"{}").json()
        return error.status_code or 0, told.get("detail", "")
    return 0, "it was taken"


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def main() -> int:
    """Print the figures; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=40, help="length of the file (%(default)s)")
    parser.add_argument("--kills", type=int, default=5)
    options = parser.parse_args()
    code = 0
    faults = (
        ("disk full during an upload", "1", disk_full),
        ("server killed during an upload", f"{options.kills} kills", killed),
    )
    for name, tries, fault in faults:
        with TemporaryDirectory(prefix="upreg-fault-") as folder:
            lost, said = fault(Path(folder), options.mb, options.kills)
        code |= Outcome(name, tries, lost, said if not lost else "see above").print()
    return code


if __name__ == "__main__":
    raise SystemExit(main())
