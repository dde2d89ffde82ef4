import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.policy.checks import PolicyError
from analysis.policy.policy import DEFAULT_POLICY, Policy
from analysis.policy.policyjson import policy_from_json, policy_to_json
from analysis.policy.thresholds import Override, Threshold
from reports.models import App, ComparisonStatus, PolicyVersion
from reports.policyeditor.forms import fields_of, rules_of
from tests import factories

POLICY = "/gate/policy/"


def _form(**changes):
    return fields_of(DEFAULT_POLICY) | {"name": "default", "based_on": "0"} | changes


def test_fields_of_a_policy_say_the_same_policy():
    policy = Policy(
        alpha=0.01,
        overrides=(Override("response_time_ms", Threshold(80, 0, "slow by design"), app="org.example.mail"),),
        ladder=(("Small", 1.0), ("Big", 3.5)),
    )

    assert policy_from_json(rules_of(fields_of(policy))) == policy


def test_policy_shows_what_is_in_force(signed_in, db):
    page = signed_in.get(POLICY).content.decode()

    assert 'name="thresholds.response_time_ms.absolute" value="50"' in page
    assert "Nobody has changed the built-in policy" in page


def test_policy_preview_shows_what_would_change_and_saves_nothing(signed_in, compared):
    typed = _form(**{"thresholds.response_time_ms.absolute": "260", "comparison": str(compared.pk)})

    answer = signed_in.post(reverse("policy-preview"), typed)

    preview = answer.context["preview"]
    assert (preview.changed_count, preview.results) == (2, 3)
    assert "Mail · open inbox" in answer.content.decode()
    assert 'value="260"' in answer.content.decode()
    assert not PolicyVersion.objects.exists()


def test_policy_preview_shows_the_gate_before_and_after_in_words(signed_in, compared):
    typed = _form(**{"thresholds.response_time_ms.absolute": "260", "comparison": str(compared.pk)})

    answer = signed_in.post(reverse("policy-preview"), typed)

    before, after = answer.context["preview"].gates
    assert (before.decision, after.decision) == ("fail", "pass")
    page = answer.content.decode()
    assert "absolute threshold of response time: 50 → 260 ms" in page
    assert "0 of 3 interactions regressed: 0\u00a0% against a budget of 2\u00a0%." in page
    counts = answer.context["preview"].gate_counts
    assert counts == (("Regressed, not waived", "1", "0"), ("Share regressed", "33.3 %", "0 %"))


def test_policy_problems_are_told_in_words(signed_in, db):
    typed = _form(**{"thresholds.response_time_ms.absolute": "fast"})

    answer = signed_in.post(reverse("policy-save"), typed)

    assert answer.context["problem"] == (
        "absolute threshold of response time: 'fast' is not a number; write it like 50 or 0.05"
    )


def test_policy_preview_shows_that_drift_is_asked(signed_in, compared):
    typed = _form(**{"gate.drift_budget_pct": "5", "comparison": str(compared.pk)})

    answer = signed_in.post(reverse("policy-preview"), typed)

    assert "interactions that may regress against the pinned version: no → 5 %" in answer.content.decode()
    assert ("Drift budget", "–", "5 %") in answer.context["preview"].gate_counts
    assert answer.context["preview"].gates[1].drift.state == "unknown"


def test_policy_preview_says_in_words_that_doubtful_values_are_left_out(signed_in, compared):
    answer = signed_in.post(reverse("policy-preview"), _form(**{"measuring.doubtful": "leave_out"}))
    assert "doubtful responses and finishes: count → are left out" in answer.content.decode()

    answer = signed_in.post(reverse("policy-save"), _form(**{"measuring.doubtful": "perhaps"}))
    assert answer.context["problem"].startswith("doubtful responses and finishes: 'perhaps' is unknown; choose")


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        (
            "drift_budget_pct",
            "much",
            "may regress against the pinned version: 'much' is not a number",
        ),
        ("drift_budget_pct", "101", "outside of 0 to 100"),
        ("drift_critical_budget", "", "pinned version: '' is not a count"),
        ("drift_critical_budget", "-1", "outside of 0 to 100,000"),
    ],
)
def test_a_wrong_drift_budget_is_told_in_words(signed_in, db, field, typed, words):
    answer = signed_in.post(reverse("policy-save"), _form(**{f"gate.{field}": typed}))

    assert answer.status_code == 422
    assert words in answer.context["problem"]
    assert not PolicyVersion.objects.exists()


def test_drift_is_not_asked_where_its_field_is_empty_or_not_there(signed_in, db):
    bare = {key: text for key, text in _form().items() if "drift" not in key}
    for number, typed in enumerate((_form(**{"gate.drift_budget_pct": " "}), bare)):
        signed_in.post(reverse("policy-save"), typed | {"based_on": str(number)})

    assert [row.rules["gate"]["drift_budget_pct"] for row in PolicyVersion.objects.all()] == [None, None]


def test_policy_preview_takes_the_waivers_into_account(signed_in, compared):
    factories.accepted_waiver(
        app=App.objects.get(name="Mail"), expires=timezone.localdate(), reason="known", approver="QA"
    )

    answer = signed_in.post(reverse("policy-preview"), _form(alpha="0.01", comparison=str(compared.pk)))

    assert [gate.decision for gate in answer.context["preview"].gates] == ["pass", "pass"]


@pytest.mark.parametrize("comparison", ["", "999", "x", "9" * 30])
def test_policy_preview_without_a_comparison_shows_the_changes(signed_in, db, comparison):
    answer = signed_in.post(reverse("policy-preview"), _form(alpha="0.01", comparison=comparison))

    assert "α, the error rate of the test: 0.05 → 0.01" in answer.content.decode()


def test_policy_save_makes_a_version_and_computes_again(
    signed_in, engineer, compared, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        answer = signed_in.post(reverse("policy-save"), _form(alpha="0,01", note="fewer false alarms"))

    saved = PolicyVersion.objects.get()
    assert answer.url == "/gate/policy/?name=default"
    assert (saved.number, saved.author, saved.note, saved.rules["alpha"]) == (
        1,
        engineer,
        "fewer false alarms",
        0.01,
    )
    compared.refresh_from_db()
    assert compared.status == ComparisonStatus.PENDING
    assert "fewer false alarms" in signed_in.get(POLICY).content.decode()


def test_policy_save_under_another_name_leaves_the_first_alone(signed_in, db):
    signed_in.post(reverse("policy-save"), _form(save_as="tablet", alpha="0.01"))

    assert list(PolicyVersion.objects.values_list("name", "number")) == [("tablet", 1)]
    assert 'value="0.01"' in signed_in.get(POLICY, {"name": "tablet"}).content.decode()


def test_policy_save_of_two_people_at_once_tells_the_second(signed_in, db):
    signed_in.post(reverse("policy-save"), _form(alpha="0.01"))

    answer = signed_in.post(reverse("policy-save"), _form(alpha="0.02"))

    assert answer.status_code == 409
    assert "engineer saved default v1 meanwhile" in answer.content.decode()
    assert 'name="alpha" value="0.02"' in answer.content.decode()


@pytest.mark.django_db
def test_policy_refuses_what_contradicts_itself_and_keeps_what_was_typed(signed_in):
    wrong = {
        "alpha": ("a little", "is not a number"),
        "min_runs": ("2.5", "is not a count"),
        "thresholds.response_time_ms.absolute": ("-5", "never negative"),
        "gate.budget_pct": ("200", "is outside of 0 to 100; it is a percentage"),
        "ladder.1.step": ("9", "must rise"),
        "overrides.0.absolute": ("9", "names neither an app nor an interaction type"),
    }
    for name in ("policy-preview", "policy-save"):
        for field, (value, said) in wrong.items():
            answer = signed_in.post(reverse(name), _form(**{field: value}))
            assert (answer.status_code, said in answer.content.decode()) == (422, True), field
            assert f'value="{value}"' in answer.content.decode()
    assert not PolicyVersion.objects.exists()


def test_policy_of_an_unknown_name_is_not_found(signed_in, db):
    answer = signed_in.get(POLICY, {"name": "none"})

    assert answer.status_code == 404
    assert "no policy is called" in answer.content.decode()


NASTY = ["9" * 5000, "1e999999", "nan", "-inf", "-1", "\0", "\u0661", "1_0", "x" * 200_000, "\ud800", "9" * 20]


def typed(**fields):
    """Return the policy that was typed, or why it was refused."""
    try:
        return policy_from_json(rules_of(fields_of(DEFAULT_POLICY) | fields)), ""
    except PolicyError as refused:
        return None, str(refused)


@pytest.mark.parametrize("field", sorted(fields_of(DEFAULT_POLICY)))
def test_any_text_in_any_field_is_a_bounded_policy_or_is_refused_by_name(field):
    """Of a number each is refused, also of a word that names a severity; a reason may be any short line."""
    for text in NASTY:
        policy, refused = typed(**{field: text})
        if policy is None:
            assert refused.startswith(field.rpartition(".")[0] or field), (field, text)
            assert len(refused) < 300
        else:
            assert field.endswith((".reason", ".word")), (field, text)
            assert policy != DEFAULT_POLICY


@settings(max_examples=100, deadline=None)
@given(field=st.sampled_from(sorted(fields_of(DEFAULT_POLICY))), text=st.text() | st.floats().map(str))
def test_what_is_typed_is_a_policy_or_is_refused_in_words(field, text):
    policy, refused = typed(**{field: text})
    if policy is None:
        assert ": " in refused
        return
    assert policy_from_json(rules_of(fields_of(policy))) == policy


@pytest.mark.django_db
def test_a_million_runs_are_refused_before_anything_is_judged(signed_in, compared):
    """They kept a thread busy for ever."""
    for name in ("policy-preview", "policy-save"):
        answer = signed_in.post(reverse(name), _form(min_runs="1000000", comparison=str(compared.pk)))
        assert answer.status_code == 422
        assert answer.context["problem"] == (
            "runs a side, at least: 1000000 is outside of 1 to 10,000; "
            "nobody records more runs a side, and comparisons are tested with so many"
        )
    most = signed_in.post(reverse("policy-preview"), _form(min_runs="10000", comparison=str(compared.pk)))
    assert most.context["preview"].changed_count == 3


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("note", "n" * 2001, "note: has 2,001 characters"),
        ("save_as", "a" * 81, "name: has 81 characters"),
        ("save_as", "a\u202eb", "name: holds"),
        ("based_on", "9" * 5000, "meanwhile"),
        ("based_on", "9" * 17, "version: "),
    ],
)
def test_policy_save_refuses_what_no_column_holds(signed_in, field, value, said):
    answer = signed_in.post(reverse("policy-save"), _form(**{field: value}))

    assert answer.status_code in (409, 422)
    assert said in answer.context["problem"] or field == "based_on"
    assert not PolicyVersion.objects.exists()


@pytest.mark.django_db
def test_a_version_saved_when_less_was_refused_is_still_shown(signed_in):
    rules = policy_to_json(DEFAULT_POLICY) | {"min_runs": 1_000_000}
    PolicyVersion.objects.create(name="default", number=1, rules=rules)

    page = signed_in.get(POLICY).content.decode()

    assert "runs a side, at least: 3 → 10\u202f000" in page
    assert signed_in.get(POLICY, {"name": "a\u202eb"}).status_code == 404
