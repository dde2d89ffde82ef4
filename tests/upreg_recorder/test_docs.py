"""docs/recording.md speaks of what there is."""

import re
import shlex
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from upreg_recorder import commandline, films
from upreg_recorder.delivering.rows import COLUMNS
from upreg_recorder.engine import space, stations
from upreg_recorder.plans.schema import plan_schema

PAGE = (Path(__file__).parents[2] / "docs" / "recording.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"^upreg-record ([^#\n]+?)\s*(?:#.*)?$", PAGE, re.MULTILINE)))
SETTINGS = {"adb": {"device": {"type": "object"}, "app": {"type": "object"}}}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_is_understood(command):
    assert commandline._parser().parse_args(shlex.split(command))


def test_every_command_has_an_example():
    assert {command.split()[0] for command in COMMANDS} | {"deliver"} == {"plan", "devices", "record", "deliver"}
    assert "upreg-record deliver night/" in PAGE


def test_first_plan_is_one():
    [plan] = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]

    assert [error.message for error in Draft202012Validator(plan_schema(SETTINGS)).iter_errors(plan)] == []


def test_every_key_and_every_step_of_a_plan_is_on_the_page():
    schema = plan_schema(SETTINGS)
    parts = [schema, *(schema["$defs"][name] for name in ("device", "app", "interaction"))]
    keys = {key for part in parts for key in part["properties"]}

    assert {key for key in keys if f"`{key}`" not in PAGE} == set()
    steps = schema["$defs"]["step"]["else"]["properties"]
    assert {kind for kind in steps if not re.search(rf"`{kind}[`:]", PAGE)} == set()


def test_exit_codes_are_the_same_on_the_page_and_in_the_help():
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}

    assert codes == {int(line.split()[0]) for line in commandline.EXIT_CODES.splitlines()[1:]}


def test_limits_on_the_page_are_those_of_the_code():
    assert f"{films.WIDTH} × {films.HEIGHT} grey cells" in PAGE
    assert f"above {films.MEAN_LEVELS:g} of 255 levels, or above {films.CELL_LEVELS} levels" in PAGE
    assert f"{films.CELL_SHARE:.0%}".replace("%", " %") in PAGE
    assert f"{films.AFTER:g} of `watch_ms`" in PAGE
    assert f"less than {stations.LEAST_BATTERY_PCT:g} % of its battery" in PAGE
    assert f"{space.LEAST_BYTES // 2**20} MB" in PAGE


def test_columns_of_a_recording_are_those_of_the_manifest():
    manifest = (Path(__file__).parents[2] / "docs" / "manifest.md").read_text(encoding="utf-8")

    assert [name for name in COLUMNS if f"`{name}`" not in manifest] == []
