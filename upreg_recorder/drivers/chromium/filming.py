"""The pictures of a screen as the browser delivers them, each with its own instant, and a video of them."""

from __future__ import annotations

import asyncio
import base64
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import av
from PIL import Image
from playwright.async_api import CDPSession

from upreg_recorder.drivers.chromium.options import Phone
from upreg_recorder.failures import TrialError

TICK = Fraction(1, 90_000)  # s, of a video's timestamps
REFRESH_HZ = 60  # of a headless Chromium
KEYFRAMES = 240  # frames between them
BEGAN = "first picture, s since 1970: "  # in the comment of a video, which ties it to logs and traces
FIRST_S = 5.0  # until the first picture


@dataclass(frozen=True)
class Film:
    """Pictures (PNG) in a file, in order: the second of each since 1970, and where it lies in the file."""

    seconds: tuple[float, ...]
    places: tuple[tuple[int, int], ...]  # where it begins, how long it is
    file: IO[bytes]

    def pictures(self) -> Iterator[bytes]:
        """Yield the pictures."""
        for begins, length in self.places:
            self.file.seek(begins)
            yield self.file.read(length)


class Screencast:
    """Takes what the screen of a page shows from `start` to `stop`."""

    def __init__(self, session: CDPSession, phone: Phone, folder: Path) -> None:
        self._session, self._phone = session, phone
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - a film holds it; nothing of it has a name
        self._taken: dict[float, tuple[int, int]] = {}
        self._answers: set[asyncio.Task[Any]] = set()
        self._first = asyncio.Event()

    async def start(self) -> float:
        """Begin, and return the second of the first picture; raises TrialError where none comes."""
        self._session.on("Page.screencastFrame", self._take)
        width, height = self._phone.pixels
        await self._session.send("Page.startScreencast", {"format": "png", "maxWidth": width, "maxHeight": height})
        try:
            await asyncio.wait_for(self._first.wait(), FIRST_S)
        except TimeoutError:
            raise TrialError(f"the screen delivered no picture within {FIRST_S:g} s: it is tried again") from None
        return min(self._taken)

    async def stop(self, at: float) -> Film:
        """End, and return the film: it goes on to the second `at` until which the screen was watched."""
        await self._session.send("Page.stopScreencast")
        self._session.remove_listener("Page.screencastFrame", self._take)
        await asyncio.gather(*self._answers, return_exceptions=True)
        taken = sorted(self._taken.items())  # they are coded side by side and may overtake one another
        last, place = taken[-1]
        taken.append((max(at, last + 1 / REFRESH_HZ), place))
        return Film(tuple(second for second, _ in taken), tuple(place for _, place in taken), self._file)

    def drop(self) -> None:
        """Forget what was taken: it is no film."""
        self._file.close()

    def _take(self, event: dict[str, Any]) -> None:
        if self._file.closed:
            return
        png = base64.b64decode(event["data"])
        self._taken[event["metadata"]["timestamp"]] = self._file.tell(), self._file.write(png)
        self._first.set()
        answer = asyncio.ensure_future(
            self._session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})
        )
        self._answers.add(answer)
        answer.add_done_callback(self._answers.discard)


def write_video(film: Film, phone: Phone, file: Path) -> None:
    """Encode a film as H.264, each picture at its own instant after the first.

    Raises TrialError where a picture has another size than the screen.
    """
    options = {"crf": f"{phone.crf:g}", "preset": phone.preset, "g": str(KEYFRAMES), "bf": "0"}
    part, before = file.with_suffix(".part"), -1
    with av.open(str(part), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        container.metadata["comment"] = f"{BEGAN}{film.seconds[0]:.6f}"
        stream = container.add_stream("libx264", rate=REFRESH_HZ, options=options)
        stream.width, stream.height, stream.pix_fmt = *phone.pixels, "yuv420p"
        stream.codec_context.time_base = TICK
        for second, png in zip(film.seconds, film.pictures(), strict=True):
            picture = Image.open(BytesIO(png)).convert("RGB")
            if picture.size != phone.pixels:
                is_, ought = ("{} × {} px".format(*size) for size in (picture.size, phone.pixels))
                raise TrialError(f"the screen delivered a picture of {is_} instead of {ought}: does the page zoom?")
            frame = av.VideoFrame.from_image(picture)  # type: ignore[no-untyped-call]
            before = max(round((second - film.seconds[0]) / TICK), before + 1)
            frame.pts, frame.time_base = before, TICK
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    part.rename(file)
