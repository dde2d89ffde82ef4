import json
from itertools import pairwise
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.upreg_recorder.drivers.fake import SETTINGS
from upreg_recorder.drivers.registry import Installed
from upreg_recorder.failures import PlanError
from upreg_recorder.plans.model import Step, Target
from upreg_recorder.plans.reading import read_plan
from upreg_recorder.plans.schema import plan_schema
from upreg_recorder.plans.yaml_text import read_yaml

WHOLE = """\
name: night
repetitions: 20
defaults: &quiet {lead_ms: 700, watch_ms: 2500}
devices:
  - {name: a, driver: fake, os_version: 14.10, model: One, settings: {serial: 0042}}
  - {name: b, driver: fake, os_version: 15, lane: shelf, refresh_hz: 120}
apps:
  - name: Mail
    package: org.example.mail
    version: 1.10
    install: {14.10: mail.apk}
    interactions:
      - name: open inbox
        <<: *quiet
        prepare:
          - launch
          - tap: Inbox
          - tap: {id: search}
          - tap: {description: Back}
          - tap: {at: [0.5, 0.9]}
          - swipe: {from: [0.5, 0.9], to: [0.5, 0.1], ms: 200}
          - scroll: {by: [0, -0.6], in: {id: list}}
          - type: hello
          - type: {text: hello, into: {id: search}}
          - draw: {points: [[0, 0], [1, 1]]}
          - wait: 500
          - wait: {until: {text: Done}, ms: 8000}
          - wait: {until: Done}
          - back
          - home:
        action: {tap: 42}
      - {name: start, action: launch}
      - {name: leave, action: back}
      - {name: read, type: scroll, action: {swipe: {from: [0.5, 0.9], to: [0.5, 0.1]}}}
  - name: Maps
    package: org.example.maps
    install: mail.apk
    interactions: [{name: start, action: {launch: {}}}]
"""


@pytest.fixture
def plan_of(tmp_path):
    (tmp_path / "mail.apk").write_bytes(b"app")

    def read(text):
        file = tmp_path / "plan.yaml"
        file.write_text(text, encoding="utf-8")
        return read_plan(file, SETTINGS)

    return read


def problems_of(plan_of, text):
    with pytest.raises(PlanError) as raised:
        plan_of(text)
    return raised.value.problems


def test_plan_is_read_as_it_is_meant(plan_of, tmp_path):
    plan = plan_of(WHOLE)

    assert (plan.name, plan.repetitions, plan.tries, plan.folder) == ("night", 20, 3, tmp_path)
    a, b = plan.devices
    assert (a.os_version, a.model, a.lane, dict(a.settings)) == ("14.10", "One", "", {"serial": "0042"})
    assert (b.os_version, b.lane, b.refresh_hz) == ("15", "shelf", 120)
    mail, maps = plan.apps
    assert (mail.version, dict(mail.install)) == ("1.10", {"14.10": tmp_path / "mail.apk"})
    assert dict(maps.install) == dict.fromkeys(("14.10", "15"), tmp_path / "mail.apk")
    assert [each.type for each in mail.interactions] == ["tap", "launch", "tap", "scroll"]
    inbox = mail.interactions[0]
    assert (inbox.lead_ms, inbox.watch_ms) == (700.0, 2500.0)
    assert inbox.action == Step("tap", Target(text="42"), line=31)
    assert inbox.prepare == (
        Step("launch", line=16),
        Step("tap", Target(text="Inbox"), line=17),
        Step("tap", Target(id="search"), line=18),
        Step("tap", Target(description="Back"), line=19),
        Step("tap", Target(at=(0.5, 0.9)), line=20),
        Step("swipe", path=((0.5, 0.9), (0.5, 0.1)), ms=200.0, line=21),
        Step("scroll", Target(id="list"), by=(0.0, -0.6), ms=300.0, line=22),
        Step("type", text="hello", line=23),
        Step("type", Target(id="search"), text="hello", line=24),
        Step("draw", path=((0.0, 0.0), (1.0, 1.0)), ms=600.0, line=25),
        Step("wait", ms=500.0, line=26),
        Step("wait", Target(text="Done"), ms=8000.0, line=27),
        Step("wait", Target(text="Done"), ms=5000.0, line=28),
        Step("back", line=29),
        Step("home", line=30),
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("repetitions: 20", "repetition: 20", "'repetition' is not known in the plan: do you mean 'repetitions'?"),
        ("repetitions: 20", "repetitions: many", "repetitions is 'many': give a whole number"),
        ("repetitions: 20", "repetitions: 0", "repetitions is 0: give 1 or more"),
        ("repetitions: 20", "repetitions:", "repetitions is empty: give a whole number"),
        ("repetitions: 20", "repetitions: 1:30", "repetitions is '1:30': give a whole number"),
        ("driver: fake, os_version: 15", "driver: fkae, os_version: 15", "driver is 'fkae': do you mean 'fake'?"),
        ("name: b,", "name: A,", "another device is called 'A', in line 5: rename one"),
        ("serial: 0042", "seriel: 0042", "'seriel' is not known in settings: do you mean 'serial'?"),
        ("  - name: Maps", "  - name: mail", "another app is called 'mail', in line 8: rename one"),
        ("org.example.maps", "org.example.mail", "another app with the package is called 'org.example.mail'"),
        ("name: leave", "name: start", "another interaction of Mail is called 'start', in line 32: rename one"),
        ("install: {14.10:", "install: {14.1:", "no device has the OS version '14.1': do you mean '14.10'?"),
        ("install: mail.apk", "install: maps.apk", "maps.apk is no file: it is looked for beside the plan"),
        ("- home:", "- hone:", "'hone' is not known in prepare 15: do you mean 'home'?"),
        ("- launch\n", "- lanch\n", "prepare 1 is 'lanch': do you mean 'launch'?"),
        ("{id: search}\n", "{}\n", "tap takes exactly one of text, id, description, at; here are none"),
        ("{id: search}\n", "{id: a, text: b}\n", "one of text, id, description, at; here are id, text"),
        ("[0.5, 0.9]}\n", "[0.5, 1.9]}\n", "at 2 is 1.9: give 1 or less"),
        ("[0.5, 0.9]}\n", "[0.5]}\n", "at has 1 values: give 2"),
        ("to: [0.5, 0.1], ms: 200", "ms: 200", "swipe lacks 'to'"),
        ("by: [0, -0.6]", "by: [0, 0]", "by is [0, 0]: say how far the content moves"),
        ("{until: {text: Done}, ms: 8000}", "{}", "wait takes at least one of ms, until"),
        ("action: launch", "action: {wait: 5}", "action is 'wait': film what the user does"),
        ("type: scroll", "type: fling", "type is 'fling'"),
        ("- name: open inbox", "- name: open/inbox", "name is 'open/inbox': give a name without / \\ ? #"),
        ("- name: open inbox", "- name: open\u200binbox", "name has a character that cannot be seen (U+200B)"),
        ("- name: open inbox", '- name: ""', "name is empty: fill it"),
        ("- name: open inbox", "- name: [a]", "name is a list: give a text"),
        ("version: 1.10", "version: 1.10\n    version: 1.11", "'version' stands twice, first in line 10: keep one"),
        ("*quiet", "*quite", "undefined alias"),
        ("name: night", "name: !!python/object:os.system night", "python/object:os.system is not known here"),
    ],
)  # fmt: skip
def test_error_is_said_with_its_line(plan_of, old, new, words):
    line = WHOLE[: WHOLE.index(old)].count("\n") + 1 + new.count("\n    ")

    found = problems_of(plan_of, WHOLE.replace(old, new, 1))

    assert [where for where, said in found if words in said] == [line], found


def test_all_errors_come_at_once_sorted_by_line(plan_of):
    text = WHOLE.replace("repetitions: 20", "repetitions: 0").replace("- launch\n", "- lanch\n")
    text = text.replace("install: mail.apk", "install: maps.apk").replace("name: b,", "name: a,")

    found = problems_of(plan_of, text)

    assert [line for line, _ in found] == [2, 6, 16, 37]


NO_PLANS = (
    *("", "# nothing\n", "5\n", "[]\n", "- a\n", "name: x\n", "a: b: c\n", "\tname: x\n"),
    *("a: &x [*x]\n", "\0", "{a: [}", "? [a, b]\n: c\n", "--- a\n--- b\n", "<<: 5\n"),
)


@pytest.mark.parametrize("text", NO_PLANS)
def test_what_is_no_plan_is_refused_in_words(plan_of, text):
    found = problems_of(plan_of, text)

    assert found
    assert all(isinstance(line, int) and said for line, said in found)


def test_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(PlanError, match="cannot be read"):
        read_plan(tmp_path / "none.yaml", SETTINGS)


def test_few_lines_cannot_mean_a_billion_values(monkeypatch):
    monkeypatch.setattr("upreg_recorder.plans.yaml_text.MOST_VALUES", 20_000)
    names = "abcdefghij"
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    for before, name in pairwise(names):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]")

    with pytest.raises(PlanError, match="its aliases mean too much"):
        read_yaml("\n".join(lines))


def test_merged_keys_cannot_mean_a_billion_values(monkeypatch):
    monkeypatch.setattr("upreg_recorder.plans.yaml_text.MOST_VALUES", 20_000)
    lines = ["k0: &k0 {" + ", ".join(f"a{n}: 1" for n in range(10)) + "}"]
    for number in range(1, 9):
        lines.append(f"k{number}: &k{number} {{" + ", ".join(f"b{n}: *k{number - 1}" for n in range(10)) + "}")
    lines.append("z: {<<: [*k8, *k8, *k8]}")

    with pytest.raises(PlanError, match="its aliases mean too much"):
        read_yaml("\n".join(lines))


def test_nesting_without_end_is_refused():
    with pytest.raises(PlanError, match="levels"):
        read_yaml("[" * 1_000)


def test_merge_key_gives_way_to_what_is_said():
    text = read_yaml("a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3\n")

    assert text.value["b"] == {"y": 3, "x": 1}
    assert (text.line(("b", "y")), text.line(("b", "x"))) == (4, 1)


def test_schema_is_one_and_takes_what_the_reader_takes():
    schema = plan_schema(SETTINGS)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)

    value = json.loads(json.dumps(read_yaml(WHOLE).value))
    value["devices"][0] |= {"os_version": "14.10", "settings": {"serial": "0042"}}
    value["devices"][1]["os_version"] = value["apps"][0]["version"] = "15"
    value["apps"][0]["interactions"][0]["action"] = {"tap": "42"}

    assert [error.message for error in validator.iter_errors(value)] == []


def test_settings_of_an_app_are_those_of_all_drivers_that_the_plan_uses(tmp_path):
    def settings(**properties):
        own = {"type": "object", "additionalProperties": False, "properties": properties}
        return {"device": {"type": "object"}, "app": own | {"required": list(properties)}}

    both = {"web": settings(url={"$ref": "#/$defs/address"}), "phone": settings(snapshot={"type": "string"})}
    both["web"]["$defs"] = {"address": {"type": "string", "minLength": 3}}

    def problems(driver, said):
        file = tmp_path / "plan.yaml"
        file.write_text(
            f"name: a\nrepetitions: 1\ndevices: [{{name: a, driver: {driver}, os_version: 1}}]\n"
            f"apps:\n  - name: Mail\n    package: mail\n    settings: {said}\n"
            "    interactions: [{name: start, action: launch}]\n"
        )
        try:
            read_plan(file, both)
        except PlanError as error:
            return error.problems
        return []

    assert problems("web", "{url: abc}") == []
    assert problems("web", "{url: abc, snapshot: s}") == []
    assert problems("web", "{}") == [(7, "settings lacks 'url'")]
    assert problems("web", "{url: ab}") == [(7, "url is 'ab': give 3 characters or more")]
    assert problems("phone", "{snapshot: s, snapshoot: s}") == [
        (7, "'snapshoot' is not known in settings: do you mean 'snapshot'?")
    ]


def test_files_of_settings_lie_beside_the_plan(tmp_path):
    path = {"type": "string", "format": "path"}
    own = {"type": "object", "properties": {"site": path, "more": {"type": "array", "items": path}}}
    web = {"web": {"device": {"type": "object", "properties": {"key": path}}, "app": own}}
    (tmp_path / "site").mkdir()

    def read(key, more):
        file = tmp_path / "plan.yaml"
        file.write_text(
            f"name: a\nrepetitions: 1\n"
            f"devices: [{{name: a, driver: web, os_version: 1, settings: {{key: {key}}}}}]\n"
            f"apps:\n  - name: Mail\n    package: mail\n    settings: {{site: site, more: {more}}}\n"
            "    interactions: [{name: start, action: launch}]\n"
        )
        return read_plan(file, web)

    plan = read("site", "[site, npm:a@1, https://example.org]")
    assert dict(plan.devices[0].settings) == {"key": str(tmp_path / "site")}
    assert plan.apps[0].settings["site"] == str(tmp_path / "site")
    assert plan.apps[0].settings["more"] == [str(tmp_path / "site"), "npm:a@1", "https://example.org"]
    with pytest.raises(PlanError) as raised:
        read("none", "[nothing]")
    assert [line for line, said in raised.value.problems if "is not there" in said] == [3, 7]


def test_every_driver_that_comes_along_has_schemas_that_are_some():
    settings = Installed().settings()

    Draft202012Validator.check_schema(plan_schema(settings))
    for schema in settings.values():
        assert {"device", "app"} <= set(schema)
        assert all(schema[part]["additionalProperties"] is False for part in ("device", "app"))


def test_words_of_the_model_are_those_of_the_schema():
    schema = json.loads((Path(__file__).parents[3] / "upreg_recorder" / "plans" / "schema.json").read_text())
    kinds = {"launch", "tap", "swipe", "scroll", "type", "draw", "wait", "back", "home"}

    assert set(schema["$defs"]["step"]["else"]["properties"]) == kinds
