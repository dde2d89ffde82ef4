"""The fake OBS speaks as obs-websocket 5 does: its own published examples, and what OBS 29 was seen to answer.

With OBS_WEBSOCKET=host:port and OBS_PASSWORD set, the same is asked of a real OBS, which shows a scene Lab with a
source Phone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.upreg_recorder.drivers.fake_hands import FakeHands
from tests.upreg_recorder.drivers.fake_obs import FakeObs, World, authentication
from tests.upreg_recorder.drivers.websocket_server import accept_key
from upreg_recorder.drivers.obs.connection import Connection, RefusedError

REAL = os.environ.get("OBS_WEBSOCKET", "")
PASSWORD = os.environ.get("OBS_PASSWORD", "supersecretpassword")
SCENE, SOURCE = "Lab", "Phone"


def test_authentication_is_that_of_the_published_example() -> None:
    # Of the example of protocol.md, step by step with `openssl dgst -sha256 -binary | base64`:
    # password + salt → H1IfVz1pSREUQzbFTVnX/Tyb+gMhMik5x7yUBCY0PTs=; that + challenge → the string below.
    assert authentication("supersecretpassword") == "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4="


def test_handshake_is_that_of_the_example_of_rfc_6455() -> None:
    assert accept_key("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


@pytest.fixture(params=["fake", *(["real"] if REAL else [])])
def connection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Connection]:
    if request.param == "real":
        host, _, port = REAL.partition(":")
        connection = Connection(host, int(port), PASSWORD, "OBS_PASSWORD")
        yield connection
        connection.close()
        return
    with FakeObs(World(tmp_path, FakeHands().paint), PASSWORD) as fake:
        connection = Connection("127.0.0.1", fake.port, PASSWORD, "OBS_PASSWORD")
        yield connection
        connection.close()


def test_a_recording_from_its_start_to_its_file(connection: Connection) -> None:
    connection.forget_states()
    assert connection.ask("StartRecord") == {}
    started = connection.wait_for("OBS_WEBSOCKET_OUTPUT_STARTED", 10)
    assert started is not None
    status = connection.ask("GetRecordStatus")
    assert (status["outputActive"], status["outputPaused"]) == (True, False)
    with pytest.raises(RefusedError) as again:
        connection.ask("StartRecord")
    assert again.value.code == 500
    while not connection.ask("GetRecordStatus")["outputBytes"]:
        time.sleep(0.02)
    assert connection.ask("StopRecord") == {"outputPath": started.path}
    stopped = connection.wait_for("OBS_WEBSOCKET_OUTPUT_STOPPED", 20)
    assert stopped is not None
    assert stopped.path == started.path
    assert Path(stopped.path).stat().st_size > 0
    until = time.monotonic() + 5
    while connection.ask("GetRecordStatus")["outputActive"]:
        assert time.monotonic() < until
        time.sleep(0.01)
    with pytest.raises(RefusedError) as late:
        connection.ask("StopRecord")
    assert late.value.code == 501
    names = [state.name.removeprefix("OBS_WEBSOCKET_OUTPUT_") for state in connection.states()]
    assert names == ["STARTING", "STARTED", "STOPPING", "STOPPED"]
    Path(stopped.path).unlink()


@pytest.mark.parametrize(
    ("request_type", "data", "code"),
    [
        ("GetSceneItemList", {"sceneName": "no such scene"}, 600),
        ("GetSourceScreenshot", {"sourceName": "no such source", "imageFormat": "png"}, 600),
        ("RemoveInput", {"inputName": "no such input"}, 600),
        ("SetSceneItemEnabled", {"sceneName": SCENE, "sceneItemId": 9999, "sceneItemEnabled": True}, 600),
        ("GetSceneItemList", {}, 301),
        ("GetSceneItemList", {"name": "Lab"}, 300),
        ("NoSuchRequest", {}, 204),
    ],
)
def test_codes_of_what_cannot_be_done(
    connection: Connection, request_type: str, data: dict[str, object], code: int
) -> None:
    with pytest.raises(RefusedError) as caught:
        connection.ask(request_type, **data)
    assert caught.value.code == code


def test_answers_have_what_the_driver_reads(connection: Connection, tmp_path: Path) -> None:
    def kinds(answer: object) -> dict[str, type]:
        assert isinstance(answer, dict)
        return {key: float if isinstance(value, int | float) else type(value) for key, value in answer.items()}

    assert kinds(connection.ask("GetStats")).items() >= {
        "availableDiskSpace": float, "renderSkippedFrames": float, "outputSkippedFrames": float,
    }.items()  # fmt: skip
    video = connection.ask("GetVideoSettings")
    assert {"fpsNumerator", "fpsDenominator", "baseWidth", "baseHeight", "outputWidth", "outputHeight"} <= set(
        video
    )
    assert SCENE in [scene["sceneName"] for scene in connection.ask("GetSceneList")["scenes"]]
    items = connection.ask("GetSceneItemList", sceneName=SCENE)["sceneItems"]
    item = next(item for item in items if item["sourceName"] == SOURCE)
    with FakeObs(World(tmp_path)) as fake:
        example = fake.ask_get_scene_item_list({"sceneName": "Lab"})["sceneItems"][0]
    assert kinds(item["sceneItemTransform"]).items() >= kinds(example["sceneItemTransform"]).items()
    picture = connection.ask("GetSourceScreenshot", sourceName=SOURCE, imageFormat="png")["imageData"]
    assert picture.startswith("data:image/png;base64,")
    empty = connection.ask("GetProfileParameter", parameterCategory="Video", parameterName="AutoRemux")
    assert empty["parameterValue"] in (None, "false", "true")


def test_a_marker_is_made_shown_and_taken_away(connection: Connection) -> None:
    made = connection.ask(
        "CreateInput", sceneName=SCENE, inputName="a marker of a test", inputKind="color_source_v3",
        inputSettings={"color": 0xFFFF00FF, "width": 20, "height": 20}, sceneItemEnabled=False,
    )  # fmt: skip
    with pytest.raises(RefusedError) as twice:
        connection.ask("CreateInput", sceneName=SCENE, inputName="a marker of a test", inputKind="color_source_v3")
    assert twice.value.code == 601
    item = {"sceneName": SCENE, "sceneItemId": made["sceneItemId"]}
    connection.ask("SetSceneItemTransform", **item, sceneItemTransform={"positionX": 30, "positionY": 40})
    connection.ask("SetSceneItemEnabled", **item, sceneItemEnabled=True)
    shown = connection.ask("GetSceneItemList", sceneName=SCENE)["sceneItems"][-1]
    assert (shown["sourceName"], shown["sceneItemEnabled"]) == ("a marker of a test", True)
    assert (shown["sceneItemTransform"]["positionX"], shown["sceneItemTransform"]["positionY"]) == (30, 40)
    connection.ask("RemoveInput", inputName="a marker of a test")
    until = time.monotonic() + 5
    while "a marker of a test" in [item["sourceName"] for item in _items(connection)]:
        assert time.monotonic() < until
        time.sleep(0.01)


def _items(connection: Connection) -> list[dict[str, object]]:
    return list(connection.ask("GetSceneItemList", sceneName=SCENE)["sceneItems"])
