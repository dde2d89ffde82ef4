from contextlib import contextmanager
from datetime import timedelta

import av
import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from analysis.isolation.decoder import BrokenError
from analysis.pictures.playindex import read_index
from analysis.pictures.proxy import CannotEncodeError, encode_proxy, proxy_size
from reports.media import proxies
from reports.models import Proxy, ProxyStatus
from tests import factories
from tests.numbered import read_number, render_numbered

UNEVEN_MS = [0, 16.7, 33.3, 350, 366.7, 1800, 1816.7]


def shown(path):
    """Return (ms after the first frame, number in the picture) of every frame."""
    with av.open(str(path)) as video:
        frames = [(frame.time, read_number(frame.to_ndarray(format="rgb24"))) for frame in video.decode(video=0)]
    return [(round(1000 * (time - frames[0][0]), 1), number) for time, number in frames]


@pytest.fixture
def run(db, tmp_path):
    folder = tmp_path / "media" / "screencasts"
    folder.mkdir(parents=True)
    render_numbered(folder / "a.mp4", UNEVEN_MS, g=250)
    return factories.run(file_name="screencasts/a.mp4")


@pytest.mark.parametrize(
    ("codec", "name", "options"),
    [
        ("libx264", "reordered.mp4", {"bf": 3}),
        ("libx265", "hevc.mp4", {"x265-params": "log-level=none"}),
        ("libx264", "matroska.mkv", {}),
    ],
)
def test_proxy_shows_the_same_frames_at_the_same_times(tmp_path, codec, name, options):
    source = render_numbered(tmp_path / name, UNEVEN_MS, codec=codec, **options)

    encode_proxy(source, tmp_path / "proxy.mp4")

    assert shown(tmp_path / "proxy.mp4") == shown(source)


def test_proxy_steps_quickly_and_its_index_agrees_with_it(tmp_path):
    source = render_numbered(tmp_path / "long.mp4", np.arange(40) * 16.7, g=250)

    encode_proxy(source, tmp_path / "proxy.mp4")
    index = read_index(tmp_path / "proxy.mp4")

    assert index.steps_quickly
    assert index.time_ms == pytest.approx([time for time, _ in shown(source)], abs=0.05)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((540, 1170), (540, 1170)),
        ((1080, 2400), (540, 1200)),
        ((2400, 1080), (1200, 540)),
        ((161, 241), (160, 240)),
    ],
)
def test_large_pictures_are_halved_and_odd_sides_made_even(size, expected):
    assert proxy_size(*size) == expected


def test_proxy_of_odd_sides_shows_every_frame(tmp_path):
    source = render_numbered(tmp_path / "odd.webm", UNEVEN_MS, codec="libvpx-vp9", size=(161, 241))

    encode_proxy(source, tmp_path / "proxy.mp4")

    assert [number for _, number in shown(tmp_path / "proxy.mp4")] == list(range(len(UNEVEN_MS)))


def test_proxy_of_no_video_is_refused(tmp_path):
    (tmp_path / "note.mp4").write_bytes(b"no video at all")

    with pytest.raises(CannotEncodeError, match="no proxy can be made"):
        encode_proxy(tmp_path / "note.mp4", tmp_path / "proxy.mp4")


def test_proxy_is_queued_once_and_kept(run, django_capture_on_commit_callbacks, monkeypatch):
    queued = []
    monkeypatch.setattr(proxies, "async_task", lambda *args, **kwargs: queued.append(args))
    with django_capture_on_commit_callbacks(execute=True):
        proxy = proxies.request_proxy(run=run)
        proxies.request_proxy(run=run)

    assert queued == [(proxies.TASK, proxy.pk)]
    assert proxies.make_proxy(proxy_id=proxy.pk) == "done"
    proxy.refresh_from_db()
    assert default_storage.exists(proxy.file_name)
    assert len(proxy.index["time_ms"]) == len(UNEVEN_MS)


def test_proxy_is_made_by_one_process_only(run):
    proxy = Proxy.objects.create(sha256=run.sha256, source_name=run.file_name)
    proxies.make_proxy(proxy_id=proxy.pk)

    assert proxies.make_proxy(proxy_id=proxy.pk) == "another process got there first"


def test_proxy_that_cannot_be_made_ends_failed_with_a_reason(run):
    default_storage.delete(run.file_name)
    proxy = Proxy.objects.create(sha256=run.sha256, source_name=run.file_name)

    assert proxies.make_proxy(proxy_id=proxy.pk).startswith("failed")
    proxy.refresh_from_db()
    assert proxy.status == ProxyStatus.FAILED
    assert "storage" in proxy.error


@pytest.fixture
def overtaken(run, monkeypatch):
    """Let the next encoding outlive its lease: another process makes the proxy meanwhile. Then end it so."""
    proxy = Proxy.objects.create(sha256=run.sha256, source_name=run.file_name)

    def _overtaken(end):
        real = proxies.encode_apart

        @contextmanager
        def slow(decoders, source, *, report):
            monkeypatch.setattr(proxies, "encode_apart", real)
            Proxy.objects.update(claimed_at=timezone.now() - timedelta(days=1))
            assert proxies.make_proxy(proxy_id=proxy.pk) == "done"
            end(report)
            with real(decoders, source, report=report) as made:
                yield made

        monkeypatch.setattr(proxies, "encode_apart", slow)
        return proxy

    return _overtaken


def _stored_files(proxy):
    return default_storage.listdir(f"proxies/{proxy.sha256[:2]}")[1]


def test_proxy_of_a_late_worker_is_dropped_and_its_successors_stays(overtaken):
    proxy = overtaken(lambda report: None)

    assert proxies.make_proxy(proxy_id=proxy.pk) == "another process got there first"

    proxy.refresh_from_db()
    assert proxy.status == ProxyStatus.DONE
    assert [proxy.file_name.rpartition("/")[2]] == _stored_files(proxy)
    assert read_index(default_storage.path(proxy.file_name)).as_dict() == proxy.index


def test_late_worker_whose_encoding_breaks_does_not_fail_the_proxy_of_another(overtaken):
    def breaks(report):
        raise BrokenError("it is broken in the middle")

    proxy = overtaken(breaks)

    assert proxies.make_proxy(proxy_id=proxy.pk) == "another process got there first"
    proxy.refresh_from_db()
    assert (proxy.status, proxy.error) == (ProxyStatus.DONE, "")


def test_late_worker_stops_encoding_when_it_reports_its_progress(overtaken):
    proxy = overtaken(lambda report: report(1))

    assert proxies.make_proxy(proxy_id=proxy.pk) == "another process got there first"
    proxy.refresh_from_db()
    assert (proxy.status, proxy.progress_pct) == (ProxyStatus.DONE, 100)


def test_proxy_made_again_takes_the_place_of_its_earlier_file(run):
    proxy = Proxy.objects.create(sha256=run.sha256, source_name=run.file_name)
    proxies.make_proxy(proxy_id=proxy.pk)
    Proxy.objects.update(status=ProxyStatus.PENDING)

    proxies.make_proxy(proxy_id=proxy.pk)

    proxy.refresh_from_db()
    assert [proxy.file_name.rpartition("/")[2]] == _stored_files(proxy)
