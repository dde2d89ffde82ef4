import pandas as pd
import pytest

from analysis.verdicts.strata import censored_counts, choose_strata, gaps, left_out


def groups(*rows):
    """Rows: side, app_version, capture, runs, then optionally outcome, status, excluded, interaction."""
    names = ["side", "app_version", "capture", "runs", "outcome", "status", "excluded", "interaction"]
    full = [(*row, *("ok", "done", False, 1)[len(row) - 4 :]) for row in rows]
    return pd.DataFrame(full, columns=names).assign(device=7)


@pytest.mark.parametrize(
    ("rows", "app_version", "capture"),
    [
        (
            [("base", "1", "cfr", 9), ("new", "1", "cfr", 9), ("base", "1", "vfr", 9), ("new", "1", "vfr", 9)],
            "1",
            "vfr",
        ),
        (
            [("base", "1", "cfr", 9), ("new", "1", "cfr", 9), ("base", "1", "vfr", 20), ("new", "1", "vfr", 8)],
            "1",
            "cfr",
        ),
        ([("base", "1", "", 5), ("new", "1", "", 5), ("base", "2", "", 5), ("new", "2", "", 6)], "2", ""),
        ([("base", "1", "", 5), ("new", "1", "", 5), ("base", "2", "", 5), ("new", "2", "", 5)], "2", ""),
    ],
    ids=["vfr among equals", "most runs on the weaker side", "more runs", "later app version"],
)
def test_stratum_chosen(rows, app_version, capture):
    chosen = choose_strata(groups(*rows)).iloc[0]

    assert (chosen["app_version"], chosen["capture"]) == (app_version, capture)


def test_outcomes_of_one_stratum_are_counted_together():
    table = groups(("base", "1", "", 5), ("base", "1", "", 2, "no_response"), ("new", "1", "", 4))

    chosen = censored_counts(table, choose_strata(table)).iloc[0]

    assert (chosen["n_base"], chosen["n_new"]) == (7, 4)
    assert (chosen["censored_base"], chosen["censored_new"]) == (2, 0)


def test_left_out_names_every_reason_once_per_run():
    table = groups(
        ("base", "1", "vfr", 5),
        ("new", "1", "vfr", 5),
        ("new", "1", "vfr", 1, "no_response"),
        ("new", "1", "cfr", 4),
        ("new", "1", "vfr", 2, "", "failed"),
        ("new", "1", "vfr", 3, "", "pending"),
        ("base", "1", "cfr", 6, "ok", "done", True),
    )

    assert left_out(table, choose_strata(table)) == {
        (1, 7): {
            "censored": {"base": 0, "new": 1},
            "other": {"base": 0, "new": 4},
            "failed": {"base": 0, "new": 2},
            "waiting": {"base": 0, "new": 3},
            "excluded": {"base": 6, "new": 0},
        }
    }


@pytest.mark.parametrize(
    ("rows", "gap"),
    [
        ([("base", "1", "", 5)], "only_base"),
        ([("new", "1", "", 5)], "only_new"),
        ([("base", "1", "", 5), ("new", "2", "", 5)], "not_alike"),
        ([("base", "1", "", 5, "", "failed"), ("new", "1", "", 5, "", "pending")], "unmeasured"),
    ],
)
def test_interactions_that_cannot_be_compared_say_why(rows, gap):
    table = groups(*rows)

    assert choose_strata(table).empty
    assert gaps(table, choose_strata(table)) == {1: gap}


def test_compared_interactions_are_no_gap():
    table = groups(("base", "1", "", 5), ("new", "1", "", 5))

    assert gaps(table, choose_strata(table)) == {}
