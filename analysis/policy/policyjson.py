"""A policy as JSON and back, and its fingerprint."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from analysis.policy.checks import PolicyError
from analysis.policy.policy import DEFAULT_POLICY, GateRules, Policy
from analysis.policy.thresholds import Override, Threshold

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
    thresholds = {key: _threshold(f"thresholds.{key}", value) for key, value in given.pop("thresholds", {}).items()}
    given["thresholds"] = {**DEFAULT_POLICY.thresholds, **thresholds}
    given["overrides"] = tuple(_override(item) for item in given.get("overrides", ()))
    if "ladder" in given:
        given["ladder"] = tuple(_step(item) for item in given["ladder"])
    gate = given.get("gate", {})
    _refuse_unknown("gate", gate, {field.name for field in fields(GateRules)})
    return Policy(**{**given, "gate": GateRules(**gate)})


def verdict_fingerprint(policy: Policy) -> str:
    """Return a hash of all that can change a verdict: neither name and version nor what the gate tolerates."""
    rules = {key: value for key, value in policy_to_json(policy).items() if key not in _NOT_IN_VERDICTS}
    return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:16]


def _threshold(where: str, data: Mapping[str, Any]) -> Threshold:
    _refuse_unknown(where, data, {field.name for field in fields(Threshold)})
    try:
        return Threshold(**data)
    except (PolicyError, TypeError) as error:
        raise PolicyError(f"{where}: {error}") from error


def _override(data: Mapping[str, Any]) -> Override:
    _refuse_unknown("overrides", data, {field.name for field in fields(Override)})
    threshold = _threshold(f"overrides {data.get('metric', '')}", data.get("threshold", {}))
    return Override(**{**data, "threshold": threshold, "metric": data.get("metric", "")})


def _step(item: Any) -> tuple[str, float]:
    try:
        word, step = item
        return str(word), float(step)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"ladder: {item!r} is no step; write [word, multiple of the threshold]") from error


def _refuse_unknown(where: str, data: object, known: set[str]) -> None:
    if not isinstance(data, Mapping):
        raise PolicyError(f"{where}: {data!r} is not an object; write {{…}}")
    unknown = sorted(set(data) - known)
    if unknown:
        raise PolicyError(f"{where}: unknown field {unknown[0]}; known are {', '.join(sorted(known))}")
