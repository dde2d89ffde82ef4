"""One login, made at the first start and written where only its owner can read it."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth import get_user_model

USER = "upreg"


@dataclass(frozen=True, slots=True)
class Login:
    """How to get in. Without a password: the one that somebody has chosen since."""

    user: str
    password: str = ""


def ensure_login(file: Path) -> Login | None:
    """Make the login where nobody can log in yet; return it while its password is the one in the file.

    None: there are users, but not this one; whoever made them knows how to get in.
    """
    users = get_user_model().objects
    if not users.exists():
        return _make(file)
    user = users.filter(username=USER).first()
    if user is None:
        return None
    password = _password_in(file)
    return Login(USER, password if password and user.check_password(password) else "")


def _make(file: Path) -> Login:
    login = Login(USER, secrets.token_urlsafe(16))
    _write(file, f"user: {login.user}\npassword: {login.password}\n")
    get_user_model().objects.create_superuser(username=login.user, password=login.password)
    return login


def _write(file: Path, text: str) -> None:
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as stream:
        os.fchmod(handle, 0o600)  # a file that was there before keeps its mode otherwise
        stream.write(text)


def _password_in(file: Path) -> str:
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("password:")), "")
