"""docs/ci.md speaks of what there is."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from upreg_client import commandline, failures

PAGE = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
COMMANDS = sorted(
    set(re.findall(r"(?:^|run: |- |'|`)upreg ((?:push|compare|gate|comment|bisect) [^'`\n]+)", PAGE, re.MULTILINE))
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_is_understood(command):
    assert commandline._parser().parse_args(shlex.split(command))


def test_every_command_has_an_example():
    assert {command.split()[0] for command in COMMANDS} == {"push", "compare", "gate", "comment", "bisect"}


def test_examples_in_yaml_can_be_read():
    examples = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)]

    assert [len(example) for example in examples] == [4, 1]


def test_exit_codes_are_the_same_on_the_page_and_in_the_help():
    codes = {value for name, value in vars(failures).items() if name.isupper()}

    assert {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)} == codes
    assert {int(code) for code in re.findall(r"^  (\d+) ", commandline.EXIT_CODES, re.MULTILINE)} == codes
