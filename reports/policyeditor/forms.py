"""The policy editor: a policy as rows of fields, and what was typed as the rules of a policy.

Field names are the paths of the policy's JSON: ``thresholds.response_time_ms.absolute``, ``gate.budget_pct``;
rows that can be added are numbered: ``overrides.0.metric``, ``ladder.2.step``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from django import forms

from analysis.metrics import is_judged
from analysis.policy.checks import PolicyError, told
from analysis.policy.policy import Policy
from analysis.policy.policyjson import policy_to_json
from reports.models import App, InteractionType
from reports.models.catalogue import name_validator
from reports.web.forms import NameField

SPARE_ROWS = 2
LONGEST_NUMBER = 30  # characters typed
_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE)
_COUNT = re.compile(r"[-+]?[0-9]+")
NUMBERS = ("alpha", "min_effect")
COUNTS = ("min_runs",)
GATE_NUMBERS = ("budget_pct", "min_coverage_pct")
GATE_COUNTS = ("critical_budget", "min_runs")
GATE_OPTIONS = ("second_approver_from", "drift_budget_pct")  # empty: never, not asked
GATE_ADDED = "drift_critical_budget"  # later than others: a form without it leaves it as it is built in
DOUBTFUL = "measuring.doubtful"  # later than others, too
OVERRIDE_WORDS = ("metric", "app", "interaction_type")


@dataclass(frozen=True)
class PolicyFields:
    """What the editor shows: texts as they were typed, or as the policy says."""

    plain: dict[str, str]
    thresholds: list[tuple[str, dict[str, str]]]
    ladder: list[dict[str, str]]
    overrides: list[dict[str, str]]
    gate: dict[str, str]
    doubtful: str


def fields_of(policy: Policy) -> dict[str, str]:
    """Return the fields of a policy: {path: text}."""
    rules = policy_to_json(policy)
    fields = {name: _text(rules[name]) for name in (*NUMBERS, *COUNTS)}
    fields |= {f"gate.{name}": _text(value) for name, value in rules["gate"].items()}
    fields |= {f"measuring.{name}": value for name, value in rules["measuring"].items()}
    for metric, rule in rules["thresholds"].items():
        fields |= {f"thresholds.{metric}.{name}": _text(value) for name, value in rule.items()}
    for place, (word, step) in enumerate(rules["ladder"]):
        fields |= {f"ladder.{place}.word": word, f"ladder.{place}.step": _text(step)}
    for place, override in enumerate(rules["overrides"]):
        fields |= {f"overrides.{place}.{name}": _text(override[name]) for name in OVERRIDE_WORDS}
        fields |= {f"overrides.{place}.{name}": _text(value) for name, value in override["threshold"].items()}
    return fields


def shown(fields: Mapping[str, str], policy: Policy, metrics: Iterable[str] = ()) -> PolicyFields:
    """Arrange fields for the page, with spare rows for more severities and overrides.

    ``metrics`` have a row each; one that the policy does not name is empty, and judged as the policy says of
    others.
    """
    listed = dict.fromkeys([*policy.thresholds, *metrics])
    return PolicyFields(
        plain={name: fields.get(name, "") for name in (*NUMBERS, *COUNTS)},
        thresholds=[(metric, _row(fields, f"thresholds.{metric}")) for metric in listed],
        ladder=[*_filled(fields, "ladder"), {}],
        overrides=[*_filled(fields, "overrides"), *({} for _ in range(SPARE_ROWS))],
        gate=_row(fields, "gate"),
        doubtful=fields.get(DOUBTFUL, ""),
    )


def rules_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the rules that were typed.

    Raises
    ------
    PolicyError
        A field holds no number; the message names it. What contradicts itself is found by the policy later.

    """
    metrics = {name.split(".")[1] for name in fields if name.startswith("thresholds.") and _said(fields, name)}
    return {
        **{name: _number(name, fields.get(name, "")) for name in NUMBERS},
        **{name: _count(name, fields.get(name, "")) for name in COUNTS},
        "thresholds": {metric: _threshold(f"thresholds.{metric}", fields) for metric in sorted(metrics)},
        "ladder": [
            [row["word"], _number(f"ladder.{place}.step", row.get("step", ""))]
            for place, row in enumerate(_rows(fields, "ladder"))
            if row.get("word")
        ],
        "overrides": [
            _override(f"overrides.{place}", row, fields)
            for place, row in enumerate(_rows(fields, "overrides"))
            if any(row.values())
        ],
        "gate": {
            **{name: _number(f"gate.{name}", fields.get(f"gate.{name}", "")) for name in GATE_NUMBERS},
            **{name: _count(f"gate.{name}", fields.get(f"gate.{name}", "")) for name in GATE_COUNTS},
            **{key: value for name in GATE_OPTIONS for key, value in _option(f"gate.{name}", fields).items()},
            **_added(f"gate.{GATE_ADDED}", fields),
        },
        "measuring": {"doubtful": fields[DOUBTFUL]} if DOUBTFUL in fields else {},
    }


def _said(fields: Mapping[str, str], name: str) -> bool:
    """Tell whether the row of a field says anything; those of a benchmark's metrics may be left empty."""
    metric = name.split(".")[1]
    return not is_judged(metric) or any(_row(fields, f"thresholds.{metric}").values())


def _option(path: str, fields: Mapping[str, str]) -> dict[str, float | None]:
    """Return the number that may be left empty; nothing where the form has no such field."""
    if path not in fields:
        return {}
    return {path.partition(".")[2]: _number(path, fields[path]) if fields[path].strip() else None}


def _added(path: str, fields: Mapping[str, str]) -> dict[str, int]:
    return {path.partition(".")[2]: _count(path, fields[path])} if path in fields else {}


def _override(path: str, row: Mapping[str, str], fields: Mapping[str, str]) -> dict[str, Any]:
    words = {name: row.get(name, "").strip() or None for name in OVERRIDE_WORDS}
    return {**words, "metric": words["metric"] or "*", "threshold": _threshold(path, fields)}


def _threshold(path: str, fields: Mapping[str, str]) -> dict[str, Any]:
    return {
        "absolute": _number(f"{path}.absolute", fields.get(f"{path}.absolute", "") or "0"),
        "relative_pct": _number(f"{path}.relative_pct", fields.get(f"{path}.relative_pct", "") or "0"),
        "reason": fields.get(f"{path}.reason", "").strip(),
    }


def _row(fields: Mapping[str, str], path: str) -> dict[str, str]:
    depth = len(path) + 1
    return {name[depth:]: value for name, value in fields.items() if name.startswith(path + ".")}


def _rows(fields: Mapping[str, str], path: str) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    for place in count():
        row = _row(fields, f"{path}.{place}")
        if not row:
            return rows
        rows.append(row)
    return rows


def _filled(fields: Mapping[str, str], path: str) -> list[dict[str, str]]:
    return [row for row in _rows(fields, path) if any(row.values())]


def _number(path: str, text: str) -> float:
    typed = text.strip().replace(",", ".")
    if len(typed) > LONGEST_NUMBER or not _NUMBER.fullmatch(typed):
        raise PolicyError(f"{path}: {told(text)} is not a number; write it like 50 or 0.05")
    return float(typed)


def _count(path: str, text: str) -> int:
    typed = text.strip()
    if len(typed) > LONGEST_NUMBER or not _COUNT.fullmatch(typed):
        raise PolicyError(f"{path}: {told(text)} is not a count; give a whole number")
    return int(typed)


def _text(value: Any) -> str:
    return repr(value).removesuffix(".0") if isinstance(value, float) else "" if value is None else str(value)


class ScopeForm(forms.Form):
    """Apps, interaction types, or both."""

    name = NameField(max_length=80, label="Name", validators=[name_validator])
    interaction_types = forms.MultipleChoiceField(
        required=False,
        choices=[(key, key) for key in InteractionType.values],
        widget=forms.CheckboxSelectMultiple,
        label="Interaction types (none: all)",
    )
    apps = forms.ModelMultipleChoiceField(
        App.objects.all(),
        required=False,
        to_field_name="package",
        widget=forms.CheckboxSelectMultiple,
        label="Apps (none: all)",
    )
