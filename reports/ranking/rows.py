"""The rows of a ranking: one page of them with their dot strips, or all of them to be exported."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from analysis.gate.waivers import Regression, is_serious, waived_by
from analysis.history.changes import DRIFT
from analysis.verdicts.words import REGRESSION
from reports.charts.dotstrip import StripDrawing, draw_strip
from reports.comparing.drifted import Cell, DriftMark, drift_marks
from reports.history.sparks import CourseKey, Spark, load_sparks
from reports.models import Comparison, Result, Run, TriageState
from reports.policies.selectors import policy_for, standing_waivers
from reports.ranking.summary import LEFT_OUT_WORDS
from reports.triage.selectors import Decided, newest_entries, triage_states

# Column: where it comes from.
COLUMNS = {
    "app": "interaction__app__name",
    "package": "interaction__app__package",
    "category": "interaction__app__category",
    "critical": "interaction__app__critical",
    "interaction": "interaction__name",
    "interaction_type": "interaction__type",
    "device": "device__name",
    "refresh_hz": "device__refresh_hz",
    **{
        name: name
        for name in (
            *("metric", "n_base", "n_new", "median_base", "median_new", "delta", "delta_pct", "ci_low", "ci_high"),
            *("p_value", "q_value", "cliffs_delta", "threshold", "times_threshold", "verdict", "severity"),
            *("runs_needed", "triage_state", "assignee", "due", "doubtful_base", "doubtful_new"),
        )
    },
}
CHUNK = 1000
UNTRIAGED = Decided(TriageState.UNTRIAGED.value, 0)


@dataclass(frozen=True)
class RankingRow:
    """A result as the ranking shows it."""

    result: Result
    strip: StripDrawing | None
    has_videos: bool
    decided: Decided
    waived: bool  # the gate does not count its interaction: waivers in force accept all that regressed of it
    waits: bool  # it counts until a second person approves a waiver
    spark: Spark | None = None  # its course over the line of the updated version
    drift: DriftMark | None = None  # how it regressed against the pinned version, though this step was not felt

    @property
    def state(self) -> str:
        """Its state of triage."""
        return self.decided.state

    @property
    def left_out(self) -> int:
        """How many runs of the interaction are not behind this result."""
        return sum(sum(sides.values()) for sides in self.result.left_out.values())

    @property
    def left_out_words(self) -> str:
        """Say why they are left out: ``2 failed, 1 excluded``."""
        counts = {kind: sum(sides.values()) for kind, sides in self.result.left_out.items()}
        return ", ".join(f"{count} {LEFT_OUT_WORDS.get(kind, kind)}" for kind, count in counts.items() if count)


def load_rows(comparison: Comparison, ids: Sequence[int]) -> list[RankingRow]:
    """Load results with their interaction, app and device, in the order of ``ids``: ten queries at most."""
    found = Result.objects.select_related("interaction__app", "device").in_bulk(list(ids))
    results = [found[key] for key in ids if key in found]
    interactions = {row.interaction_id for row in results}
    filmed = _filmed(comparison, interactions)
    states = triage_states(base_id=comparison.base_id, new_id=comparison.new_id, interaction_ids=interactions)
    waived, waiting = _waived(comparison, interactions)
    keys = {row.pk: CourseKey(row.interaction_id, row.device_id, row.metric) for row in results}
    sparks = load_sparks(comparison.new_id, keys.values())
    unfelt = {row.interaction_id for row in results if row.verdict != REGRESSION}
    marks = drift_marks(comparison, unfelt) if unfelt else {}
    drifts = {row.pk: _drift(row, marks) for row in results}
    return [
        RankingRow(
            result=row,
            strip=draw_strip(row),
            has_videos=row.interaction_id in filmed,
            decided=states.get(row.interaction_id, UNTRIAGED),
            waived=row.verdict == REGRESSION and row.interaction_id in waived,
            waits=row.verdict == REGRESSION and row.interaction_id in waiting,
            spark=_spark(sparks.get(keys[row.pk]), drifts[row.pk]),
            drift=drifts[row.pk],
        )
        for row in results
    ]


def _drift(row: Result, drifts: Mapping[Cell, DriftMark]) -> DriftMark | None:
    """Return the drift of an interaction on a device: for the row of that metric, and for the one that is shown."""
    mark = drifts.get((row.interaction_id, row.device_id))
    return mark if mark and (row.worst or row.metric == mark.metric) else None


def _spark(spark: Spark | None, drift: DriftMark | None) -> Spark | None:
    """Return a course without the word that the row says already."""
    return replace(spark, kind="", when="") if spark and drift and spark.kind == DRIFT else spark


def _filmed(comparison: Comparison, interactions: set[int]) -> set[int]:
    """Return the interactions that have a screencast on both versions."""
    pair = [comparison.base_id, comparison.new_id]
    runs = Run.objects.filter(os_version__in=pair, interaction__in=interactions).exclude(file_name="")
    seen = set(runs.order_by().values_list("interaction", "os_version").distinct())
    return {key for key in interactions if all((key, version) in seen for version in pair)}


def _waived(comparison: Comparison, interactions: set[int]) -> tuple[set[int], set[int]]:
    """Return the interactions of which waivers in force accept every regression, as the gate counts them.

    The second are those with a regression that counts only because its waiver waits for a second person.
    """
    regressed = Result.objects.filter(comparison=comparison, interaction__in=interactions, verdict=REGRESSION)
    fields = ("app__package", "app__name", "name", "type")
    rows = list(
        regressed.order_by().values_list(
            "interaction", *(f"interaction__{name}" for name in fields), "metric", "delta", "times_threshold"
        )
    )
    second_from = policy_for(comparison).gate.second_approver_from
    regressions = [Regression(*row[1:-1])._replace(serious=is_serious(row[-1], second_from)) for row in rows]
    waivers, today = standing_waivers(), timezone.localdate()
    excuses = waived_by(regressions, waivers, today=today)
    found = zip([row[0] for row in rows], regressions, excuses, strict=True)
    counted = [(key, regression) for key, regression, excuse in found if excuse < 0]
    waiting = {key for key, row in counted if any(each.holds(today) and each.waits_for(row) for each in waivers)}
    return {row[0] for row in rows} - {key for key, _ in counted}, waiting


def export_rows(comparison: Comparison, results: QuerySet[Result]) -> Iterator[dict[str, object]]:
    """Yield a dict for each result, in the order of the QuerySet, without holding all of them."""
    newest = newest_entries(base_id=comparison.base_id, new_id=comparison.new_id)
    entry = newest.filter(interaction=OuterRef("interaction"))
    rows = results.annotate(
        triage_state=Coalesce(Subquery(entry.values("state")[:1]), Value(TriageState.UNTRIAGED.value)),
        assignee=Coalesce(Subquery(entry.values("assignee")[:1]), Value("")),
        due=Subquery(entry.values("due")[:1]),
    )
    for values in rows.values_list(*COLUMNS.values()).iterator(chunk_size=CHUNK):
        row = dict(zip(COLUMNS, values, strict=True))
        yield row | {"due": row["due"].isoformat() if row["due"] else None}
