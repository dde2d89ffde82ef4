import csv
import hashlib

import httpx
import pytest

from tests.upreg_client.fake import SITE, TOKEN, problem
from upreg_client import progress

COLUMNS = ("os_version", "app", "interaction", "interaction_type", "repetition", "video", "action_ms")


@pytest.fixture
def night(tmp_path):
    """Return what writes a manifest with a recording for each line, and gives its path."""

    def write(*apps, versions=("13.0.13",), **more):
        folder = tmp_path / "night"
        (folder / "films").mkdir(parents=True, exist_ok=True)
        path = folder / "runs.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, (*COLUMNS, *more))
            writer.writeheader()
            for number, app in enumerate(apps):
                video = f"films/{number}.mp4"
                (folder / video).write_bytes(f"film {number} of {app}".encode() * 100)
                version = versions[number % len(versions)]
                writer.writerow(
                    dict(zip(COLUMNS, (version, app, "open", "tap", number, video, 500), strict=True)) | more
                )
        return path

    return write


def asked(router, end):
    return [call for call in router.calls if str(call.request.url).endswith(end)]


def test_push_brings_every_line_in(fake, command, night, capsys):
    manifest = night("Mail", "Feed", "Maps")

    assert command("push", manifest) == 0

    films = [path.read_bytes() for path in (manifest.parent / "films").iterdir()]
    assert set(fake.runs.values()) == {hashlib.sha256(film).hexdigest() for film in films}
    assert "3 new, 0 updated, 0 unchanged, 0 refused of 3 lines" in capsys.readouterr().out
    sent = next(seen for seen in fake.seen if seen["app"] == "Feed")
    cells = ("13.0.13", "Feed", "open", "tap", "1", "films/1.mp4", "500")
    assert {key: sent[key] for key in COLUMNS} == dict(zip(COLUMNS, cells, strict=True))


def test_pushing_again_sends_no_file(fake, router, command, night, capsys):
    manifest = night("Mail", "Feed")
    command("push", manifest)
    before = len(asked(router, "uploads/"))

    assert command("push", manifest) == 0

    assert len(asked(router, "uploads/")) == before
    assert "0 new, 0 updated, 2 unchanged" in capsys.readouterr().out


def test_line_that_corrects_a_stored_run_is_counted_as_updated(fake, command, night, capsys):
    manifest = night("Mail", "Feed")
    command("push", manifest)
    manifest.write_text(
        manifest.read_text().replace("Feed,open,tap,1,films/1.mp4,500", "Feed,open,tap,1,films/1.mp4,620")
    )

    assert command("push", manifest) == 0
    assert "0 new, 1 updated, 1 unchanged" in capsys.readouterr().out


def test_refused_lines_are_listed_with_line_field_and_cure_and_stop_no_other(fake, command, night, capsys):
    manifest = night("Mail", "Refused", "Maps")
    (manifest.parent / "films" / "2.mp4").unlink()

    assert command("push", manifest) == 1

    said = capsys.readouterr().out
    assert "1 new, 0 updated, 0 unchanged, 2 refused of 3 lines" in said
    rows = [line.rstrip().split(maxsplit=2) for line in said.splitlines()]
    assert ["3", "action_ms", "'soon' is not a finite number: give milliseconds"] in rows
    assert [row[:2] for row in rows if row[0] == "4"] == [["4", "video"]]
    assert len(fake.runs) == 1


def test_refused_line_is_refused_before_its_file_is_sent(fake, router, command, night):
    command("push", night("Refused"))

    assert not asked(router, "uploads/")


def test_many_refused_lines_are_counted_and_all_written_to_a_file(fake, command, night, tmp_path, capsys):
    shown, told = progress.SHOWN, tmp_path / "refused.csv"

    assert command("push", night(*["Refused"] * (shown + 5)), "--refused", told) == 1

    said = capsys.readouterr().out
    assert said.count("action_ms") == shown
    assert f"{shown + 5} lines in all" in said
    with told.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["line"] for row in rows] == [str(line) for line in range(2, shown + 7)]
    assert rows[0]["problem"] == "'soon' is not a finite number: give milliseconds"


def test_same_run_with_another_film_is_refused(fake, command, night, capsys):
    manifest = night("Mail")
    command("push", manifest)
    (manifest.parent / "films" / "0.mp4").write_bytes(b"another film")

    assert command("push", manifest) == 1
    assert "is this recording already, with another video" in capsys.readouterr().out


def test_file_that_the_server_does_not_take_is_told_of_its_column(fake, router, command, night, capsys):
    router.post(f"{SITE}/api/v1/uploads/").mock(
        return_value=problem(413, ("Upload-Length", "has 5 GB"), cure="record in parts")
    )

    assert command("push", night("Mail")) == 1
    assert ["2", "video", "has 5 GB: record in parts"] in [
        line.rstrip().split(maxsplit=2) for line in capsys.readouterr().out.splitlines()
    ]


def test_log_and_trace_are_sent_beside_the_recording(fake, command, night):
    manifest = night("Mail", log="a.log", trace="")
    (manifest.parent / "a.log").write_bytes(b"started\n")

    assert command("push", manifest) == 0

    [seen] = fake.seen
    assert fake.uploads[seen["log_upload"]] == b"started\n"
    assert "trace_upload" not in seen


def test_batch_is_opened_filled_and_completed(fake, command, night):
    assert command("push", night("Mail", "Feed"), "--batch", "night-7") == 0

    assert fake.batches == {"night-7": {"os_version": "13.0.13", "complete": True}}
    assert {seen["batch"] for seen in fake.seen} == {"night-7"}


def test_batch_of_several_hosts_is_left_open(fake, command, night):
    command("push", night("Mail"), "--batch", "night-7", "--keep-open")

    assert fake.batches["night-7"]["complete"] is False


def test_batch_of_several_versions_must_be_told_which_it_is_about(fake, command, night, capsys):
    manifest = night("Mail", "Mail", versions=("13.0.12", "13.0.13"))

    assert command("push", manifest, "--batch", "night-7") == 2
    assert "--batch-version" in capsys.readouterr().err
    assert command("push", manifest, "--batch", "night-7", "--batch-version", "13.0.13") == 0
    assert fake.batches["night-7"]["os_version"] == "13.0.13"


def test_cut_push_ends_as_a_network_error_and_goes_on_when_called_again(fake, router, command, night, capsys):
    manifest = night("Mail", "Feed", "Maps")
    fake.mishaps = [httpx.ConnectError("refused")] * 9

    assert command("push", manifest, "--parallel", 1, "--tries", 3) == 3
    err = capsys.readouterr().err
    assert "0 of 3 lines are done; pushing again goes on from here" in err
    assert "batch" not in err
    fake.mishaps = []
    assert command("push", manifest) == 0

    assert len(fake.runs) == 3
    assert len(fake.lengths) == 3  # the first upload was gone on with, none was begun twice


def test_batch_is_not_completed_when_the_push_was_cut(fake, command, night):
    fake.mishaps = [httpx.ConnectError("refused")] * 9

    assert command("push", night("Mail"), "--batch", "night-7", "--tries", 2) == 3
    assert fake.batches["night-7"]["complete"] is False


def test_token_of_the_wrong_scope_ends_the_push_at_once(fake, router, command, night, capsys):
    route = router.post(f"{SITE}/api/v1/runs/").mock(return_value=problem(403, title="This token may only read."))

    assert command("push", night(*["Mail"] * 30), "--parallel", 2) == 4
    assert "This token may only read." in capsys.readouterr().err
    assert route.call_count <= 2  # those that were under way


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "words"),
    [
        ((), {"UPREG_TOKEN": ""}, 4, "no token"),
        (("--token-file", "none.txt"), {}, 4, "none.txt"),
        ((), {"UPREG_SERVER": ""}, 2, "no server"),
        (("--server", "upreg"), {}, 2, "is no address"),
    ],
)
def test_what_is_missing_is_told_first(router, command, night, capsys, arguments, environment, code, words):
    assert command("push", night("Mail"), *arguments, **environment) == code
    assert words in capsys.readouterr().err
    assert not router.calls


def test_token_may_come_from_a_file(fake, command, night, tmp_path):
    file = tmp_path / "token.txt"
    file.write_text(f"{TOKEN}\n")

    assert command("push", night("Mail"), "--token-file", file, UPREG_TOKEN="") == 0


@pytest.mark.parametrize("arguments", [("--parallel", "0"), ("--parallel", "many"), ("--tries", "-1")])
def test_wrong_option_is_refused_by_its_name(command, night, capsys, arguments):
    with pytest.raises(SystemExit, match="2"):
        command("push", night("Mail"), *arguments)
    assert arguments[0] in capsys.readouterr().err


def test_manifest_without_lines_is_refused(router, command, night, capsys):
    assert command("push", night()) == 2
    assert "has no lines below its first" in capsys.readouterr().err


def test_what_a_server_says_never_steers_the_terminal(fake, router, command, night, capsys):
    router.post(f"{SITE}/api/v1/runs/").mock(return_value=problem(422, ("app", "\x1b[2J[bold]gone[/bold]")))

    command("push", night("Mail"))

    assert "\ufffd[2J[bold]gone[/bold]" in capsys.readouterr().out
