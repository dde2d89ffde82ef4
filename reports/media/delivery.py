"""How the bytes of a stored file come to a browser: this is decided here alone.

By the server itself (``server``); by the reverse proxy in front, which this server tells where the file lies once
it knows that the person may see it (``proxy``); by the object store, to which the browser is sent with an address
that works for some minutes (``redirect``).
"""

import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header

from reports.media.screencasts import StorageAwayError, StorageError
from reports.web.ranged import content_type, stored_file

logger = logging.getLogger(__name__)
FOLDER, STORE = "/-/media/", "/-/store/"  # addresses that the proxy keeps to itself: deploy/nginx.conf
REDIRECT_KEPT_S = 60  # a player asks for many ranges; the address itself works much longer


def deliver(request: HttpRequest, name: str, *, etag: str, download_as: str = "") -> HttpResponseBase:
    """Answer GET or HEAD with a stored file. Raises FileNotFoundError if the storage does not have it.

    ``etag`` names the content for ever; ``download_as`` makes it an attachment of that name.
    """
    way, is_folder = settings.MEDIA_DELIVERY, isinstance(default_storage, FileSystemStorage)
    if way == "server" or (way == "redirect" and is_folder):
        return stored_file(request, name, etag=etag, download_as=download_as)
    if not default_storage.exists(name):
        raise FileNotFoundError(name)
    disposition = content_disposition_header(True, download_as) if download_as else ""
    address = FOLDER + quote(name) if is_folder else _signed(request, name, disposition)
    if way == "redirect":
        return HttpResponseRedirect(address, headers={"Cache-Control": f"private, max-age={REDIRECT_KEPT_S}"})
    response = HttpResponse(content_type=content_type(name))
    response["X-Accel-Redirect"] = address if address.startswith(FOLDER) else _through_proxy(address)
    response["Cache-Control"] = "private, max-age=3600"
    if disposition:
        response["Content-Disposition"] = disposition
    return response


def _signed(request: HttpRequest, name: str, disposition: str) -> str:
    as_is = {"ResponseContentType": content_type(name), "ResponseCacheControl": "private, max-age=3600"}
    parameters = as_is | ({"ResponseContentDisposition": disposition} if disposition else {})
    storage: Any = default_storage
    return storage.url(name, parameters=parameters, http_method=request.method)


def _through_proxy(address: str) -> str:
    """Return where the proxy fetches from the object store: /-/store/https/host/path?signature."""
    where = urlsplit(address)
    return f"{STORE}{where.scheme}/{where.netloc}{where.path}?{where.query}"


class StorageAwayMiddleware:
    """Answer 503 with words where the storage does not answer: nothing is wrong with the page or the recording."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Say what the storage said; any other error is left alone."""
        if not isinstance(error, (StorageError, StorageAwayError)):
            return None
        reason = str(error)
        logger.warning("%s: %s", request.path, reason)
        wait = {"Retry-After": "30"}
        if request.path.startswith("/api/") or not request.accepts("text/html"):
            return JsonResponse({"detail": reason}, status=503, headers=wait)
        response = render(request, "storage_away.html", {"reason": reason}, status=503)
        response["Retry-After"] = wait["Retry-After"]
        return response
