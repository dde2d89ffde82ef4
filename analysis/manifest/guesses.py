"""Guess what a recording shows from the names of its file and folders, for files that come without a manifest.

A guess fills a form that a person looks at; nothing is imported on it alone. What cannot be told stays empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from analysis.names import tidy_name
from analysis.options import INTERACTION_TYPES

# Folders that say where a film lies, not what it shows.
_GENERAL = frozenset(
    (
        "video", "videos", "recording", "recordings", "screencast", "screencasts", "screen-recordings",
        "screenrecordings", "capture", "captures", "movie", "movies", "film", "films", "dcim", "camera", "download",
        "downloads", "upload", "uploads", "runs", "data", "new", "tmp",
    )
)  # fmt: skip
_VERSION = r"(?:[a-z]+[-_ ]?)?v?\d+(?:\.\d+)+(?:[-_ ]?(?:rc|beta|alpha|dp|qpr|b|build)[-_. ]?\d*)*"
_IN_A_NAME = re.compile(rf"(?<![\w.])({_VERSION})(?![\w.]*\d\w*\.)(?=[-_ ]|$)", re.IGNORECASE)
_ACTION = re.compile(r"(?:^|[-_ @])(?:action|at)?[-_ ]?(\d+(?:\.\d+)?) ?ms(?=$|[-_ ])", re.IGNORECASE)
_REPETITION = re.compile(
    r"(?:^|[-_ ]|(?<=[a-z]))(?:run|rep|repetition|take|no|nr|#)?[-_ ]?\(?(\d{1,6})\)?$", re.IGNORECASE
)
_DAY = r"(?:19|20)\d{6}(?:[-_T]?\d{4,9})?|(?:19|20)\d\d-\d\d-\d\d(?:[-_ T]\d\d[-.:]?\d\d[-.:]?\d\d)?"
_DATE = re.compile(rf"(?:^|[-_ ])(?:{_DAY})")
_RATE = re.compile(r"(?:^|[-_ @])(\d{2,3})hz(?=$|[-_ ])", re.IGNORECASE)
_RECORDER = re.compile(
    r"(?:screen[-_ ]?record(?:ing|er)?|screencast|recording|record|video|vid|mov|img)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"__+| - ")
_EDGES = "-_ .,"


@dataclass(frozen=True, slots=True)
class Known:
    """Names that are stored already: a name in a path that is one of them is taken for it.

    ``types`` is the type of each known interaction, by app and name.
    """

    versions: Iterable[str] = ()
    apps: Iterable[str] = ()
    devices: Iterable[str] = ()
    types: Mapping[tuple[str, str], str] = field(default_factory=dict)


NOTHING_KNOWN = Known()


class Guesser:
    """Guesses for many files, with what is known looked up once."""

    def __init__(self, known: Known = NOTHING_KNOWN) -> None:
        self._versions = {_plain(name): name for name in known.versions}
        self._apps = {_plain(name): name for name in known.apps}
        self._devices = {_plain(name): name for name in known.devices}
        self._types = {(app, _plain(name)): (name, type_) for (app, name), type_ in known.types.items()}

    def guess(self, path: str) -> dict[str, str]:
        """Return the cells of a manifest that a path tells, by column; only those that it tells.

        Folders come from the widest to the narrowest: version, device, app, interaction, in whatever order the
        first two stand; the widest of all is no device unless one of that name is known. In a file's name words
        are parted by ``_``, ``-`` or spaces, parts by ``__`` or `` - ``; a number at its end is the
        repetition, ``533ms`` the action, ``120hz`` the refresh rate.
        """
        *folders, name = PurePosixPath(path).parts or ("",)
        found: dict[str, str] = {}
        rest = [self._named(part, found) for part in [*folders, *_PARTS.split(self._numbers(name, found))]]
        words = [part for part in map(_words, rest) if part and _plain(part).replace(" ", "-") not in _GENERAL]
        words = [word for word in words if not _RECORDER.fullmatch(word)]
        self._what(words, found)
        if folders and found.get("device") == _words(rest[0]):
            del found["device"]  # the folder that was chosen is called as its owner likes
        self._type(found)
        return {column: tidy_name(cell) for column, cell in found.items() if cell}

    def _numbers(self, name: str, found: dict[str, str]) -> str:
        """Take what a file's name says in numbers out of it."""
        stem = _DATE.sub("", PurePosixPath(name).stem) or ""
        for column, pattern in (("action_ms", _ACTION), ("refresh_hz", _RATE)):
            if match := pattern.search(stem):
                found[column] = match[1]
                stem = stem[: match.start()] + stem[match.end() :]
        match = _REPETITION.search(stem)
        if match and not re.fullmatch(_VERSION, stem[stem.rfind("_") + 1 :].strip(_EDGES), re.IGNORECASE):
            found["repetition"] = str(int(match[1]))
            stem = stem[: match.start()]
        return stem.strip(_EDGES)

    def _named(self, part: str, found: dict[str, str]) -> str:
        """Take the version, device, app or type out of one part of a path; return what is left of it."""
        for column, names in (("os_version", self._versions), ("device", self._devices), ("app", self._apps)):
            if column not in found and _plain(part) in names:
                found[column] = names[_plain(part)]
                return ""
        if "os_version" not in found and (match := _IN_A_NAME.search(part)):
            found["os_version"] = self._versions.get(_plain(match[1]), match[1].strip(_EDGES))
            part = f"{part[: match.start()]} {part[match.end() :]}".strip(_EDGES)
        if "refresh_hz" not in found and (match := _RATE.search(part)):
            found["refresh_hz"] = match[1]
            part = part[: match.start()] + part[match.end() :]
        return part

    def _what(self, words: list[str], found: dict[str, str]) -> None:
        """Tell app and interaction apart: the narrowest is the interaction, the one before it the app."""
        types = [word for word in words if word.lower() in INTERACTION_TYPES]
        if types and len(words) > 1:
            found["interaction_type"] = types[-1].lower()
            words.remove(types[-1])
        if "app" not in found and len(words) > 1:
            found["app"] = self._apps.get(_plain(words[-2]), words[-2])
            del words[-2]
        if words:
            found["interaction"] = words.pop()
        if "device" not in found and words:
            found["device"] = words[-1]

    def _type(self, found: dict[str, str]) -> None:
        """Take the stored name and type of an interaction, else the type that a word of its name says."""
        name = found.get("interaction", "")
        stored = self._types.get((found.get("app", ""), _plain(name)))
        if stored:
            found["interaction"], found["interaction_type"] = stored
        elif "interaction_type" not in found:
            said = [word for word in _plain(name).split() if word in INTERACTION_TYPES]
            if said:
                found["interaction_type"] = said[0]


def _plain(name: str) -> str:
    """Return a name as it is compared: in small letters, words parted by single spaces."""
    return re.sub(r"[-_\s]+", " ", name).strip().casefold()


def _words(part: str) -> str:
    """Return a part of a path as words."""
    text = part.strip(_EDGES)
    return text if " " in text else re.sub(r"[_]+|(?<=[a-z])-(?=[a-z])", " ", text).strip(_EDGES)
