import json
import re
from xml.etree import ElementTree

import pytest

from reports.bugreport.selectors import load_finding
from reports.drilldown.picture import draw_pair
from reports.drilldown.plots import SSIM_TICKS
from reports.drilldown.selectors import Wanted
from reports.models import Correction, Interaction, Result
from tests.reports.bugreport.scene import NAMES, bug_scene, written


@pytest.fixture
def runs(db):
    return bug_scene()


def plots():
    finding = load_finding(*NAMES, Wanted())
    return draw_pair(finding.series, finding.words)


def test_marks_stand_where_the_curves_change(runs):
    found = plots()
    curve = found.curves[0]

    assert [mark.left for mark in found.marks if mark.key == "base"] == pytest.approx(
        [curve.response / 10, curve.finish / 10], abs=0.02
    )
    assert len({mark.row for mark in found.marks}) == len(found.marks), "no label covers another"


def test_ticks_belong_to_the_curves(runs):
    found = plots()
    heights = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", found.curves[0].mean)]
    ticks = dict(zip(SSIM_TICKS, (top for top, _ in found.ssim_ticks), strict=True))

    assert min(heights) == pytest.approx(ticks[1.0], abs=0.1)
    assert max(heights) == pytest.approx(ticks[0.9], abs=0.1), "the scene's changed frames have an SSIM of 0.9"


def test_picture_for_the_tracker_is_plain_svg(runs):
    root = ElementTree.fromstring(written().read("plots.svg"))
    text = ElementTree.tostring(root, encoding="unicode")

    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in text
    assert "light-dark" not in text
    assert "response 100 ms" in text


def test_value_of_a_person_is_shown_as_such(runs, engineer):
    Correction.objects.create(run=runs[0], moment="finish", value_ms=150, automatic_ms=200, made_by=engineer)

    html = written().read("report.html").decode()

    assert "finish 150 ms" in html
    assert "set by a person, measured was +200 ms" in html
    assert "finish to 150 ms" in html


def test_finish_of_a_launch_is_called_launch_in_every_part(runs, engineer):
    Interaction.objects.update(type="launch")
    Correction.objects.create(run=runs[0], moment="finish", value_ms=150, automatic_ms=200, made_by=engineer)

    report = written()

    html = report.read("report.html").decode().split("<script>")[0]
    assert "launch 150 ms" in html
    assert "launch to 150 ms" in html
    visible = re.sub(r"<style>.*?</style>|<script.*?</script>|<[^>]*>", "", html, flags=re.DOTALL)
    assert "finish" not in visible.lower()
    assert "finish" not in report.read("plots.svg").decode()


@pytest.mark.parametrize(("asked", "at"), [({}, 100.0), ({"at_ms": 420.0}, 420.0), ({"at_ms": 0.0}, 0.0)])
def test_page_opens_at_the_time_that_was_asked_for_else_on_the_moment_that_tells_the_story(runs, asked, at):
    html = written(**asked).read("report.html").decode()

    assert json.loads(html.split('id="clocks" type="application/json">')[1].split("</script>")[0])["at"] == at


def test_never_compared_has_curves_but_no_verdict(runs):
    Result.objects.all().delete()

    assert plots() is not None
    assert "has not been compared" in written().read("report.md").decode()
