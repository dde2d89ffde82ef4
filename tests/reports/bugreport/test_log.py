import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reports.bugreport.log import MAX_BYTES, log_excerpt
from tests import factories

ACTION = datetime(2026, 11, 20, 10, 0, 30, tzinfo=UTC)  # recorded_at + 500 ms
LOGCAT, ISO = "%m-%d %H:%M:%S.{ms:03d}", "%Y-%m-%dT%H:%M:%S.{ms:03d}"


def lines(form, *, count=4000, step_ms=100, zone_h=0.0, start_s=-200.0):
    """Write a log whose line i is ``i × step_ms`` after its start, which is ``start_s`` from the action."""
    begin = ACTION.replace(tzinfo=None) + timedelta(hours=zone_h, seconds=start_s)
    pad = random.Random(7)
    for i in range(count):
        at = begin + timedelta(milliseconds=i * step_ms)
        stamp = at.strftime(form).format(ms=at.microsecond // 1000)
        yield f"{stamp}  1234  1234 I Tag: line {i} {'x' * pad.randrange(80)}"


@pytest.fixture
def excerpt(db, settings):
    def make(data, **values):
        folder = Path(settings.MEDIA_ROOT)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.log").write_bytes(data)
        recorded = ACTION - timedelta(milliseconds=500)
        return log_excerpt(factories.run(**{"log_name": "a.log", "recorded_at": recorded, **values}))

    return make


def numbers(text):
    return [int(number) for number in re.findall(r"line (\d+)", text)]


@pytest.mark.parametrize("form", [LOGCAT, ISO])
@pytest.mark.parametrize("zone_h", [0, 2, -7, 5.75])
def test_excerpt_is_the_lines_around_the_action_whatever_the_zone(excerpt, form, zone_h):
    found = excerpt("\n".join(lines(form, zone_h=zone_h)).encode())

    # line 2000 is the action; a line every 100 ms, from 3 s before to 7 s after
    assert numbers(found.before) == list(range(1970, 2000))
    assert numbers(found.after) == list(range(2000, 2070))
    assert "3 s before to 7 s after" in found.note


def test_log_of_a_busy_device_is_cut_around_the_action(excerpt):
    found = excerpt("\n".join(lines(LOGCAT, step_ms=1, count=20_000, start_s=-10)).encode())

    assert len((found.before + found.after).encode()) <= MAX_BYTES
    assert numbers(found.before)[-1] == 9999
    assert numbers(found.after)[0] == 10_000


@pytest.mark.parametrize("values", [{"recorded_at": None}, {"recorded_at": ACTION + timedelta(days=3)}])
def test_log_whose_times_do_not_tell_shows_its_end(excerpt, values):
    found = excerpt("\n".join(lines(LOGCAT)).encode(), **values)

    assert numbers(found.before)[-1] == 3999
    assert len(found.before.encode()) <= MAX_BYTES
    assert "end" in found.note


def test_bytes_that_are_no_text_do_no_harm(excerpt):
    found = excerpt(random.Random(3).randbytes(200_000) + "\x1b[31mred\u202e".encode())

    assert len(found.before) <= MAX_BYTES
    assert found.before.endswith("·red·")
    assert not re.search(r"[\x00-\x08\x0e-\x1f\x7f\u202e]", found.before)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"no times at all", b"11-20 10:00:29.999 one line", b"99-99 99:99:99.9 x"]
)
def test_short_logs_are_shown(excerpt, data):
    assert excerpt(data).before.strip() == data.decode().strip()


def test_run_without_a_log_has_no_excerpt(db):
    found = log_excerpt(factories.run())

    assert (found.before, found.after, found.note) == ("", "", "")


def test_lost_log_is_named(db):
    assert "no longer in the storage" in log_excerpt(factories.run(log_name="gone.log")).note
