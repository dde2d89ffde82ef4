from collections import Counter
from pathlib import Path

import pytest

from upreg_recorder.failures import PlanError, RecorderError
from upreg_recorder.plans.model import App, Device, Interaction, Plan, Step
from upreg_recorder.plans.selecting import Scope, chosen, needed
from upreg_recorder.plans.trials import all_trials, lane_of, lanes


def plan_of(*devices, repetitions=4, interactions=("open", "scroll")):
    apps = []
    for name in ("Mail", "Maps"):
        scripts = tuple(
            Interaction(each, "tap" if each == "open" else "scroll", Step("home")) for each in interactions
        )
        apps.append(
            App(name, f"org.example.{name.lower()}", scripts, category="work" if name == "Mail" else "travel")
        )
    return Plan("night", repetitions, tuple(apps), devices, Path())


OLD, NEW = Device("old", "adb", "13.0.9", "One"), Device("new", "adb", "13.0.13", "One")


def names(trials):
    return "".join(trial.device.name[0] for trial in trials)


def test_two_devices_of_a_lane_take_turns_abba_in_time_and_for_each_interaction():
    [trials] = lanes(all_trials(plan_of(OLD, NEW))).values()

    assert names(trials) == ("onnoonno" + "noonnoon") * 2
    for of in {(trial.app.name, trial.interaction.name) for trial in trials}:
        own = [trial for trial in trials if (trial.app.name, trial.interaction.name) == of]
        assert names(own) in ("onnoonno", "noonnoon")


def test_three_devices_go_forwards_and_backwards():
    [trials] = lanes(all_trials(plan_of(OLD, Device("mid", "adb", "13.0.11", "One"), NEW, repetitions=1))).values()

    assert names(trials) == "omnnmo" * 2


def test_drift_in_time_hits_both_versions_alike():
    """A lane that gets slower with each trial shifts the means of both versions by the same."""
    [trials] = lanes(all_trials(plan_of(OLD, NEW, repetitions=20))).values()

    hours = {name: [at for at, trial in enumerate(trials) if trial.device.name == name] for name in ("old", "new")}

    assert sum(hours["old"]) == sum(hours["new"])


def test_each_trial_is_there_once():
    plan = plan_of(OLD, NEW, Device("web", "chromium", "M120"))
    trials = [trial for own in lanes(all_trials(plan)).values() for trial in own]

    assert max(Counter(trial.key for trial in trials).values()) == 1
    assert len(trials) == 3 * 2 * 2 * 4


def test_lane_is_what_is_said_else_the_model_and_one_for_what_shares_the_host():
    assert lane_of(Device("a", "adb", "1", "One", lane="shelf")) == "shelf"
    assert lane_of(Device("a", "adb", "1", "One")) == "One"
    assert lane_of(Device("a", "adb", "1")) == "adb"
    assert lane_of(Device("a", "chromium", "1", "Desk")) == lane_of(Device("b", "chromium", "2")) == "chromium"


def test_devices_alike_count_on_so_that_no_two_runs_are_one():
    twins = plan_of(OLD, Device("old too", "adb", "13.0.9", "One"), NEW)
    runs = Counter(
        (t.device.os_version, t.device.model, t.app.name, t.interaction.name, t.repetition)
        for t in all_trials(twins)
    )

    assert set(runs.values()) == {1}
    assert {each.repetition for each in all_trials(twins) if each.device.name == "old too"} == {5, 6, 7, 8}


@pytest.mark.parametrize(
    ("only", "apps", "types", "devices"),
    [
        ([], {"Mail", "Maps"}, {"tap", "scroll"}, {"old", "new"}),
        (["app=mail"], {"Mail"}, {"tap", "scroll"}, {"old", "new"}),
        (["app=org.example.maps", "type=tap"], {"Maps"}, {"tap"}, {"old", "new"}),
        (["app=mail,maps", "interaction=SCROLL"], {"Mail", "Maps"}, {"scroll"}, {"old", "new"}),
        (["app=mail", "app=maps"], {"Mail", "Maps"}, {"tap", "scroll"}, {"old", "new"}),
        (["version=13.0.9"], {"Mail", "Maps"}, {"tap", "scroll"}, {"old"}),
        (["device=new", "category=travel"], {"Maps"}, {"tap", "scroll"}, {"new"}),
    ],
)
def test_only_chooses_what_it_names(only, apps, types, devices):
    plan = plan_of(OLD, NEW)

    found = all_trials(plan, chosen(plan, only))

    assert {trial.app.name for trial in found} == apps
    assert {trial.interaction.type for trial in found} == types
    assert {trial.device.name for trial in found} == devices


def test_saved_scope_limits_apps_and_types():
    plan = plan_of(OLD)

    found = all_trials(plan, chosen(plan, [], Scope("s", frozenset({"org.example.mail"}), frozenset({"scroll"}))))

    assert {(trial.app.name, trial.interaction.type) for trial in found} == {("Mail", "scroll")}
    assert len(all_trials(plan, chosen(plan, [], Scope("s", frozenset(), frozenset())))) == len(all_trials(plan))


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("app=mial", "has no app 'mial'; do you mean 'Mail'?"),
        ("type=fling", "known are scroll, tap"),
        ("mail", "write KEY=VALUE"),
        ("app=", "write KEY=VALUE"),
        ("os=13", "with one of app, interaction, type, category, device, version"),
    ],
)
def test_word_that_names_nothing_is_refused(word, said):
    with pytest.raises(RecorderError) as raised:
        chosen(plan_of(OLD), [word])
    assert said in str(raised.value)


HEAD = "os_version,device,app,package,interaction,repetition,video\n"


def asked(tmp_path, text, plan=None, head=HEAD):
    file = tmp_path / "plan.csv"
    file.write_text(head + text, encoding="utf-8")
    return needed(plan or plan_of(OLD, NEW), file)


def test_needed_runs_are_recorded_with_their_numbers(tmp_path):
    found = asked(
        tmp_path,
        "13.0.9,One,Mail,org.example.mail,open,21,\n13.0.9,One,Mail,org.example.mail,open,22,\n"
        "13.0.13,One,A name of old,org.example.maps,scroll,7,\n",
    )

    assert [trial.key for trial in found] == [
        "old/org.example.mail/open/21", "old/org.example.mail/open/22", "new/org.example.maps/scroll/7",
    ]  # fmt: skip


def test_devices_alike_share_what_is_needed(tmp_path):
    plan = plan_of(OLD, Device("twin", "adb", "13.0.9", "One"))
    rows = "".join(f"13.0.9,One,Mail,org.example.mail,open,{number},\n" for number in range(1, 5))

    assert names(asked(tmp_path, rows, plan)) == "otot"


def test_every_line_that_cannot_be_recorded_is_told(tmp_path):
    with pytest.raises(PlanError) as raised:
        asked(
            tmp_path,
            "13.0.1,One,Mail,org.example.mail,open,1,\n13.0.9,Two,Mail,org.example.mail,open,1,\n"
            "13.0.9,One,Mial,,open,1,\n13.0.9,One,Mail,org.example.mail,opne,1,\n"
            "13.0.9,One,Mail,org.example.mail,open,first,\n13.0.9,One,Mail,org.example.mail,open,1,\n",
        )

    said = dict(raised.value.problems)
    assert sorted(said) == [2, 3, 4, 5, 6]
    assert "no device 'One' with '13.0.1'" in said[2]
    assert "no device 'Two'" in said[3]
    assert "do you mean 'Mail'?" in said[4]
    assert "do you mean 'open'?" in said[5]
    assert "'first'" in said[6]


@pytest.mark.parametrize("head", ["", "os_version,app\n"])
def test_manifest_that_asks_for_nothing_is_refused(tmp_path, head):
    with pytest.raises(RecorderError, match="lacks the column"):
        asked(tmp_path, "", head=head)
