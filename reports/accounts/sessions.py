"""Who is logged in where: sessions that can be listed and ended, and that end by themselves after a time.

The session itself carries when it began and was last seen, so that a request costs no query more; a row beside it
says whose it is, for lists. Every few minutes of use the row and the session are brought up to date.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from reports.audit.origin import answering
from reports.audit.services import record
from reports.models import Action, LoginSession, Subject
from reports.web.proxies import client_address

BEGAN, SEEN = "login_began_s", "login_seen_s"  # in the session, seconds since 1970
TOLD_EVERY_S = 300
_BROWSERS = ("Edg", "OPR", "Firefox", "Chrome", "Safari", "curl", "python")
_NAMES = {"Edg": "Edge", "OPR": "Opera", "python": "a Python script"}
_SYSTEMS = ("Windows", "Android", "iPhone", "iPad", "Mac OS X", "CrOS", "Linux")
_SYSTEM_NAMES = {"Mac OS X": "macOS", "CrOS": "ChromeOS"}


@dataclass(frozen=True)
class SessionLine:
    """A session as its owner sees it. ``mine`` is the one that asks."""

    id: int
    browser: str
    address: str
    began: datetime
    seen: datetime
    mine: bool


def begin_session(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Remember a log-in; called once it has succeeded. Clears away what has ended by itself."""
    now = timezone.now()
    if request.session.session_key is None:
        request.session.save()
    request.session[BEGAN] = request.session[SEEN] = int(now.timestamp())
    Session.objects.filter(expire_date__lt=now).delete()
    LoginSession.objects.filter(began_at__lt=now - timedelta(seconds=settings.SESSION_COOKIE_AGE)).delete()
    facts: dict[str, Any] = {"user_id": user.pk, "began_at": now, "seen_at": now}
    LoginSession.objects.create(session_key=_key(request), **facts, **_from(request))


def forget_session(request: HttpRequest) -> None:
    """Forget a session whose owner logs out."""
    LoginSession.objects.filter(session_key=_key(request)).delete()


def my_sessions(request: HttpRequest) -> list[SessionLine]:
    """List where the person who asks is logged in, the last used first; one query."""
    mine = _key(request)
    return [
        SessionLine(
            row.pk, browser_name(row.browser), row.address, row.began_at, row.seen_at, row.session_key == mine
        )
        for row in _living().filter(user=request.user.pk)
    ]


def count_sessions(person: AbstractBaseUser) -> int:
    """Return in how many places a person is logged in."""
    return _living().filter(user=person.pk).count()


def end_session(*, row_id: int, user: AbstractBaseUser) -> int:
    """End one of a person's own sessions; return how many that were: 0 if it had ended."""
    return _end(LoginSession.objects.filter(pk=row_id, user=user.pk), user, by=user)


def end_other_sessions(*, request: HttpRequest) -> int:
    """End all sessions of the person who asks but the one that asks; return how many."""
    user: Any = request.user
    return _end(LoginSession.objects.filter(user=user.pk).exclude(session_key=_key(request)), user, by=user)


def end_all_sessions(*, person: AbstractBaseUser, by: AbstractBaseUser | None = None) -> int:
    """Log a person out everywhere; return in how many places."""
    return _end(LoginSession.objects.filter(user=person.pk), person, by=by)


@transaction.atomic
def _end(rows: QuerySet[LoginSession], person: AbstractBaseUser, *, by: AbstractBaseUser | None) -> int:
    keys = list(rows.values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    LoginSession.objects.filter(session_key__in=keys).delete()
    if keys:
        note = "1 session" if len(keys) == 1 else f"{len(keys)} sessions"
        record(Action.SESSIONS_ENDED, of=person, user=by, note=note)
    return len(keys)


def keep_session(request: HttpRequest, old_key: str | None) -> None:
    """Let the row follow a session that was given another key, as after a change of the password."""
    LoginSession.objects.filter(session_key=(old_key or "")[:40]).update(session_key=_key(request))


class LoginSessionMiddleware:
    """End sessions that are too old or were not used for too long, and keep what lists say of the others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, as nobody's if the session is over."""
        began, seen = (request.session.get(name) for name in (BEGAN, SEEN))
        if began is None or seen is None:  # nobody's, or of a log-in before sessions were kept
            if request.session.get("_auth_user_id"):
                logout(request)
            return self._get_response(request)
        now = int(time.time())
        if now - began > settings.SESSION_COOKIE_AGE or now - seen > settings.SESSION_IDLE_S:
            logout(request)
        elif now - seen >= TOLD_EVERY_S:
            request.session[SEEN] = now
            rows = LoginSession.objects.filter(session_key=_key(request))
            rows.update(seen_at=timezone.now(), **_from(request))
        return self._get_response(request)


def browser_name(agent: str) -> str:
    """Return browser and system of a user agent in words."""
    browser = next((name for name in _BROWSERS if name in agent), "")
    system = next((name for name in _SYSTEMS if name in agent), "")
    words = _NAMES.get(browser, browser) or "an unknown browser"
    return f"{words} on {_SYSTEM_NAMES.get(system, system)}" if system else words


def _living() -> QuerySet[LoginSession]:
    now = timezone.now()
    return LoginSession.objects.filter(
        began_at__gt=now - timedelta(seconds=settings.SESSION_COOKIE_AGE),
        seen_at__gt=now - timedelta(seconds=settings.SESSION_IDLE_S),
    )


def _from(request: HttpRequest) -> dict[str, str]:
    agent = request.headers.get("User-Agent", "").replace("\0", "")
    return {"address": client_address(request), "browser": agent[:300]}


def _key(request: HttpRequest) -> str:
    return (request.session.session_key or "")[:40]


def listen() -> None:
    """Write down every login and logout, whichever way it came; called once when the app is ready.

    Django says each by a signal and by nothing else. Failures are counted and written down by throttle.py.
    """
    user_logged_in.connect(_logged_in, dispatch_uid="audit")
    user_logged_out.connect(_logged_out, dispatch_uid="audit")


def _logged_in(request: HttpRequest, user: AbstractBaseUser, **_: Any) -> None:
    with answering(request):
        record(Action.LOGGED_IN, user=user, kind=Subject.PERSON, object_id=user.pk)
        begin_session(request, user)


def _logged_out(request: HttpRequest, user: AbstractBaseUser | None, **_: Any) -> None:
    if user is not None:
        with answering(request):
            record(Action.LOGGED_OUT, user=user, kind=Subject.PERSON, object_id=user.pk)
            forget_session(request)
