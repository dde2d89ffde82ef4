from datetime import UTC, datetime, timedelta

import pytest

from reports.templatetags import times

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=3), "just now"),
        (timedelta(seconds=59), "59\u00a0s ago"),
        (timedelta(minutes=1), "1\u00a0min ago"),
        (timedelta(hours=2, minutes=3), "2\u00a0h ago"),
        (timedelta(days=3), "3\u00a0d ago"),
        (timedelta(days=40), "11 Oct 2026"),
    ],
)
def test_ago_is_rough_with_the_exact_instant_as_title(age, words):
    mark = times.ago(NOW - age, NOW)

    assert f">{words}</time>" in mark
    assert 'title="' in mark


def test_ago_of_an_unknown_instant_is_a_dash():
    assert times.ago(None) == "–"


@pytest.mark.parametrize(
    ("seconds", "words"), [(4, "about 10\u00a0s"), (170, "about 3\u00a0min"), (7200, "about 2\u00a0h"), (None, "")]
)
def test_duration_is_rough(seconds, words):
    assert times.duration(seconds) == words
