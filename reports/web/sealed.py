"""Keep secrets that must be read again, such as another server's token: encrypted in the database.

The key is made of UPREG_SECRET_KEY, so a copy of the database alone gives nothing away; whoever has both has
the secrets.
"""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

_PURPOSE = b"reports.web.sealed"


class UnreadableSecretError(Exception):
    """A secret was sealed under another key; the message tells the cure."""


def seal(secret: str) -> str:
    """Return a secret encrypted and signed (Fernet: AES-128-CBC and HMAC-SHA256)."""
    return _keys().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """Return the secret; raises UnreadableSecretError if the key is another one by now."""
    try:
        return _keys().decrypt(sealed.encode()).decode()
    except InvalidToken as error:
        raise UnreadableSecretError(
            "The token kept here can no longer be read, as UPREG_SECRET_KEY was changed: enter it again."
        ) from error


def _keys() -> MultiFernet:
    return MultiFernet([_fernet(str(key)) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _fernet(key: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(key.encode())
    return Fernet(urlsafe_b64encode(derived))
