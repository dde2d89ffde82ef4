"""Tables of run values for tests."""

import pandas as pd


def samples(base, new, *, metric="response_time_ms", app="mail", interaction="open inbox", interaction_type="tap"):
    """Return one interaction's values as ``decide`` takes them."""
    values = [*base, *new]
    return pd.DataFrame(
        {
            "app": app,
            "interaction": interaction,
            "interaction_type": interaction_type,
            "metric": metric,
            "side": ["base"] * len(base) + ["new"] * len(new),
            "value": pd.Series(values, dtype=float),
        }
    )


def result_rows(*rows):
    """Return rows as ``decide`` gives them from (app, interaction, metric, verdict, severity, times θ)."""
    columns = ["app", "interaction", "metric", "verdict", "severity", "times_threshold"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["severity"] = frame["severity"].astype(object).where(frame["verdict"] == "regression", None)
    return frame.assign(
        n_base=20, n_new=20, delta=frame["times_threshold"] * 50.0, threshold=50.0, ci_low=-5.0, ci_high=5.0
    )
