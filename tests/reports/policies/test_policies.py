import pytest

from analysis.policy.checks import PolicyError
from analysis.policy.policy import DEFAULT_POLICY
from analysis.policy.policyjson import policy_to_json
from reports.comparing.services import compute_comparison, open_comparison
from reports.models import PolicyVersion
from reports.policies.selectors import current_policy, policy_names
from reports.policies.services import PolicyConflictError, save_policy
from reports.policyeditor.selectors import policy_history, preview_policy
from tests import factories

pytestmark = pytest.mark.django_db


def rules(**thresholds):
    given = policy_to_json(DEFAULT_POLICY)
    for metric, absolute in thresholds.items():
        given["thresholds"][metric] = {"absolute": absolute, "relative_pct": 0, "reason": ""}
    return given


@pytest.fixture
def comparison():
    versions = factories.os_version("13.0.12"), factories.os_version("13.0.13")
    for version, start in zip(versions, (200, 260), strict=True):
        factories.runs([float(start + step) for step in range(8)], version=version)
    return compute_comparison(comparison_id=open_comparison(base=versions[0], new=versions[1]).pk)


def test_the_built_in_policy_is_in_force_until_one_is_saved():
    assert current_policy() == DEFAULT_POLICY

    save_policy(name="default", rules=rules(response_time_ms=80), based_on=0, user=None)

    assert current_policy().thresholds["response_time_ms"].absolute == 80
    assert current_policy().version == 1


def test_a_policy_of_another_name_starts_at_version_one(engineer):
    saved = save_policy(name="nightly", rules=rules(), based_on=0, user=engineer, note="for the night runs")

    assert (saved.number, saved.author, current_policy("nightly").name) == (1, engineer, "nightly")
    assert policy_names() == ["default", "nightly"]


def test_an_unknown_policy_lists_the_known_ones():
    with pytest.raises(PolicyError, match="no policy is called 'x'; known are: default"):
        current_policy("x")


def test_two_people_who_save_at_once_are_told(engineer):
    save_policy(name="default", rules=rules(), based_on=0, user=engineer)

    with pytest.raises(PolicyConflictError, match="engineer saved default v1 meanwhile"):
        save_policy(name="default", rules=rules(), based_on=0, user=None)
    with pytest.raises(PolicyConflictError, match="never saved"):
        save_policy(name="new", rules=rules(), based_on=3, user=None)


def test_a_save_that_loses_the_race_in_the_database_is_told_too(engineer, monkeypatch):
    save_policy(name="default", rules=rules(), based_on=0, user=engineer)
    monkeypatch.setattr("reports.policies.services._refuse_if_newer", lambda *args: None)

    with pytest.raises(PolicyConflictError, match="engineer saved"):
        save_policy(name="default", rules=rules(), based_on=0, user=None)


def test_a_policy_that_contradicts_itself_is_not_saved():
    with pytest.raises(PolicyError, match="alpha"):
        save_policy(name="default", rules={"alpha": 2}, based_on=0, user=None)
    assert not PolicyVersion.objects.exists()


def test_history_says_who_changed_what_newest_first(engineer):
    save_policy(name="default", rules=rules(), based_on=0, user=None)
    save_policy(name="default", rules=rules(response_time_ms=80), based_on=1, user=engineer, note="too strict")

    newest, oldest = policy_history("default")

    assert (newest.number, newest.author, newest.note) == (2, "engineer", "too strict")
    assert "absolute threshold of response time: 50 → 80 ms" in newest.changes
    assert oldest.changes == ()


def test_preview_says_which_verdicts_would_change_and_writes_nothing(comparison):
    stricter = current_policy()
    assert preview_policy(comparison, stricter, stricter).changed == ()

    save_policy(name="lenient", rules=rules(response_time_ms=80), based_on=0, user=None)
    preview = preview_policy(comparison, stricter, current_policy("lenient"))

    (change,) = preview.changed
    assert (change.old_verdict, change.old_severity) == ("regression", "Minor")
    assert (change.new_verdict, change.new_severity) == ("imperceptible", "")
    assert preview.counts == {("regression", "imperceptible"): 1}
    assert comparison.results.get().verdict == "regression"


def test_saving_queues_the_comparisons_that_use_the_policy(
    comparison, monkeypatch, django_capture_on_commit_callbacks
):
    queued = []
    monkeypatch.setattr("reports.queue.services.async_task", lambda *args, **kwargs: queued.extend(args[1:]))

    with django_capture_on_commit_callbacks(execute=True):
        save_policy(name="other", rules=rules(), based_on=0, user=None)
    assert queued == []
    with django_capture_on_commit_callbacks(execute=True):
        save_policy(name="default", rules=rules(response_time_ms=80), based_on=0, user=None)

    assert queued == [comparison.pk]
    compute_comparison(comparison_id=comparison.pk)
    comparison.refresh_from_db()
    assert comparison.results.get().verdict == "imperceptible"
    assert comparison.policy["version"] == 1
