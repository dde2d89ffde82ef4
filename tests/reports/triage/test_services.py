import pytest

from reports.models import TriageEntry
from reports.triage.selectors import state_of, triage_history, triage_states
from reports.triage.services import BadTriageError, Decision, triage, undo_triage
from tests import factories


@pytest.fixture
def pair(db):
    return {"base": factories.os_version("13.0.12"), "new": factories.os_version("13.0.13")}


@pytest.fixture
def ids(db):
    return [factories.interaction(name).pk for name in ("open inbox", "send mail", "search")]


def states(pair, ids):
    found = triage_states(base_id=pair["base"].pk, new_id=pair["new"].pk, interaction_ids=ids)
    return [found[pk].state if pk in found else "untriaged" for pk in ids]


def test_many_are_decided_in_one_go_and_taken_back_in_one_go(pair, ids, engineer, django_assert_max_num_queries):
    triage(**pair, interaction_ids=ids[:1], decision=Decision(state="investigating"), user=engineer)
    with django_assert_max_num_queries(8):  # two of them for the audit log
        batch = triage(**pair, interaction_ids=ids, decision=Decision(state="acknowledged"), user=engineer)
    assert states(pair, ids) == ["acknowledged"] * 3

    assert undo_triage(batch=batch, user=engineer) == 3

    assert states(pair, ids) == ["investigating", "untriaged", "untriaged"]


def test_undo_leaves_alone_what_was_decided_since(pair, ids, engineer):
    batch = triage(**pair, interaction_ids=ids, decision=Decision(state="infra"), user=engineer)
    triage(**pair, interaction_ids=ids[:1], decision=Decision(state="fixed", fixed_in="14"), user=engineer)

    assert undo_triage(batch=batch, user=engineer) == 2
    assert states(pair, ids) == ["fixed", "untriaged", "untriaged"]


def test_history_is_kept_newest_first(pair, ids, engineer):
    for state, version in (("investigating", ""), ("fixed", "14")):
        decision = Decision(state=state, note="see log", fixed_in=version)
        triage(**pair, interaction_ids=ids[:1], decision=decision, user=engineer)

    history = triage_history(base_id=pair["base"].pk, new_id=pair["new"].pk, interaction_id=ids[0])

    assert [entry.state for entry in history] == ["fixed", "investigating"]
    assert state_of(history) == "fixed"
    assert (history[0].made_by, history[0].fixed_in, history[1].fixed_in) == (engineer, "14", "")


def test_another_pair_of_versions_is_another_matter(pair, ids, engineer):
    triage(**pair, interaction_ids=ids, decision=Decision(state="wontfix"), user=engineer)
    other = {"base": pair["base"], "new": factories.os_version("14")}

    assert states(other, ids) == ["untriaged"] * 3


def test_wrong_decisions_are_refused(pair, ids, engineer):
    with pytest.raises(BadTriageError, match="no triage state"):
        Decision(state="done")
    with pytest.raises(BadTriageError, match="https"):
        Decision(state="wontfix", bug_url="javascript:alert(1)")
    with pytest.raises(BadTriageError, match="nothing is selected"):
        triage(**pair, interaction_ids=[], decision=Decision(state="wontfix"), user=engineer)
    with pytest.raises(BadTriageError, match="name the version that brings the fix"):
        Decision(state="fixed", fixed_in=" ")
    assert not TriageEntry.objects.exists()
