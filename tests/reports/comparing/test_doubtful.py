"""What is doubtful counts in a comparison, and every face of it says how much that is."""

import json

import pytest
from django.urls import reverse

from analysis.policy.policyjson import policy_from_json
from reports.comparing.doubts import doubts_sentence
from reports.comparing.output import comparison_head, comparison_text
from reports.comparing.standing import judged_table
from reports.measuring.services import correct_run
from reports.models import Level, Measurement
from reports.policies.selectors import current_policy
from reports.policies.services import save_policy, save_scope
from reports.policyeditor.selectors import preview_policy
from tests import factories
from tests.reports.comparing.pairs import FAST, SLOW, compare, fill, two_versions
from tests.reports.history.lines import bring_up_to_date

pytestmark = pytest.mark.django_db
WORDS = "4 response times are doubtful. They count as measured until a person settles them."


@pytest.fixture
def versions():
    return two_versions()


@pytest.fixture
def doubted(versions):
    """Make runs of which one of the baseline and three of the update are doubtful; return them (base, new)."""
    base, new = fill(versions)
    Measurement.objects.filter(run__in=[base[0], *new[:3]]).update(confidence="doubtful")
    return base, new


def test_doubtful_values_count_and_are_counted(versions, doubted):
    result = compare(versions).results.get()

    assert (result.n_base, result.n_new, result.verdict) == (8, 8, "regression")
    assert (result.doubtful_base, result.doubtful_new) == (1, 3)


def test_every_face_says_the_same(versions, doubted, signed_in):
    comparison = compare(versions)
    pair = [version.name for version in versions]
    values = {"response_time_ms": {"base": 1, "new": 3}}

    page = signed_in.get(reverse("ranking", args=pair)).content.decode()
    assert WORDS in page
    assert f'href="{reverse("doubtful")}?base={pair[0]}&amp;new={pair[1]}"' in page
    assert comparison_head(comparison)["doubtful"] == {"values": values, "note": WORDS}
    assert WORDS in comparison_text(comparison)
    assert WORDS in signed_in.get(reverse("release-report", args=pair)).content.decode()
    found = json.loads(b"".join(signed_in.get(reverse("ranking-json", args=pair)).streaming_content))
    assert (found["doubtful"]["note"], found["results"][0]["doubtful_new"]) == (WORDS, 3)


def leave_out(user, choice="leave_out"):
    return save_policy(
        name="default", rules={"measuring": {"doubtful": choice}}, user=user, based_on=current_policy().version
    )


def test_a_policy_may_leave_out_what_is_doubtful(versions, doubted, engineer):
    leave_out(engineer)

    comparison = compare(versions)

    result = comparison.results.get()
    assert (result.n_base, result.n_new, result.median_base) == (7, 5, 204)
    assert (result.doubtful_base, result.doubtful_new) == (1, 3)
    assert [len(result.points[side]) for side in ("base", "new")] == [7, 5]
    note = comparison_head(comparison)["doubtful"]["note"]
    assert note.endswith("are doubtful and left out, as the policy says, until a person settles them.")


@pytest.mark.parametrize("first", ["count", "leave_out"])
def test_metric_of_which_nothing_counts_needs_more_runs_and_does_not_vanish(versions, engineer, signed_in, first):
    fill(versions)
    Measurement.objects.update(confidence="doubtful")
    if first == "leave_out":
        leave_out(engineer)
    comparison = compare(versions)
    leave_out(engineer)

    [row] = judged_table(comparison, current_policy()).to_dict("records")
    assert (row["n_base"], row["n_new"], row["verdict"]) == (0, 0, "more_runs_needed")
    page = signed_in.get(reverse("ranking", args=[version.name for version in versions])).content.decode()
    assert "16 response times are doubtful" in page


def test_what_a_person_has_settled_is_not_left_out(versions, doubted, engineer):
    leave_out(engineer)
    base, _ = doubted
    correct_run(run=base[0], moment="response", value_ms=FAST[0], user=engineer)

    assert compare(versions).results.get().n_base == 8


@pytest.mark.parametrize("first", ["count", "leave_out"])
def test_a_preview_shows_what_the_other_rule_would_change(versions, engineer, first):
    _, new = fill(versions, base=FAST[:5], new=[*SLOW[:2], *FAST[:3]])
    Measurement.objects.filter(run__in=[run.pk for run in new[2:]]).update(confidence="doubtful")
    other = {"count": "leave_out", "leave_out": "count"}[first]
    sizes = {"count": 5, "leave_out": 2}
    if first == "leave_out":
        leave_out(engineer)
    comparison, now = compare(versions), current_policy()
    typed = policy_from_json({"measuring": {"doubtful": other}})

    tables = {rule: judged_table(comparison, policy) for rule, policy in ((first, now), (other, typed))}

    assert {rule: table["n_new"].item() for rule, table in tables.items()} == sizes
    assert preview_policy(comparison, now, typed).counts == {
        (tables[first]["verdict"].item(), tables[other]["verdict"].item()): 1
    }
    leave_out(engineer, other)
    for_now = judged_table(comparison, current_policy())
    computed = judged_table(compare(versions), current_policy())
    columns = ["n_new", "median_new", "delta", "p_value", "verdict"]
    assert for_now[columns].equals(computed[columns]), "what is said until it is computed anew, and after"


def test_history_leaves_out_the_same(versions, doubted, engineer):
    leave_out(engineer)

    bring_up_to_date()

    counts = dict(Level.objects.values_list("version__name", "n"))
    assert counts == {"13.0.12": 7, "13.0.13": 5}


def test_an_answer_takes_effect_when_the_comparison_is_computed_again(versions, doubted, engineer):
    base, _ = doubted
    compare(versions)

    correct_run(run=base[0], moment="response", value_ms=FAST[0], user=engineer)

    result = compare(versions).results.get()
    assert (result.doubtful_base, result.doubtful_new, result.median_base) == (0, 3, 203.5)


def test_a_scope_says_what_is_doubtful_inside_of_it(versions, doubted):
    save_scope(name="scrolls", interaction_types=["scroll"])
    fill(versions, of=factories.interaction("pan", type="scroll"))

    assert compare(versions).summary["scopes"]["scrolls"]["doubtful"] == {}


def test_what_is_in_no_doubt_is_not_mentioned(versions, signed_in):
    fill(versions, new=SLOW)
    comparison = compare(versions)
    assert comparison.summary["doubtful"] == {}
    assert doubts_sentence({}) == ""


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (
            {"finish_time_ms": {"base": 0, "new": 1}},
            "1 finish time is doubtful. It counts as measured until a person settles it.",
        ),
        (
            {"finish_time_ms": {"base": 2, "new": 0}, "response_time_ms": {"base": 0, "new": 1}},
            "2 finish times and 1 response time are doubtful. They count as measured until a person settles them.",
        ),
    ],
)
def test_words_name_each_metric(counts, words):
    assert doubts_sentence(counts) == words
