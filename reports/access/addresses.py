"""All addresses that the program answers, by their URL names, to be held against the table."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from reports.access.table import ADDRESSES, NAMESPACE, methods_of


def all_addresses() -> dict[str, list[str]]:
    """Return URL name → the addresses under that name, with a namespace as ``admin:index``."""
    found: dict[str, list[str]] = {}
    for name, address in _walk(get_resolver().url_patterns, "", "/"):
        found.setdefault(name, []).append(address)
    return found


def _walk(patterns: Sequence[Any], namespace: str, before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern.url_patterns, inner, address)
        elif isinstance(pattern, URLPattern):
            yield namespace + (pattern.name or pattern.lookup_str), address


def unnamed_in_table() -> list[str]:
    """Return the URL names that the table does not know: they are open to nobody."""
    return sorted(name for name in all_addresses() if not methods_of(name))


def unknown_to_urls() -> list[str]:
    """Return the names in the table that no address has."""
    names = all_addresses().keys()
    namespaces = {f"{name.partition(':')[0]}:{NAMESPACE}" for name in names if ":" in name}
    return sorted(ADDRESSES.keys() - names - namespaces)
