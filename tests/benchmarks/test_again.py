import pandas as pd
import pytest

from benchmarks.again import agreement, decided, order_agrees, same_by_chance

RUNS = range(6)


def values(**shifts):
    """Return runs of two versions; a keyword says by how many ms the second of an interaction is slower."""
    rows = [
        (version, "org.mail", name, "tap", "response_time_ms", 100.0 + run + shift * (version == "new"))
        for name, shift in shifts.items()
        for version in ("old", "new")
        for run in RUNS
    ]
    return pd.DataFrame(rows, columns=["version", "app", "interaction", "interaction_type", "metric", "value"])


def test_verdicts_that_are_the_same_and_those_that_are_not():
    tables = {"a": decided(values(slow=300, still=0, faint=20)), "b": decided(values(slow=290, still=0, faint=0))}

    every = agreement(tables).set_index("interaction")

    assert every["same"].to_dict() == {"faint": False, "slow": True, "still": True}
    assert every["same_regression"].all()
    assert (every.loc["slow", "verdict 1"], every.loc["faint", "verdict 1"]) == ("regression", "imperceptible")
    assert order_agrees(tables) == "all rank the same: slow"


def test_a_regression_in_one_recording_alone_is_told():
    tables = {"a": decided(values(slow=300)), "b": decided(values(slow=0))}

    assert not agreement(tables)["same_regression"].any()
    assert order_agrees(tables) == "they rank otherwise: slow | nothing"


def test_recording_of_a_part_is_ranked_by_that_part():
    whole, part = decided(values(slow=300, slower=400)), decided(values(slow=310))

    assert order_agrees({"a": whole, "b": part}) == "all rank the same: slow"


def test_each_version_is_set_against_the_one_before_and_the_last_against_the_first():
    three = pd.concat([values(slow=0), values(slow=300).query("version == 'new'").assign(version="newest")])

    found = decided(three).set_index("pair")["verdict"].to_dict()

    assert found == {"old → new": "no_change", "new → newest": "regression", "old → newest": "regression"}


def test_one_version_alone_is_refused():
    with pytest.raises(SystemExit, match="nothing to compare but old"):
        decided(values(slow=0).query("version == 'old'"))


def test_chance_alone_leaves_few_verdicts_the_same():
    assert same_by_chance(0.05) == 0.81 + 0.1**2 / 2
