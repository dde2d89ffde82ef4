import pytest
from django.contrib.staticfiles import finders

from reports.bugreport.page import MODULES, one_script

CORE = """/* A comment that says: import nothing; export nothing. */

const STEP = 2;

export const DOUBLE = 2;

export function twice(value) {
  return STEP * value; // export of goods
}

export async function later() {}

export class Track {}
"""
PAGE = """import { twice, DOUBLE } from "./core.js";
import {
  Track,
} from "./core.js";
import "./aside.js";

const exported = twice(DOUBLE);
"""


def test_one_script_loses_imports_and_exports_and_nothing_else():
    script = one_script(CORE, PAGE)

    assert script.startswith('"use strict";\n')
    left = [line for line in script.splitlines() if line.startswith(("import", "export"))]
    assert left == []
    for kept in ("import nothing; export nothing", "\nconst DOUBLE = 2;", "\nfunction twice", "// export of goods"):
        assert kept in script
    for kept in ("\nasync function later", "\nclass Track {}", "\nconst exported = twice(DOUBLE);"):
        assert kept in script
    assert script.index("class Track") < script.index("const exported")


@pytest.mark.parametrize("name", MODULES)
def test_shared_module_imports_nothing_and_knows_no_page(name):
    with open(finders.find(name), encoding="utf-8") as stream:
        text = stream.read()

    assert not any(line.startswith("import") for line in text.splitlines())
    assert "document." not in text
    assert "querySelector" not in text
