"""Make, revoke and use tokens. The secret is shown to whoever makes one, once, and kept as a hash.

How many requests a token makes in a minute is counted in the database, so that every web process and host counts
alike; each process takes a block of them at a time, which costs one UPDATE for the block and tells the last use.
"""

import hashlib
import secrets
import string
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Case, F, Q, When
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from reports.audit.services import record
from reports.models import Action, ApiToken

PREFIX = "upreg"
KEY_LENGTH, SECRET_BYTES = 8, 32
MOST = 50  # tokens of one person that are valid at once
LONGEST_BLOCK = 20
MINUTE_S = 60
SPENT = -1  # no more in this minute: nobody asks the database again
_LETTERS = string.ascii_lowercase + string.digits


@dataclass(frozen=True, slots=True)
class Purse:
    """What requests of a kind are paid from: the setting that limits them, and the columns that count them."""

    setting: str
    window: str
    taken: str


ASKING = Purse("API_PER_MINUTE", "window", "taken")
BRINGING = Purse("UPLOADS_PER_MINUTE", "uploads_window", "uploads_taken")


class TooManyTokensError(ValueError):
    """A person has enough of them; the message says what to do."""


class BadTokenError(ValueError):
    """A token lets nobody in; the message says why and what to do, and never what the token is."""


@transaction.atomic
def make_token(*, user: Any, name: str, scopes: list[str], days: int) -> tuple[ApiToken, str]:
    """Make a token of a person that ends after some days; return it with its text, which is kept nowhere.

    Raises
    ------
    TooManyTokensError
        The person has 50 that are valid.

    """
    if ApiToken.objects.filter(user=user).filter(living()).count() >= MOST:
        raise TooManyTokensError(f"You have {MOST} tokens already: revoke those that nobody uses.")
    key = "".join(secrets.choice(_LETTERS) for _ in range(KEY_LENGTH))
    secret = secrets.token_urlsafe(SECRET_BYTES)
    token = ApiToken.objects.create(
        user=user,
        key=key,
        secret_sha256=_hashed(secret),
        name=name,
        scopes=scopes,
        expires_at=timezone.now() + timedelta(days=days),
    )
    note = f"may {', '.join(scopes)}, until {token.expires_at:%Y-%m-%d}"
    record(Action.TOKEN_MADE, of=token, user=user, note=note)
    return token, f"{PREFIX}_{key}_{secret}"


@transaction.atomic
def revoke_token(*, token: ApiToken, by: AbstractBaseUser) -> bool:
    """End a token at once; return False if it was revoked already."""
    ended = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    if ended:
        note = "" if token.user_id == by.pk else f"of {token.user.get_username()}"
        record(Action.TOKEN_REVOKED, of=token, user=by, note=note)
    return bool(ended)


def living() -> Q:
    """Match the tokens that let somebody in."""
    return Q(revoked_at=None, expires_at__gt=timezone.now())


def token_called(text: str) -> ApiToken:
    """Return the token with its owner, by what a request sent; one query.

    Raises
    ------
    BadTokenError
        It lets nobody in.

    """
    prefix, _, rest = text.partition("_")
    key, _, secret = rest.partition("_")
    if prefix != PREFIX or len(key) != KEY_LENGTH or not secret or not text.isascii():
        raise BadTokenError("This is no token of UPReg: they begin with upreg_ and are sent whole.")
    found = ApiToken.objects.select_related("user__grant").filter(key=key).first()
    # a hash is compared in either case: how long it takes tells nobody which keys there are
    kept = found.secret_sha256 if found else _hashed("")
    if not constant_time_compare(_hashed(secret), kept) or found is None:
        raise BadTokenError("This token is not known here. Make one under Your account, API tokens.")
    if found.revoked_at:
        raise BadTokenError("This token was revoked. Make another under Your account, API tokens.")
    if found.expires_at <= timezone.now():
        raise BadTokenError(
            f"This token expired on {found.expires_at:%Y-%m-%d}. Make another under Your account, API tokens."
        )
    if not found.user.is_active:
        raise BadTokenError("Whose token this is may not log in any more. Ask an administrator.")
    return found


class _Blocks:
    """The requests that this process may still answer, of the blocks that it took: {whose: (minute, left)}."""

    def __init__(self) -> None:
        self._lock, self._left = threading.Lock(), dict[tuple[str, Purse], tuple[int, int]]()

    def spend(self, token: ApiToken, purse: Purse, address: str, now: datetime) -> bool:
        """Count a request; return False if the token has made enough of its kind in this minute."""
        minute, key = int(now.timestamp()) // MINUTE_S, (token.key, purse)
        if (left := self._take(key, minute)) != 0:
            return left > 0
        block = _take_block(token, purse, address, now, minute)  # not under the lock: a database may take its time
        with self._lock:
            known, left = self._left.get(key, (minute, 0))
            if known == minute:  # else the next has begun meanwhile
                self._left[key] = (minute, left + block - 1 if left + block > 0 else SPENT)
        return left + block > 0

    def _take(self, key: tuple[str, Purse], minute: int) -> int:
        """Take one of what is left; return what there was: 0 if a block must be taken, SPENT if there is none."""
        with self._lock:
            if self._left.get(key, (0, 0))[0] != minute:
                self._left = {other: kept for other, kept in self._left.items() if kept[0] == minute}
                self._left[key] = (minute, 0)
            left = self._left[key][1]
            self._left[key] = (minute, left - 1 if left > 0 else left)
            return left


_BLOCKS = _Blocks()


def use_token(*, token: ApiToken, address: str, purse: Purse) -> int:
    """Count a request and remember when and from where; return 0, or the seconds to wait for the next minute."""
    now = timezone.now()
    if _BLOCKS.spend(token, purse, address, now):
        return 0
    return MINUTE_S - int(now.timestamp()) % MINUTE_S


def _take_block(token: ApiToken, purse: Purse, address: str, now: datetime, minute: int) -> int:
    limit: int = getattr(settings, purse.setting)
    block = max(1, min(LONGEST_BLOCK, limit // 10))
    this_minute = Q(**{purse.window: minute})
    free = ~this_minute | Q(**{f"{purse.taken}__lte": limit - block})
    taken = Case(When(this_minute, then=F(purse.taken) + block), default=block)
    changes: dict[str, Any] = {"last_used_at": now, "last_used_from": address}
    changes |= {purse.window: minute, purse.taken: taken}
    return block if ApiToken.objects.filter(free, pk=token.pk).update(**changes) else 0


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
