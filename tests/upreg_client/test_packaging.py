"""The client by itself: what it stands on, and that it is what it says."""

import importlib
import re
import tomllib
from pathlib import Path

import upreg_client

ROOT = Path(upreg_client.__file__).parents[1]
OWN = tomllib.loads((ROOT / "upreg_client" / "pyproject.toml").read_text())


def test_it_stands_on_the_same_packages_as_the_project_proves_it_with():
    lines = dict(re.findall(r"^(\S+?)([~>=<].*?)\s+#", (ROOT / "requirements.txt").read_text(), re.MULTILINE))

    for needed in OWN["project"]["dependencies"]:
        name, told = re.fullmatch(r"(\w+)(.*)", needed).groups()
        assert lines[name] == told


def test_its_version_is_told_once():
    assert OWN["project"]["version"] == upreg_client.VERSION


def test_its_command_is_there():
    module, name = OWN["project"]["scripts"]["upreg"].split(":")

    assert callable(getattr(importlib.import_module(module), name))
