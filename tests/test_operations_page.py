import re
from pathlib import Path

from analysis.kernels.folder import CHOICE

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "operations.md").read_text()


def test_every_variable_of_the_settings_is_on_the_operations_page_and_no_other():
    settings = (ROOT / "upreg_site" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"(\w+)"', settings))
    told = set(re.findall(r"`UPREG_(\w+)`", PAGE))
    assert read | {CHOICE.removeprefix("UPREG_")} == told


def test_every_command_of_the_operations_page_is_there():
    commands = {path.stem for path in (ROOT / "reports" / "management" / "commands").glob("*.py")}
    django = {"check", "changepassword", "migrate"}
    told = set(re.findall(r"manage\.py (\w+)", PAGE))
    assert told - django <= commands
