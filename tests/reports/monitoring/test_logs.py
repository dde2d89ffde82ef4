import io
import json
import logging
import logging.config
from ipaddress import ip_network

import pytest
from django_q.signals import post_execute_in_worker, pre_execute

from reports.monitoring.tasks import log_tasks
from reports.web.logs import about, logging_config


@pytest.fixture
def lines(monkeypatch):
    """Return how to log in a style; what was logged comes back line by line."""
    kept = logging.root.handlers[:], logging.root.level
    stream = io.StringIO()

    def _lines(style, act):
        config = logging_config(style=style, level="INFO")
        config["handlers"]["console"]["stream"] = stream
        logging.config.dictConfig(config)
        act()
        return stream.getvalue().splitlines()

    yield _lines
    logging.root.handlers[:], logging.root.level = kept
    for name in ("waitress.queue", "upreg.requests", "upreg.tasks"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def warn():
    with about(run="5"):
        logging.getLogger("reports.x").warning("of %s", "something", extra={"request": object()})
    logging.getLogger("reports.x").warning("of nothing")


def test_json_lines_carry_what_they_are_about(lines):
    first, second = map(json.loads, lines("json", warn))
    assert (first["level"], first["logger"], first["message"]) == ("WARNING", "reports.x", "of something")
    assert first["run"] == "5"
    assert "run" not in second
    assert "request" not in first  # Django's whole request


def test_text_lines_end_with_what_they_are_about(lines):
    first, second = lines("text", warn)
    assert first.endswith("WARNING reports.x: of something [run=5]")
    assert second.endswith("of nothing")


def test_each_request_is_one_line_with_its_id_and_route(lines, client):
    (line,) = lines("json", lambda: client.get("/healthz?secret=1"))
    found = json.loads(line)
    assert (found["path"], found["status"], found["client"]) == ("/healthz", 200, "127.0.0.1")
    assert len(found["request_id"]) == 32
    assert "secret" not in line


@pytest.mark.parametrize(
    ("peer", "given", "kept"),
    [
        ("10.0.0.5", "from-the-proxy-1", True),
        ("10.0.0.5", "x" * 65, False),
        ("10.0.0.5", 'nasty" line', False),
        ("203.0.113.9", "from-a-stranger", False),
    ],
)
def test_an_id_is_taken_from_a_trusted_proxy_if_it_is_sane(client, settings, peer, given, kept):
    settings.TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
    response = client.get("/healthz", headers={"x-request-id": given}, REMOTE_ADDR=peer)
    assert (response["X-Request-ID"] == given) is kept


def test_a_worker_says_on_each_line_of_which_task_it_speaks(lines):
    task = {"id": "a1b2", "name": "run 7", "func": "reports.tasks.extract_run", "args": (7,), "success": True}

    def work():
        log_tasks()
        try:
            pre_execute.send(sender="django_q", func=None, task=task)
            logging.getLogger("reports.measuring").warning("slow")
            post_execute_in_worker.send(sender="django_q", func=None, task={**task, "result": "done"})
            logging.getLogger("reports.measuring").warning("idle")
        finally:
            pre_execute.disconnect(dispatch_uid="upreg")
            post_execute_in_worker.disconnect(dispatch_uid="upreg")

    slow, done, idle = map(json.loads, lines("json", work))
    assert (slow["task"], slow["run"]) == ("a1b2", "7")
    assert (done["message"], done["result"], done["run"]) == ("task done: run 7", "done", "7")
    assert "run" not in idle
