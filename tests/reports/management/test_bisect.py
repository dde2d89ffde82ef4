"""The command that searches for a culprit, on lines of versions whose culprit is known."""

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from reports.models import AuditEntry, Bisection, OsVersion, Run
from reports.models.catalogue import version_sort_key
from tests import factories
from tests.reports.history.lines import film, line

pytestmark = pytest.mark.django_db
WANTED = ("--app", "org.example.mail", "--interaction", "open inbox")


def bisect(*args):
    """Return (exit code, output)."""
    out = StringIO()
    try:
        call_command("bisect", *map(str, args), stdout=out, stderr=StringIO())
    except SystemExit as stop:
        return stop.code, out.getvalue()
    return 0, out.getvalue()


def start(*args, good="14.0.0", bad="14.0.8"):
    return bisect("start", "--good", good, "--bad", bad, *WANTED, *args)


def refused(*args, **kwargs):
    """Return the words of a refusal."""
    with pytest.raises(CommandError) as caught:
        (start if not args or args[0].startswith("--") else bisect)(*args, **kwargs)
    return str(caught.value)


@pytest.fixture
def ends():
    """Nine versions with runs of the first and the last alone: 200 and 300 ms. θ of a response is 50 ms."""
    versions = line(200.0, *[None] * 7, 300.0)
    for version, middle in ((versions[0], 200.0), (versions[-1], 300.0)):
        film(version, middle, runs=12)
    return versions


def measured(versions, culprit, times=9):
    """Do what the command asks for, until it asks for nothing; return its last exit code and words."""
    for _ in range(times):
        code, text = bisect("next", "--json")
        if code != 4:
            break
        for asked in json.loads(text)["measure"]:
            version = OsVersion.objects.get(name=asked["version"])
            film(version, 300.0 if versions.index(version) >= culprit else 200.0, runs=asked["runs"])
    return bisect("status")


@pytest.mark.parametrize("culprit", [1, 5, 8])
def test_it_ends_with_the_first_bad_version(ends, culprit):
    start()

    code, text = measured(ends, culprit)

    assert code == 0
    assert f"First bad version: 14.0.{culprit}\n" in text
    assert "Response time 200 → 300 ms (+100 ms, 50 ms would be felt" in text


def test_the_start_says_what_to_measure_first(ends):
    code, text = start()

    assert code == 0
    assert "Bisection" in text
    assert "7 builds between the last good 14.0.0 and the first bad 14.0.8." in text
    assert "Measure 14.0.4: 5 more runs (nearest to the middle of what is left)" in text


def test_what_is_under_way_survives_in_the_runs_alone(ends):
    start()
    row = Bisection.objects.get()
    film(ends[4], 200.0, runs=5)

    _, text = bisect("next")

    assert "3 builds between the last good 14.0.4" in text
    assert (row.started_as.startswith("command line"), row.metric, row.suspects) == (True, "response_time_ms", [])


def test_skipped_versions_leave_a_range_and_exit_3(ends):
    start()
    bisect("skip", "14.0.4", "--reason", "does not boot")
    bisect("skip", "14.0.5")

    code, text = measured(ends, 5)

    assert code == 3
    assert "The first bad version is one of 3: 14.0.4, 14.0.5, 14.0.6" in text
    told = AuditEntry.objects.filter(field="skipped").order_by("pk")
    assert [(entry.after, entry.note) for entry in told] == [("14.0.4", "does not boot"), ("14.0.5", "")]


def test_finish_keeps_the_answer_and_another_can_be_started(ends):
    start()
    measured(ends, 3)

    _, text = bisect("finish")

    assert "is finished.\n" in text
    row = Bisection.objects.get()
    assert (row.suspects, row.finished_at is not None) == (["14.0.3"], True)
    assert refused("skip", "14.0.2", "--id", row.pk) == f"id: bisection {row.pk} is finished; start another"
    assert start()[0] == 0
    assert AuditEntry.objects.filter(action="added", subject__startswith="bisection of Mail").count() == 2


def test_one_that_ends_early_says_that_it_has_no_answer(ends):
    start()

    assert "is finished without an answer" in bisect("finish")[1]
    assert Bisection.objects.get().suspects == []


def command(tmp_path, code):
    """Write a script that adds each version that it is called with to a list, and ends with this code."""
    script = tmp_path / "record.py"
    script.write_text(
        f"import sys\nopen({str(tmp_path / 'called')!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n{code}"
    )
    return f"{sys.executable} {script} {{version}} {{runs}}"


def test_a_command_that_ends_with_125_skips_the_version(ends, tmp_path):
    start()

    code, text = bisect("next", "--run", command(tmp_path, "sys.exit(125)"))

    assert code == 3
    assert "one of 8" in text
    called = Path(tmp_path / "called").read_text().split("\n")
    assert called[0] == "14.0.4 5"
    assert Bisection.objects.get().skipped.count() == 7


def test_a_command_that_records_is_called_until_there_is_an_answer(ends, monkeypatch):
    start()

    def record(words, **_):
        name, runs = words[1:]
        version = OsVersion.objects.get(name=name)
        film(version, 300.0 if ends.index(version) >= 6 else 200.0, runs=int(runs))
        return type("Ended", (), {"returncode": 0})

    monkeypatch.setattr("reports.management.commands.bisect.subprocess.run", record)
    code, text = bisect("next", "--run", "record {version} {runs}")

    assert code == 0
    assert "First bad version: 14.0.6" in text


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("sys.exit(1)", "the command ended with 1 for 14.0.4"),
        ("", "the command brought no run of 14.0.4 that counts"),
    ],
)
def test_a_command_that_fails_or_brings_nothing_stops(ends, tmp_path, code, words):
    start()

    assert words in refused("next", "--run", command(tmp_path, code))
    assert (tmp_path / "called").read_text() == "14.0.4 5\n"


def test_a_command_that_is_not_there_is_named(ends):
    start()

    assert refused("next", "--run", "/no/such/command {version}").startswith(
        "--run: /no/such/command cannot be run"
    )


def test_runs_that_are_never_measured_do_not_hang_it(ends, tmp_path):
    start()
    factories.runs([0.0], version=ends[4], status="pending")

    assert "runs of 14.0.4 still wait to be measured" in refused(
        "next", "--run", command(tmp_path, ""), "--wait", 0
    )


def test_a_good_version_that_is_as_slow_is_refused_with_the_numbers():
    versions = line(200.0, *[None] * 7, 210.0)
    for version, middle in ((versions[0], 200.0), (versions[-1], 210.0)):
        film(version, middle, runs=4)

    words = refused("--metric", "response_time_ms")

    assert words.startswith(
        "good: from 14.0.0 to 14.0.8 there is no regression that people feel: Response time 200 → 210"
    )
    assert Bisection.objects.count() == 0


def test_good_and_bad_the_wrong_way_round_are_refused(ends):
    words = refused(good="14.0.8", bad="14.0.0")

    assert words == "good: 14.0.8 comes after 14.0.0; exchange them, or set what one of them sorts as on its page"


def test_versions_without_order_are_refused(ends):
    factories.os_version("14-0-3")

    assert "14-0-3 and 14.0.3 have no order" in refused()


def test_an_order_that_is_mended_under_way_so_that_good_comes_last_is_told(ends):
    start()
    OsVersion.objects.filter(name="14.0.0").update(sorts_as="15", sort_key=version_sort_key("15"))

    assert refused("next").startswith("good: 14.0.0 comes after 14.0.8; exchange them")
    assert "is finished without an answer." in bisect("finish")[1]


def test_versions_of_two_lines_are_refused(ends):
    factories.os_version("15-beta1", channel="beta")

    assert refused(bad="15-beta1").startswith("bad: 15-beta1 is in the line beta, 14.0.0 in the main line")


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (
            ("--app", "org.example.nothing"),
            "app: no app has the package 'org.example.nothing'; known are: org.example.mail",
        ),
        (("--interaction", "close"), "interaction: Mail has no interaction 'close'; known are: open inbox"),
        (("--metric", "launch_time_ms"), "metric: Mail · open inbox has no 'launch_time_ms'"),
        (("--good", "13"), "good: no OS version is called '13'"),
    ],
)
def test_what_is_not_known_is_named_with_what_is(ends, wanted, words):
    assert refused(*wanted).startswith(words)


def test_several_devices_must_be_told_apart(ends):
    film(ends[0], 200.0, on=factories.device("tablet"))

    assert refused().startswith("device: name the device, one of: ")
    assert start("--device", "phone")[0] == 0


def test_the_metric_is_the_one_that_got_worst(ends):
    for version, value in ((ends[0], 400.0), (ends[-1], 2_000.0)):
        film(version, value, runs=12, metric="finish_time_ms")
    start()

    assert Bisection.objects.get().metric == "finish_time_ms"


def test_builds_that_nothing_was_recorded_of_become_known():
    line(200.0, 300.0)

    start("--builds", "0758686f97=14.0.0.1", "14.0.0.2", bad="14.0.1")

    assert list(OsVersion.objects.values_list("name", flat=True)) == ["14.0.0", "0758686f97", "14.0.0.2", "14.0.1"]
    assert refused("--builds", "14.9", bad="14.0.1").startswith(
        "builds: 14.9 does not lie between 14.0.0 and 14.0.1"
    )
    assert not OsVersion.objects.filter(name="14.9").exists()


def test_the_same_search_is_not_started_twice(ends):
    start()

    assert "is under way already." in start()[1]
    assert Bisection.objects.count() == 1


def test_without_a_number_there_must_be_one_under_way(ends):
    assert refused("status").startswith("id: no bisection is under way")
    start()
    film(ends[7], 300.0, runs=12)
    start(bad="14.0.7")

    assert refused("status").startswith("id: several are under way; name one of them: ")
    assert bisect("status", "--id", Bisection.objects.last().pk)[0] == 4
    assert "there is no bisection 0" in refused("status", "--id", 0)


def test_runs_of_another_app_version_are_named_and_not_counted(ends):
    start()
    film(ends[4], 300.0, app_version="9.9")

    assert "Measure 14.0.4: 5 more runs" in bisect("next")[1]
    assert "8 runs of another app version or capture are not counted" in bisect("next")[1]


def test_an_end_cannot_be_skipped(ends):
    start()

    assert "14.0.8 is an end of the bisection" in refused("skip", "14.0.8")
    assert Run.objects.filter(os_version=ends[0]).count() == 20
