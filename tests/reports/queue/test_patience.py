from types import SimpleNamespace

import pytest
from django.db import InterfaceError, OperationalError

from reports.queue import patience
from reports.queue.patience import patiently


@pytest.fixture
def server(monkeypatch):
    """Give a connection to a server, and a clock that only sleeping moves."""
    found = SimpleNamespace(vendor="postgresql", in_atomic_block=False, closed=0, now=0.0)
    found.close = lambda: setattr(found, "closed", found.closed + 1)
    clock = SimpleNamespace(
        monotonic=lambda: found.now, sleep=lambda seconds: setattr(found, "now", found.now + seconds)
    )
    monkeypatch.setattr(patience, "connection", found)
    monkeypatch.setattr(patience, "time", clock)
    return found


def cut(*errors):
    """Return what fails once with each error, then answers."""
    left = list(errors)

    def act():
        if left:
            raise left.pop(0)
        return "done"

    return act


def test_what_a_restart_has_cut_is_done_again_on_a_new_connection(server):
    assert patiently(cut(OperationalError("terminating connection"), InterfaceError("already closed"))) == "done"
    assert server.closed == 2


def test_a_server_that_stays_away_is_given_up_after_a_while(server):
    with pytest.raises(OperationalError):
        patiently(cut(*[OperationalError("refused")] * 1000), patience_s=60)
    assert 50 < server.now <= 60


@pytest.mark.parametrize("where", [{"vendor": "sqlite"}, {"in_atomic_block": True}])
def test_nothing_is_repeated_where_that_cannot_help(server, where):
    vars(server).update(where)
    with pytest.raises(OperationalError):
        patiently(cut(OperationalError("database is locked")))
    assert server.now == 0


def test_any_other_error_is_left_alone(server):
    with pytest.raises(ValueError, match="mine"):
        patiently(cut(ValueError("mine")))
