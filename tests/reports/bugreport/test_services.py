import json
import re

import pytest

from reports.bugreport.selectors import load_finding
from reports.bugreport.services import report_name
from reports.drilldown.selectors import Wanted
from reports.models import App, Interaction, Run, RunStatus
from tests import factories
from tests.reports.bugreport.scene import CHANGED, NAMES, TIMES_MS, bug_scene, number_in, stored, written

HOSTILE = '</title><script>alert(1)</script>" onload="x| `@all` \n# *'


@pytest.fixture
def runs(db):
    return bug_scene()


def _html(opened):
    return opened.read("report.html").decode()


def test_page_loads_its_parts_from_the_zip_and_nothing_else(runs):
    opened = written(address="https://upreg.example.org/x")
    parts = set(re.findall(r'(?:src|href|poster)="([^"]+)"', _html(opened)))

    assert {"base.mp4", "new.mp4", "data.json", "report.md"} < parts
    assert parts - {"data:,", "https://upreg.example.org/x"} <= set(opened.namelist())
    assert not re.search(r"url\(|@import|//[a-z]+\.", _html(opened).replace("https://upreg.example.org/x", ""))


def test_page_forbids_the_network_and_other_scripts(runs):
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', _html(written()))[1]

    assert "default-src 'none'" in policy
    assert "unsafe-inline'; script" in policy, "styles may stand in the page"
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'", policy)
    assert "http" not in policy


def test_page_says_the_verdict_the_policy_and_the_scenario(runs):
    Interaction.objects.update(scenario="Tap the first mail")

    html = _html(written())

    assert "Updated responds 210 ms later" in html
    assert "Tap the first mail" in html
    assert "The larger of 50 ms and 20 % of the baseline&#x27;s median" in html


def test_screencasts_are_the_recordings_themselves(runs):
    opened = written()

    assert [opened.read(name) for name in ("base.mp4", "new.mp4")] == [stored(run).read_bytes() for run in runs]


def test_pictures_show_the_frames_that_they_are_called_after(runs):
    opened = written()
    moments = re.findall(r'<img src="(frames/base-[^"]+-720.webp)".*?<span>(?:\w+): frame (\d)', _html(opened))
    film = re.findall(r'<img src="(frames/new-[^"]+-360.webp)"', _html(opened))

    assert [(number_in(opened, name), int(said)) for name, said in moments] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [number_in(opened, name) for name in film] == [1, *CHANGED], "the screen at the action, then the changes"


def test_changed_area_is_outlined(runs):
    assert 'style="left:0.00%;top:0.00%;width:50.00%;height:25.00%"' in _html(written())


def test_names_from_a_manifest_are_text(runs):
    App.objects.update(name=HOSTILE)
    Interaction.objects.update(scenario=HOSTILE)
    Run.objects.update(original_name=HOSTILE, app_version=HOSTILE, metadata={HOSTILE: HOSTILE})

    opened = written()
    text = opened.read("report.md").decode()

    assert _html(opened).count("<script") == 2, "the page's own"
    assert '" onload="' not in _html(opened)
    assert "<script" not in text.replace("\\<script", "")
    assert "@all" not in text
    assert text.count("\n# ") == 0
    assert "<script" not in opened.read("plots.svg").decode()


def test_lost_screencast_is_named_and_the_rest_is_there(runs):
    stored(runs[0]).unlink()

    opened = written()

    assert "base.mp4" not in opened.namelist()
    assert "new.mp4" in opened.namelist()
    assert "no longer in the storage" in _html(opened)
    assert "no longer in the storage" in opened.read("report.md").decode()


def test_broken_screencast_is_kept_and_named(runs):
    stored(runs[1]).write_bytes(b"\x00not a video" * 100)

    opened = written()

    assert opened.read("new.mp4") == stored(runs[1]).read_bytes()
    assert "No pictures of single frames: the screencast cannot be read" in _html(opened)


def test_failed_run_says_why(runs):
    factories.run(version=runs[1].os_version, status=RunStatus.FAILED, error="unreadable: truncated at frame 3")
    failed = Run.objects.get(status=RunStatus.FAILED)

    html = _html(written(wanted=Wanted(new_run=failed.pk)))

    assert "unreadable: truncated at frame 3" in html


def test_version_without_a_run_is_named(runs):
    factories.os_version("14")

    html = _html(written(new="14"))

    assert "No run of this interaction was recorded on 14." in html
    assert "has not been compared" in html


def test_data_holds_both_series_and_the_result(runs):
    def refuse(constant):
        raise AssertionError(f"{constant} is no JSON")

    data = json.loads(written().read("data.json"), parse_constant=refuse)

    assert data["results"][0]["delta"] == 210
    assert data["runs"]["new"]["frame_series"]["time_ms"] == TIMES_MS
    assert data["runs"]["base"]["frame_series"]["after_action_ms"] == [at - 500 for at in TIMES_MS]
    assert data["runs"]["base"]["evidence"]["response"]["frame"] == 2


def test_text_for_the_tracker_has_the_table_and_the_link(runs):
    text = written(address="https://upreg.example.org/a?base_run=1").read("report.md").decode()

    assert text.startswith("# Mail · open inbox: Updated responds 210 ms later (13.0.12 → 13.0.13)\n")
    assert "| Response time | 100 ms | 310 ms | +210 ms | 50 ms | Regression, Severe | 1 + 1 |" in text
    assert "<https://upreg.example.org/a?base_run=1>" in text


def test_name_of_the_file_is_plain_and_short(runs):
    App.objects.update(name="../../\x01Ä<b>" * 18)  # as long as a name may be
    finding = load_finding(*NAMES, Wanted())

    assert re.fullmatch(r"bug-report-13\.0\.12-13\.0\.13-[A-Za-z0-9.-]{1,110}\.zip", report_name(finding))
    assert ".." not in report_name(finding)
