"""Whichever way somebody logs in or out, it is written down, and a session begins or ends.

Django says each by a signal and by nothing else. Failures are counted and written down by throttle.py.
"""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.http import HttpRequest

from reports.accounts.sessions import begin_session, forget_session
from reports.audit.origin import answering
from reports.audit.services import record
from reports.models import Action, Subject


def listen() -> None:
    """Begin to write them down; called once when the app is ready."""
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
