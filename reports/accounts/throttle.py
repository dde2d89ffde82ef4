"""Failed log-ins make one wait, longer with every further failure: by name, by address, and by both together.

django-axes counts in the database, so that every web host counts alike; how long one waits is decided here. A name
that nobody has is counted as any other: what is answered tells nobody who has an account.
"""

import logging
import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Max, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from reports.audit.origin import answering
from reports.audit.services import record
from reports.models import Action, Subject
from reports.web.proxies import client_address

security = logging.getLogger("upreg.security")
TOO_MANY_REQUESTS = 429


@dataclass(frozen=True)
class Limit:
    """How many failures that are alike in ``by`` cost nothing; each further one makes one wait."""

    by: tuple[str, ...]
    free: int


# Somebody who mistypes comes from one address; a few addresses that try one name, and one that tries many names,
# are told from a lab behind one address by larger numbers.
LIMITS = (Limit(("username", "ip_address"), 5), Limit(("username",), 20), Limit(("ip_address",), 50))
FIRST_WAIT_S = 60
LONGEST_WAIT_S = 3600
FORGOTTEN_AFTER = timedelta(hours=24)  # without a failure; settings.AXES_COOLOFF_TIME is this


@dataclass(frozen=True)
class Lockout:
    """A name, an address or both that must wait; what does not count is empty."""

    username: str
    address: str
    failures: int
    until: datetime


def locked_until(username: str | None, address: str | None) -> datetime | None:
    """Return until when a log-in by this name from this address is refused; None: it is not. Three queries."""
    values = {"username": username, "ip_address": address}
    found = []
    for limit in LIMITS:
        alike = _fresh().filter(**{name: values[name] for name in limit.by})
        found.append(
            _until(limit, **alike.aggregate(failures=Sum("failures_since_start"), last=Max("attempt_time")))
        )
    return max(filter(None, found), default=None)


def current_lockouts() -> list[Lockout]:
    """List everything that must wait now, the longest first."""
    return sorted(_lockouts(), key=lambda each: each.until, reverse=True)


def _lockouts() -> Iterator[Lockout]:
    for limit in LIMITS:
        groups = _fresh().order_by().values(*limit.by)
        for group in groups.annotate(failures=Sum("failures_since_start"), last=Max("attempt_time")):
            until = _until(limit, group["failures"], group["last"])
            if until:
                name, address = group.get("username") or "", group.get("ip_address") or ""
                yield Lockout(name, address, group["failures"], until)


@transaction.atomic
def lift_lockout(*, username: str = "", address: str = "", user: AbstractBaseUser | None = None) -> int:
    """Forget the failures by a name, from an address, or by both together; return how many there were."""
    named = {key: value for key, value in (("username", username), ("ip_address", address)) if value}
    if not named:
        raise ValueError("whose lockout is lifted? Give a name, an address or both")
    attempts = AccessAttempt.objects.filter(**named)
    failures = attempts.aggregate(sum=Sum("failures_since_start"))["sum"] or 0
    attempts.delete()
    if failures:
        subject = " from ".join(filter(None, [username, address]))
        record(Action.LOCKOUT_LIFTED, user=user, kind=Subject.PERSON, subject=subject, note=f"{failures} failures")
    return failures


def _fresh() -> QuerySet[AccessAttempt]:
    return AccessAttempt.objects.filter(attempt_time__gt=timezone.now() - FORGOTTEN_AFTER)


def _until(limit: Limit, failures: int | None, last: datetime | None) -> datetime | None:
    if not failures or last is None or failures < limit.free:
        return None
    doublings = min(failures - limit.free, 32)
    until = last + timedelta(seconds=min(FIRST_WAIT_S * 2**doublings, LONGEST_WAIT_S))
    return until if until > timezone.now() else None


class BackoffHandler(AxesDatabaseHandler):
    """Lets django-axes count, decides by the limits above, and writes failures into the audit log.

    While one must wait no password is looked at and nothing is counted or stored: only the server's log tells.
    """

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        """Tell whether this name or address must wait."""
        return locked_until((credentials or {}).get("username"), request.axes_ip_address) is not None  # type: ignore[attr-defined]

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return 1, which is the limit of django-axes here, if this name or address must wait."""
        return int(self.is_locked(request, credentials))

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: Any
    ) -> None:
        """Count a failure and write it down, and that one must wait from now on."""
        if request is None:  # a check of a password that is no log-in
            return
        was_locked = request.axes_locked_out  # type: ignore[attr-defined]
        super().user_login_failed(sender, credentials, request, **kwargs)
        typed = str(credentials.get("username") or "nobody")
        if was_locked:
            security.warning("%r is refused, from %s: it must wait", typed, client_address(request))
            return
        with answering(request):
            record(Action.LOGIN_FAILED, who=typed, kind=Subject.PERSON)
            until = locked_until(credentials.get("username"), request.axes_ip_address)  # type: ignore[attr-defined]
            if until:
                note = f"until {timezone.localtime(until):%H:%M:%S}"
                record(Action.LOCKED_OUT, who=typed, kind=Subject.PERSON, note=note)


def counted_address(request: HttpRequest) -> str | None:
    """Return the address by which failures are counted; None where there is none, such as on a local socket."""
    return client_address(request) or None


def locked_out(request: HttpRequest, _: HttpResponse | None, credentials: dict[str, Any] | None) -> HttpResponse:
    """Say that one must wait, and until when; the same for a name that nobody has."""
    now = timezone.now()
    until = locked_until((credentials or {}).get("username"), counted_address(request)) or now
    seconds = max(1, math.ceil((until - now).total_seconds()))
    context = {"until": until, "minutes": math.ceil(seconds / 60), "next": request.POST.get("next", "")}
    response = render(request, "registration/locked_out.html", context, status=TOO_MANY_REQUESTS)
    response["Retry-After"] = str(seconds)
    return response
