"""Results of AndroidX benchmarks as runs without a screencast."""

import json
import shutil

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from analysis.macrobenchmark.reader import BenchmarkFileError
from reports.importing import benchmarks
from reports.importing.benchmarks import Said, import_benchmark_file
from reports.models import (
    App,
    AuditEntry,
    Comparison,
    Device,
    ImportRecord,
    Interaction,
    Measurement,
    OsVersion,
    Run,
)
from tests import factories
from tests.benchmarked import benchmark, startup, written

pytestmark = pytest.mark.django_db
SAID = Said("14.1")


def take(path, **said):
    return import_benchmark_file(path=path, said=Said(**{"version": "14.1", **said}))


def test_each_iteration_becomes_a_run_that_needs_no_measuring(tmp_path, django_capture_on_commit_callbacks):
    path = written(
        tmp_path, benchmark(metrics={"frameCount": [3, 4]}, sampled={"frameDurationCpuMs": [[4, 5, 6], [7] * 4]})
    )
    summary = take(path)
    assert (summary.new, summary.unchanged, summary.refused) == (2, 0, 0)
    first, second = Run.objects.order_by("repetition")
    assert (first.status, first.outcome, first.filmed, first.repetition) == ("done", "ok", False, 1)
    assert (first.original_name, first.file_bytes) == (path.name, path.stat().st_size)
    assert {row.metric: row.value for row in first.measurements.all()} == {
        "frameCount": 3, "frameDurationCpuMs_P50": 5, "frameDurationCpuMs_P90": pytest.approx(5.8),
        "frameDurationCpuMs_P95": pytest.approx(5.9), "frameDurationCpuMs_P99": pytest.approx(5.98),
    }  # fmt: skip
    assert second.metadata["Iteration"] == "2 of 2 in this file"
    assert second.metadata["Samples of CPU frame time"] == "4"
    assert second.metadata["OS build"] == "acme/anvil/anvil:13/TQ1A.1/100:user/release-keys"
    interaction = Interaction.objects.get()
    assert (interaction.name, interaction.type) == ("ScrollBenchmark.scroll", "benchmark")
    assert (interaction.app.package, interaction.app.name) == ("org.example.mail.benchmark",) * 2
    assert (first.device.name, first.device.refresh_hz) == ("Anvil 3", 60)
    assert any("Frame count is kept and shown, not judged" in note for note in summary.notes)


def test_importing_twice_changes_nothing_also_when_the_file_was_written_anew(tmp_path):
    path = written(tmp_path, startup([300, 310, 305]))
    take(path)
    before = list(Run.objects.values_list("pk", "repetition", "metadata"))
    again = tmp_path / "again-benchmarkData.json"
    again.write_text(json.dumps(json.loads(path.read_text()), indent=4))
    for each in (path, again):
        summary = take(each)
        assert (summary.new, summary.unchanged) == (0, 3)
    assert list(Run.objects.values_list("pk", "repetition", "metadata")) == before
    assert Measurement.objects.count() == 3
    assert AuditEntry.objects.filter(action="imported").count() == 1


def test_another_file_of_the_same_version_adds_its_iterations(tmp_path):
    take(written(tmp_path, startup([300, 310])))
    summary = take(written(tmp_path, startup([300, 310], run_time_ns=2), startup([5], name="warm"), name="b.json"))
    assert (summary.new, summary.unchanged) == (3, 0)
    runs = Run.objects.filter(interaction__name="ScrollBenchmark.startup").order_by("repetition")
    assert [(run.repetition, run.original_name) for run in runs] == [
        (1, "mail-benchmarkData.json"), (2, "mail-benchmarkData.json"), (3, "b.json"), (4, "b.json"),
    ]  # fmt: skip


def test_the_same_file_as_two_versions_is_said(tmp_path):
    path = written(tmp_path, startup([300, 310]))
    take(path)
    summary = take(path, version="14.2")
    assert summary.new == 2
    assert any("was imported as 14.1 as well" in note for note in summary.notes)


def test_a_dry_run_says_the_same_and_leaves_no_trace(tmp_path):
    path = written(tmp_path, startup([300, 310]))
    summary = import_benchmark_file(path=path, said=SAID, dry_run=True)
    assert (summary.new, summary.record_id) == (2, None)
    for model in (Run, OsVersion, App, Device, Interaction, ImportRecord, AuditEntry):
        assert not model.objects.exists()


def test_the_import_log_and_the_audit_log_have_it(tmp_path):
    take(written(tmp_path, startup([300, 310])))
    record, entry = ImportRecord.objects.get(), AuditEntry.objects.get(action="imported")
    assert (record.state, record.source, record.new) == ("done", "mail-benchmarkData.json", 2)
    assert (entry.subject, entry.runs, entry.note) == ("mail-benchmarkData.json", 2, "2 new, 0 updated")


def test_a_file_that_is_refused_stores_nothing_and_stands_in_the_log_with_the_reason(tmp_path):
    path = written(tmp_path, startup([300, 310]), startup([-1], name="warm"))
    with pytest.raises(BenchmarkFileError):
        take(path)
    assert not Run.objects.exists()
    record = ImportRecord.objects.get()
    assert record.state == "stopped"
    assert "ScrollBenchmark.warm, metrics.timeToInitialDisplayMs.runs[0]: -1 is below 0" in record.error


def test_device_and_app_can_be_named_by_what_is_stored(tmp_path):
    mail, phone = factories.app("Mail"), factories.device("lab 3", refresh_hz=120.0)
    take(written(tmp_path, startup([300])), device="lab 3", app="Mail")
    run = Run.objects.select_related("interaction").get()
    assert (run.interaction.app_id, run.device_id) == (mail.pk, phone.pk)
    take(written(tmp_path, startup([301])), device="lab 3", app=mail.package)
    assert Run.objects.filter(interaction=run.interaction, device=phone).count() == 2


def test_a_device_that_is_known_at_two_rates_must_be_told_apart(tmp_path):
    factories.device("Anvil 3", 60.0)
    fast = factories.device("Anvil 3", 120.0)
    path = written(tmp_path, startup([300]))
    with pytest.raises(BenchmarkFileError, match="known at 60, 120 Hz: say which with --refresh-hz"):
        take(path)
    take(path, refresh_hz=120.0)
    assert Run.objects.get().device == fast


def test_an_interaction_that_is_filmed_is_not_mixed_with_a_benchmark(tmp_path):
    app = factories.app("Mail")
    factories.interaction("ScrollBenchmark.startup", of=app)
    with pytest.raises(BenchmarkFileError, match="is stored as tap, not benchmark"):
        take(written(tmp_path, startup([300])), app="Mail")


def test_a_file_without_a_model_needs_a_device(tmp_path):
    path = written(tmp_path, startup([300]), build={})
    with pytest.raises(BenchmarkFileError, match="--device"):
        take(path)
    assert take(path, device="lab 3").new == 1


@pytest.mark.parametrize(("version", "words"), [("", "is empty"), ("14/1", "cannot be a name")])
def test_a_version_that_cannot_be_one_is_refused(tmp_path, version, words):
    with pytest.raises(BenchmarkFileError, match=f"--version: .*{words}"):
        take(written(tmp_path, startup([300])), version=version)


def test_parameters_that_no_address_can_hold_are_written_otherwise(tmp_path):
    take(written(tmp_path, startup([300], name="open[url=a/b?c#d]")))
    assert Interaction.objects.get().name == "ScrollBenchmark.open[url=a_b_c_d]"
    with pytest.raises(BenchmarkFileError, match="more than once"):
        take(written(tmp_path, startup([1], name="x[a/b]"), startup([2], name="x[a?b]")))


def test_how_a_microbenchmark_was_compiled_keeps_its_runs_apart(tmp_path):
    one = benchmark("sort", metrics={"timeNs": [10, 11], "allocationCount": [1, 1]})
    take(written(tmp_path, one, compilationMode="speed"))
    take(written(tmp_path, {**one, "totalRunTimeNs": 7}, compilationMode="verify", name="b.json"))
    assert list(Run.objects.order_by("pk").values_list("capture", "repetition")) == [
        ("speed", 1), ("speed", 2), ("verify", 1), ("verify", 2),
    ]  # fmt: skip
    take(written(tmp_path, startup([1]), compilationMode="verify", name="c.json"))
    assert Run.objects.get(interaction__name__endswith="startup").capture == ""


def test_another_import_that_takes_the_same_numbers_meanwhile_does_no_harm(tmp_path, monkeypatch):
    other = written(tmp_path, startup([200, 210], run_time_ns=2), name="b.json")
    plan = benchmarks._made_plan
    beaten = []

    def made_plan(*args):
        found = plan(*args)
        if not beaten:
            beaten.append(1)
            take(other)
        return found

    monkeypatch.setattr(benchmarks, "_made_plan", made_plan)
    monkeypatch.setattr(
        benchmarks,
        "_last_repetition",
        lambda *_, real=benchmarks._last_repetition: 0 if len(beaten) == 1 and beaten.append(2) else real(*_),
    )
    take(written(tmp_path, startup([300, 310])))
    assert sorted(Run.objects.values_list("repetition", flat=True)) == [1, 2, 3, 4]


def test_comparisons_of_the_version_are_stale_afterwards(tmp_path, compared):
    take(written(tmp_path, startup([300, 310])), version="13.0.13")
    assert Comparison.objects.get().stale


def test_the_database_refuses_what_no_metric_can_be(db):
    run = factories.run()
    for metric, value in (
        ("response_time_ms", -1.0),
        ("timeNs", -1.0),
        ("timeNs", 1e16),
        ("frameOverrunMs_P50", -1e16),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Measurement.objects.create(run=run, metric=metric, value=value)
    Measurement.objects.create(run=run, metric="frameOverrunMs_P50", value=-4.5)


def test_the_page_of_the_import_tells_what_it_said(tmp_path, admin_client):
    take(written(tmp_path, benchmark(metrics={"frameCount": [3, 4], "aMs": [1, 2]})))
    page = admin_client.get(reverse("import-record", args=[ImportRecord.objects.get().pk])).content.decode()
    assert "mail-benchmarkData.json" in page
    assert "Frame count is kept and shown" in page


def test_a_copy_under_another_name_is_the_same_benchmark(tmp_path):
    path = written(tmp_path, startup([300, 310]))
    take(path)
    copy = shutil.copy(path, tmp_path / "copy.json")
    assert take(tmp_path / copy).unchanged == 2
