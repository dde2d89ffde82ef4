"""Say what is configured wrongly before it costs a night of recordings. `manage.py check` runs these."""

import os
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage

from reports.access.addresses import unknown_to_urls, unnamed_in_table

Check = Callable[..., list[CheckMessage]]


def check_queue_never_runs_a_task_twice(**_: Any) -> list[CheckMessage]:
    """Refuse a queue that hands a task out again while it still runs, or repeats a failure for ever."""
    queue: dict[str, Any] = settings.Q_CLUSTER
    found: list[CheckMessage] = []
    if not queue.get("timeout") or queue["timeout"] >= queue.get("retry", 60):
        hint = "Let Q_CLUSTER['timeout'] be set, and below Q_CLUSTER['retry']."
        found.append(Error("A task may be handed out again while it still runs.", hint=hint, id="upreg.E001"))
    if not (queue.get("max_attempts") and queue.get("ack_failures")):
        hint = "Set Q_CLUSTER['max_attempts'] and Q_CLUSTER['ack_failures']."
        found.append(Error("A task that fails would be repeated for ever.", hint=hint, id="upreg.E002"))
    if not queue.get("orm"):
        hint = "Set Q_CLUSTER['orm']: UPReg looks into the broker's table to find runs whose task was lost."
        found.append(Error("The queue's broker is not the database.", hint=hint, id="upreg.E003"))
    return found


def check_storage_can_be_written(**_: Any) -> list[CheckMessage]:
    """Warn of a folder that cannot be written: pages show what there is, but no import finds room."""
    if not isinstance(default_storage, FileSystemStorage):
        return []
    folder = default_storage.location
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    if os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
        return []
    hint = f"Make {folder} writable for this user, or set UPREG_MEDIA_ROOT."
    return [Warning(f"Screencasts cannot be stored in {default_storage.location}.", hint=hint, id="upreg.W004")]


def check_object_store_takes_files(**_: Any) -> list[CheckMessage]:
    """Refuse an object store that does not answer or does not let this machine write; asks it over the network."""
    if isinstance(default_storage, FileSystemStorage):
        return []
    try:
        default_storage.delete(default_storage.save(f"checks/{uuid4()}", ContentFile(b"UPReg may write here.")))
    except OSError as error:
        hint = "See UPREG_S3_BUCKET, UPREG_S3_ENDPOINT and the keys."
        return [Error(f"Screencasts cannot be stored: {error}.", hint=hint, id="upreg.E006")]
    return []


def check_workers_fit_the_machine(**_: Any) -> list[CheckMessage]:
    """Warn of more workers than cores: they measure no faster and need all their memory at once."""
    cores = os.cpu_count() or 1
    if cores >= settings.WORKERS:
        return []
    hint = f"Set UPREG_WORKERS to {cores} or less."
    return [Warning(f"{settings.WORKERS} workers share {cores} cores.", hint=hint, id="upreg.W001")]


def check_decoding_ends_before_its_task(**_: Any) -> list[CheckMessage]:
    """Refuse a decoder that may take longer than its task: the queue would end both, and nobody be told why."""
    if settings.DECODER_TIMEOUT_S < settings.TASK_TIMEOUT_S:
        return []
    hint = f"Set UPREG_DECODER_TIMEOUT_S below {settings.TASK_TIMEOUT_S}, or raise UPREG_TASK_TIMEOUT_S."
    return [Error("Decoding may take longer than the task that waits for it.", hint=hint, id="upreg.E007")]


def check_debug_stays_at_home(**_: Any) -> list[CheckMessage]:
    """Refuse debug pages on a network: they show settings and source to whoever reaches them."""
    local = {"localhost", "127.0.0.1", "[::1]", "testserver"}
    if not settings.DEBUG or set(settings.ALLOWED_HOSTS) <= local:
        return []
    hint = "Unset UPREG_DEBUG, or take the other names out of UPREG_ALLOWED_HOSTS."
    return [Error("Debug pages would be seen from other machines.", hint=hint, id="upreg.E005")]


def check_mail_is_complete(**_: Any) -> list[CheckMessage]:
    """Refuse half of a mail server, and links in mails that could lead to any host that somebody names."""
    found: list[CheckMessage] = []
    given = {
        "UPREG_EMAIL_HOST": settings.EMAIL_HOST,
        "UPREG_EMAIL_FROM": settings.DEFAULT_FROM_EMAIL,
        "UPREG_EMAIL_USER": settings.EMAIL_HOST_USER,
        "UPREG_EMAIL_PASSWORD": settings.EMAIL_HOST_PASSWORD,
    }
    needed = list(given)[:2] if not (settings.EMAIL_HOST_USER or settings.EMAIL_HOST_PASSWORD) else list(given)
    missing = [name for name in needed if not given[name]]
    if any(given.values()) and missing:
        hint = "Set it too, or none of UPREG_EMAIL_*: then no link for a new password is sent."
        found.append(Error(f"Mail cannot be sent: {', '.join(missing)} is missing.", hint=hint, id="upreg.E011"))
    if settings.EMAIL_HOST and "*" in settings.ALLOWED_HOSTS:
        hint = "Name the hosts in UPREG_ALLOWED_HOSTS in place of *."
        found.append(Error("A link in a mail could lead to a host of somebody else.", hint=hint, id="upreg.E012"))
    return found


def check_every_address_has_its_role(**_: Any) -> list[CheckMessage]:
    """Refuse an address that is missing in the table of who may do what, and a name there that leads nowhere."""
    missing = [f"{name} is open to nobody: no capability is named for it." for name in unnamed_in_table()]
    unknown = [f"{name} is named in the table of roles, and no address is." for name in unknown_to_urls()]
    hint = "Put it into, or take it out of, reports/access/table.py; then run `manage.py access_table`."
    return [Error(words, hint=hint, id="upreg.E010") for words in (*missing, *unknown)]


def register_checks() -> None:
    """Register every check; called once when the app is ready."""
    checks: dict[Check, str] = {
        check_queue_never_runs_a_task_twice: Tags.async_support,
        check_storage_can_be_written: Tags.files,
        check_workers_fit_the_machine: Tags.async_support,
        check_decoding_ends_before_its_task: Tags.async_support,
        check_debug_stays_at_home: Tags.security,
        check_mail_is_complete: Tags.security,
        check_every_address_has_its_role: Tags.urls,
    }
    for check, tag in checks.items():
        register(check, tag)
    register(check_object_store_takes_files, Tags.files, deploy=True)  # not in every command: it may be far away
