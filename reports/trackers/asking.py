"""Ask a tracker for JSON: at addresses that may be reached, without being led elsewhere, for a minute at most."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpcore

from reports.web.outgoing import RefusedTargetError, checked_pool, trouble

WHOLE_S = 30.0  # from connecting to the end of the answer
MOST_BYTES = 5_000_000


class NoAnswerError(Exception):
    """A tracker could not be asked; the message says why, ``again`` tells whether it may work the next time."""

    def __init__(self, words: str, *, again: bool = True) -> None:
        super().__init__(words)
        self.again = again


@dataclass(frozen=True)
class Answer:
    """What a tracker answered; names of headers in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        """The body read as JSON; None where it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            return None


def ask(
    method: str,
    address: str,
    *,
    headers: Mapping[str, str],
    params: Mapping[str, Any] | None = None,
    data: Any = None,
) -> Answer:
    """Send a request, ``data`` as JSON, and return the answer whatever its status; raises NoAnswerError."""
    sent = {"Accept-Encoding": "identity", "Connection": "close", **headers}
    body = None if data is None else json.dumps(data).encode()
    if body is not None:
        sent |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    url = f"{address}?{urlencode(params)}" if params else address
    try:
        with (
            checked_pool(WHOLE_S) as pool,
            pool.stream(method, url, headers=list(sent.items()), content=body) as answer,
        ):
            return Answer(answer.status, _readable(answer.headers), _whole(answer))
    except RefusedTargetError as error:
        raise NoAnswerError(str(error), again=False) from error
    except (httpcore.UnsupportedProtocol, httpcore.LocalProtocolError, UnicodeError) as error:
        raise NoAnswerError("The address is none that can be asked: check it.", again=False) from error
    except httpcore.TimeoutException as error:
        raise NoAnswerError(f"The server did not answer within {WHOLE_S:.0f} s.") from error
    except (OSError, httpcore.NetworkError, httpcore.ProtocolError) as error:
        raise NoAnswerError(f"The server could not be reached: {trouble(error)}.") from error


def _readable(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}


def _whole(answer: httpcore.Response) -> bytes:
    body = bytearray()
    for part in answer.iter_stream():
        body += part
        if len(body) > MOST_BYTES:
            raise NoAnswerError(f"The server answers with more than {MOST_BYTES // 1_000_000} MB.")
    return bytes(body)
