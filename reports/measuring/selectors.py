"""Runs as their pages list and show them, and corrections as labels."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q
from django.http import Http404

from analysis.action.proposals import NO_SIGN
from analysis.metrics import METRICS
from analysis.spreadsheet import csv_line
from analysis.verdicts.sentences import metric_label
from reports.audit.words import Told, changes_of
from reports.comparing.revisions import revision_words
from reports.measuring.areas import Owner, owners_of
from reports.measuring.evidence import (
    ChosenFrame,
    Fact,
    FoundAction,
    LeftOut,
    SeenTogether,
    areas_left_out,
    chosen_action,
    chosen_frames,
    found_actions,
    judged_action_ms,
    other_facts,
    outcome_words,
    seen_events,
    seen_together,
)
from reports.measuring.frameview import FrameView, view_frame
from reports.measuring.series import series_of, with_series
from reports.media.files import ROT, Film, film_of, with_file_state
from reports.models import App, Batch, Correction, Device, FileState, Measurement, OsVersion, Run, RunStatus
from reports.models.files import film_is
from reports.models.querysets import RunQuerySet
from reports.web.filters import ActiveFilter, in_use

LABEL_COLUMNS = (
    "video",
    "response_ms",
    "finish_ms",
    "os_version",
    "app",
    "interaction",
    "repetition",
    "said_by",
    "said_at",
)
_BATCHES = 50
FILES = {"rotten": ROT, "dropped": (FileState.DROPPED,)}
FILE_WORDS = {"rotten": "damaged or missing", "dropped": "dropped by retention"}


@dataclass(frozen=True)
class RunsFilter:
    """One view of the list of runs. An empty value does not filter."""

    q: str = ""
    status: str = ""
    outcome: str = ""
    version: str = ""
    batch: str = ""
    app: str = ""  # package
    interaction: str = ""
    device: int | None = None
    excluded: str = ""  # yes or no
    file: str = ""  # rotten or dropped
    confidence: str = ""  # of one of its values at least

    @property
    def narrowed(self) -> bool:
        """Tell whether anything is left out by a filter."""
        return self != RunsFilter()


def filtered_runs(wanted: RunsFilter) -> RunQuerySet:
    """Return the wanted runs, newest first."""
    conditions = {
        "status": wanted.status,
        "outcome": wanted.outcome,
        "os_version__name": wanted.version,
        "batch__name": wanted.batch,
        "interaction__app__package": wanted.app,
        "interaction__name": wanted.interaction,
        "device": wanted.device,
    }
    rows = Run.objects.filter(**{key: value for key, value in conditions.items() if value})
    if wanted.excluded:
        rows = rows.filter(excluded=wanted.excluded == "yes")
    if wanted.confidence:
        rows = rows.filter(Exists(Measurement.objects.filter(run=OuterRef("pk"), confidence=wanted.confidence)))
    if wanted.file:
        rows = rows.filter(film_is(*FILES[wanted.file]))
    for word in wanted.q.split():
        rows = rows.filter(_named(word))
    return rows.order_by("-id")


def _named(word: str) -> Q:
    return (
        Q(interaction__name__icontains=word)
        | Q(interaction__app__name__icontains=word)
        | Q(interaction__app__package__icontains=word)
        | Q(original_name__icontains=word)
    )


@dataclass(frozen=True)
class RunsOptions:
    """What the list can be filtered by; of batches the newest."""

    versions: list[str]
    batches: list[str]
    apps: list[App]
    devices: list[Device]


def runs_options() -> RunsOptions:
    """List versions, batches, apps and devices: four queries."""
    return RunsOptions(
        versions=list(OsVersion.objects.order_by("-sort_key").values_list("name", flat=True)),
        batches=list(Batch.objects.values_list("name", flat=True)[:_BATCHES]),
        apps=list(App.objects.only("name", "package")),
        devices=list(Device.objects.all()),
    )


def active_filters(wanted: RunsFilter, options: RunsOptions) -> list[ActiveFilter]:
    """Name the filters in use, in the page's order; what is searched for stands in its field."""
    apps = {app.package: app.name for app in options.apps}
    devices = {device.pk: str(device) for device in options.devices}
    return in_use(
        (
            ("status", "Status", RunStatus(wanted.status).label.lower() if wanted.status else ""),
            ("outcome", "Outcome", outcome_words(wanted.outcome) if wanted.outcome else ""),
            ("version", "Version", wanted.version),
            ("batch", "Batch", wanted.batch),
            ("app", "App", apps.get(wanted.app, wanted.app)),
            ("interaction", "Interaction", wanted.interaction),
            ("device", "Device", devices.get(wanted.device, str(wanted.device)) if wanted.device else ""),
            ("excluded", "Excluded runs", {"yes": "only", "no": "left out"}.get(wanted.excluded, "")),
            ("file", "Recording", FILE_WORDS.get(wanted.file, "")),
            ("confidence", "Confidence", wanted.confidence),
        )
    )


def load_runs(ids: Iterable[int]) -> list[Run]:
    """Load these runs with all that a row shows, newest first: two queries.

    Apart from the query that finds the page: with all its joins a database may sort every run before it cuts.
    """
    runs = Run.objects.for_list().filter(pk__in=list(ids))
    return list(runs.prefetch_related("measurements").order_by("-pk"))


def failed_run_ids(runs: RunQuerySet) -> list[int]:
    """Return the ids of the failed runs among these."""
    return list(runs.filter(status=RunStatus.FAILED).values_list("pk", flat=True))


@dataclass(frozen=True)
class Measured:
    """One metric of the run; ``value`` is None where it applies but has no answer."""

    metric: str
    value: float | None


@dataclass(frozen=True)
class RunDetail:
    """A run, its metrics in order, the chosen frames, what was not judged, and what else the evidence says.

    ``proposals`` are the instants that may be its action, where nobody gave it, ``found`` the one that counts.
    ``viewer`` is the frame that is looked at, None where no picture of the recording could ever be read.
    ``owners`` are those whose areas concern the run, ``changes`` what people changed on it by hand.
    """

    run: Run
    measured: list[Measured]
    proposals: tuple[FoundAction, ...]
    found: FoundAction | None
    frames: tuple[ChosenFrame, ...]
    left_out: tuple[LeftOut, ...]
    facts: list[Fact]
    events: tuple[SeenTogether, ...]
    viewer: FrameView | None
    owners: tuple[Owner, ...]
    changes: list[Told]

    @property
    def film(self) -> Film:
        """What became of the screencast."""
        return film_of(self.run)

    @property
    def no_sign(self) -> str:
        """What the recording may show of its action and does not, in words."""
        return NO_SIGN

    @property
    def waits(self) -> bool:
        """Tell whether the run is to be measured; what is shown of it is from before."""
        return self.run.status in (RunStatus.PENDING, RunStatus.RUNNING)

    @property
    def judged_by(self) -> str:
        """The revision of the measuring code that judged the run; nothing while it waits."""
        judged = self.run.filmed and self.run.status in (RunStatus.DONE, RunStatus.FAILED)
        return revision_words(self.run) if judged else ""


def load_run(pk: int, *, at_us: int | None = None) -> RunDetail:
    """Load a run: seven queries; answers 404 for an unknown one. ``at_us`` is the frame to look at."""
    run = with_file_state(with_series(Run.objects.for_list())).filter(pk=pk).first()
    if run is None:
        raise Http404(f"There is no run {pk}.")
    measured = _measured(run, dict(run.measurements.values_list("metric", "value")))
    series = series_of(run)
    evidence = series.evidence if series else {}
    proposals = found_actions(evidence) if run.action_from else ()
    if at_us is None and proposals and not run.action_known:
        at_us = proposals[0].time_us
    return RunDetail(
        run=run,
        measured=measured,
        proposals=proposals,
        found=chosen_action(evidence),
        frames=chosen_frames(series) if series else (),
        left_out=areas_left_out(evidence),
        facts=other_facts(evidence),
        events=seen_together(seen_events(evidence, judged_action_ms(evidence, run))),
        viewer=view_frame(run, series, at_us),
        owners=owners_of(run),
        changes=changes_of(run, run.interaction, run.interaction.app, run.device),
    )


def _measured(run: Run, values: dict[str, float]) -> list[Measured]:
    expected = [key for key, metric in METRICS.items() if run.filmed and metric.applies_to(run.interaction.type)]
    others = sorted(set(values) - set(expected), key=metric_label)
    return [Measured(key, values.get(key)) for key in [*expected, *others]]


def label_lines() -> Iterator[str]:
    """Yield a CSV with a header: one line per corrected screencast; a moment nobody corrected is empty."""
    yield csv_line(LABEL_COLUMNS)
    corrections = Correction.objects.filter(withdrawn_at=None).order_by("run_id")
    by_run: dict[int, list[Correction]] = defaultdict(list)
    for correction in corrections.select_related("run__interaction__app", "run__os_version", "made_by"):
        by_run[correction.run_id].append(correction)
    for found in by_run.values():
        yield csv_line(_label_row(found))


def _label_row(found: list[Correction]) -> tuple[object, ...]:
    run, said = found[0].run, {correction.moment: correction.value_ms for correction in found}
    last = max(found, key=lambda correction: correction.made_at)
    return (
        run.original_name, said.get("response", ""), said.get("finish", ""), run.os_version.name,
        run.interaction.app.package, run.interaction.name, run.repetition, last.made_by.get_username(),
        f"{last.made_at:%Y-%m-%dT%H:%M:%SZ}",
    )  # fmt: skip
