"""Make a proxy when a page first needs one: in the queue, once per file, repeatable."""

import logging
import tempfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django_q.tasks import async_task

from reports.models import Run
from reports.models.proxies import Proxy, ProxyStatus
from reports.services.proxies_encode import CannotEncodeError, encode_proxy
from reports.services.proxies_index import read_index
from reports.services.screencasts import ScreencastMissingError, local_path

logger = logging.getLogger(__name__)
TASK = "reports.tasks_proxies.make_proxy"


@transaction.atomic
def request_proxy(*, run: Run) -> Proxy:
    """Return the proxy of a run's screencast; queue the work if nobody did, or if it got lost or its file did."""
    proxy, made = Proxy.objects.get_or_create(sha256=run.sha256, defaults={"source_name": run.file_name})
    if made or _is_lost(proxy):
        Proxy.objects.filter(pk=proxy.pk).update(status=ProxyStatus.PENDING, claimed_at=timezone.now(), error="")
        transaction.on_commit(partial(async_task, TASK, proxy.pk, task_name=f"proxy {proxy.sha256[:12]}"))
        proxy.refresh_from_db()
    return proxy


def make_proxy(*, proxy_id: int) -> str:
    """Encode a proxy and return in a word what became of it; safe to repeat, safe beside others."""
    now = timezone.now()
    mine = Proxy.objects.filter(Q(status=ProxyStatus.PENDING) | Q(_stale()), pk=proxy_id)
    if not mine.update(status=ProxyStatus.RUNNING, claimed_at=now, progress_pct=0, error=""):
        return "another process got there first"
    proxy = Proxy.objects.get(pk=proxy_id)
    try:
        _make(proxy)
    except (CannotEncodeError, ScreencastMissingError) as error:
        return _fail(proxy, str(error))
    except Exception as error:
        logger.exception("proxy %s could not be made", proxy_id)
        return _fail(proxy, f"{type(error).__name__}: {error}")
    return "done"


def _make(proxy: Proxy) -> None:
    with tempfile.TemporaryDirectory() as folder, local_path(proxy.source_name) as source:
        target = Path(folder) / "proxy.mp4"
        encode_proxy(source, target, report=_reporter(proxy))
        index = read_index(target)
        if index is None:
            raise CannotEncodeError("the proxy cannot be read back: see the log of the worker")
        name = f"proxies/{proxy.sha256[:2]}/{proxy.sha256}.mp4"
        default_storage.delete(name)
        with target.open("rb") as stream:
            kept = default_storage.save(name, File(stream))
    Proxy.objects.filter(pk=proxy.pk).update(
        status=ProxyStatus.DONE, file_name=kept, index=index.as_dict(), progress_pct=100
    )


def _reporter(proxy: Proxy) -> Callable[[int], None]:
    frames = (
        Run.objects.filter(sha256=proxy.sha256, frame_count__gt=0).values_list("frame_count", flat=True).first()
    )

    def report(done: int) -> None:
        Proxy.objects.filter(pk=proxy.pk).update(progress_pct=min(99, 100 * done // (frames or 1000)))

    return report


def _fail(proxy: Proxy, message: str) -> str:
    Proxy.objects.filter(pk=proxy.pk).update(status=ProxyStatus.FAILED, error=message)
    return f"failed: {message}"


def _stale() -> Q:
    """Match work whose worker was lost: a claim outlives the queue's time limit by a minute."""
    limit = timezone.now() - timedelta(seconds=settings.TASK_TIMEOUT_S + 60)
    return Q(status__in=[ProxyStatus.PENDING, ProxyStatus.RUNNING], claimed_at__lt=limit)


def _is_lost(proxy: Proxy) -> bool:
    if proxy.status == ProxyStatus.DONE:
        return not default_storage.exists(proxy.file_name)
    return Proxy.objects.filter(_stale(), pk=proxy.pk).exists()
