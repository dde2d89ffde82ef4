"""The real thing, once: web server and worker as processes, a screencast imported beside them, all stopped."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest

from reports.launch.lock import WorkerLock
from reports.measuring.workers import process_lives
from tests.intake import render_tap, write_manifest

MANAGE = str(Path(__file__).parents[3] / "manage.py")
PATIENCE_S = 60  # ends a test that hangs; nothing is measured against it


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def environment(tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("UPREG_")}
    return {
        **kept,
        "UPREG_VAR_DIR": str(tmp_path / "var"),
        "UPREG_WORKERS": "1",
        "UPREG_WEB_PROCESSES": "2",
        "PYTHONUNBUFFERED": "1",
        "UPREG_LOG_FORMAT": "json",
    }


@pytest.fixture
def started(environment, tmp_path):
    """Start everything on a free port; returns the process and its address once it says that it is ready."""
    command = [sys.executable, MANAGE, "start", "--no-samples", "--port", str(free_port())]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        )
    said = ""
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line, f"it ended: {said}"
        said += line
    yield process, re.search(r"http://\S+", said)[0], re.search(r"password\s+(\S+)", said)[1]
    process.terminate()
    process.wait(PATIENCE_S)
    process.stdout.close()


def log_in(address, password):
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with browser.open(f"{address}login/") as page:
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page.read().decode())[1]
    form = urlencode({"username": "upreg", "password": password, "csrfmiddlewaretoken": token}).encode()
    browser.open(f"{address}login/", form).close()
    return browser


def ask_until(browser, address, is_right):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        with browser.open(f"{address}api/queue/") as answer:
            state = json.load(answer)
        if is_right(state):
            return state
        time.sleep(0.3)
    pytest.fail(f"never came: {state}")


def page_process(parent):
    """Return the id of the page process beside the first one, or 0."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True
    )
    lines = (line.split(maxsplit=2) for line in listed.stdout.splitlines())
    return next((int(pid) for pid, of, *words in lines if of == str(parent) and " pages " in words[0]), 0)


def numbers_told_until(address, word):
    """Return the lines of /metrics, asked until one has that word: another process may answer each time."""
    lines = set()

    def is_told():
        with urllib.request.urlopen(f"{address}metrics", timeout=PATIENCE_S) as numbers:
            lines.update(numbers.read().decode().splitlines())
        return any(word in line for line in lines)

    wait_until_true(is_told)
    return lines


def wait_until_true(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_screencast_is_measured_beside_the_pages_and_everything_ends_together(started, environment, tmp_path):
    process, address, password = started
    wait_until_true(lambda: page_process(process.pid))
    killed = page_process(process.pid)
    os.kill(killed, signal.SIGKILL)
    render_tap(tmp_path / "a.mp4")
    manifest = write_manifest(tmp_path, [{"action_ms": "200"}])
    subprocess.run([sys.executable, MANAGE, "import_runs", str(manifest)], env=environment, check=True)
    browser = log_in(address, password)
    state = ask_until(browser, address, lambda state: state["finished"] == 1 and state["worker_alive"])
    assert (state["done"], state["failed"], state["busy"]) == (1, 0, False)
    ranged = urllib.request.Request(f"{address}runs/1/video/", headers={"Range": "bytes=4-7"})
    with browser.open(ranged) as part:
        assert (part.status, part.read()) == (206, b"ftyp")
    with urllib.request.urlopen(f"{address}readyz", timeout=PATIENCE_S) as ready:
        assert json.load(ready)["ready"]
    wait_until_true(lambda: page_process(process.pid) not in (0, killed))  # it was started again
    told = numbers_told_until(address, '"run-video"')
    assert "upreg_extraction_seconds_count 1.0" in told
    videos = {line for line in told if line.startswith("upreg_http_requests_total") and '"run-video"' in line}
    assert videos == {'upreg_http_requests_total{method="GET",route="run-video",status="206"} 1.0'}
    other = page_process(process.pid)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE_S) == 0
    assert not process_lives(other)
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines() if line.startswith("{")]
    assert [line["message"] for line in lines if line.get("run") == "1"] == ["task done: run 1"]
    assert WorkerLock(tmp_path / "var" / "worker.lock").is_free()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=5)
