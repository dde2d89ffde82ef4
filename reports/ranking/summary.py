"""The stored summary of a comparison as pages read it: the verdict, the apps by risk, the diagnosis."""

from dataclasses import dataclass, fields
from typing import Any

from analysis.gate.reasons import WAIVER_WAITS, Reason
from analysis.policy.policy import DEFAULT_LADDER
from analysis.verdicts.sentences import chance_sentence
from analysis.verdicts.summary import Summary
from analysis.verdicts.text import count_text
from reports.comparing.doubts import doubts_note
from reports.comparing.standing import RulesNow, rules_now, standing
from reports.models import Comparison
from reports.policies.selectors import EVERYTHING, Part

NBSP = "\u00a0"
MOST_MISSING = 200
# Kinds of interactions that could not be compared, of analysis.verdicts.strata and the comparison service.
_GAPS = {
    "only_base": "only in the baseline",
    "only_new": "only in the updated",
    "not_alike": "never recorded alike on both",
    "unmeasured": "not measured yet",
    "no_answer": "without an answer",
}
# Kinds of runs that were not pooled.
LEFT_OUT_WORDS = {
    "failed": "failed",
    "waiting": "waiting",
    "excluded": "excluded",
    "censored": "without an answer",
    "other": "of another app version or capture",
}
FROM_WORST = ("Severe", "Noticeable", "Minor")  # the default ladder; words of another one follow as they come


@dataclass(frozen=True)
class VerdictSummary:
    """What stands on top of a ranking. Nothing here is computed from runs."""

    counts: Summary
    sentence: str  # as the gate stands now
    chance: str
    decision: str  # of the release gate as it stands now: pass, fail or not_enough_data
    drifted: int  # interactions past the threshold since the pinned version, where the gate asks
    newer_policy: str  # the policy in force, where the rows were judged by an earlier one
    by_verdict: tuple[tuple[str, int], ...]  # interactions, worst first
    gaps: tuple[str, ...]  # "3 interactions only in the baseline"
    left_out: tuple[str, ...]  # "12 runs failed"
    doubtful: str  # "3 response times are doubtful. They count …"
    missing: tuple[tuple[str, str, str], ...]  # package, interaction, why it is not compared; the first of them
    waits: tuple[Reason, ...]  # of the gate: the waivers that take a second person


def verdict_summary(
    comparison: Comparison, part: Part = EVERYTHING, rules: RulesNow | None = None
) -> VerdictSummary | None:
    """Return how a comparison stands, and the counts that were stored with its results, of a saved scope or of all.

    None before the first computation. ``rules`` serve several comparisons; without them three queries load them.
    """
    if not comparison.summary:
        return None
    rules = rules or rules_now()
    stored = comparison.summary.get("scopes", {}).get(part.name) or comparison.summary
    counts, stands = _counts(stored), standing(comparison, part, rules)
    return VerdictSummary(
        counts=counts,
        sentence=unbroken(stands.sentence),
        chance=unbroken(chance_sentence(counts)),
        decision=stands.decision,
        drifted=stands.drift.regressed if stands.drift else 0,
        newer_policy=_newer_policy(comparison, rules),
        by_verdict=_by_verdict(counts),
        gaps=_gaps(stored),
        left_out=_left_out(stored),
        doubtful=doubts_note(comparison, stored.get("doubtful", {})),
        missing=_missing(stored),
        waits=tuple(reason for reason in stands.reasons if reason.rule == WAIVER_WAITS),
    )


def _newer_policy(comparison: Comparison, rules: RulesNow) -> str:
    policy = rules.policy_for(comparison)
    judged_by = (comparison.policy.get("name"), comparison.policy.get("version"))
    return "" if judged_by == (policy.name, policy.version) else f"{policy.name} v{policy.version}"


def ladder_words(comparison: Comparison) -> list[str]:
    """Return the severities of the policy that the comparison was decided by, the worst first."""
    return [word for word, _ in comparison.policy.get("ladder", DEFAULT_LADDER)][::-1]


def _counts(stored: dict[str, Any]) -> Summary:
    known = {field.name for field in fields(Summary)}
    return Summary(**{key: value for key, value in stored.items() if key in known})


def _by_verdict(counts: Summary) -> tuple[tuple[str, int], ...]:
    return (
        ("regression", counts.regressed),
        ("imperceptible", counts.imperceptible),
        ("improvement", counts.improved),
        ("no_change", counts.no_change),
        ("more_runs_needed", counts.more_runs_needed),
    )


def _gaps(stored: dict[str, Any]) -> tuple[str, ...]:
    counts = stored.get("gaps", {}).get("counts", {})
    return tuple(
        f"{count_text(counts[kind], 'interaction')} {words}" for kind, words in _GAPS.items() if kind in counts
    )


def _missing(stored: dict[str, Any]) -> tuple[tuple[str, str, str], ...]:
    listed = stored.get("gaps", {}).get("interactions", [])[:MOST_MISSING]
    return tuple((app, name, _GAPS.get(kind, kind)) for app, name, kind, *_ in listed)


def _left_out(stored: dict[str, Any]) -> tuple[str, ...]:
    sides = stored.get("left_out", {})
    return tuple(
        f"{count_text(sum(sides[kind].values()), 'run')} {words}"
        for kind, words in LEFT_OUT_WORDS.items()
        if kind in sides
    )


def unbroken(sentence: str) -> str:
    """Keep a percentage in one piece."""
    return sentence.replace(" %", NBSP + "%")


@dataclass(frozen=True)
class Share:
    """How many interactions of an app have a severity, and what percent of the decided ones that is."""

    severity: str
    count: int
    pct: float


@dataclass(frozen=True)
class AppRow:
    """One app as the ranking shows it. ``regressed_pct`` and ``risk`` are None where nothing could be decided."""

    package: str
    name: str
    category: str
    critical: bool
    interactions: int
    decided: int
    regressed: int
    improved: int
    regressed_pct: float | None
    severity: str
    risk: float | None
    shares: tuple[Share, ...]

    @property
    def undecided(self) -> int:
        """Interactions that need more runs."""
        return self.interactions - self.decided


def ranked_apps(comparison: Comparison) -> list[AppRow]:
    """Return the apps in their stored order, worst first; no query."""
    return [_app_row(row) for row in comparison.summary.get("apps", [])]


def _app_row(row: dict[str, Any]) -> AppRow:
    kept = {field.name: row[field.name] for field in fields(AppRow) if field.name in row}
    return AppRow(**kept, package=row["app"], shares=_shares(row["severities"], row["decided"]))


def _shares(counts: dict[str, int], decided: int) -> tuple[Share, ...]:
    words = [word for word in FROM_WORST if word in counts] + [word for word in counts if word not in FROM_WORST]
    return tuple(Share(word, counts[word], 100.0 * counts[word] / decided) for word in words if counts[word])


@dataclass(frozen=True)
class Cell:
    """One app category × interaction type. Missing values are None: nothing was decided there."""

    category: str
    interaction_type: str
    apps: int
    regressed_apps: int
    interactions: int
    decided: int
    regressed: int
    regressed_pct: float | None
    median_delta: float | None  # in the metric's unit; None over several metrics
    median_delta_pct: float | None

    @property
    def query(self) -> dict[str, str]:
        """Return the ranking's filter for what this cell counts."""
        return {"category": self.category, "type": self.interaction_type}


@dataclass(frozen=True)
class MatrixRow:
    """One category; ``cells`` stand under the diagnosis' types, None where there is nothing."""

    category: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Diagnosis:
    """The matrix of one metric ("" for all together) and the patterns over all of them."""

    metric: str
    metrics: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[MatrixRow, ...]
    patterns: tuple[dict[str, Any], ...]  # category, interaction_type, metric, inside, outside, q_value, sentence


def load_diagnosis(comparison: Comparison, metric: str = "") -> Diagnosis | None:
    """Return what was stored with the results; None before that, an empty matrix for a metric without results."""
    stored = comparison.summary
    if "matrix" not in stored:
        return None
    cells = [Cell(**cell) for cell in stored["matrix"].get(metric, [])]
    types = tuple(sorted({cell.interaction_type for cell in cells}))
    places = {(cell.category, cell.interaction_type): cell for cell in cells}
    categories = sorted({cell.category for cell in cells})
    return Diagnosis(
        metric=metric,
        metrics=tuple(key for key in stored["matrix"] if key),
        types=types,
        rows=tuple(MatrixRow(name, tuple(places.get((name, kind)) for kind in types)) for name in categories),
        patterns=tuple(stored["patterns"]),
    )
