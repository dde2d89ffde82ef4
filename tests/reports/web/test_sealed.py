import base64
import hashlib
import hmac

import pytest
from cryptography.fernet import Fernet

from reports.web.sealed import UnreadableSecretError, seal, unseal


def _hkdf(key, info):
    """Derive 32 bytes as RFC 5869 says, without a salt: one block suffices."""
    extracted = hmac.new(bytes(32), key, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


def test_secret_is_sealed_with_a_key_made_of_the_signing_key(settings):
    settings.SECRET_KEY = "k" * 50

    sealed = seal("tökén")

    key = base64.urlsafe_b64encode(_hkdf(b"k" * 50, b"reports.web.sealed"))
    assert Fernet(key).decrypt(sealed.encode()).decode() == "tökén"
    assert seal("tökén") != sealed


def test_secret_outlives_a_change_of_the_key_only_while_the_old_one_is_kept(settings):
    settings.SECRET_KEY = "k" * 50
    sealed = seal("token")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "n" * 50, ["k" * 50]
    assert unseal(sealed) == "token"

    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(UnreadableSecretError, match="enter it again"):
        unseal(sealed)
