import csv
import io

import pytest

from analysis.manifest.columns import TO_IMPORT
from analysis.manifest.reader import open_manifest
from analysis.manifest.rows import parse_row
from reports.comparing.services import compute_comparison, open_comparison
from reports.importing.services import import_manifest
from reports.models import Interaction, Result, Run, RunStatus
from reports.ranking.plan import load_plan
from reports.ranking.selectors import RankingFilter
from tests import factories
from tests.intake import MP4_HEAD

ADDRESS = "/compare/13.0.9/13.0.13/"


@pytest.fixture
def few(versions):
    """Compare two interactions: one has two runs a side, too few to test; the other has enough."""
    base, new = versions
    mail = factories.interaction("open inbox")
    for version in versions:
        factories.runs([100.0, 110.0], version=version, of=mail)
    factories.run(version=new, of=mail, status=RunStatus.FAILED)  # has the highest number
    like = factories.interaction("like", of=factories.app("Feed"))
    for version in versions:
        factories.runs([100.0 + step for step in range(8)], version=version, of=like)
    Interaction.objects.filter(pk=mail.pk).update(scenario="Open the app,\nwait, tap the inbox")
    return compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)


def _rows(signed_in, query=""):
    answer = signed_in.get(f"{ADDRESS}plan.csv{query}")
    assert "attachment" in answer["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))


def _fill_in(rows, folder):
    """Record what a plan asks for, as far as an import looks at it."""
    for number, row in enumerate(rows):
        row |= {"video": f"{number}.mp4", "action_ms": "500"}
        (folder / f"{number}.mp4").write_bytes(MP4_HEAD + b"film %d" % number)
    with (folder / "plan.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def test_plan_has_a_line_for_each_run_to_record_on_either_version(signed_in, few):
    needed = Result.objects.get(verdict="more_runs_needed").runs_needed

    rows = _rows(signed_in)

    assert needed > 0
    assert [row["os_version"] for row in rows] == ["13.0.9"] * needed + ["13.0.13"] * needed
    assert {(row["app"], row["interaction"], row["device"], row["refresh_hz"]) for row in rows} == {
        ("Mail", "open inbox", "phone", "60")
    }
    assert {(row["video"], row["action_ms"]) for row in rows} == {("", "")}


def test_plan_numbers_go_on_after_every_run_that_there_is(signed_in, few):
    runs = Run.objects.filter(interaction__name="open inbox")  # one that failed has its number, too
    last = {
        row.name: max(runs.filter(os_version=row).values_list("repetition", flat=True))
        for row in (few.base, few.new)
    }

    rows = _rows(signed_in)

    for name, number in last.items():
        planned = [int(row["repetition"]) for row in rows if row["os_version"] == name]
        assert planned == list(range(number + 1, number + 1 + len(planned)))


def test_plan_that_was_filled_in_is_imported(signed_in, few, tmp_path):
    rows = _rows(signed_in)
    _fill_in(rows, tmp_path)

    with open_manifest(tmp_path / "plan.csv", TO_IMPORT) as reader:
        assert [problems for line in reader if (problems := parse_row(line, TO_IMPORT)[1])] == []
    summary = import_manifest(path=tmp_path / "plan.csv", queue=False)

    assert (summary.new, summary.lines) == (len(rows), [])
    assert Run.objects.filter(interaction__name="open inbox", status=RunStatus.PENDING).count() == len(rows)
    assert Interaction.objects.count() == 2  # no other interaction came of it


def test_plan_of_names_like_formulas_runs_in_no_spreadsheet_and_comes_back_as_it_was(signed_in, few, tmp_path):
    Interaction.objects.filter(name="open inbox").update(name='=HYPERLINK("x")', scenario="@ night")
    before = set(Interaction.objects.values_list("name", flat=True))

    rows = _rows(signed_in)
    assert {(row["interaction"], row["scenario"]) for row in rows} == {('\'=HYPERLINK("x")', "'@ night")}
    _fill_in(rows, tmp_path)
    summary = import_manifest(path=tmp_path / "plan.csv", queue=False)

    assert (summary.new, summary.lines) == (len(rows), [])
    assert set(Interaction.objects.values_list("name", flat=True)) == before


def test_plan_takes_the_metric_that_needs_most_and_the_part_that_is_asked_for(few):
    result = Result.objects.get(verdict="more_runs_needed")
    unsure = Result.objects.get(verdict="no_change")
    Result.objects.filter(pk=unsure.pk).update(runs_needed=7)
    result.pk, result.metric, result.verdict, result.runs_needed = None, "dropped_frames", "no_change", 40
    result.save()

    plan = load_plan(few, RankingFilter())
    assert [(row.interaction.name, row.metric, row.needed, row.too_few) for row in plan.rows] == [
        ("like", "response_time_ms", 7, False),
        ("open inbox", "dropped_frames", 40, False),
    ]
    assert (plan.too_few, plan.unsure) == (0, 2)
    assert plan.recordings == 94
    of_feed = load_plan(few, RankingFilter(app="org.example.feed", verdict="regression"))
    assert [row.needed for row in of_feed.rows] == [7]


def test_plan_page_says_how_runs_and_leads_to_the_manifest(signed_in, few):
    needed = Result.objects.get(verdict="more_runs_needed").runs_needed

    page = signed_in.get(ADDRESS + "plan/").content.decode()
    ranking = signed_in.get(ADDRESS).content.decode()

    assert (
        f"{2 * needed}\u00a0screencasts, half of them on each version: 1\u00a0interaction cannot be tested yet."
        in page
    )
    assert f'href="{ADDRESS}plan.csv"' in page
    assert "Too few runs to test" in page
    assert 'title="Which runs to record"><b>1</b> more runs needed</a>' in ranking
    assert f"{needed} more a side</a>" in ranking


def test_plan_without_anything_to_record_says_so(signed_in, compared):
    page = signed_in.get(ADDRESS + "plan/").content.decode()

    assert "Every interaction has the runs that a verdict needs" in page
    assert "Show all" in signed_in.get(ADDRESS + "plan/", {"app": "org.example.feed"}).content.decode()


def test_plan_of_a_pair_never_compared(signed_in, versions):
    assert signed_in.get(ADDRESS + "plan.csv").status_code == 404
    assert "have not been compared yet" in signed_in.get(ADDRESS + "plan/").content.decode()


def test_plan_page_takes_the_same_queries_however_long_it_is(signed_in, few, django_assert_num_queries):
    with django_assert_num_queries(15):
        signed_in.get(ADDRESS + "plan/")
    Result.objects.update(runs_needed=3)
    with django_assert_num_queries(15):
        signed_in.get(ADDRESS + "plan/")
