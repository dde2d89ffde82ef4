"""What a reader needs to record the same again: device, versions, recording, what was left out of judgement."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from analysis.verdicts.text import number_text
from reports.bugreport.selectors import Finding
from reports.drilldown.moments import MomentWords
from reports.drilldown.runs import RunRow, Side
from reports.measuring.evidence import left_out_areas, outcome_words
from reports.measuring.series import RunSeries
from reports.models import Run

MISSING = "–"
MAX_METADATA, MAX_VALUE = 30, 300


@dataclass(frozen=True)
class Fact:
    """One line of the environment table; ``same`` where both sides agree."""

    name: str
    base: str
    new: str

    @property
    def same(self) -> bool:
        """Whether one cell can stand for both."""
        return self.base == self.new


def facts(finding: Finding) -> list[Fact]:
    """Return the lines that at least one side has a value for."""
    base, new = (_first_of_each(_side_facts(side, finding)) for side in finding.page.sides)
    names = list(dict.fromkeys([*base, *new]))
    rows = [Fact(name, base.get(name) or MISSING, new.get(name) or MISSING) for name in names]
    return [row for row in rows if {row.base, row.new} != {MISSING}]


def _first_of_each(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return name → value; metadata that is called like a fact of ours does not replace it."""
    found: dict[str, str] = {}
    for name, value in pairs:
        found.setdefault(name, value)
    return found


def _side_facts(side: Side, finding: Finding) -> Iterator[tuple[str, str]]:
    yield "OS version", side.version.name
    if side.chosen is None:
        yield "Run", f"no run of this interaction on {side.version}"
        return
    for name, value in (_RUN_FACTS if side.chosen.run.filmed else _BENCHMARK_FACTS).items():
        yield name, value(side.chosen.run)
    yield "Run", _run_words(side.chosen, side)
    series = finding.series.get(side.key)
    yield "Corrected", _corrections(series, finding.words)
    yield "Left out of judgement", "; ".join(left_out_areas(series.evidence)) if series else ""
    for name, value in list(side.chosen.run.metadata.items())[:MAX_METADATA]:
        yield str(name)[:80], str(value)[:MAX_VALUE]


_RUN_FACTS: dict[str, Callable[[Run], str]] = {
    "Device": lambda run: run.device.name,
    "Refresh rate": lambda run: f"{run.device.refresh_hz:g} Hz",
    "App version": lambda run: run.app_version,
    "Recorded": lambda run: f"{run.recorded_at:%Y-%m-%d %H:%M:%S %Z}" if run.recorded_at else "",
    "Picture": lambda run: f"{run.width_px} × {run.height_px} px" if run.width_px else "",
    "Frames": lambda run: _frames(run),
    "Capture": lambda run: run.capture,
    "Action": lambda run: (
        f"{number_text(run.action_ms, 1)} ms after the first frame"
        + (", found in the recording and not given" if run.action_from and not run.action_confirmed else "")
    ),
    "Touch": lambda run: _touch(run),
    "Outcome": lambda run: outcome_words(run.outcome) if run.outcome else run.error or "not measured yet",
    "Screencast": lambda run: run.original_name,
    "SHA-256": lambda run: run.sha256,
}


_BENCHMARK_FACTS: dict[str, Callable[[Run], str]] = {
    "Device": lambda run: run.device.name,
    "App version": lambda run: run.app_version,
    "Screencast": lambda run: "none: a benchmark measured it",
    "Results": lambda run: run.original_name,
    "SHA-256": lambda run: run.sha256,
}


def _run_words(row: RunRow, side: Side) -> str:
    state = "" if row.state == "used" else f", {row.state_words}: {row.reason}"
    return f"{row.number} (of {len(side.numbers)} recorded){state}"


def _corrections(series: RunSeries | None, words: Mapping[str, MomentWords]) -> str:
    return "; ".join(
        f"{words[moment].label.lower()} to {number_text(row.value_ms, 1)} ms{f' ({row.note})' if row.note else ''}"
        for moment, row in (series.corrections.items() if series else ())
    )


def _frames(run: Run) -> str:
    if not run.frame_count or not run.duration_ms:
        return ""
    return f"{number_text(run.frame_count)} in {number_text(run.duration_ms)} ms"


def _touch(run: Run) -> str:
    if run.touch_x_px is None or run.touch_y_px is None:
        return ""
    return f"{run.touch_x_px:g}, {run.touch_y_px:g} px"
