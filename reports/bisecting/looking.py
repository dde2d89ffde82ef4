"""Look where a bisection stands: judge its versions by the runs that are there. Never in a request."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Sum

from analysis.history.bisection import REFUSED, Standing, standing
from analysis.history.changes import Subject
from analysis.metrics import BENCHMARK, METRICS, is_judged
from analysis.policy.policyjson import verdict_fingerprint
from analysis.verdicts.strata import PREFERRED_CAPTURE
from reports.bisecting.faults import BisectionError, line_between, listed, no_regression
from reports.bisecting.words import step_words
from reports.models import Bisection, Confidence, Device, Interaction, Measurement, OsVersion, Run
from reports.policies.selectors import current_policy

RULES = "1"  # raise it when the code that judges or tells says something else
Stratum = tuple[str, str]  # app version, capture
Runs = dict[str, list[float]]  # the values by version


@dataclass(frozen=True)
class Seen:
    """Where a bisection stands, on which runs of which versions.

    ``stratum`` is the app version and capture that counts; ``left_out`` says how many runs of each version are of
    another.
    """

    bisection: Bisection
    line: Sequence[OsVersion]
    standing: Standing
    runs: Runs
    stratum: Stratum
    left_out: dict[str, int]

    @property
    def refusal(self) -> str:
        """Why there is nothing to search for, with the numbers; empty where there is."""
        if self.standing.state != REFUSED:
            return ""
        return no_regression(self.bisection, step_words(self.standing.whole, self.bisection.metric))


def look(row: Bisection) -> Seen:
    """Return where a bisection stands; four queries.

    Raises BisectionError where its versions are no line, as after the order was mended.
    """
    line = line_between(row.good, row.bad)
    runs, stratum, left_out = _runs(row, line)
    of, ends = row.interaction, (row.good.name, row.bad.name)
    stands = standing(
        [version.name for version in line],
        runs,
        Subject(of.app.package, of.type, row.metric),
        current_policy(),
        skipped=[name for name in row.skipped.values_list("name", flat=True) if name not in ends],
    )
    return Seen(row, line, stands, runs, stratum, left_out)


def basis_of(row: Bisection) -> str:
    """Return what says whether anything has changed that a bisection is judged by; four cheap queries."""
    try:
        line: list[Any] = [
            (version.pk, version.name, version.sort_key) for version in line_between(row.good, row.bad)
        ]
    except BisectionError as error:
        return _hash([error.words])
    values = _values(row, [pk for pk, *_ in line])
    counts = values.order_by().aggregate(n=Count("pk"), last=Max("pk"), total=Sum("value"))
    runs = [counts["n"], counts["last"], f"{counts['total'] or 0.0:.3f}"]
    skipped = sorted(row.skipped.values_list("pk", flat=True))
    return _hash([RULES, verdict_fingerprint(current_policy()), line, runs, skipped])


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def worst_metric(of: Interaction, device: Device, good: OsVersion, bad: OsVersion) -> str:
    """Return the metric that got worst from the good to the bad version, in multiples of its threshold."""
    policy, times = current_policy(), {}
    known = metrics_of(of)
    for metric in known:
        row = Bisection(good=good, bad=bad, interaction=of, device=device, metric=metric)
        runs, _, _ = _runs(row, [good, bad])
        whole = standing([good.name, bad.name], runs, Subject(of.app.package, of.type, metric), policy).whole
        if whole.felt:
            times[metric] = whole.delta / whole.threshold if whole.threshold else whole.delta
    if not times:
        words = (
            f"none of {of} got worse from {good} to {bad} as far as it is measured; name one of: {listed(known)}"
        )
        raise BisectionError("metric", words)
    return max(times, key=times.__getitem__)


def metrics_of(of: Interaction) -> list[str]:
    """Return the metrics that an interaction of its type has; of a benchmark those that it has values of."""
    if of.type == BENCHMARK:
        measured = Measurement.objects.filter(run__interaction=of.pk).order_by("metric")
        return [key for key in measured.values_list("metric", flat=True).distinct() if is_judged(key)]
    return [metric.key for metric in METRICS.values() if metric.applies_to(of.type)]


def open_runs(row: Bisection, version: str) -> int:
    """Count the runs of a build that wait for their measurement or are being measured; one query."""
    of = {"interaction": row.interaction_id, "device": row.device_id, "os_version__name": version}
    return Run.objects.filter(status__in=["pending", "running"], **of).count()


def _values(row: Bisection, versions: Sequence[Any]) -> Any:
    usable = Run.objects.usable().filter(
        interaction=row.interaction_id, device=row.device_id, os_version__in=versions
    )
    values = Measurement.objects.filter(run__in=usable, metric=row.metric)
    return values.exclude(confidence=Confidence.DOUBTFUL) if current_policy().measuring.leaves_out else values


def _runs(row: Bisection, line: Sequence[OsVersion]) -> tuple[Runs, Stratum, dict[str, int]]:
    """Return the values of each version that were recorded alike, as what, and how many were not; one query.

    Chosen is one app version and capture, as a comparison of the two ends chooses it.
    """
    fields = ("run__os_version__name", "run__app_version", "run__capture", "value")
    strata: dict[Stratum, Runs] = defaultdict(lambda: defaultdict(list))
    for version, app_version, capture, value in _values(row, line).order_by("run").values_list(*fields):
        strata[app_version, capture][version].append(value)

    def order(stratum: Stratum) -> tuple[int, bool, int, Stratum]:
        runs = strata[stratum]
        weaker = min(len(runs.get(name, ())) for name in (row.good.name, row.bad.name))
        return weaker, stratum[1] == PREFERRED_CAPTURE, sum(map(len, runs.values())), stratum

    chosen = max(strata, key=order, default=("", ""))
    left_out: dict[str, int] = defaultdict(int)
    for stratum, runs in strata.items():
        for version, values in runs.items():
            left_out[version] += 0 if stratum == chosen else len(values)
    return dict(strata.get(chosen, {})), chosen, dict(left_out)
