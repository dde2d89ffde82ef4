import io
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command

from reports.launch.login import Login
from reports.launch.server import listen, page_server
from reports.management.commands import start
from reports.models import Run, RunStatus, WorkerHeartbeat
from reports.queue.selectors import queue_line
from tests import factories

pytestmark = pytest.mark.django_db


class FakeWorker:
    """Stands for the worker process; remembers what happened to it."""

    def __init__(self, command, lock_file):
        FakeWorker.last = self
        self.command, self.events = command, []

    def start(self):
        self.events.append("start")
        return True

    def stop(self):
        self.events.append("stop")


@pytest.fixture
def start_command(monkeypatch, settings, tmp_path):
    """Run the command with a server that is ready at once and stops; returns what was printed."""
    settings.VAR_DIR = tmp_path
    settings.BASE_DIR = tmp_path  # no samples here
    settings.WEB_PROCESSES = 1
    monkeypatch.setattr(start, "WorkerProcess", FakeWorker)
    monkeypatch.setattr(start, "stop_on_sigterm", lambda: None)

    def _start(*args, serve=lambda server, when_ready: when_ready()):
        def served(server, *, when_ready):
            with closing(server):
                serve(server, when_ready)

        monkeypatch.setattr(start, "serve", served)
        out = io.StringIO()
        call_command("start", "--port", "0", *args, stdout=out)
        return out.getvalue()

    return _start


def test_the_address_and_the_login_are_told_and_the_worker_is_stopped_at_the_end(start_command):
    text = start_command()
    assert "UPReg is ready: http://localhost:" in text
    assert "user      upreg\n  password  " in text
    assert FakeWorker.last.events == ["start", "stop"]
    assert FakeWorker.last.command[-1] == "worker"


def test_pages_say_from_the_beginning_that_a_worker_is_starting(start_command):
    said = []

    def look(server, when_ready):
        factories.run(status=RunStatus.PENDING)
        said.append(queue_line().why)

    start_command(serve=look)
    assert said == ["worker is starting"]
    assert not WorkerHeartbeat.objects.exists()


def test_the_worker_is_stopped_when_the_server_fails(start_command):
    def broken(*_):
        raise RuntimeError("boom")

    with pytest.raises(RuntimeError):
        start_command(serve=broken)
    assert FakeWorker.last.events == ["start", "stop"]


def test_no_worker_and_no_samples_are_left_out(start_command, monkeypatch):
    FakeWorker.last = None
    monkeypatch.setattr(start, "ensure_samples", lambda *_: pytest.fail("imported"))
    start_command("--no-worker", "--no-samples")
    assert FakeWorker.last is None
    assert not Run.objects.exists()


def test_a_taken_port_is_told_with_the_cure(start_command):
    with listen("127.0.0.1", 0) as taken, pytest.raises(CommandError, match="--port or UPREG_PORT"):
        call_command("start", "--port", str(taken.getsockname()[1]))


def test_a_port_that_is_none_is_told(start_command):
    with pytest.raises(CommandError, match="check --host and --port"):
        call_command("start", "--port", "99999999")


def test_an_interrupt_before_the_server_runs_ends_quietly(start_command, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(start, "ensure_login", interrupted)
    assert start_command().endswith("Stopped.\n")


def test_connections_are_shared_out_among_the_page_processes(settings):
    settings.WEB_PROCESSES, settings.CONNECTIONS, settings.CONNECTIONS_PER_ADDRESS = 3, 100, 60
    with listen("127.0.0.1", 0) as bound:
        server = page_server(bound)
        assert (server._most, server._limits.per_address) == (34, 60)
        server.close()


@pytest.mark.parametrize(
    ("login", "words"),
    [(None, "one of your users"), (Login("upreg"), "changepassword upreg"), (Login("upreg", "secret"), "secret")],
)
def test_how_to_log_in_is_told_as_far_as_it_is_known(login, words):
    assert words in "\n".join(start._how_to_log_in(login))
