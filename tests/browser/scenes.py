"""What the browser looks at: a computed comparison with a regression, runs in every state."""

from django.utils import timezone

from reports.batches.services import complete_batch, open_batch
from reports.comparing.services import compute_comparison, open_comparison
from reports.gate.services import decide_gate
from reports.models import Batch, Comparison, Run, RunStatus
from reports.policies.services import save_scope
from tests import factories
from tests.repeated import made_once

BASE, NEW = "13.0.9", "13.0.13"
NIGHT = "night-42-of-the-long-soak-test-in-the-cold-room-with-the-second-phone-of-the-lab"
RANKING = f"/compare/{BASE}/{NEW}/"
GATE = f"{RANKING}gate/"


def small_comparison() -> Comparison:
    """Compare two versions: of four interactions one is much slower, five more the same; not all runs count."""
    made_once(_compare)
    return Comparison.objects.select_related("base", "new").get(base__name=BASE, new__name=NEW)


def _compare() -> None:
    base, new = factories.os_version(BASE), factories.os_version(NEW)
    mail = factories.app("Mail", critical=True)
    for name, shift in (("open inbox", 400.0), ("search", 0.0), ("archive", -200.0), ("write", 60.0)):
        interaction = factories.interaction(name, of=mail)
        values = [300.0 + 3 * step for step in range(8)]
        factories.runs(values, version=base, of=interaction)
        factories.runs([value + shift for value in values], version=new, of=interaction)
    for type in ("launch", "scroll", "swipe", "type", "draw"):  # a wide and sparse matrix
        interaction = factories.interaction(f"try {type}", type=type, of=factories.app("Feed", category="social"))
        for version in (base, new):
            factories.runs([100.0 + step for step in range(8)], version=version, of=interaction)
    factories.run(version=new, status=RunStatus.FAILED, outcome="unreadable")
    factories.run(version=new, excluded=True, excluded_reason="a call came in")
    compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)


def two_nights(comparison: Comparison) -> None:
    """Open two batches: one is complete and compared, of the other some runs wait and some failed."""
    older, _ = open_batch(name="night-41", os_version=NEW, note="the second phone only")
    Run.objects.filter(os_version=comparison.new).update(batch=older)
    complete_batch(batch=older)
    Batch.objects.filter(pk=older.pk).update(comparison=comparison)
    night, _ = open_batch(name=NIGHT, os_version=NEW)
    outcomes = {RunStatus.DONE: "ok", RunStatus.FAILED: "too_short", RunStatus.PENDING: "", RunStatus.RUNNING: ""}
    for status, outcome in outcomes.items():
        for _ in range(3):
            factories.run(version=factories.os_version("14.0"), batch=night, status=status, outcome=outcome)


def decided_comparison() -> Comparison:
    """Let the gate decide on the small comparison, with a waiver and a scope besides."""
    comparison = small_comparison()
    save_scope(name="taps", interaction_types=["tap"])
    factories.accepted_waiver(
        app=factories.app("Mail"),
        interaction=factories.interaction("write"),
        expires=timezone.localdate(),
        reason="known",
        approver="release manager",
    )
    decide_gate(comparison=comparison)
    return comparison
