import json
from csv import DictReader
from importlib.resources import files
from pathlib import Path

import pytest

from upreg_recorder.plans.reading import read_plan

SAMPLES = Path(__file__).parents[2] / "samples"
SETTINGS = json.loads(files("upreg_recorder.drivers.chromium").joinpath("settings.schema.json").read_text())


@pytest.mark.parametrize("plan", sorted(SAMPLES.glob("plan*.yaml")), ids=lambda path: path.name)
def test_plan_of_the_samples_can_be_recorded(plan):
    assert read_plan(plan, {"chromium": SETTINGS}).apps


@pytest.mark.parametrize(("name", "manifest"), [("pair", "runs.csv"), ("history", "history.csv")])
def test_plan_records_what_the_samples_hold(name, manifest):
    plan = read_plan(SAMPLES / f"plan-{name}.yaml", {"chromium": SETTINGS})
    planned = {
        (
            device.os_version,
            device.settings.get("more", {}).get("released_on", ""),
            app.name,
            app.version,
            app.package,
            interaction.name,
            interaction.type,
        )
        for device in plan.devices
        for app in plan.apps
        for interaction in app.interactions
    }
    with (SAMPLES / manifest).open(encoding="utf-8") as stream:
        rows = list(DictReader(stream))
    names = ("os_version", "released_on", "app", "app_version", "package", "interaction", "interaction_type")
    assert planned == {tuple(row.get(name, "") for name in names) for row in rows}
    assert len(rows) == len(planned) * plan.repetitions
