import numpy as np
import pandas as pd
import pytest

from analysis.verdicts.deciding import decide
from analysis.verdicts.sentences import chance_sentence
from analysis.verdicts.summary import expected_false_alarms, summarise
from tests.analysis.verdicts.samples import result_rows

ROWS = result_rows(
    ("mail", "inbox", "response_time_ms", "regression", "Minor", 1.5),
    ("mail", "inbox", "finish_time_ms", "improvement", None, 1.5),
    ("maps", "pan", "response_time_ms", "imperceptible", None, 0.5),
    ("maps", "zoom", "response_time_ms", "improvement", None, 1.5),
    ("maps", "tilt", "response_time_ms", "no_change", None, 0.1),
    ("maps", "turn", "response_time_ms", "more_runs_needed", None, 0.1),
)


def test_summary_counts_interactions():
    found = summarise(ROWS, critical={"mail": "Mail", "maps": "Maps"})

    assert (found.compared, found.decided, found.regressed, found.improved) == (5, 4, 1, 1)
    assert (found.imperceptible, found.no_change, found.more_runs_needed) == (1, 1, 1)
    assert found.regressed_pct == 25
    assert found.critical_apps == ("Mail",)


def test_sentences():
    found = summarise(ROWS, critical={"mail": "Mail"})

    assert chance_sentence(found) == (
        "At these settings chance alone would flag less than one result. "
        "1 improved, 1 changed imperceptibly, 1 needs more runs."
    )


def test_sentence_when_nothing_could_be_decided():
    found = summarise(ROWS[ROWS["verdict"] == "more_runs_needed"])

    assert found.regressed_pct is None


def test_summary_of_nothing():
    assert summarise(ROWS.iloc[:0]).compared == 0


def test_expected_false_alarms_are_not_fewer_than_those_of_pairs_without_a_change():
    rng = np.random.default_rng(8)
    cells, runs = 1500, 20
    table = pd.DataFrame(
        {
            "app": "a",
            "interaction": np.repeat(np.arange(cells), 2 * runs),
            "interaction_type": "tap",
            "metric": "response_time_ms",
            "side": np.tile(np.repeat(["base", "new"], runs), cells),
            "value": rng.lognormal(5.3, 0.35, cells * 2 * runs),
        }
    )

    results = decide(table)

    alarms = (results["verdict"] == "regression").sum()
    assert alarms == pytest.approx(expected_false_alarms(results), rel=0.6)
    assert expected_false_alarms(results) >= alarms
