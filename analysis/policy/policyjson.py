"""A policy as JSON and back, and its fingerprint."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from analysis.policy.checks import ABSOLUTE, RELATIVE, Bound, PolicyError, need_list, told
from analysis.policy.policy import (
    BOUNDS,
    DEFAULT_POLICY,
    GATE_BOUNDS,
    MOST_METRICS,
    MOST_OVERRIDES,
    MOST_STEPS,
    GateRules,
    MeasuringRules,
    Policy,
)
from analysis.policy.thresholds import REASON_LENGTH, Override, Threshold

_NAMED = 80  # characters of a key
_NOT_IN_VERDICTS = ("name", "version", "gate")


def policy_to_json(policy: Policy) -> dict[str, Any]:
    """Return a JSON-ready dict that ``policy_from_json`` turns back into an equal policy."""
    return {
        "name": policy.name,
        "version": policy.version,
        "alpha": policy.alpha,
        "min_effect": policy.min_effect,
        "min_runs": policy.min_runs,
        "thresholds": {metric: asdict(threshold) for metric, threshold in policy.thresholds.items()},
        "overrides": [asdict(override) for override in policy.overrides],
        "ladder": [[word, step] for word, step in policy.ladder],
        "gate": asdict(policy.gate),
        "measuring": asdict(policy.measuring),
    }


def policy_from_json(data: Mapping[str, Any]) -> Policy:
    """Build a policy; fields that are left out keep their default, thresholds are laid over the defaults.

    Raises
    ------
    PolicyError
        An unknown field, a wrong type or a contradiction; the message names the field and the cure.

    """
    _refuse_unknown("policy", data, {field.name for field in fields(Policy)})
    given = dict(data)
    rules = given.pop("thresholds", {})
    if not isinstance(rules, Mapping) or len(rules) > MOST_METRICS:
        raise PolicyError(
            f"thresholds: {told(rules)} is not an object of {MOST_METRICS} metrics at most; write {{…}}"
        )
    thresholds = {key: _threshold(f"thresholds.{_name(key)}", value) for key, value in rules.items()}
    given["thresholds"] = {**DEFAULT_POLICY.thresholds, **thresholds}
    overrides = need_list("overrides", given.get("overrides", ()), most=MOST_OVERRIDES)
    given["overrides"] = tuple(_override(item) for item in overrides)
    if "ladder" in given:
        given["ladder"] = tuple(map(_step, need_list("ladder", given["ladder"], most=MOST_STEPS)))
    gate = given.get("gate", {})
    _refuse_unknown("gate", gate, {field.name for field in fields(GateRules)})
    measuring = given.get("measuring", {})
    _refuse_unknown("measuring", measuring, {field.name for field in fields(MeasuringRules)})
    return Policy(**{**given, "gate": GateRules(**gate), "measuring": MeasuringRules(**measuring)})


def stored_policy(data: Mapping[str, Any]) -> Policy:
    """Build a policy that was saved once, perhaps when less was refused: what is out of bounds counts as the bound.

    Raises PolicyError if it cannot be read even so.
    """
    try:
        return policy_from_json(data)
    except PolicyError:
        return policy_from_json(
            {
                **_inside(data, BOUNDS),
                "thresholds": {key: _rule_inside(rule) for key, rule in data.get("thresholds", {}).items()},
                "overrides": [
                    {**item, "threshold": _rule_inside(item["threshold"])} for item in data.get("overrides", ())
                ],
                "gate": _inside(data.get("gate", {}), GATE_BOUNDS),
            }
        )


def _inside(values: Mapping[str, Any], bounds: Mapping[str, Bound]) -> dict[str, Any]:
    return {key: bounds[key].nearest(value) if key in bounds else value for key, value in values.items()}


def _rule_inside(rule: Mapping[str, Any]) -> dict[str, Any]:
    numbers = _inside(rule, {"absolute": ABSOLUTE, "relative_pct": RELATIVE})
    return numbers | {"reason": " ".join(str(rule.get("reason", "")).split())[:REASON_LENGTH]}


def verdict_fingerprint(policy: Policy) -> str:
    """Return a hash of all that can change a verdict: neither name and version nor what the gate tolerates."""
    rules = {key: value for key, value in policy_to_json(policy).items() if key not in _NOT_IN_VERDICTS}
    if policy.measuring == MeasuringRules():  # verdicts are as they were before there were such rules
        del rules["measuring"]
    return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:16]


def _threshold(where: str, data: Mapping[str, Any]) -> Threshold:
    _refuse_unknown(where, data, {field.name for field in fields(Threshold)})
    try:
        return Threshold(**data)
    except PolicyError as error:
        raise PolicyError(f"{where}: {error}") from error
    except TypeError as error:
        raise PolicyError(f"{where}: give both parts, absolute and relative_pct") from error


def _override(data: Mapping[str, Any]) -> Override:
    _refuse_unknown("overrides", data, {field.name for field in fields(Override)})
    metric = data.get("metric", "")
    threshold = _threshold(f"overrides {_name(metric)}", data.get("threshold", {}))
    return Override(**{**data, "threshold": threshold, "metric": metric})


def _step(item: Any) -> tuple[str, float]:
    if not isinstance(item, list | tuple) or len(item) != 2:
        raise PolicyError(f"ladder: {told(item)} is no step; write [word, multiple of the threshold]")
    word, step = item
    return word, step


def _name(key: object) -> str:
    """Return the key of a part as messages name it; what is no name is told by the check of the part itself."""
    return key if isinstance(key, str) and key.isprintable() and len(key) <= _NAMED else "…"


def _refuse_unknown(where: str, data: object, known: set[str]) -> None:
    if not isinstance(data, Mapping):
        raise PolicyError(f"{where}: {told(data)} is not an object; write {{…}}")
    unknown = [key for key in data if key not in known]
    if unknown:
        raise PolicyError(f"{where}: unknown field {told(unknown[0])}; known are {', '.join(sorted(known))}")
