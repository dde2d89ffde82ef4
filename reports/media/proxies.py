"""Make a proxy (`analysis.pictures.proxy`) when a page first needs one: in the queue, once per file, repeatable."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django_q.tasks import async_task

from analysis.isolation.decoder import DecoderError, UnavailableError
from analysis.isolation.picturing import encode_apart
from reports.media.decoding import decoders
from reports.media.files import intact_file
from reports.media.screencasts import (
    NotNowError,
    StorageAwayError,
    StorageError,
    keep_made,
)
from reports.models import Proxy, ProxyStatus, Run
from reports.queue.broker import LaterBroker
from reports.queue.leases import TAKEN, Lease, is_over

logger = logging.getLogger(__name__)
TASK = "reports.tasks.make_proxy"


@transaction.atomic
def request_proxy(*, run: Run) -> Proxy:
    """Return the proxy of a run's screencast; queue the work if nobody did, or if it got lost or its file did."""
    proxy, made = Proxy.objects.get_or_create(sha256=run.sha256, defaults={"source_name": run.file_name})
    if made or _is_lost(proxy):
        seen = {"status": proxy.status, "claim": proxy.claim, "claimed_at": proxy.claimed_at}
        waits = {"status": ProxyStatus.PENDING, "claim": None, "claimed_at": timezone.now(), "error": ""}
        # Only as it was seen: of two pages that ask at once, one queues it.
        if Proxy.objects.filter(pk=proxy.pk, **seen).update(**waits):
            transaction.on_commit(partial(async_task, TASK, proxy.pk, task_name=f"proxy {proxy.sha256[:12]}"))
        proxy.refresh_from_db()
    return proxy


def make_proxy(*, proxy_id: int) -> str:
    """Encode a proxy and return in a word what became of it; safe to repeat, safe beside others."""
    lease = Lease.take(Proxy, proxy_id, free=Q(status=ProxyStatus.PENDING), progress_pct=0, error="")
    if lease is None:
        return TAKEN
    proxy = Proxy.objects.get(pk=proxy_id)
    try:
        return "done" if _make(proxy, lease) else TAKEN
    except _TakenOverError:
        return TAKEN
    except (NotNowError, StorageAwayError, UnavailableError) as error:
        return _wait(lease, str(error))
    except (DecoderError, StorageError) as error:
        return _fail(lease, str(error))
    except Exception as error:
        logger.exception("proxy %s could not be made", proxy_id)
        return _fail(lease, f"{type(error).__name__}: {error}")


class _TakenOverError(Exception):
    """Another process makes this proxy by now: encoding on would be for nothing."""


def _make(proxy: Proxy, lease: Lease) -> bool:
    kept = _name(proxy, lease)
    with (
        intact_file(proxy.source_name) as source,
        encode_apart(decoders(), source, report=_reporter(proxy, lease)) as (stream, index),
    ):
        keep_made(stream, kept)
    found = {"file_name": kept, "index": index.as_dict(), "progress_pct": 100}
    needless = kept
    try:
        if lease.end(status=ProxyStatus.DONE, **found):
            needless = proxy.file_name  # what this one takes the place of
    finally:
        if needless:
            default_storage.delete(needless)
    return needless != kept


def _name(proxy: Proxy, lease: Lease) -> str:
    """Return a name that no other claim uses, so that nobody overwrites or deletes what another has made."""
    return f"proxies/{proxy.sha256[:2]}/{proxy.sha256}-{lease.name[:12]}.mp4"


def _reporter(proxy: Proxy, lease: Lease) -> Callable[[int], None]:
    frames = (
        Run.objects.filter(sha256=proxy.sha256, frame_count__gt=0).values_list("frame_count", flat=True).first()
    )

    def report(done: int) -> None:
        if not lease.note(progress_pct=min(99, 100 * done // (frames or 1000))):
            raise _TakenOverError

    return report


def _fail(lease: Lease, message: str) -> str:
    return f"failed: {message}" if lease.end(status=ProxyStatus.FAILED, error=message) else TAKEN


def _wait(lease: Lease, reason: str) -> str:
    """Give the proxy back because its file cannot be reached now; it is tried again until it can be."""
    if not lease.end(status=ProxyStatus.PENDING, claimed_at=timezone.now(), error=reason):
        return TAKEN
    async_task(TASK, lease.pk, task_name=f"proxy {lease.pk} again", broker=LaterBroker())
    return reason


def _is_lost(proxy: Proxy) -> bool:
    if proxy.status == ProxyStatus.DONE:
        return not default_storage.exists(proxy.file_name)
    return proxy.status in (ProxyStatus.PENDING, ProxyStatus.RUNNING) and is_over(proxy)
