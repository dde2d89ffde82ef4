"""A comparison, and each of its results, in plain words."""

from collections.abc import Mapping
from typing import Any

from analysis.metrics import EVERY_METRIC, benchmark_metric
from analysis.statistics.effects import effect_word
from analysis.verdicts.outcomes import OUTCOME_METRIC
from analysis.verdicts.summary import Summary
from analysis.verdicts.text import count_text, number_text, p_text, signed_text
from analysis.verdicts.words import IMPERCEPTIBLE, MORE_RUNS_NEEDED, NO_CHANGE, VERDICT_WORDS

# metric: (more of it, less of it); {0} is the distance with its unit
_MOVED = {
    "response_time_ms": ("Updated responds {0} later", "Updated responds {0} sooner"),
    "finish_time_ms": ("Updated is ready {0} later", "Updated is ready {0} sooner"),
    "launch_time_ms": ("Updated is usable {0} later", "Updated is usable {0} sooner"),
    "dropped_frames": ("Updated drops {0} more", "Updated drops {0} fewer"),
    OUTCOME_METRIC: ("Updated gives no answer in {0} more of its runs", "Updated gives no answer in {0} fewer"),
}

Row = Mapping[str, Any]


def chance_sentence(summary: Summary) -> str:
    """Return how many regressions chance alone would flag, and the other counts."""
    about = max(1, round(summary.expected_false_alarms))
    chance = f"about {about}" if summary.expected_false_alarms >= 0.5 else "less than one result"
    others = [f"{number_text(summary.improved)} improved"]
    others.append(f"{number_text(summary.imperceptible)} changed imperceptibly")
    others.append(_need_runs(summary.more_runs_needed))
    return f"At these settings chance alone would flag {chance}. {', '.join(others)}."


def _need_runs(count: int) -> str:
    return f"{number_text(count)} {'needs' if count == 1 else 'need'} more runs"


def metric_label(metric: str) -> str:
    """Return the metric's name for people."""
    if metric == OUTCOME_METRIC:
        return "Runs without an answer"
    return (EVERY_METRIC.get(metric) or benchmark_metric(metric)).label


def metric_unit(metric: str) -> tuple[str, int]:
    """Return the metric's unit and how many decimals are worth showing."""
    if metric == OUTCOME_METRIC:
        return "%", 0
    known = EVERY_METRIC.get(metric) or benchmark_metric(metric)
    return known.unit, known.decimals


def confidence_words(row: Row) -> str:
    """Return verdict and size of the effect: ``Regression, large``."""
    word = VERDICT_WORDS[row["verdict"]]
    if row["verdict"] in (NO_CHANGE, MORE_RUNS_NEEDED) or row["cliffs_delta"] is None:
        return word
    return f"{word}, {effect_word(row['cliffs_delta'])}"


def result_sentence(row: Row) -> str:
    """Say what a row of ``decide`` means: what moved, the numbers behind it, and how it stands to θ.

    ``row`` is a mapping with the columns of ``decide``; missing values are None.
    """
    if row["verdict"] == MORE_RUNS_NEEDED:
        return _too_few(row)
    return f"{_moved(row)}: {_numbers(row)}. {_against_threshold(row)}"


def _moved(row: Row) -> str:
    if row["verdict"] == NO_CHANGE or not row["delta"]:
        return f"{metric_label(row['metric'])} shows no change"
    unit, decimals = metric_unit(row["metric"])
    label = metric_label(row["metric"])
    more, less = _MOVED.get(row["metric"], (f"{label} is {{0}} higher", f"{label} is {{0}} lower"))
    distance = f"{number_text(abs(row['delta']), decimals)} {unit}".strip()
    return (more if row["delta"] > 0 else less).format(distance)


def _numbers(row: Row) -> str:
    unit, decimals = metric_unit(row["metric"])
    medians = [number_text(row[side], decimals) for side in ("median_base", "median_new")]
    return f"{medians[0]} → {medians[1]} {unit} ({'; '.join(_evidence(row, decimals))})"


def _evidence(row: Row, decimals: int) -> list[str]:
    sizes = row["n_base"], row["n_new"]
    what = "share" if row["metric"] == OUTCOME_METRIC else "median"
    runs = f"{what} of {sizes[0]} each" if sizes[0] == sizes[1] else f"{what}s of {sizes[0]} and {sizes[1]}"
    parts = [runs]
    if row.get("ci_low") is not None and row.get("ci_high") is not None:
        parts.append(f"95 % CI {signed_text(row['ci_low'], decimals)} … {signed_text(row['ci_high'], decimals)}")
    parts.append(p_text(row["p_value"]))
    if row["cliffs_delta"] is not None:
        parts.append(f"δ {row['cliffs_delta']:.2f}, {effect_word(row['cliffs_delta'])}".replace("-", "−"))
    return parts


def _against_threshold(row: Row) -> str:
    unit, decimals = metric_unit(row["metric"])
    theta = f"the threshold of {number_text(row['threshold'], decimals)} {unit}".strip()
    small = row["times_threshold"] < 0.1
    times = f"less than a tenth of {theta}" if small else f"{number_text(row['times_threshold'], 1)} × {theta}"
    if row["verdict"] == IMPERCEPTIBLE:
        return f"That is real but only {times}: people should not notice."
    if row["verdict"] != NO_CHANGE:
        return f"That is {times}."
    if row["runs_needed"]:
        return f"The medians differ by {times}; {count_text(row['runs_needed'], 'more run')} per side could tell."
    return f"The medians differ by {times}."


def _too_few(row: Row) -> str:
    have = f"{count_text(row['n_base'], 'run')} of Baseline and {number_text(row['n_new'])} of Updated"
    label = metric_label(row["metric"])
    return f"{label}: too few runs to say, {have}. {count_text(row['runs_needed'], 'more run')} per side needed."
