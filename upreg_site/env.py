"""Read settings from the environment and fail loudly when one is wrong.

Every variable begins with ``UPREG_`` and is listed in docs/operations.md.
"""

import os
import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

PREFIX = "UPREG_"
TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    """Return the variable as it stands, or the default when it is unset or empty."""
    return os.environ.get(PREFIX + name, "").strip() or default


def flag(name: str, default: bool) -> bool:
    """Return a yes/no variable; anything but the known words is an error."""
    word = text(name).lower()
    if not word:
        return default
    if word in TRUE | FALSE:
        return word in TRUE
    raise ImproperlyConfigured(f"{PREFIX}{name}={word!r} is neither yes nor no: use 1 or 0")


def integer(name: str, default: int, *, least: int = 0) -> int:
    """Return a whole number, at least ``least``."""
    word = text(name)
    if not word:
        return default
    try:
        number = int(word)
    except ValueError:
        raise ImproperlyConfigured(f"{PREFIX}{name}={word!r} is not a whole number") from None
    if number < least:
        raise ImproperlyConfigured(f"{PREFIX}{name}={number} is too small: use {least} or more")
    return number


def choice(name: str, options: tuple[str, ...]) -> str:
    """Return one of some words; the first of them is the default."""
    word = text(name, options[0])
    if word not in options:
        raise ImproperlyConfigured(f"{PREFIX}{name}={word!r} is not known: use {', '.join(options)}")
    return word


def words(name: str, default: list[str]) -> list[str]:
    """Return a comma-separated list."""
    found = [word.strip() for word in text(name).split(",") if word.strip()]
    return found or default


def networks(name: str, default: list[str]) -> list[IPv4Network | IPv6Network]:
    """Return a comma-separated list of addresses and networks, such as ``10.0.0.0/8``."""
    found = words(name, default)
    try:
        return [ip_network(word) for word in found]
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{PREFIX}{name}: {error}: use addresses or networks such as 10.0.0.0/8"
        ) from None


def address(name: str, default: str) -> str:
    """Return where something is reached by HTTP, without a slash at its end."""
    word = text(name, default)
    if not re.fullmatch(r"https?://[^/\s?#]+(/[^\s?#]*)?", word):
        raise ImproperlyConfigured(f"{PREFIX}{name}={word!r} is no address: give one such as https://upreg.example")
    return word.rstrip("/")


def path(name: str, default: Path) -> Path:
    """Return an absolute folder or file path."""
    return Path(text(name, str(default))).expanduser().resolve()
