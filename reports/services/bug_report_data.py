"""The numbers of a bug report for programs: every result, the evidence, and both frame series."""

import json
import math
from typing import Any

import numpy as np

from reports.drilldown.runs import Side
from reports.measuring.series import RunSeries
from reports.models import Result
from reports.selectors.bug_report import Finding

RESULT_FIELDS = (
    *("metric", "verdict", "severity", "n_base", "n_new", "median_base", "median_new", "delta", "delta_pct"),
    *("ci_low", "ci_high", "p_value", "q_value", "cliffs_delta", "threshold", "times_threshold", "runs_needed"),
    *("left_out", "points"),
)


def data_json(finding: Finding) -> str:
    """Return the report's data as JSON text; numbers that JSON cannot carry are null."""
    page = finding.page
    data = {
        "base": page.base_version.name,
        "new": page.new_version.name,
        "app": {"name": page.interaction.app.name, "package": page.interaction.app.package},
        "interaction": {
            "name": page.interaction.name, "type": page.interaction.type, "scenario": page.interaction.scenario,
        },
        "device": page.device and {"name": page.device.name, "refresh_hz": page.device.refresh_hz},
        "sentence": finding.sentence,
        "policy": page.comparison.policy if page.comparison else {},
        "results": [_result(result) for result in page.results],
        "runs": {side.key: _run(side, finding.series.get(side.key)) for side in page.sides},
    }  # fmt: skip
    return json.dumps(_finite(data), indent=1, ensure_ascii=False, allow_nan=False, default=str)


def _result(result: Result) -> dict[str, Any]:
    return {name: getattr(result, name) for name in RESULT_FIELDS}


def _run(side: Side, series: RunSeries | None) -> dict[str, Any] | None:
    if side.chosen is None:
        return None
    run = side.chosen.run
    return {
        "id": run.pk, "repetition": run.repetition, "state": side.chosen.state, "outcome": run.outcome,
        "error": run.error, "recorded_at": run.recorded_at, "sha256": run.sha256,
        "original_name": run.original_name, "action_ms": run.action_ms, "app_version": run.app_version,
        "capture": run.capture, "metadata": run.metadata, "measurements": side.chosen.values,
        "evidence": series.evidence if series else {},
        "corrections": {key: row.value_ms for key, row in series.corrections.items()} if series else {},
        "frame_series": _series(series) if series else None,
    }  # fmt: skip


def _series(run: RunSeries) -> dict[str, list[float]]:
    """Return the columns of the series; ``after_action_ms`` is the clock that both sides share."""
    series = run.series
    columns = {
        "time_ms": (series.time_ms, 3), "after_action_ms": (run.clock_ms, 3), "ssim_mean": (series.ssim_mean, 5),
        "ssim_worst": (series.ssim_worst, 5), "changed_pct": (series.changed_pct, 3),
    }  # fmt: skip
    return {
        name: np.round(np.asarray(values, np.float64), digits).tolist()
        for name, (values, digits) in columns.items()
    }


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value
