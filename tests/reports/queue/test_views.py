import pytest

from reports.measuring.workers import beat
from reports.models import RunStatus
from reports.queue import views
from reports.queue.selectors import queue_state
from tests import factories

pytestmark = pytest.mark.django_db
ADDRESS = "/api/queue/"


def test_nobody_sees_the_queue_without_logging_in(client):
    assert client.get(ADDRESS).status_code == 401


def test_the_queue_is_told_as_json(signed_in):
    factories.run()
    factories.run(status=RunStatus.PENDING)
    beat(name="host:1", processes=2)
    response = signed_in.get(ADDRESS)
    found = response.json()
    created = found.pop("last_import_at")
    assert created.endswith("Z")
    assert found == {
        "pending": 1, "running": 0, "done": 1, "failed": 0, "finished": 1, "total": 2, "busy": True,
        "line": "1 of 2", "why": "measuring", "sentence": "1 of 2 runs judged.", "compiling": False,
        "failures": {}, "rate_per_min": None, "eta_s": None, "workers": 2, "worker_alive": True,
        "versions": [
            {"os_version": "13.0.12", "pending": 1, "running": 0, "done": 1, "failed": 0, "finished": 1, "total": 2}
        ],
    }  # fmt: skip
    assert response.headers["Cache-Control"] == "no-store"


def test_the_queue_can_only_be_read(signed_in):
    assert signed_in.post(ADDRESS).status_code == 405


def test_everybody_who_asks_within_a_second_shares_one_answer(signed_in, settings, monkeypatch):
    made = []
    monkeypatch.setattr(views, "_SHARED", views._SharedAnswer())
    monkeypatch.setattr(views, "queue_state", lambda: made.append(1) or queue_state())
    settings.QUEUE_ANSWER_KEPT_S = 60.0
    first, second = (signed_in.get(ADDRESS).json() for _ in range(2))
    assert (first == second, len(made)) == (True, 1)
