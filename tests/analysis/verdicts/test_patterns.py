import numpy as np
import pandas as pd
import pytest

from analysis.verdicts.patterns import find_patterns, regression_matrix

TYPES = ("tap", "scroll", "swipe", "launch")


def table(regressed, apps=12, metrics=("response_time_ms", "dropped_frames")):
    """Return results of ``apps`` apps × types × metrics; ``regressed(app, type, metric)`` tells which got worse."""
    rows = [
        {
            "app": f"app{app}",
            "category": "games" if app % 2 else "office",
            "interaction": f"{kind} it",
            "interaction_type": kind,
            "metric": metric,
            "verdict": "regression" if regressed(app, kind, metric) else "no_change",
            "delta": 80.0 if regressed(app, kind, metric) else 1.0,
            "delta_pct": 40.0 if regressed(app, kind, metric) else 0.5,
        }
        for app in range(apps)
        for kind in TYPES
        for metric in metrics
    ]
    return pd.DataFrame(rows)


def test_matrix_counts_interactions_and_apps_of_each_cell():
    cells = regression_matrix(table(lambda app, kind, metric: kind == "scroll" and app in (1, 3, 4)))

    games = cells[(cells["category"] == "games") & (cells["interaction_type"] == "scroll")].iloc[0]
    assert (games["apps"], games["interactions"], games["decided"]) == (6, 6, 6)
    assert (games["regressed"], games["regressed_apps"]) == (2, 2)
    assert games["regressed_pct"] == pytest.approx(100 / 3)
    assert np.isnan(games["median_delta"])
    assert len(cells) == 2 * len(TYPES)


def test_matrix_of_one_metric_has_a_median_in_its_unit():
    everything = table(lambda app, kind, metric: metric == "dropped_frames")

    cells = regression_matrix(everything, metric="dropped_frames")

    assert (cells["median_delta"] == 80.0).all()
    assert (regression_matrix(everything, metric="response_time_ms")["regressed"] == 0).all()


def test_undecided_interactions_have_no_share():
    rows = table(lambda *_: False).assign(verdict="more_runs_needed")

    assert regression_matrix(rows)["regressed_pct"].isna().all()


def test_a_type_that_is_slower_almost_everywhere_is_told():
    (pattern,) = find_patterns(table(lambda app, kind, metric: kind == "scroll" and app < 10))

    assert (pattern.interaction_type, pattern.category) == ("scroll", "")
    assert (pattern.inside, pattern.outside) == ((10, 12), (0, 36))
    assert pattern.sentence == (
        "Scrolling is slower in 10 of 12 apps (elsewhere in 0 of 36): look at rendering and touch handling."
    )


def test_a_category_is_told_with_its_name():
    (pattern,) = find_patterns(table(lambda app, kind, metric: app % 2))

    assert (pattern.category, pattern.interaction_type) == ("games", "")
    assert pattern.sentence == (
        "6 of 6 apps of the category games are slower (of the others 0 of 6): "
        "look at what these apps have in common."
    )


def test_two_apps_are_no_pattern():
    assert find_patterns(table(lambda app, kind, metric: kind == "scroll" and app < 2)) == []


def test_everything_slower_alike_is_no_pattern():
    assert find_patterns(table(lambda *_: True)) == []
    assert find_patterns(table(lambda *_: False)) == []
    assert find_patterns(table(lambda *_: False).iloc[:0]) == []


def test_regressions_spread_at_random_are_rarely_a_pattern():
    rng = np.random.default_rng(3)
    told = sum(
        bool(find_patterns(table(lambda *_: rng.random() < 0.1, metrics=("response_time_ms",)))) for _ in range(40)
    )
    assert told <= 4
