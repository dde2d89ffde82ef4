import pytest
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import DatabaseError
from django.db.backends.utils import CursorWrapper
from prometheus_client.parser import text_string_to_metric_families

from reports.measuring import workers
from reports.models import ComparisonStatus, RunStatus
from reports.monitoring import metrics, readiness
from tests import factories


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(readiness.READINESS, "_until", float("-inf"))
    monkeypatch.setattr(metrics._last, "until", float("-inf"))


@pytest.fixture
def worker(db):
    workers.beat(name=workers.my_name(), processes=2)


def parts(response):
    return {name: part["ready"] for name, part in response.json()["parts"].items()}


def test_the_process_tells_that_it_lives_without_asking_the_database(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    response = client.get("/healthz", headers={"host": "10.1.2.3:8000"})  # as a load balancer asks
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert response["Cache-Control"] == "no-store"


def test_probes_are_only_asked(client):
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.post(path).status_code == 405


def test_all_is_ready_without_a_login(client, worker):
    response = client.get("/readyz")
    assert (response.status_code, response.json()["ready"]) == (200, True)
    assert parts(response) == {"database": True, "storage": True, "queue": True}
    assert not [name for folder in default_storage.listdir("ready") for name in folder]


def test_nobody_at_work_is_not_ready(client, db):
    response = client.get("/readyz")
    assert (response.status_code, parts(response)["queue"]) == (503, False)
    assert "manage.py worker" in response.json()["parts"]["queue"]["words"]


def test_a_storage_that_takes_nothing_is_not_ready_and_tells_no_secret(client, worker, monkeypatch, caplog):
    def full(*args):
        raise OSError("no room on s3://user:geheim@store")

    monkeypatch.setattr(FileSystemStorage, "save", full)
    response = client.get("/readyz")
    assert (response.status_code, parts(response)) == (503, {"database": True, "storage": False, "queue": True})
    assert b"geheim" not in response.content
    assert "geheim" in caplog.text


def test_a_database_that_does_not_answer_is_not_ready(client, db, monkeypatch):
    def away(*args, **kwargs):
        raise DatabaseError("no route to db.example, password geheim")

    with monkeypatch.context() as broken:
        broken.setattr(CursorWrapper, "execute", away)
        response = client.get("/readyz")
    assert response.status_code == 503
    assert parts(response) == {"database": False, "storage": True, "queue": False}
    assert b"geheim" not in response.content


def test_asking_often_wears_nothing_out():
    asked, now = [], [0.0]
    part = readiness.Part("x", True, "")
    found = readiness.Readiness((lambda: asked.append(1) or part,), clock=lambda: now[0])
    for now[0] in (0.0, 1.0, 4.9):
        assert found.state() == (part,)
    assert len(asked) == 1
    now[0] = 5.1
    found.state()
    assert len(asked) == 2


def test_while_a_check_hangs_others_get_what_was_found_before():
    answers = []

    def check():
        answers.append(found.state())  # what another request is told meanwhile
        return readiness.Part("x", True, "")

    found = readiness.Readiness((check,))
    found.state()
    assert answers == [()]


def numbers(response):
    """Read the text with Prometheus' own parser."""
    families = text_string_to_metric_families(response.content.decode())
    return {(s.name, *s.labels.values()): s.value for family in families for s in family.samples}


def test_numbers_come_from_the_database(client, worker):
    for took in (0.4, 7.0, 7.0):
        factories.run(measuring_s=took)
    factories.run(status=RunStatus.FAILED, outcome="unreadable")
    factories.run(status=RunStatus.PENDING)
    found = numbers(client.get("/metrics"))
    assert [found["upreg_runs", status] for status in RunStatus.values] == [1, 0, 3, 1]
    assert found["upreg_failed_runs", "unreadable"] == 1
    assert found["upreg_comparisons", ComparisonStatus.DONE] == 0
    assert found["upreg_worker_processes", "working"] == 2
    assert [found["upreg_extraction_seconds_bucket", le] for le in ("0.5", "5.0", "10.0", "+Inf")] == [1, 1, 3, 3]
    assert (found["upreg_extraction_seconds_count",], found["upreg_extraction_seconds_sum",]) == (3, 14.4)


def test_requests_are_counted_by_our_names_not_by_theirs(client, db):
    client.get("/login/")
    client.get("/made-up-by-a-client/")
    client.generic("MADE-UP", "/login/")
    found = numbers(client.get("/metrics"))
    asked = {name[1:3] for name in found if name[0] == "upreg_http_requests_total"}  # labels by the alphabet
    assert {("GET", "login"), ("other", "login"), ("GET", "none")} <= asked
    assert not [name for name in found if any("made" in part.lower() for part in name)]


@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("203.0.113.9", {}, 403),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, 403),  # a proxy of this machine passes a stranger on
        ("203.0.113.9", {"authorization": "Bearer the-token"}, 200),
        ("203.0.113.9", {"authorization": "Bearer another"}, 403),
        ("127.0.0.1", {"authorization": "Bearer another"}, 403),
        ("203.0.113.9", {"authorization": "Bearer "}, 403),
    ],
)
def test_metrics_are_for_this_machine_and_for_whoever_has_the_token(client, db, settings, address, headers, status):
    settings.METRICS_TOKEN = "the-token"
    assert client.get("/metrics", headers=headers, REMOTE_ADDR=address).status_code == status


def test_without_a_token_an_empty_one_opens_nothing(client, db):
    headers = {"authorization": "Bearer "}
    assert client.get("/metrics", headers=headers, REMOTE_ADDR="203.0.113.9").status_code == 403
