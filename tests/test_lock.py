"""The lock files: they keep to what requirements allow, pin by hash, and their licences are listed."""

import re
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks import licences

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"requirements.txt": "requirements.lock", "requirements-dev.txt": "requirements-dev.lock"}
PINNED = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)(?:\[[a-z0-9,._-]+\])?==(?P<version>[^\s;\\]+)", re.MULTILINE)
# Licences that let a company run and hand on the program beside its own: another one wants a person to read it.
KNOWN = re.compile(
    r"BSD|MIT|Apache|PSF|Python Software Foundation|LGPL|MPL|Mozilla Public|ISC|Zope Public|Unlicense|HPND"
)


def pins(lock: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in PINNED.finditer((ROOT / lock).read_text()):
        found.setdefault(match["name"], set()).add(match["version"])
    return found


def wanted(name: str) -> list[Requirement]:
    lines = [line.split("#")[0].strip() for line in (ROOT / name).read_text().splitlines()]
    return [Requirement(line) for line in lines if line and not line.startswith("-r")]


@pytest.mark.parametrize("requirements", LOCKS)
def test_lock_holds_every_requirement_in_a_version_that_it_allows(requirements):
    locked = pins(LOCKS[requirements])

    for requirement in wanted(requirements):
        versions = locked[requirement.name.lower()]
        assert all(requirement.specifier.contains(version) for version in versions), f"run make lock: {requirement}"


@pytest.mark.parametrize("lock", LOCKS.values())
def test_every_pin_has_a_hash_and_none_names_an_address(lock):
    text = (ROOT / lock).read_text()
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]

    assert len(blocks) > 20
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []
    assert "://" not in text


@pytest.mark.parametrize("lock", LOCKS.values())
def test_extras_that_packages_ask_for_of_each_other_are_pinned_with_them(lock):
    """pip would take the newest version for what a package asks for with an extra, and refuse it as not pinned."""
    text = (ROOT / lock).read_text()
    asked = [requirement for name in pins(lock) for requirement in needed(name) if requirement.extras]

    assert [
        str(requirement)
        for requirement in asked
        if not re.search(
            rf"^{canonicalize_name(requirement.name)}\[{','.join(sorted(requirement.extras))}\]==",
            text,
            re.MULTILINE,
        )
    ] == []


def needed(name: str) -> list[Requirement]:
    """Return what a package needs where it is installed; nothing of one for other systems."""
    try:
        stated = [Requirement(line) for line in requires(name) or []]
    except PackageNotFoundError:
        return []
    return [one for one in stated if one.marker is None or one.marker.evaluate({"extra": ""})]


def test_tests_run_on_the_versions_that_users_get():
    users, developers = pins("requirements.lock"), pins("requirements-dev.lock")

    assert {name: developers.get(name) for name in users} == users


def test_licence_of_every_package_that_users_get_is_listed_and_known():
    page = (ROOT / "docs" / "licences.md").read_text()
    rows = re.findall(r"^\| \[([^\]]+)\]\([^)]*\) \| (\S+) \| (.+) \|$", page, re.MULTILINE)
    listed = {re.sub(r"[._]", "-", name.lower()): (version, licence) for name, version, licence in rows}
    locked = {name: pins("requirements.lock")[name] for name in licences.locked(ROOT / "requirements.lock")}

    assert len(locked) > 50
    assert set(listed) == set(locked), "run make lock"
    assert [name for name, (version, _) in listed.items() if version not in locked[name]] == []
    assert [f"{name}: {licence}" for name, (_, licence) in listed.items() if not KNOWN.search(licence)] == []
