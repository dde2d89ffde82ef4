"""JSON that tells a page how to show single frames of a run."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from django.core.files.storage import default_storage
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.isolation.picturing import read_index_apart
from analysis.pictures.playindex import PlayIndex
from reports.media.decoding import decoders
from reports.media.files import NO_SCREENCAST, film_of, with_file_state
from reports.media.proxies import request_proxy
from reports.media.screencasts import ScreencastMissingError, local_file
from reports.media.stills import NoSuchFrameError, looked_into
from reports.models import Proxy, ProxyStatus, Run

UNREADABLE = "unreadable"
INDEXES_KEPT = 64  # some MB at most: a page waiting for a proxy asks for the same two files again and again


@api_view(["GET"])
def run_playback(request: Request, run_id: int) -> Response:
    """Answer where each frame of the run lies, in its proxy if there is one, else in the screencast itself.

    ``state``: ready (``video`` and ``index`` are there), wanted (POST to ``proxy`` and ask again), making
    (``progress_pct``), failed or missing (``message``). ``proxy`` beside ready: stepping would be quicker with one.
    """
    run = get_object_or_404(with_file_state(Run.objects.all()), pk=run_id)
    film = film_of(run)
    if not film.plays:
        return Response({"state": "missing", "message": film.words})
    proxy = Proxy.objects.filter(sha256=run.sha256).first()
    if proxy and proxy.status == ProxyStatus.DONE and default_storage.exists(proxy.file_name):
        return Response({"state": "ready", "video": reverse("run-proxy", args=[run.pk]), "index": proxy.index})
    return Response(_original(run) or _waiting(run, proxy))


@api_view(["POST"])
def run_proxy(request: Request, run_id: int) -> Response:
    """Have the run's proxy made in the queue; asking again changes nothing."""
    run = get_object_or_404(Run, pk=run_id)
    if not run.filmed:
        return Response({"state": "missing", "message": NO_SCREENCAST})
    return Response(_waiting(run, request_proxy(run=run)), status=202)


def _original(run: Run) -> dict[str, Any] | None:
    try:
        index = _index(run.file_name)
    except ScreencastMissingError as error:
        return {"state": "missing", "message": str(error)}
    if index is None:
        return None
    found = {"state": "ready", "video": reverse("run-video", args=[run.pk]), "index": index.as_dict()}
    return found if index.steps_quickly else found | {"proxy": reverse("api-run-proxy", args=[run.pk])}


def _index(name: str) -> PlayIndex | None:
    """Return the index of a stored file, or that it has none. Raises ScreencastMissingError."""
    try:
        version = (default_storage.size(name), default_storage.get_modified_time(name))
    except FileNotFoundError:
        return _read(name)  # which says in its own words that the file is lost
    return _read_once(name, *version)


@lru_cache(maxsize=INDEXES_KEPT)
def _read_once(name: str, size_bytes: int, modified: datetime) -> PlayIndex | None:
    """Read one version of a stored file: another one has another size or time."""
    return _read(name)


def _read(name: str) -> PlayIndex | None:
    """Return the index; a file that breaks its decoder has none, and its proxy will say why."""
    with local_file(name) as path:
        try:
            with looked_into():
                return read_index_apart(decoders(), path)
        except NoSuchFrameError:
            return None


def _waiting(run: Run, proxy: Proxy | None) -> dict[str, Any]:
    address = reverse("api-run-proxy", args=[run.pk])
    if run.outcome == UNREADABLE:
        return {"state": "failed", "message": run.error}
    if proxy is None or proxy.status == ProxyStatus.DONE:
        return {"state": "wanted", "proxy": address}
    if proxy.status == ProxyStatus.FAILED:
        return {"state": "failed", "message": proxy.error}
    return {"state": "making", "proxy": address, "progress_pct": proxy.progress_pct}
