"""Order OS versions as people count them: 13.0.9 before 13.0.13, a release candidate before its release."""

import re

_PART = re.compile(r"\d+|[a-z]+", re.IGNORECASE)
_WIDTH = 12
_BEFORE_RELEASE = {"dev": "a", "alpha": "b", "a": "b", "beta": "c", "b": "c", "preview": "d", "rc": "e"}
_RELEASE, _AFTER_RELEASE = "m", "n"


def version_sort_key(name: str) -> str:
    """Return a text whose plain order is the order of the versions.

    Numbers count as numbers; the end of a name comes after its pre-release words (dev, alpha, beta, preview, rc)
    and before any other word or further number: ``13-beta < 13-rc1 < 13 < 13.0.1 < 13.0.1-hotfix``.
    """
    return "".join(_part_key(part) for part in _PART.findall(name)) + _RELEASE


def _part_key(part: str) -> str:
    if part.isdigit():
        return _AFTER_RELEASE + "0" + part.zfill(_WIDTH)
    word = part.lower()
    return _BEFORE_RELEASE.get(word, _AFTER_RELEASE + "1") + word + " "
