"""An OBS that is none: it speaks obs-websocket 5 over a real WebSocket, and films a phone that a test paints.

The order of its answers and events, and its codes, are those of OBS 29 (`test_obs_protocol.py` holds both to them).
What it films is what was so at the instants of its pictures: the marker since it was shown, the phone since it was
touched. Nothing in here knows the driver.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import math
import re
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.synthetic import Clip, Screen, write
from tests.upreg_recorder.drivers.websocket_server import Peer

HELLO, IDENTIFY, IDENTIFIED, EVENT, REQUEST, RESPONSE = 0, 1, 2, 5, 6, 7
AUTHENTICATION_FAILED = 4009
OUTPUTS = 1 << 6
SALT = "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI="
CHALLENGE = "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY="
ENCODER_S = 0.15  # from the start of a recording until its first bytes: the encoder looks ahead
RESTS_S = 0.05  # from the event of a recording's end until its status says so
GONE_S = 0.05  # from the answer to RemoveInput until the input is gone
Paint = Callable[[np.ndarray, float], None]  # what the phone shows at an instant of time.monotonic


class RequestError(Exception):
    """A request that is answered with a code of RequestStatus."""

    def __init__(self, code: int, comment: str = "") -> None:
        super().__init__(comment)
        self.code, self.comment = code, comment


def authentication(password: str, salt: str = SALT, challenge: str = CHALLENGE) -> str:
    """Return what a client has to answer, by the protocol's own recipe."""
    secret = base64.b64encode(hashlib.sha256((password + salt).encode()).digest())
    return base64.b64encode(hashlib.sha256(secret + challenge.encode()).digest()).decode()


@dataclass
class World:
    """What is before the capture card, and how OBS fares; a test changes it."""

    folder: Path
    paint: Paint = lambda picture, host_s: None
    fps: tuple[int, int] = (60, 1)
    delay_s: float = 0.0  # of the capture card
    shift_s: float = 0.0  # of OBS's beat
    free_mb: float = 50_000.0
    starts: bool = True
    ends_after_s: float | None = None  # of itself: the disk is full
    cut_ms: float = 0.0  # of the film's end is lost
    writes: bool = True
    covers_marker: bool = False
    settings: dict[tuple[str, str], str] = field(default_factory=dict)
    said_path: Callable[[Path], str] = str


@dataclass
class _Item:
    id: int
    name: str
    shown: bool
    input: dict[str, Any]
    changes: list[tuple[float, bool]] = field(default_factory=list)
    gone_s: float = math.inf

    def shows(self, host_s: float) -> bool:
        return next((shown for since, shown in reversed(self.changes) if since <= host_s), False)


class FakeObs:
    """The server; a context manager. `port` is where it listens."""

    size = (180, 320)
    source = "Phone"

    def __init__(self, world: World, password: str = "") -> None:
        self.world, self.password = world, password
        self.scenes: dict[str, list[_Item]] = {"Empty": [], "Lab": [_Item(1, self.source, True, {})]}
        self.program = "Lab"
        self.asked: list[str] = []
        self.stats = {"renderSkippedFrames": 20, "outputSkippedFrames": 3}
        self.starts_s: list[float] = []  # the instant of the first picture of each film
        self.active = self.paused = False
        self._silent = threading.Event()
        self._path: Path | None = None
        self._stopped = threading.Event()
        self._peers: dict[Peer, int] = {}
        self._lock = threading.RLock()
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> FakeObs:
        self._run(self._listen)
        return self

    def __exit__(self, *_: object) -> None:
        self.vanish()
        for thread in list(self._threads):
            thread.join(20)

    def vanish(self) -> None:
        """Be gone, as if OBS had crashed."""
        self._silent.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for peer in list(self._peers):
            with contextlib.suppress(OSError):
                peer.connection.shutdown(socket.SHUT_RDWR)

    def skip(self, composed: int, encoded: int) -> None:
        """Count pictures that were composed too late, and such as were not encoded."""
        self.stats["renderSkippedFrames"] += composed
        self.stats["outputSkippedFrames"] += encoded

    def person_records(self) -> Path:
        """Begin a recording as a person does, in OBS itself."""
        self.ask_start_record({})
        self._begin()
        assert self._path is not None
        return self._path

    def person_stops(self) -> None:
        """Stop what is recorded, in OBS itself."""
        self._end()

    def person_pauses(self) -> None:
        self._state("PAUSED", True)

    # --- the WebSocket

    def _run(self, target: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._run(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            peer = Peer(connection)
            try:
                peer.shake_hands()
                if self._identified(peer):
                    while (text := peer.receive()) is not None:
                        self._answer(peer, json.loads(text))
            except (OSError, EOFError):
                pass
            finally:
                self._peers.pop(peer, None)

    def _identified(self, peer: Peer) -> bool:
        hello: dict[str, Any] = {"obsWebSocketVersion": "5.1.0", "rpcVersion": 1}
        if self.password:
            hello["authentication"] = {"challenge": CHALLENGE, "salt": SALT}
        peer.send(json.dumps({"op": HELLO, "d": hello}))
        text = peer.receive()
        if text is None:
            return False
        message = json.loads(text)
        assert message["op"] == IDENTIFY
        if self.password and message["d"].get("authentication") != authentication(self.password):
            peer.close(AUTHENTICATION_FAILED, "Authentication failed.")
            return False
        self._peers[peer] = message["d"].get("eventSubscriptions", 2047)
        peer.send(json.dumps({"op": IDENTIFIED, "d": {"negotiatedRpcVersion": 1}}))
        return True

    def _answer(self, peer: Peer, message: dict[str, Any]) -> None:
        assert message["op"] == REQUEST
        request = message["d"]
        name = request["requestType"]
        self.asked.append(name)
        answer = {"requestType": name, "requestId": request["requestId"]}
        then: Callable[[], None] | None = None
        try:
            handle = getattr(self, "ask_" + re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(), None)
            if handle is None:
                raise RequestError(204)
            data = handle(request.get("requestData", {}))
            if isinstance(data, tuple):
                data, then = data
            answer["requestStatus"] = {"result": True, "code": 100}
            if data is not None:
                answer["responseData"] = data
        except RequestError as error:
            answer["requestStatus"] = {"result": False, "code": error.code}
            if error.comment:
                answer["requestStatus"]["comment"] = error.comment
        except KeyError as error:
            code = 300 if "requestData" in request else 301
            answer["requestStatus"] = {"result": False, "code": code, "comment": str(error)}
        if not self._silent.is_set():
            peer.send(json.dumps({"op": RESPONSE, "d": answer}))
        if then is not None:
            self._run(then)

    def hang(self) -> None:
        """Answer no more, as OBS does while a question of its own waits for a person."""
        self._silent.set()

    def _state(self, name: str, active: bool, path: str | None = None) -> None:
        data = {"outputActive": active, "outputPath": path, "outputState": f"OBS_WEBSOCKET_OUTPUT_{name}"}
        event = {"eventType": "RecordStateChanged", "eventIntent": OUTPUTS, "eventData": data}
        for peer, intents in list(self._peers.items()):
            if intents & OUTPUTS:
                with contextlib.suppress(OSError):
                    peer.send(json.dumps({"op": EVENT, "d": event}))

    # --- what is asked of it

    def ask_get_version(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"obsVersion": "29.0.2", "obsWebSocketVersion": "5.1.0", "rpcVersion": 1}

    def ask_get_stats(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"availableDiskSpace": self.world.free_mb, "activeFps": 60.0, "cpuUsage": 5.0, **self.stats}

    def ask_get_video_settings(self, _: dict[str, Any]) -> dict[str, Any]:
        (top, bottom), (width, height) = self.world.fps, self.size
        sizes = {"baseWidth": width, "baseHeight": height, "outputWidth": width, "outputHeight": height}
        return {"fpsNumerator": top, "fpsDenominator": bottom, **sizes}

    def ask_get_profile_parameter(self, data: dict[str, Any]) -> dict[str, Any]:
        value = self.world.settings.get((data["parameterCategory"], data["parameterName"]))
        return {"parameterValue": value, "defaultParameterValue": None}

    def ask_get_scene_list(self, _: dict[str, Any]) -> dict[str, Any]:
        scenes = [{"sceneIndex": n, "sceneName": name} for n, name in enumerate(self.scenes)]
        return {"currentProgramSceneName": self.program, "currentPreviewSceneName": None, "scenes": scenes}

    def ask_get_scene_item_list(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"sceneItems": [self._described(item) for item in self._scene(data)]}

    def ask_get_input_kind_list(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"inputKinds": ["image_source", "color_source_v3", "v4l2_input"]}

    def ask_create_input(self, data: dict[str, Any]) -> dict[str, Any]:
        items, name = self._scene(data), data["inputName"]
        if self._inputs(name):
            raise RequestError(601, f"A source already exists by that input name: {name}")
        number = max((item.id for item in items), default=0) + 1
        item = _Item(number, name, data.get("sceneItemEnabled", True), data)
        self.scenes[data["sceneName"]].append(item)
        return {"sceneItemId": item.id}

    def ask_remove_input(self, data: dict[str, Any]) -> None:
        name = data["inputName"]
        found = self._inputs(name)
        if not found:
            raise RequestError(600, f"No source was found by the name of `{name}`.")
        for item in found:
            item.gone_s = min(item.gone_s, time.monotonic() + GONE_S)

    def ask_set_scene_item_transform(self, data: dict[str, Any]) -> None:
        self._item(data).input["transform"] = data["sceneItemTransform"]

    def ask_set_scene_item_enabled(self, data: dict[str, Any]) -> None:
        item = self._item(data)
        item.shown = data["sceneItemEnabled"]
        item.changes.append((time.monotonic(), item.shown))

    def ask_get_source_screenshot(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["sourceName"] != self.source:
            raise RequestError(600, f"No source was found by the name of `{data['sourceName']}`.")
        png = io.BytesIO()
        Image.fromarray(self._phone(time.monotonic())).save(png, "PNG")
        return {"imageData": "data:image/png;base64," + base64.b64encode(png.getvalue()).decode()}

    def ask_get_record_status(self, _: dict[str, Any]) -> dict[str, Any]:
        encoding = self.active and time.monotonic() - self.starts_s[-1] > ENCODER_S
        written = 2799 if encoding or not self.active else 0  # before a start, those of the film before
        return {"outputActive": self.active, "outputPaused": False, "outputBytes": written, "outputDuration": 0}

    def ask_start_record(self, _: dict[str, Any]) -> tuple[None, Callable[[], None]]:
        if self.active:
            raise RequestError(500)
        return None, self._begin

    def ask_stop_record(self, _: dict[str, Any]) -> tuple[dict[str, Any], Callable[[], None]]:
        if not self.active or self._path is None:
            raise RequestError(501)
        self._state("STOPPING", False)
        return {"outputPath": self.world.said_path(self._path)}, self._end

    # --- the recording

    def _begin(self) -> None:
        self._state("STARTING", False)
        if not self.world.starts:
            return
        with self._lock:
            self._path = self.world.folder / f"film {len(self.starts_s) + 1}.mkv"
            self._path.touch()
            beat = self.world.fps[1] / self.world.fps[0]
            self.starts_s.append((time.monotonic() // beat) * beat + self.world.shift_s)
            self._stopped.clear()
            self.active = True
        self._state("STARTED", True, self.world.said_path(self._path))
        if self.world.ends_after_s is not None:
            time.sleep(self.world.ends_after_s)
            self._end()

    def _end(self) -> None:
        with self._lock:
            if not self.active or self._path is None:
                return
            if self.world.writes:
                self._write(self._path, self.starts_s[-1], time.monotonic())
            self._state("STOPPED", False, self.world.said_path(self._path))
            time.sleep(RESTS_S)
            self.active = False

    def _write(self, path: Path, since_s: float, until_s: float) -> None:
        top, bottom = self.world.fps
        count = max(1, int((until_s - since_s - self.world.cut_ms / 1000) * top / bottom))
        times = [1000 * bottom * n / top for n in range(count)]
        clip = Clip(times, options={"crf": "18", "preset": "ultrafast"})
        write(path, (self._picture(since_s + time_ms / 1000) for time_ms in times), clip)

    def _picture(self, host_s: float) -> np.ndarray:
        picture = self._phone(host_s - self.world.delay_s)
        for item in self.scenes[self.program]:
            if item.shows(host_s) and not self.world.covers_marker:
                place, own = item.input["transform"], item.input["inputSettings"]
                left, top = round(place["positionX"]), round(place["positionY"])
                colour = [own["color"] >> shift & 255 for shift in (0, 8, 16)]
                picture[top : top + own["height"], left : left + own["width"]] = colour
        return picture

    def _phone(self, host_s: float) -> np.ndarray:
        picture = Screen(*self.size).page()
        self.world.paint(picture, host_s)
        return picture

    def _scene(self, data: dict[str, Any]) -> list[_Item]:
        name = data["sceneName"]
        if name not in self.scenes:
            raise RequestError(600, f"No source was found by the name of `{name}`.")
        return [item for item in self.scenes[name] if time.monotonic() < item.gone_s]

    def _inputs(self, name: str) -> list[_Item]:
        return [item for scene in self.scenes for item in self._scene({"sceneName": scene}) if item.name == name]

    def _item(self, data: dict[str, Any]) -> _Item:
        for item in self._scene(data):
            if item.id == data["sceneItemId"]:
                return item
        raise RequestError(600, "No scene items were found in the specified scene by that ID.")

    def _described(self, item: _Item) -> dict[str, Any]:
        width, height = map(float, self.size)
        transform = {
            "alignment": 5, "boundsAlignment": 0, "boundsHeight": 0.0, "boundsType": "OBS_BOUNDS_NONE",
            "boundsWidth": 0.0, "cropBottom": 0, "cropLeft": 0, "cropRight": 0, "cropTop": 0, "height": height,
            "positionX": 0.0, "positionY": 0.0, "rotation": 0.0, "scaleX": 1.0, "scaleY": 1.0,
            "sourceHeight": height, "sourceWidth": width, "width": width,
        }  # fmt: skip
        return {
            "sceneItemId": item.id, "sourceName": item.name, "sceneItemEnabled": item.shown,
            "sceneItemTransform": transform | item.input.get("transform", {}),
        }  # fmt: skip
