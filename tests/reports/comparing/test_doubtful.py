"""What is doubtful counts in a comparison, and every face of it says how much that is."""

import json

import pytest
from django.urls import reverse

from reports.comparing.doubts import doubts_sentence
from reports.comparing.output import comparison_head, comparison_text
from reports.measuring.services import correct_run
from reports.models import Measurement
from reports.policies.services import save_scope
from tests import factories
from tests.reports.comparing.pairs import FAST, SLOW, compare, fill, two_versions

pytestmark = pytest.mark.django_db
WORDS = "4 response times are doubtful. They count until a person settles them."


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
            "1 finish time is doubtful. It counts until a person settles it.",
        ),
        (
            {"finish_time_ms": {"base": 2, "new": 0}, "response_time_ms": {"base": 0, "new": 1}},
            "2 finish times and 1 response time are doubtful. They count until a person settles them.",
        ),
    ],
)
def test_words_name_each_metric(counts, words):
    assert doubts_sentence(counts) == words
