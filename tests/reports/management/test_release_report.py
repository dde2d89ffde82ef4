import pytest
from django.core.management import CommandError, call_command

from reports.policies.services import save_scope
from tests import factories
from tests.reports.releasereport.scene import BASE, NAMES, NEW, release_scene, text_of

pytestmark = pytest.mark.django_db


def test_command_writes_the_file_whatever_the_gate_says(tmp_path, capsys):
    release_scene()

    call_command("release_report", *NAMES, "--out", str(tmp_path / "a.html"))

    assert "a.html: 1 of 2 interactions regressed" in capsys.readouterr().out
    assert "NO-GO" in text_of((tmp_path / "a.html").read_text())
    assert [file.name for file in tmp_path.glob("*.html*")] == ["a.html"], "nothing half written stays"


def test_command_names_the_file_itself(tmp_path, monkeypatch):
    release_scene()
    save_scope(name="feed", apps=[factories.app("Feed")])
    monkeypatch.chdir(tmp_path)

    call_command("release_report", *NAMES, "--scope", "feed", "--device", "phone")

    assert (tmp_path / "release-report-13.0.9-13.0.13-phone-60-Hz-feed.html").exists()


def test_command_computes_what_nobody_asked_for_before(tmp_path):
    for version in NAMES:
        factories.runs([100.0] * 6, version=factories.os_version(version))

    call_command(
        "release_report", *NAMES, "--out", str(tmp_path / "a.html"), "--site", "https://upreg.example.org/"
    )

    html = (tmp_path / "a.html").read_text()
    assert 'href="https://upreg.example.org/compare/13.0.9/13.0.13/"' in html
    assert 'gate-pass"><svg' in html
    assert "GO" in text_of(html).split()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([BASE, "99"], "99"),
        ([BASE, BASE], BASE),
        ([*NAMES, "--device", "fridge"], "no device is called 'fridge'; known are: phone"),
        ([*NAMES, "--scope", "none"], "no scope is called 'none'"),
    ],
)
def test_command_names_what_is_wrong(tmp_path, given, message):
    release_scene()

    with pytest.raises(CommandError, match=message):
        call_command("release_report", *given, out=tmp_path / "a.html")
    assert not list(tmp_path.glob("*.html*"))


def test_command_says_that_there_is_nothing_to_compare(tmp_path):
    for version in (BASE, NEW):
        factories.os_version(version)

    with pytest.raises(CommandError):
        call_command("release_report", *NAMES, out=tmp_path / "a.html")


def test_command_says_where_it_cannot_write(tmp_path):
    release_scene()
    (tmp_path / "file").write_text("in the way")

    for place in (tmp_path / "none" / "a.html", tmp_path / "file" / "a.html", tmp_path):
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("release_report", *NAMES, out=place)
