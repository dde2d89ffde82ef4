"""The few things that the recorder wants of upreg_client. Imported where it is needed: a host may do without."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from upreg_client import pushing
from upreg_client.failures import ClientError, NotAllowedError, RefusedError, ServerError, UsageError
from upreg_client.manifest import Row
from upreg_client.server import Patience, Server, checked_address, part
from upreg_client.uploading import Begun, state_file
from upreg_recorder.failures import AwayError, RecorderError, ServerRefusesError

ONCE = 2  # tries of what is asked in passing
MISSING = 404


def checked(address: str, token: str) -> str:
    """Return the address as the client writes it; raises ServerRefusesError for what cannot be asked at all."""
    with _asking(address, token, ONCE) as server:
        return server.address


def ask_whether_it_answers(address: str, token: str) -> None:
    """Ask something small, so that a wrong token is told before anything is recorded."""
    with _asking(address, token, ONCE) as server:
        server.ask("GET", "versions/", params={"limit": 1})


def bring(
    address: str,
    token: str,
    row: Mapping[str, str],
    files: Mapping[str, Path],
    *,
    state: Path,
    batch: str,
    tries: int,
) -> tuple[str, str]:
    """Bring one run in; return what became of it (new, updated, unchanged, refused) and why it was refused.

    `state` is the file under whose name uploads that were begun are remembered.
    """
    size = sum(path.stat().st_size for path in files.values())
    line = Row(1, dict(row), dict(files), size)
    with _asking(address, token, tries) as server:
        begun = Begun(state_file(server.address, state))
        tally = pushing.push(server, [line], begun=begun, batch=batch, parallel=1, watch=pushing.Watch())
    [outcome] = tally.outcomes
    return outcome.kind, str(RefusedError(0, outcome.faults)) if outcome.faults else ""


def open_batch(address: str, token: str, name: str, os_version: str) -> None:
    """Open a batch about an OS version, or find it open."""
    with _asking(address, token, ONCE) as server:
        pushing.open_batch(server, name, os_version)


def complete_batch(address: str, token: str, name: str) -> None:
    """Say that all of a batch is in."""
    with _asking(address, token, Patience().tries) as server:
        pushing.complete_batch(server, name)


def scope(address: str, token: str, name: str) -> tuple[list[str], list[str]]:
    """Return the packages and the interaction types of a saved scope."""
    with _asking(address, token, ONCE) as server:
        answer = server.ask("GET", f"scopes/{part(name)}/", known=(MISSING,))
        if answer.status_code == MISSING:
            raise RecorderError(f"--scope {name}: {answer.json().get('detail') or 'the server has no such scope'}")
        said = answer.json()
        return list(said["apps"]), list(said["interaction_types"])


@contextmanager
def _asking(address: str, token: str, tries: int) -> Iterator[Server]:
    """Ask the server, for a short while: one that met an error is not asked on. Errors become the recorder's."""
    try:
        with Server(checked_address(address), token, patience=Patience(tries=tries)) as server:
            yield server
    except (NotAllowedError, UsageError) as error:
        raise ServerRefusesError(f"nothing can be pushed: {error}", error.exit_code) from error
    except RefusedError as error:
        raise ServerRefusesError(str(error), error.exit_code) from error
    except ServerError as error:
        raise AwayError(str(error)) from error
    except ClientError as error:
        raise AwayError(str(error)) from error
