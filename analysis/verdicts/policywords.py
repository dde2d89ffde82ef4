"""What a policy says, and how two of them differ, in the words of the editor: never a field's name."""

from collections.abc import Iterator, Mapping
from typing import Any

from analysis.metrics import EVERY_METRIC
from analysis.policy.policy import COUNT, LEAVE_OUT, GateRules, Policy
from analysis.policy.thresholds import ANY_METRIC, Override, Threshold
from analysis.verdicts.outcomes import OUTCOME_METRIC
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import number_text

# field: (what it is, its unit)
_PLAIN = {
    "alpha": ("α, the error rate of the test", ""),
    "min_effect": ("least |Cliff’s δ| that counts", ""),
    "min_runs": ("runs a side, at least", ""),
}
_GATE = {
    "budget_pct": ("interactions that may regress", "%"),
    "critical_budget": ("interactions of critical apps that may regress", ""),
    "min_runs": ("runs a side to be covered", ""),
    "min_coverage_pct": ("coverage needed", "%"),
    "second_approver_from": ("a waiver takes two people from", "θ"),
    "drift_budget_pct": ("interactions that may regress against the pinned version", "%"),
    "drift_critical_budget": ("interactions of critical apps that may regress against the pinned version", ""),
}
DOUBTFUL_WORDS = {COUNT: "count", LEAVE_OUT: "are left out"}
_DOUBTFUL = "doubtful responses and finishes"
_PARTS = {
    "absolute": "absolute threshold",
    "relative_pct": "relative threshold",
    "reason": "reason of the threshold",
}
_GROUPS = {
    "thresholds": "thresholds",
    "overrides": "exceptions",
    "ladder": "severities",
    "gate": "release gate",
    "measuring": "rules about what was measured",
}
_DECIMALS = 6


def policy_changes(old: Policy, new: Policy) -> list[str]:
    """Return one line per difference: ``absolute threshold of response time: 50 → 80 ms``."""
    return [
        *_changed_fields(old, new, _PLAIN),
        *_changed_thresholds(old.thresholds, new.thresholds),
        *_changed_overrides(old, new),
        *_changed_steps(dict(old.ladder), dict(new.ladder)),
        *_changed_fields(old.gate, new.gate, _GATE),
        *_changed_measuring(old, new),
    ]


def problem_words(message: str) -> str:
    """Return the message of a PolicyError with its fields in words."""
    path, colon, said = message.partition(": ")
    if colon and " " not in path.removeprefix("overrides "):
        part, colon, rest = said.partition(": ")
        if colon and part in _PARTS:  # thresholds.response_time_ms: absolute: …
            path, said = f"{path}.{part}", rest
        message = f"{path_words(path)}: {said}"
    for metric in (*EVERY_METRIC, OUTCOME_METRIC):
        message = message.replace(metric, metric_label(metric).lower())
    return message


def path_words(path: str) -> str:
    """Name a field of the policy's JSON or of the editor: ``thresholds.response_time_ms.absolute``."""
    group, _, rest = path.replace("overrides ", "overrides.").partition(".")
    place, _, field = rest.rpartition(".")
    if group in _PLAIN:
        return _PLAIN[group][0]
    if group == "measuring" and rest == "doubtful":
        return _DOUBTFUL
    if group == "gate" and rest in _GATE:
        return _GATE[rest][0]
    if group == "thresholds":
        return f"{_PARTS[field]} of {_metric(place)}" if field in _PARTS else f"threshold of {_metric(rest)}"
    if group == "overrides" and field in _PARTS:
        return f"{_PARTS[field]} of exception {_number(place)}"
    if group == "ladder" and field:
        return f"severity {_number(place)}"
    return _GROUPS.get(group, path)


def _number(place: str) -> str:
    """Count an editor's row from one; what is no number is a metric."""
    return str(int(place) + 1) if place.isdecimal() else f"for {_metric(place)}"


def _changed_fields(old: Policy | GateRules, new: Policy | GateRules, words: Mapping[str, Any]) -> Iterator[str]:
    for name, (what, unit) in words.items():
        yield from _moved(what, getattr(old, name), getattr(new, name), unit)


def _changed_measuring(old: Policy, new: Policy) -> Iterator[str]:
    if old.measuring != new.measuring:
        was, becomes = (DOUBTFUL_WORDS[policy.measuring.doubtful] for policy in (old, new))
        yield f"{_DOUBTFUL}: {was} → {becomes}"


def _changed_thresholds(old: Mapping[str, Threshold], new: Mapping[str, Threshold]) -> Iterator[str]:
    for metric in [*new, *(metric for metric in old if metric not in new)]:
        where = f"of {_metric(metric)}"
        if metric not in old:
            yield f"threshold {where}: {_threshold(new[metric], metric)}, added"
        elif metric not in new:
            yield f"threshold {where}: {_threshold(old[metric], metric)}, removed"
        else:
            yield from _changed_threshold(old[metric], new[metric], metric, where)


def _changed_threshold(old: Threshold, new: Threshold, metric: str, where: str) -> Iterator[str]:
    yield from _moved(f"absolute threshold {where}", old.absolute, new.absolute, metric_unit(metric)[0])
    yield from _moved(f"relative threshold {where}", old.relative_pct, new.relative_pct, "%")
    if old.reason != new.reason:
        yield f"reason of the threshold {where}: “{old.reason}” → “{new.reason}”"


def _changed_overrides(old: Policy, new: Policy) -> Iterator[str]:
    before, after = ({item.place: item for item in policy.overrides} for policy in (old, new))
    for place in [*after, *(place for place in before if place not in after)]:
        was, becomes = before.get(place), after.get(place)
        if was is None and becomes:
            yield f"exception {_override(becomes)}, added"
        elif becomes is None and was:
            yield f"exception {_override(was)}, removed"
        elif was and becomes:
            yield from _changed_threshold(was.threshold, becomes.threshold, was.metric, f"of {_where(was)}")


def _changed_steps(old: Mapping[str, float], new: Mapping[str, float]) -> Iterator[str]:
    for word in [*new, *(word for word in old if word not in new)]:
        if word not in old:
            yield f"severity {word}: from {_plain(new[word])} θ on, added"
        elif word not in new:
            yield f"severity {word}: from {_plain(old[word])} θ on, removed"
        else:
            yield from _moved(f"severity {word} begins at", old[word], new[word], "θ")


def _override(override: Override) -> str:
    return f"for {_where(override)}: {_threshold(override.threshold, override.metric)}"


def _where(override: Override) -> str:
    metric = "every metric" if override.metric == ANY_METRIC else _metric(override.metric)
    return ", ".join(part for part in (override.app, override.interaction_type, metric) if part)


def _threshold(threshold: Threshold, metric: str) -> str:
    absolute = f"{_plain(threshold.absolute)} {metric_unit(metric)[0]}".strip()
    reason = f" ({threshold.reason})" if threshold.reason else ""
    return f"the larger of {absolute} and {_plain(threshold.relative_pct)} %{reason}"


def _metric(metric: str) -> str:
    return "any other metric" if metric == ANY_METRIC else metric_label(metric).lower()


def _moved(what: str, old: float | None, new: float | None, unit: str) -> Iterator[str]:
    if old != new:
        yield f"{what}: {_plain(old)} → {_plain(new)} {unit}".rstrip()


def _plain(value: float | None) -> str:
    return "no" if value is None else number_text(value, _DECIMALS)
