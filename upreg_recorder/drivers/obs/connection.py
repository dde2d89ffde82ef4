"""Speak with OBS through obs-websocket 5: requests, the state of its recording, and what goes wrong in words."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from obsws_python import EventClient
from obsws_python.baseclient import ObsClient
from obsws_python.error import OBSSDKError
from obsws_python.subs import Subs
from websocket import WebSocketException

from upreg_recorder.failures import DeviceGoneError, RecorderError

ANSWER_S = 10.0  # OBS answers within ms; one that shows a question to its user does not answer at all
UNREADABLE = (OSError, WebSocketException, OBSSDKError, ValueError, KeyError, TypeError)
# It writes the password into its log, and a stack beside each error that is handled here.
logging.getLogger("obsws_python").setLevel(logging.CRITICAL + 1)


class RefusedError(RecorderError):
    """OBS understood a request and cannot do it; `code` is its RequestStatus."""

    def __init__(self, request: str, code: int, comment: str) -> None:
        super().__init__(f"OBS answered {request} with code {code}{f': {comment}' if comment else ''}")
        self.code = code
        self.comment = comment


MISSING = 600  # RequestStatus::ResourceNotFound
EXISTS = 601  # RequestStatus::ResourceAlreadyExists
RUNNING = 500  # RequestStatus::OutputRunning
NOT_RUNNING = 501  # RequestStatus::OutputNotRunning


@dataclass(frozen=True)
class RecordState:
    """What OBS said of its recording: a state of `RecordStateChanged`, and the file where it tells it."""

    name: str
    path: str = ""


class Connection:
    """A connection for requests and one for events, as the library keeps them apart. `where` is for messages."""

    def __init__(self, host: str, port: int, password: str, password_env: str) -> None:
        self.where = f"{host}:{port}"
        self._changed = threading.Condition()
        self._states: list[RecordState] = []
        self._requests, self._events = _requests(host, port, password, password_env), None
        try:
            events = EventClient(host=host, port=port, password=password, subs=Subs.OUTPUTS, timeout=ANSWER_S)
        except UNREADABLE as error:
            self.close()
            raise DeviceGoneError(f"OBS at {self.where} sends no events ({error}): start it anew") from error
        events.callback.register(self.on_record_state_changed)
        self._events = events

    def ask(self, request: str, **data: Any) -> Mapping[str, Any]:
        """Send a request and return what OBS answers; RefusedError if it cannot, DeviceGoneError if it is gone."""
        if self._requests is None:
            raise DeviceGoneError(f"the connection to OBS at {self.where} was closed")
        try:
            answer = self._requests.req(request, data)
            status = answer["requestStatus"]
            if answer["requestType"] != request:
                raise ValueError(f"it answered {answer['requestType']}")
        except UNREADABLE as error:
            self.close()  # an answer that comes later would be taken for that of the next request
            raise DeviceGoneError(
                f"OBS at {self.where} does not answer {request} any more ({error}): see whether it runs, "
                "and whether it shows a question that waits for a person"
            ) from error
        if not status["result"]:
            raise RefusedError(request, status["code"], status.get("comment") or "")
        return answer.get("responseData") or {}

    def on_record_state_changed(self, data: Any) -> None:
        """Keep a state; the library finds this method by its name."""
        with self._changed:
            self._states.append(RecordState(data.output_state, data.output_path or ""))
            self._changed.notify_all()

    def forget_states(self) -> None:
        """Begin to count states anew."""
        with self._changed:
            self._states.clear()

    def states(self) -> list[RecordState]:
        """Return the states of the recording since they were forgotten, the oldest first."""
        with self._changed:
            return list(self._states)

    def wait_for(self, name: str, seconds: float) -> RecordState | None:
        """Return the first state of that name, waiting so long for it; None if it does not come."""
        with self._changed:
            self._changed.wait_for(lambda: any(state.name == name for state in self._states), seconds)
            return next((state for state in self._states if state.name == name), None)

    def close(self) -> None:
        """Close both; called twice it does nothing."""
        requests, self._requests = self._requests, None
        events, self._events = self._events, None
        if events is not None:
            events.disconnect()
            events.base_client.ws.shutdown()
        if requests is not None:
            _hang_up(requests)


def _requests(host: str, port: int, password: str, password_env: str) -> ObsClient:
    where = f"{host}:{port}"
    try:
        client = ObsClient(host=host, port=port, password=password, timeout=ANSWER_S)
    except UNREADABLE as error:
        raise DeviceGoneError(
            f"no OBS answers at {where} ({error}): start OBS, and switch on Tools → WebSocket Server Settings"
        ) from error
    try:
        problem = _let_in(client, password, password_env)
    except (KeyError, TypeError):
        problem = "is not obs-websocket 5, which OBS brings since version 28"
    if not problem:
        return client
    _hang_up(client)
    raise DeviceGoneError(f"what answers at {where} {problem}")


def _let_in(client: ObsClient, password: str, password_env: str) -> str:
    """Identify; return what is wrong, in words that follow its address."""
    asked = "authentication" in client.server_hello["d"]
    if asked and not password:
        return f"wants a password: put that of OBS into the environment variable {password_env}"
    try:
        client.authenticate()
    except UNREADABLE as error:
        if asked:
            return f"refuses the password in the environment variable {password_env}: OBS shows the right one"
        return f"ends the connection ({error}): update OBS"
    return ""


def _hang_up(client: ObsClient) -> None:
    client.ws.close()
    client.ws.shutdown()  # where the other side closed first, `close` leaves the socket open
