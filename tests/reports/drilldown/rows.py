"""A comparison with one regressed interaction, its runs with frame series, made without measuring anything."""

import numpy as np

from analysis.series import FrameSeries
from reports.models import Comparison, FrameSeriesRecord, Result
from tests import factories


def series(times_ms, *, changed):
    """Return a frame series that changes at the frame indices ``changed``."""
    new = np.isin(np.arange(len(times_ms)), changed)
    return FrameSeries(
        np.asarray(times_ms, float),
        np.where(new, 0.9, 1.0).astype(np.float32),
        np.where(new, 0.2, 1.0).astype(np.float32),
        np.where(new, 8.0, 0.0).astype(np.float32),
    )


def add_series(run, times_ms, *, changed):
    """Give a run its frame series; response and finish are the first and the last changed frame."""
    ends = {"response": changed[0], "finish": changed[-1]}
    evidence = {
        name: {
            "frame": at, "frame_before": at - 1, "after_action_ms": times_ms[at] - run.action_ms,
            "time_ms": times_ms[at], "ssim_mean": 0.9, "ssim_worst": 0.2, "changed_pct": 8.0,
            "changed_rect": [0, 0, 80, 60],
        }
        for name, at in ends.items()
    }  # fmt: skip
    data = series(times_ms, changed=changed).pack()
    return FrameSeriesRecord.objects.create(run=run, data=data, evidence=evidence)


def compared(*, values=((100, 110, 120), (300, 310, 320)), metric="response_time_ms", of=None, place=0, **result):
    """Store a comparison of 13.0.12 with 13.0.13 on one interaction; returns (comparison, runs base, runs new)."""
    base, new = factories.os_version("13.0.12"), factories.os_version("13.0.13")
    comparison, _ = Comparison.objects.get_or_create(base=base, new=new, defaults={"status": "done"})
    of = of or factories.interaction()
    runs = [
        factories.runs(side, metric=metric, version=version, of=of)
        for side, version in zip(values, (base, new), strict=True)
    ]
    medians = [float(np.median(side)) for side in values]
    fields = {
        "n_base": len(values[0]), "n_new": len(values[1]), "median_base": medians[0], "median_new": medians[1],
        "delta": medians[1] - medians[0], "p_value": 0.01, "cliffs_delta": 1.0, "threshold": 50.0,
        "times_threshold": 4.0, "verdict": "regression", "severity": "Severe", "ci_low": 150.0, "ci_high": 250.0,
        "runs_needed": 0, "worst": True, "place": place, "fingerprint": "x",
        "points": {
            key: [[run.pk, value] for run, value in zip(rows, side, strict=True)]
            for key, rows, side in zip(("base", "new"), runs, values, strict=True)
        },
    }  # fmt: skip
    Result.objects.create(
        comparison=comparison, interaction=of, device=factories.device(), metric=metric, **{**fields, **result}
    )
    return comparison, *runs
