"""The recorder by itself: what it stands on, what is in its package, and that it is what it says."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import upreg_recorder

HOME = Path(upreg_recorder.__file__).parent
ROOT = HOME.parent
OWN = tomllib.loads((HOME / "pyproject.toml").read_text())


def test_it_stands_on_the_same_packages_as_the_project_proves_it_with():
    listed = (ROOT / "requirements.txt").read_text() + (ROOT / "requirements-dev.txt").read_text()
    lines = dict(re.findall(r"^(\S+?)([~>=<].*?)\s+#", listed, re.MULTILINE))
    extras = OWN["project"]["optional-dependencies"].values()

    for needed in [*OWN["project"]["dependencies"], *(each for extra in extras for each in extra)]:
        name, told = re.fullmatch(r"([\w-]+)(.*)", needed).groups()
        assert name == "upreg-client" or lines[name] == told


def test_its_version_is_told_once():
    assert OWN["project"]["version"] == upreg_recorder.VERSION


def test_its_command_is_there():
    module, name = OWN["project"]["scripts"]["upreg-record"].split(":")

    assert callable(getattr(importlib.import_module(module), name))


def test_every_folder_and_every_schema_is_in_the_package():
    folders = {path.parent for path in HOME.rglob("*.py") if "build" not in path.parts}
    packages = {".".join(("upreg_recorder", *folder.relative_to(HOME).parts)) for folder in folders}
    schemas = {path for path in HOME.rglob("*.json") if "build" not in path.parts}
    kept = {path for each in OWN["tool"]["setuptools"]["package-data"]["*"] for path in HOME.rglob(each)}

    assert packages == set(OWN["tool"]["setuptools"]["packages"])
    assert schemas
    assert schemas <= kept


def test_it_needs_no_server_no_client_and_no_drivers_library_to_begin():
    code = (
        "import sys, upreg_recorder.commandline as c\n"
        "c.main(['plan', 'schema'])\n"
        "banned = {'django', 'analysis', 'reports', 'upreg_client', 'adbutils', 'obsws_python', 'playwright'}\n"
        "print(sorted(banned & set(sys.modules)), file=sys.stderr)"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stderr.strip() == "[]"
