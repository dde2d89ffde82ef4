"""How often, and how exactly, the action is found that nobody gave: every scene of `tests/analysis/acting.py`.

    python -m benchmarks.actions

Prints for each kind how many of the clips were right (found on its frame, and measured as a person would), doubtful
(left to a person, with the right instant proposed or without one) and wrong (another instant, or an answer taken
for the marker), at each of the rates. Clips without any sign are right if nothing was taken for one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from analysis.measure import measure_screencast
from tests.analysis.acting import ACTED, RATES, SLOT, Acted

NEAR_MS = 0.5 * SLOT


def main() -> None:
    """Film, measure, print."""
    judged = list(judge_all())
    kinds = sorted({kind for kind, *_ in judged})
    print("| sign | rate | clips | right | left to a person | wrong | largest error of those that decided, ms |")
    print("|---|---|---|---|---|---|---|")
    for kind in kinds:
        for rate in RATES:
            ours = [(what, error) for of, at, what, error in judged if (of, at) == (kind, rate)]
            count = Counter(what for what, _ in ours)
            errors = [abs(error) for _, error in ours if error is not None]
            largest = f"{max(errors):.1f}" if errors else ""
            numbers = (str(value) for value in (len(ours), count["right"], count["left"], count["wrong"]))
            print(f"| {' | '.join((kind, rate, *numbers, largest))} |")


def judge_all() -> Iterator[tuple[str, str, str, float | None]]:
    """Yield sign, rate, what came of it and the error of the action in ms, of every clip."""
    with TemporaryDirectory() as folder:
        for name, scene in ACTED.items():
            for rate in RATES:
                what, error = _judge(scene, scene.film(Path(folder), rate))
                if what == "wrong":
                    print(f"wrong: {name} at {rate}")
                yield scene.kind or "none", rate, what, error


def _judge(scene: Acted, path: Path) -> tuple[str, float | None]:
    measured = measure_screencast(path, scene.options())
    chosen = measured.evidence["action"]["chosen"]
    if chosen is None:
        return "right" if scene.kind is None or not scene.certain else "left", None
    error = chosen["time_ms"] - scene.down_ms
    response = measured.metrics["response_time_ms"]
    hidden = 2 * SLOT if scene.response is not None and scene.response < 100 else 0.0  # what begins under the dot
    answered = response is not None and scene.response is not None
    near = answered and -NEAR_MS <= response - scene.response <= SLOT + hidden + 0.5
    right = chosen["kind"] == scene.kind and abs(error) <= NEAR_MS and near
    return ("right" if right else "wrong"), error


if __name__ == "__main__":
    main()
