import pytest

from reports.bugreport.facts import Fact, facts
from reports.bugreport.selectors import load_finding
from reports.drilldown.selectors import Wanted
from reports.models import FrameSeriesRecord, Run
from tests.reports.bugreport.scene import NAMES, bug_scene


@pytest.fixture
def runs(db):
    return bug_scene()


def found():
    return {fact.name: fact for fact in facts(load_finding(*NAMES, Wanted()))}


def test_facts_name_device_versions_and_recording(runs):
    Run.objects.filter(pk=runs[0].pk).update(app_version="9.1", frame_count=6, duration_ms=1200.0)

    rows = found()

    assert (rows["OS version"].base, rows["OS version"].new) == ("13.0.12", "13.0.13")
    assert (rows["App version"].base, rows["App version"].new) == ("9.1", "–")
    assert rows["Frames"].base == "6 in 1\u202f200 ms"
    assert rows["Refresh rate"] == Fact("Refresh rate", "60 Hz", "60 Hz")
    assert rows["Refresh rate"].same
    assert rows["Action"].base == "500 ms after the first frame"
    assert "Touch" not in rows, "nobody knows it, so no line says so"


def test_masked_and_ignored_areas_are_named(runs):
    record = FrameSeriesRecord.objects.get(run=runs[1])
    record.evidence |= {
        "masks": [{"name": "status bar"}, {}],
        "video": {"width": 80, "height": 100},
        "ignored": [{"rect": [0, 0, 8, 24], "reason": "a blinking caret"}],
    }
    record.save()

    assert found()["Left out of judgement"].new == (
        "status bar (masked); an area (masked); a blinking caret, upper left, about 10 × 24 % of the screen"
    )


def test_metadata_is_shown_but_replaces_nothing(runs):
    Run.objects.update(metadata={"Device": "forged", "bench": "B2", "long": "x" * 5000})

    rows = found()

    assert rows["Device"].base == "phone"
    assert rows["bench"].base == "B2"
    assert len(rows["long"].base) == 300


def test_run_that_does_not_count_says_so(runs):
    Run.objects.filter(pk=runs[0].pk).update(excluded=True, excluded_reason="a call came in")

    assert found()["Run"].base.endswith("excluded: a call came in")
