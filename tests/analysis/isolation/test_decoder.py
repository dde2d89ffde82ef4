"""What a recording may do to the process that decodes it, and what it may not do to any other."""

import fcntl
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from analysis.isolation.decoder import (
    Answer,
    BrokenError,
    Decoders,
    RefusedError,
    UnavailableError,
    UnexpectedError,
)
from analysis.isolation.limits import InForce, Limits, words

JOBS = "tests.analysis.isolation.bad_jobs"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has these means")


@pytest.fixture(scope="module")
def decoders():
    decoders = Decoders(Limits(memory_mb=256, seconds=120), jobs=JOBS)
    yield decoders
    decoders.close()


@pytest.fixture(scope="module")
def found(decoders):
    return decoders.in_force()


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "film.mp4"
    path.write_text("pictures")
    return path


def ask(decoders, job, film, values=None, **options):
    with decoders.ask(job, film, values, **options) as answer:
        return answer.values


def is_gone(pid):
    """Tell whether a process has ended; who its parent is now may not have noticed yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    assert true()


def test_child_stays_for_the_next_job_and_sees_the_recording_it_was_given(decoders, film):
    first, text = ask(decoders, "say", film), ask(decoders, "read", film)

    assert ask(decoders, "say", film)["pid"] == first["pid"] != os.getpid()
    assert text == {"text": "pictures"}


def test_child_knows_no_password_and_no_framework(film, monkeypatch):
    monkeypatch.setenv("UPREG_DATABASE_URL", "postgres://upreg:secret@host/upreg")
    fresh = Decoders(jobs=JOBS)

    said = ask(fresh, "say", film)
    fresh.close()

    assert "secret" not in str(said["environment"])
    assert not [name for name in said["modules"] if name.startswith(("django", "reports", "upreg_site"))]


@pytest.mark.parametrize(
    ("job", "words"), [("crash", "signal 11, Segmentation fault"), ("abort", "signal 6, Aborted")]
)
def test_native_crash_costs_one_job_and_says_so(decoders, film, job, words):
    with pytest.raises(BrokenError, match=rf"the decoder broke on this file \({words}\).*record again"):
        ask(decoders, job, film)

    assert ask(decoders, "read", film) == {"text": "pictures"}


@LINUX
def test_decoder_that_takes_too_much_memory_is_told_so_with_the_cure(decoders, film):
    with pytest.raises(BrokenError, match=r"more than the 256 MB that it may.*raise UPREG_DECODER_MEMORY_MB"):
        ask(decoders, "take_memory", film)

    assert ask(decoders, "read", film) == {"text": "pictures"}


def test_job_that_never_ends_is_ended(decoders, film):
    pid = ask(decoders, "say", film)["pid"]

    with pytest.raises(BrokenError, match=r"longer than the 0.2 s that it may.*raise UPREG_DECODER_TIMEOUT_S"):
        ask(decoders, "forever", film, seconds=0.2)

    assert not Path(f"/proc/{pid}").exists(), "not even a zombie is left"
    assert ask(decoders, "read", film) == {"text": "pictures"}


def test_decoder_that_was_killed_points_at_the_memory_of_the_machine(decoders, film):
    pid = ask(decoders, "say", film)["pid"]

    def kill(done):
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(BrokenError, match=r"signal 9.*memory: lower UPREG_WORKERS"):
        ask(decoders, "flood", film, report=kill)


@pytest.mark.parametrize(
    ("job", "words"),
    [("huge", "more than"), ("nonsense", "no JSON"), ("deep", "no JSON"), ("flood", "never came to an end")],
)
@LINUX
def test_nonsense_from_a_captured_decoder_is_refused(decoders, film, job, words, monkeypatch):
    monkeypatch.setattr("analysis.isolation.messages.MOST_MESSAGES", 50)

    with pytest.raises(BrokenError, match=f"makes no sense .*{words}"):
        ask(decoders, job, film)

    assert ask(decoders, "read", film) == {"text": "pictures"}


def test_network_cannot_be_reached(decoders, found, film, tmp_path):
    if not found.seccomp:
        pytest.skip("nothing bars the network here, and the child says so")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(tmp_path / "socket"))
        local.listen()
        host, port = server.getsockname()
        server.setblocking(False)

        assert ask(decoders, "connect", film, {"host": host, "port": port})["error"]
        assert ask(decoders, "connect_unix", film, {"path": str(tmp_path / "socket")})["error"]

        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize("job", ["program", "fork", "kill_parent"])
def test_no_program_and_no_other_process_can_be_reached(decoders, found, film, job):
    if not found.seccomp:
        pytest.skip("no seccomp here, and the child says so")

    assert ask(decoders, job, film)["error"]


def test_another_file_can_neither_be_read_nor_written_nor_opened_to_others(decoders, found, film, tmp_path):
    if not (found.landlock and found.seccomp):
        pytest.skip("no Landlock or seccomp here, and the child says so")
    secret = tmp_path / "secret_key"
    secret.write_text("secret")

    for path in (film, secret, tmp_path, Path(__file__), Path(__file__).parents[3] / "manage.py"):
        assert ask(decoders, "open", film, {"path": str(path), "flags": "O_RDONLY"})["error"]
    assert ask(decoders, "open", film, {"path": str(secret), "flags": "O_WRONLY"})["error"]
    assert ask(decoders, "open_modes", film, {"path": str(secret)})["error"]


def test_files_are_few_and_small(decoders, film):
    assert ask(decoders, "many_files", film)["error"]
    with pytest.raises(BrokenError, match="grew over 8 GB: record shorter"):
        ask(decoders, "large_file", film)


def test_file_that_a_job_wrote_is_there_while_it_is_looked_at(decoders, film):
    with decoders.ask("write", film) as answer, answer.open("found.bin") as file:
        assert (file.read(), answer.data) == (b"made", b"bytes beside")
        folder = answer.folder

    assert not list(folder.iterdir())


def test_what_is_no_file_is_not_opened(tmp_path):
    (tmp_path / "link").symlink_to(__file__)
    os.mkfifo(tmp_path / "pipe")
    answer = Answer({}, b"", tmp_path)

    for name in ("link", "pipe", "missing"):
        with pytest.raises(BrokenError, match="wrote"):
            answer.open(name)


def test_refusal_and_mistake_come_through_and_the_child_stays(decoders, film):
    pid = ask(decoders, "say", film)["pid"]

    with pytest.raises(RefusedError, match="it is no film: record one"):
        ask(decoders, "refuse", film)
    with pytest.raises(UnexpectedError, match="KeyError: 'no such key'") as caught:
        ask(decoders, "mistake", film)
    with pytest.raises(RefusedError, match="no such file: check the path"):
        ask(decoders, "read", film.with_name("missing.mp4"))

    assert "in _mistake" in caught.value.__notes__[0]
    assert ask(decoders, "say", film)["pid"] == pid


def test_job_that_nobody_offers_is_a_mistake(decoders, film):
    with pytest.raises(UnexpectedError, match="KeyError"):
        ask(decoders, "os.system", film)


def test_child_that_cannot_start_says_so(film):
    with pytest.raises(UnavailableError, match="ended before it was ready"):
        ask(Decoders(jobs="no.such.module"), "read", film)


def test_who_waits_too_long_for_a_child_is_told(decoders, film):
    with decoders.ask("read", film), pytest.raises(UnavailableError, match="at work: try again"):
        ask(decoders, "read", film, patience_s=0.01)


def test_child_is_replaced_after_some_jobs(film):
    fresh = Decoders(jobs=JOBS)
    pids = [ask(fresh, "say", film)["pid"] for _ in range(101)]
    fresh.close()

    assert len(set(pids[:100])) == 1
    assert pids[100] != pids[0]


PARENT = f"""
import os, sys, time
from pathlib import Path
from analysis.isolation.decoder import Decoders
decoders = Decoders(jobs={JOBS!r})
with decoders.ask("say", Path(sys.argv[1])) as answer:
    child = answer.values["pid"]
fork = os.fork()
if not fork:
    time.sleep(600)
print(child, fork, flush=True)
with decoders.ask("forever", Path(sys.argv[1])):
    pass
"""


def test_child_of_a_killed_parent_ends_in_the_middle_of_a_job_though_a_fork_of_the_parent_lives(film):
    parent = subprocess.Popen([sys.executable, "-c", PARENT, film], stdout=subprocess.PIPE)
    child, fork = map(int, parent.stdout.readline().split())
    try:
        assert not is_gone(child)
        parent.kill()
        parent.wait()
        wait_until(lambda: is_gone(child))
    finally:
        os.kill(fork, signal.SIGKILL)
        parent.stdout.close()


def test_folders_of_killed_processes_are_taken_away_and_no_others(film, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = "left", "held", "young"
    left, held, young = (tmp_path / f"upreg-decoder-{name}" for name in names)
    for folder in (left, held, young):
        (folder / "in").mkdir(parents=True)
        os.utime(folder, (0, time.time() if folder == young else 0))
    lock = os.open(held, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    fresh = Decoders(jobs=JOBS)

    ask(fresh, "say", film)
    fresh.close()
    os.close(lock)

    assert sorted(tmp_path.glob("upreg-*")) == [held, young]


def test_children_end_with_their_pool(film):
    fresh = Decoders(jobs=JOBS)
    pid = ask(fresh, "say", film)["pid"]

    fresh.close()

    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            InForce(memory=True, landlock=7, seccomp=True),
            "Decoder: own process, 540 s, 64 open files, 2048 MB of memory, sees only the recording at hand "
            "(Landlock 7), no network and no other programs (seccomp)",
        ),
        (
            InForce(memory=True, landlock=4, seccomp=False),
            "Decoder: own process, 540 s, 64 open files, 2048 MB of memory, sees only the recording at hand "
            "(Landlock 4), no TCP (Landlock), other network calls open: no libseccomp",
        ),
        (
            InForce(memory=False, landlock=0, seccomp=False),
            "Decoder: own process, 540 s, 64 open files, memory without a limit on this system, may read what its "
            "user may read: no Landlock here, network not barred: no libseccomp",
        ),
    ],
)
def test_words_say_what_is_in_force_and_what_is_not(found, said):
    assert words(Limits(), found) == said
