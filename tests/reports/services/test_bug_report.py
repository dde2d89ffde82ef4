import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from tests.numbered import render_numbered
from tests.reports.views.drilldown_rows import add_series, compared

TIMES_MS = [0, 500, 600, 650, 700, 1200]
NAMES = ["13.0.12", "13.0.13", "org.example.mail", "open inbox"]


@pytest.fixture
def runs(db, settings):
    _, base, new = compared(values=((100.0,), (310.0,)))
    folder = Path(settings.MEDIA_ROOT) / "screencasts"
    folder.mkdir(parents=True)
    for run in (*base, *new):
        render_numbered(folder / Path(run.file_name).name, TIMES_MS, bf=0)
        add_series(run, TIMES_MS, changed=[2, 3, 4])
    return base[0], new[0]


@pytest.fixture
def opened(runs, signed_in):
    response = signed_in.get(reverse("bug-report", args=NAMES))
    return zipfile.ZipFile(BytesIO(b"".join(response)))


def test_page_finds_all_its_parts_in_the_zip(opened):
    html = opened.read("report.html").decode()
    parts = set(re.findall(r'src="([^"]+)"', html))

    assert {"base.mp4", "new.mp4"} < parts
    assert parts <= set(opened.namelist())
    assert "http" not in re.sub(r'href="http://testserver[^"]*"[^<]*<', "", html), (
        "nothing is loaded from elsewhere"
    )
    assert "Updated responds 210 ms later" in html


def test_screencasts_are_the_recordings_themselves(opened, runs, settings):
    for name, run in zip(("base.mp4", "new.mp4"), runs, strict=True):
        assert opened.read(name) == (Path(settings.MEDIA_ROOT) / run.file_name).read_bytes()


def test_text_for_the_tracker_says_the_same(opened):
    text = opened.read("report.md").decode()

    assert "Updated responds 210 ms later" in text
    assert "| Response time | 100 ms | 310 ms | +210 ms | 50 ms | Regression, Severe |" in text.replace(
        "\u00a0", " "
    )


def test_log_is_quoted_as_text(runs, signed_in, settings):
    (Path(settings.MEDIA_ROOT) / "a.log").write_text("early\n" * 300 + "<script>late</script>")
    runs[1].log_name = "a.log"
    runs[1].save()

    response = signed_in.get(reverse("bug-report", args=NAMES))
    html = zipfile.ZipFile(BytesIO(b"".join(response))).read("report.html").decode()

    assert "&lt;script&gt;late" in html
    assert html.count("early") == 199


def test_lost_screencast_is_named_and_the_rest_is_there(runs, signed_in, settings):
    (Path(settings.MEDIA_ROOT) / runs[0].file_name).unlink()

    response = signed_in.get(reverse("bug-report", args=NAMES))
    opened = zipfile.ZipFile(BytesIO(b"".join(response)))

    assert "base.mp4" not in opened.namelist()
    assert "no longer in the storage" in opened.read("report.html").decode()


def test_command_writes_the_same_zip(runs, tmp_path, capsys):
    call_command("bug_report", *NAMES, output=str(tmp_path / "a.zip"))

    assert "Updated responds" in capsys.readouterr().out
    assert "report.html" in zipfile.ZipFile(tmp_path / "a.zip").namelist()


def test_command_says_which_interactions_there_are(runs, tmp_path):
    with pytest.raises(CommandError, match="open inbox"):
        call_command("bug_report", *NAMES[:3], "nothing", output=str(tmp_path / "a.zip"))
