"""A made-up device: renders small real films at known times, and fails in all the ways that devices do."""

import json
import signal
import time
from copy import deepcopy
from fractions import Fraction
from functools import lru_cache
from io import BytesIO
from pathlib import Path

import av
import numpy as np

from upreg_recorder.drivers.contract import Beside, Facts, Take, Vitals
from upreg_recorder.failures import DeviceGoneError, SettledTrialError, TrialError

WIDTH, HEIGHT, FPS = 72, 128, 30
RESPONSE_FRAMES = 3
SETTINGS = {
    "fake": {
        "device": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"serial": {"type": "string"}, "battery": {"type": "number", "minimum": 0}},
        },
        "app": {"type": "object", "additionalProperties": False, "properties": {"url": {"type": "string"}}},
    }
}
SCREEN = ("Inbox", "Search")  # what is on it, by text


class Farm:
    """All made-up devices of a test: `mishaps` are what goes wrong next, by device; `calls` is what was asked.

    A mishap is a word: `missing`, `crash`, `permission`, `short`, `damaged`, `clocks`, `dialog`, `gone`,
    `unauthorised`, `settled`, `bug`, or a function that is called in the middle of filming with the file.
    """

    def __init__(self):
        self.mishaps, self.calls, self.open = {}, [], set()
        self.unreachable = {}  # device → why it cannot be opened
        self.known = deepcopy(SETTINGS)

    def settings(self):
        return self.known

    def open_device(self, device, cache=None):
        self.calls.append(("open", device.name))
        if device.name in self.unreachable:
            raise DeviceGoneError(self.unreachable[device.name])
        return FakeDevice(self, device)

    def films(self):
        """Return the devices that filmed, one after the other."""
        return [name for call, name in self.calls if call == "film"]


class FakeDevice:
    def __init__(self, farm, device):
        self.farm, self.device, self.gone = farm, device, False
        more = {"board": f"board of {device.name}"}
        self.facts = Facts("Fake One", f"{device.os_version}.build", 60.0, (WIDTH, HEIGHT), more)
        self.dialog = False
        farm.open.add(device.name)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def vitals(self):
        self._there()
        charge = self.device.settings.get("battery", 80.0)
        return Vitals(temperature_c=31.5, battery_pct=charge, free_mb=900.0, clocks_mhz=(1800.0, 1800.0))

    def install(self, app, file):
        self._there()
        self._call("install")
        if self._mishap("settled"):
            raise SettledTrialError(f"{file or app.package} cannot be installed: it is for another processor")
        return "4.2"

    def make_ready(self, app, interaction):
        self._there()
        self.dialog = self._mishap("dialog")

    def do(self, step, app):
        self._there()
        self._find(step)

    def picture(self):
        self._there()
        return png(screen(dialog=self.dialog))

    def film(self, app, interaction, into):
        self._there()
        self._call("film")
        if self._mishap("gone"):
            self.gone = True
            self._there()
        self._find(interaction.action)
        if self._mishap("crash"):
            raise TrialError(f"{app.name} crashed while it was filmed")
        if self._mishap("permission"):
            raise TrialError(f"{app.name} asks for a permission: grant it in the plan")
        if self._mishap("bug"):
            raise ValueError("the library stumbled")
        watch_ms = interaction.watch_ms / 4 if self._mishap("short") else interaction.watch_ms
        content, action_ms = film(interaction.lead_ms, watch_ms)
        video = into.with_suffix(".mp4")
        waiting = [each for each in self.farm.mishaps.get(self.device.name, []) if callable(each)]
        if waiting:
            self.farm.mishaps[self.device.name].remove(waiting[0])
            video.write_bytes(content[: len(content) // 2])
            waiting[0](video)
        video.write_bytes(content[: len(content) // 2] if self._mishap("damaged") else content)
        if self._mishap("clocks"):
            action_ms += 3_600_000.0
        return Take(video, action_ms, 2.0, "the made-up clock is that of the film", "cfr30", 36.0, 64.0)

    def gather(self, into):
        self._there()
        log, trace = into.with_suffix(".log"), into.with_suffix(".perfetto-trace")
        log.write_text(f"{self.device.name} filmed\n")
        trace.write_bytes(b"\x0a\x00")
        return Beside(log, trace)

    def close(self):
        self.farm.open.discard(self.device.name)

    def _there(self):
        if self.gone:
            raise DeviceGoneError(f"{self.device.name} is offline: plug it in again")

    def _call(self, name):
        self.farm.calls.append((name, self.device.name))

    def _find(self, step):
        target = step.target
        if target is None or target.at is not None:
            return
        if self._mishap("missing") or not ({target.text, target.id, target.description} & {*SCREEN}):
            raise TrialError(f"{target} is not on the screen (line {step.line} of the plan)")

    def _mishap(self, word):
        """Tell whether this goes wrong now; each mishap happens once."""
        waiting = self.farm.mishaps.get(self.device.name, [])
        if waiting and waiting[0] == word:
            waiting.pop(0)
            return True
        return False


def screen(*, dialog=False, dot=False, answered=False):
    """Return the made-up screen in RGB."""
    picture = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
    picture[20:30, 8:64] = 120
    if dialog:
        picture[40:90, 10:62] = 20
    if dot:
        picture[60:68, 32:40] = 255
    if answered:
        picture[100:120, 8:64] = 60
    return picture


@lru_cache
def film(lead_ms, watch_ms):
    """Render a film; return its bytes and the instant of the action: the first frame with a dot."""
    file, lead = BytesIO(), round(lead_ms * FPS / 1000)
    frames = lead + round(watch_ms * FPS / 1000) + 1
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "ultrafast", "qp": "10"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.time_base = Fraction(1, FPS)
        for number in range(frames):
            picture = screen(dot=lead <= number < lead + 4, answered=number >= lead + RESPONSE_FRAMES)
            frame = av.VideoFrame.from_ndarray(picture, "rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return file.getvalue(), lead * 1000 / FPS


def dot_ms(take):
    """Return when the dot is first seen in a film, ms after its first frame."""
    with av.open(str(take.video)) as container:
        for frame in container.decode(video=0):
            if frame.to_ndarray(format="gray")[64, 36] > 240:
                return float(frame.time * 1000)
    raise AssertionError("no dot")


@lru_cache
def _png(data, height, width):
    encoder = av.CodecContext.create("png", "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = width, height, "rgb24", Fraction(1, 1)
    frame = av.VideoFrame.from_ndarray(np.frombuffer(data, np.uint8).reshape(height, width, 3), "rgb24")
    return b"".join(bytes(packet) for packet in [*encoder.encode(frame), *encoder.encode(None)])


def png(picture):
    return _png(picture.tobytes(), *picture.shape[:2])


def hang(marker):
    """Return a mishap that says so in a file, and then waits to be killed."""

    def wait(video):
        signal.pthread_sigmask(signal.SIG_BLOCK, [])  # nothing is blocked: whatever comes, comes now
        Path(marker).write_text(json.dumps({"video": str(video)}))
        time.sleep(120)

    return wait
