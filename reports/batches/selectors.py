"""Batches as pages and API read them: how far each is, why runs of it failed, what it was compared with."""

from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet
from django.http import Http404

from reports.measuring.evidence import outcome_words
from reports.models import Batch, ComparisonStatus, ImportRecord, OsVersion, Run, RunStatus
from reports.queue.selectors import Counts, QueueLine, counts_of_batches, progress_of_runs

OPEN, COMPLETE = "open", "complete"
STOPPED = "stopped"  # stands for the outcome of runs whose measuring stopped: they have none
MOST_REFUSALS = 100  # imports of a batch: a day of a token is one
_KNOWN = 8
_OFFERED = 200


@dataclass(frozen=True)
class Part:
    """A part of a bar: how many runs there are of a kind, and their share of all, in percent."""

    words: str
    count: int
    pct: float


@dataclass(frozen=True)
class BatchRow:
    """A batch and its runs by status."""

    batch: Batch
    counts: Counts

    @property
    def is_complete(self) -> bool:
        """Tell whether somebody said so, and nothing waits any more."""
        return bool(self.batch.completed_at) and not self.counts.waiting

    @property
    def state(self) -> str:
        """Return the same in a word."""
        return COMPLETE if self.is_complete else OPEN

    @property
    def parts(self) -> list[Part]:
        """Return the parts of its bar, in the order in which a run goes through them."""
        found = (("done", self.counts.done), ("failed", self.counts.failed), ("measuring", self.counts.running))
        named = (*found, ("waiting", self.counts.pending))
        return [Part(words, count, 100.0 * count / self.counts.total) for words, count in named if count]


@dataclass(frozen=True)
class Cause:
    """Why runs failed: how many, and what the last of them says. ``key`` names it in a form."""

    outcome: str
    count: int
    example: str
    run_id: int

    @property
    def key(self) -> str:
        """Return the outcome, or what stands for none."""
        return self.outcome or STOPPED

    @property
    def words(self) -> str:
        """Name the cause as a person reads it."""
        return outcome_words(self.outcome) if self.outcome else "measuring stopped"


@dataclass(frozen=True)
class BatchDetail(BatchRow):
    """A batch as its page shows it. ``baseline`` is the version pinned now, where it was not compared yet.

    ``refusals`` are the imports of it that refused something, as the import log tells them.
    """

    line: QueueLine
    causes: list[Cause]
    baseline: OsVersion | None
    refusals: list[ImportRecord]

    @property
    def refused(self) -> int:
        """How many recordings were refused when they came in, mended since or not."""
        return sum(record.refused for record in self.refusals)

    @property
    def compares(self) -> bool:
        """Tell whether its comparison is on its way: asked for, or about to be."""
        comparison = self.batch.comparison
        if comparison:
            return comparison.status in (ComparisonStatus.PENDING, ComparisonStatus.RUNNING) and not self.line.busy
        return self.is_complete and bool(self.counts.total and self.baseline) and not self.is_of_baseline

    @property
    def sentence(self) -> str:
        """Say what it waits for, or that it waits for nothing."""
        return "Its comparison is being computed." if self.compares else self.line.sentence

    @property
    def is_of_baseline(self) -> bool:
        """Tell whether the batch is about the pinned version itself: there is nothing to compare it with."""
        return self.baseline is not None and self.baseline.pk == self.batch.os_version_id


def known_versions() -> list[str]:
    """Return the names of the newest OS versions, for the form of a new batch; one query."""
    return list(OsVersion.objects.order_by("-sort_key", "-name").values_list("name", flat=True)[:_OFFERED])


def outcome_of(key: str) -> str | None:
    """Return the outcome that the key of a cause stands for; None for all of them."""
    return "" if key == STOPPED else key or None


def found_batches(words: str) -> QuerySet[Batch]:
    """Return the batches whose name, version or note has every word, newest first."""
    rows = Batch.objects.for_pages()
    for word in words.split():
        rows = rows.filter(Q(name__icontains=word) | Q(note__icontains=word) | Q(os_version__name__icontains=word))
    return rows


def baseline_of(batch: Batch) -> OsVersion | None:
    """Return the version that a batch is held against, which may be its own; one query."""
    return OsVersion.objects.filter(pk__in=Batch.objects.filter(pk=batch.pk).baseline_ids()).first()


def batch_rows(batches: list[Batch]) -> list[BatchRow]:
    """Count the runs of these batches; one query."""
    counts = counts_of_batches([batch.pk for batch in batches])
    return [BatchRow(batch, counts[batch.pk]) for batch in batches]


def last_batch() -> BatchRow | None:
    """Return the batch that was opened last; two queries, one where there is none."""
    return next(iter(batch_rows(list(Batch.objects.for_pages()[:1]))), None)


def find_batch(name: str) -> Batch:
    """Return a batch by its name, or answer 404 with some that are known; one query."""
    batch = Batch.objects.for_pages().filter(name=name).first()
    if batch is None:
        known = ", ".join(Batch.objects.values_list("name", flat=True)[:_KNOWN])
        raise Http404(f"No batch is called {name}. " + (f"Known are: {known}." if known else "There is none yet."))
    return batch


def load_batch(name: str) -> BatchDetail:
    """Load a batch: ten queries at most; answers 404 for an unknown one."""
    batch = find_batch(name)
    runs, counts = Run.objects.filter(batch=batch), counts_of_batches([batch.pk])[batch.pk]
    return BatchDetail(
        batch=batch,
        counts=counts,
        line=progress_of_runs(runs, counts),
        causes=causes_of(batch) if counts.failed else [],
        baseline=None if batch.comparison_id else baseline_of(batch),
        refusals=list(ImportRecord.objects.for_list().filter(batch=batch.name, refused__gt=0)[:MOST_REFUSALS]),
    )


def causes_of(batch: Batch) -> list[Cause]:
    """Count the failed runs of a batch by why they failed, the most frequent first; two queries."""
    failed = Run.objects.filter(batch=batch, status=RunStatus.FAILED).order_by()
    groups = list(failed.values_list("outcome").annotate(count=Count("pk"), last=Max("pk")))
    errors = dict(Run.objects.filter(pk__in=[last for *_, last in groups]).values_list("pk", "error"))
    causes = [Cause(outcome, count, errors.get(last, ""), last) for outcome, count, last in groups]
    return sorted(causes, key=lambda cause: (-cause.count, cause.outcome))
