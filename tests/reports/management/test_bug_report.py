import zipfile

import pytest
from django.core.management import CommandError, call_command

from tests.reports.bugreport.scene import NAMES, bug_scene


@pytest.fixture
def runs(db):
    return bug_scene()


def test_command_writes_the_zip(runs, tmp_path, capsys):
    call_command("bug_report", *NAMES, "--output", str(tmp_path / "a.zip"))

    assert "a.zip: Updated responds 210 ms later" in capsys.readouterr().out
    assert {"report.html", "base.mp4", "new.mp4"} < set(zipfile.ZipFile(tmp_path / "a.zip").namelist())
    assert [file.name for file in tmp_path.glob("*.zip*")] == ["a.zip"], "nothing half written stays"


def test_command_names_the_file_itself(runs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    call_command("bug_report", *NAMES)

    assert (tmp_path / "bug-report-13.0.12-13.0.13-Mail-open-inbox.zip").exists()


def test_command_links_to_the_site(runs, tmp_path):
    call_command("bug_report", *NAMES, output=tmp_path / "a.zip", site="https://upreg.example.org/")

    text = zipfile.ZipFile(tmp_path / "a.zip").read("report.md").decode()
    address = "https://upreg.example.org/compare/13.0.12/13.0.13/org.example.mail/open%20inbox/"
    assert f"<{address}?base_run={runs[0].pk}&new_run={runs[1].pk}>" in text


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["13.0.12", "99", *NAMES[2:]], "No OS version is called 99"),
        ([*NAMES[:3], "nothing"], "org.example.mail has: open inbox"),
        ([*NAMES[:2], "org.example.none", "x"], "No app has the package org.example.none"),
    ],
)
def test_command_names_what_is_unknown(runs, tmp_path, names, message):
    with pytest.raises(CommandError, match=message):
        call_command("bug_report", *names, output=tmp_path / "a.zip")


def test_command_refuses_a_run_of_something_else(runs, tmp_path):
    with pytest.raises(CommandError, match=rf"run {runs[0].pk} is none of 13.0.13 .*its runs are: {runs[1].pk}"):
        call_command("bug_report", *NAMES, new_run=runs[0].pk, output=tmp_path / "a.zip")


def test_command_says_where_it_cannot_write(runs, tmp_path):
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        call_command("bug_report", *NAMES, output=tmp_path / "none" / "a.zip")
