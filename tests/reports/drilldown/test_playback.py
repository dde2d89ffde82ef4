import pytest
from django.urls import reverse

from analysis.pictures.playindex import read_index
from reports.drilldown import playback
from reports.media import proxies
from reports.models import Proxy
from tests import factories
from tests.numbered import render_numbered

TIMES_MS = [i * 20 for i in range(24)]


@pytest.fixture
def put(db, tmp_path):
    folder = tmp_path / "media" / "screencasts"
    folder.mkdir(parents=True)

    def run_of(**options):
        render_numbered(folder / "a.mp4", TIMES_MS, **options)
        return factories.run(file_name="screencasts/a.mp4")

    return run_of


def ask(client, run, name="api-run-playback", method="get"):
    return getattr(client, method)(reverse(name, args=[run.pk])).json()


def test_plain_file_is_played_as_it_is(put, signed_in):
    answer = ask(signed_in, put(bf=0, g=8))

    assert answer["index"]["time_ms"] == pytest.approx(TIMES_MS, abs=0.02)
    assert "proxy" not in answer


def test_file_with_few_key_frames_is_played_and_asks_for_a_proxy(put, signed_in):
    answer = ask(signed_in, put(bf=0, g=250))

    assert answer["state"] == "ready"
    assert answer["proxy"]


def test_file_that_no_page_can_step_through_is_played_from_its_proxy(put, signed_in, monkeypatch):
    monkeypatch.setattr(proxies, "async_task", lambda *args, **kwargs: None)
    run = put(bf=3)

    assert ask(signed_in, run)["state"] == "wanted"
    assert ask(signed_in, run, "api-run-proxy", "post")["state"] == "making"
    proxies.make_proxy(proxy_id=Proxy.objects.get().pk)
    answer = ask(signed_in, run)

    assert answer["index"]["time_ms"] == pytest.approx(TIMES_MS, abs=0.02)
    part = signed_in.get(answer["video"], headers={"Range": "bytes=4-7"})
    assert (part.status_code, b"".join(part)) == (206, b"ftyp")


def test_failed_proxy_says_why(put, signed_in):
    run = put(bf=3)
    Proxy.objects.create(sha256=run.sha256, source_name="x", status="failed", error="it is broken in the middle")

    assert ask(signed_in, run) == {"state": "failed", "message": "it is broken in the middle"}


def test_recording_that_was_unreadable_says_why_and_gets_no_proxy(put, signed_in):
    run = put(bf=3)
    run.outcome, run.error = "unreadable", "it ends in the middle: copy it again"
    run.save()

    assert ask(signed_in, run) == {"state": "failed", "message": "it ends in the middle: copy it again"}


def test_lost_screencast_says_so(db, signed_in):
    answer = ask(signed_in, factories.run())

    assert answer["state"] == "missing"
    assert "storage" in answer["message"]


@pytest.fixture
def reads(monkeypatch):
    """Count how often a file is read for its index."""
    done = []
    monkeypatch.setattr(playback, "read_index_apart", lambda all, path: (done.append(path), read_index(path))[1])
    return done


@pytest.mark.parametrize("options", [{"bf": 3}, {"bf": 0, "g": 250}], ids=["no index", "few key frames"])
def test_file_is_read_once_however_often_a_page_asks(put, signed_in, reads, monkeypatch, options):
    monkeypatch.setattr(proxies, "async_task", lambda *args, **kwargs: None)
    run = put(**options)

    for _ in range(3):
        ask(signed_in, run)
        ask(signed_in, run, "api-run-proxy", "post")

    assert len(reads) == 1


def test_file_that_was_put_in_the_place_of_another_is_read_anew(put, signed_in, reads):
    run = put(bf=3)
    assert ask(signed_in, run)["state"] == "wanted"

    put(bf=0, g=8)

    assert ask(signed_in, run)["state"] == "ready"
    assert len(reads) == 2


def test_lost_file_is_looked_for_each_time(put, signed_in, reads, tmp_path):
    run = put(bf=0, g=8)
    file = tmp_path / "media" / run.file_name
    file.rename(tmp_path / "away.mp4")
    assert ask(signed_in, run)["state"] == "missing"

    (tmp_path / "away.mp4").rename(file)

    assert ask(signed_in, run)["state"] == "ready"
