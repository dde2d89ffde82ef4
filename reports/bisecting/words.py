"""Where a bisection stands, in plain words and as JSON."""

from collections.abc import Mapping
from typing import Any

from analysis.history.bisection import CONFIRM, DOUBT, END, FIRST, FOUND, OPEN, RANGE, Asked, Standing, Step
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import count_text, number_text, signed_text

_WHY = {
    END: "an end, which every build is compared with",
    FIRST: "nearest to the middle of what is left",
    DOUBT: "its runs do not tell yet",
    CONFIRM: "the answer rests on it",
}


def step_words(step: Step, metric: str) -> str:
    """Say how one build compares with a later one: ``Response time 200 → 212 ms (+12 ms, 50 ms would be felt)``."""
    unit, decimals = metric_unit(metric)
    before, after, delta = (
        number_text(step.median_base, decimals),
        number_text(step.median_new, decimals),
        step.delta,
    )
    moved = f"{signed_text(delta, decimals)} {unit}"
    felt = f"{number_text(step.threshold, decimals)} {unit} would be felt"
    return (
        f"{metric_label(metric)} {before} → {after} {unit} ({moved}, {felt}; {step.n_base} and {step.n_new} runs)"
    )


def standing_lines(stands: Standing, metric: str, left_out: Mapping[str, int], *, asked: bool = True) -> list[str]:
    """Say where a bisection stands, a sentence a line; ``asked``: with what is to be measured next."""
    if stands.state == FOUND:
        return [f"First bad version: {stands.suspects[0]}", *_answer_lines(stands, metric)]
    if stands.state == RANGE:
        names = ", ".join(stands.suspects)
        head = f"The first bad version is one of {len(stands.suspects)}: {names}"
        return [head, _why_range(stands), *_answer_lines(stands, metric)]
    if stands.state == OPEN:
        between = max(0, stands.first_bad - stands.last_good - 1)
        known = f"{count_text(between, 'build')} between the last good {stands.builds[stands.last_good]}"
        head = f"{known} and the first bad {stands.builds[stands.first_bad]}."
        wanted = stands.asked if asked else ()
        return [head, *(f"Measure {asked_words(each, left_out.get(each.build, 0))}" for each in wanted)]
    return [f"No regression that people feel: {step_words(stands.whole, metric)}"]


def asked_words(asked: Asked, left_out: int) -> str:
    """Say what is to be measured: ``14.0.4: 5 more runs (nearest to the middle of what is left)``."""
    line = f"{asked.build}: {count_text(asked.runs, 'more run')} ({_WHY[asked.why]})"
    if left_out:
        line += f"; {count_text(left_out, 'run')} of another app version or capture are not counted"
    return line


def _why_range(stands: Standing) -> str:
    return (
        f"Up to {stands.builds[stands.last_good]} it is good, {stands.builds[stands.first_bad]} is bad. What lies "
        "between cannot be tested, or cannot be told from its neighbours with the runs that a build gets."
    )


def _answer_lines(stands: Standing, metric: str) -> list[str]:
    good, first, bad = stands.builds[0], stands.builds[stands.first_bad], stands.builds[-1]
    lines = []
    if stands.step:
        lines.append(f"{good} → {first}: {step_words(stands.step, metric)}")
    if stands.own and stands.last_good > 0:
        lines.append(f"{stands.builds[stands.last_good]} → {first}: {step_words(stands.own, metric)}")
    if stands.own and not stands.own.felt:
        lines.append("That step alone is not felt: with smaller ones before it, it adds up to what is.")
    if stands.rest and stands.rest.felt:
        lines.append(
            f"A further step follows up to {bad}: {step_words(stands.rest, metric)}. Bisect from {first} on."
        )
    if stands.good_again:
        lines.append(f"Good again later: {', '.join(stands.good_again)}")
    return lines


def standing_json(stands: Standing) -> dict[str, Any]:
    """Return where a bisection stands for scripts."""
    return {
        "state": stands.state,
        "measure": [{"version": asked.build, "runs": asked.runs, "why": asked.why} for asked in stands.asked],
        "last_good": stands.builds[stands.last_good],
        "first_bad": stands.builds[stands.first_bad],
        "suspects": list(stands.suspects),
        "judged": dict(stands.judged),
    }
