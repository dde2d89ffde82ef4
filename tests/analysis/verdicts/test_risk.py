import pandas as pd
import pytest

from analysis.policy.policy import Policy
from analysis.verdicts.risk import app_risk, interaction_summary, speaks_for, worst_first
from tests.analysis.verdicts.samples import result_rows

ROWS = result_rows(
    ("mail", "inbox", "response_time_ms", "no_change", None, 0.1),
    ("mail", "inbox", "finish_time_ms", "regression", "Minor", 1.5),
    ("mail", "search", "response_time_ms", "regression", "Minor", 1.2),
    ("mail", "search", "finish_time_ms", "regression", "Severe", 6.0),
    ("maps", "pan", "dropped_frames", "improvement", None, 2.0),
    ("maps", "zoom", "dropped_frames", "more_runs_needed", None, 9.0),
    ("phone", "call", "launch_time_ms", "regression", "Minor", 1.1),
    ("phone", "hang up", "response_time_ms", "no_change", None, 0.3),
    ("quiet", "look", "response_time_ms", "more_runs_needed", None, None),
)


def test_rows_are_sorted_worst_first_and_unknown_last():
    ordered = worst_first(ROWS)

    assert ordered["times_threshold"].tolist()[:4] == [6.0, 1.5, 1.2, 1.1]
    assert ordered["verdict"].tolist()[-2:] == ["more_runs_needed"] * 2


@pytest.mark.parametrize(
    ("launch", "speaks"),
    [
        (("regression", "Severe", 4.8), "launch_time_ms"),
        (("regression", "Minor", 1.2), "response_time_ms"),
        (("no_change", None, 0.8), "response_time_ms"),
    ],
)
def test_launch_time_speaks_for_a_launch_where_nothing_is_worse(launch, speaks):
    response = ("mail", "start", "response_time_ms", "regression", "Severe", 7.7)
    rows = worst_first(result_rows(response, ("mail", "start", "launch_time_ms", *launch)))

    spoken = rows[speaks_for(rows, ["app", "interaction"])]

    assert spoken["metric"].tolist() == [speaks]


def test_each_interaction_has_one_row_that_speaks_for_it():
    rows = worst_first(ROWS)

    spoken = rows[speaks_for(rows, ["app", "interaction"])]

    assert spoken["times_threshold"].tolist()[:4] == [6.0, 1.5, 1.1, 2.0]
    assert not spoken.duplicated(["app", "interaction"]).any()


def test_an_interaction_has_the_severity_of_its_worst_metric():
    table = interaction_summary(ROWS).set_index(["app", "interaction"])

    assert table.loc[("mail", "search"), "severity"] == "Severe"
    assert table.loc[("mail", "inbox"), "severity"] == "Minor"
    assert table.loc[("maps", "pan"), "verdict"] == "improvement"
    assert not table.loc[("maps", "zoom"), "decided"]


def test_no_results_give_no_interactions_and_no_apps():
    empty = interaction_summary(ROWS.iloc[:0])

    assert empty.empty
    assert app_risk(empty).empty


def test_apps_are_ranked_by_weighted_share_with_critical_regressions_first():
    apps = app_risk(interaction_summary(ROWS), critical={"phone", "maps"}).set_index("app")

    assert apps.index.tolist() == ["phone", "mail", "maps", "quiet"]  # maps is critical but did not regress
    assert apps.loc["mail", "risk"] == pytest.approx(100 * (4 + 1) / (2 * 4))
    assert apps.loc["phone", "risk"] == pytest.approx(100 * 1 / (2 * 4))
    assert apps.loc["maps", "decided"] == 1
    assert pd.isna(apps.loc["quiet", "risk"])
    assert apps.loc["mail", ["Minor", "Noticeable", "Severe"]].tolist() == [1, 0, 1]
    assert apps.loc["mail", "severity"] == "Severe"
    assert apps.loc["mail", "regressed_pct"] == 100


def test_risk_rises_with_every_interaction_that_regresses():
    def risk(regressed):
        rows = [("a", f"i{k}", "m", "regression" if k < regressed else "no_change", "Minor", 1.5) for k in range(5)]
        return app_risk(interaction_summary(result_rows(*rows)))["risk"].iloc[0]

    risks = [risk(count) for count in range(6)]
    assert risks == sorted(set(risks))


def test_the_ladder_of_the_policy_weighs_the_severities():
    policy = Policy(ladder=(("Bad", 1.0), ("Worse", 10.0)))
    rows = result_rows(("a", "i", "m", "regression", "Bad", 2.0), ("a", "j", "m", "no_change", None, 0.0))

    assert app_risk(interaction_summary(rows), policy)["risk"].iloc[0] == pytest.approx(100 / 20)
