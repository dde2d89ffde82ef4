import re
from pathlib import Path

import pytest
from django.template import Context, Template

from analysis.metrics import METRICS
from analysis.verdicts.outcomes import OUTCOME_METRIC
from analysis.verdicts.sentences import metric_label
from reports.help.library import all_terms, term_called
from reports.models import Confidence
from reports.templatetags.terms import metric_term, term, term_mark

TEMPLATES = sorted((Path(__file__).parents[3] / "templates").rglob("*.html"))
USED = re.compile(r"(?:{%\s*term(?:_mark)?\s+|\bterm=)(?:\"([^\"]*)\"|'([^']*)'|(\w+))")
BY_NAME = {
    ("sort_head.html", "term"),  # handed on: the head's own `term="…"` is looked at where it is written
    ("confidence.html", "chosen"),  # one of the words below
}


def test_term_is_a_button_that_opens_its_note_without_a_script():
    html = term("q", "q-value")

    key = re.search(r'popovertarget="([^"]+)"', html)[1]
    assert ">q-value</button>" in html
    assert f'<span popover id="{key}"' in html
    assert "corrected for how many tests" in html
    assert 'href="/help/glossary/#q"' in html


def test_term_used_twice_has_two_ids():
    html = Template('{% load terms %}{% term "q" %}{% term "q" %}{% term_mark "q" %}').render(Context())

    keys = re.findall(r'<span popover id="([^"]+)"', html)
    assert len(set(keys)) == 3


def test_term_mark_beside_a_word_has_a_name():
    assert 'aria-label="What is Threshold?"' in term_mark("θ")


@pytest.mark.parametrize("word", [word for word in Confidence.values if word != Confidence.SETTLED])
def test_every_word_for_how_sure_a_moment_is_has_a_note(word):
    assert 'href="/help/glossary/#' in term(word)


@pytest.mark.parametrize("metric", [*METRICS, OUTCOME_METRIC])
def test_every_metric_has_a_note(metric):
    assert f">{metric_label(metric)}</button>" in metric_term(metric)


def test_metric_of_its_own_is_its_plain_name():
    assert metric_term("battery_mah") == "battery_mah"


def test_term_that_the_glossary_lacks_fails_loudly():
    with pytest.raises(KeyError, match=r"docs/glossary\.md"):
        term("flux")


def test_every_term_of_every_template_is_in_the_glossary():
    used = {(path.name, "".join(name)) for path in TEMPLATES for name in USED.findall(path.read_text())}

    assert len(used) > 30
    assert [(path, name) for path, name in used - BY_NAME if not _is_known(name)] == []


@pytest.mark.parametrize("found", all_terms(), ids=lambda found: found.name)
def test_note_of_a_term_is_short_and_a_sentence(found):
    assert 20 < len(found.text) < 260
    assert found.text.endswith(".")
    assert found.text[0].isupper() or found.text.startswith("p")


def _is_known(name):
    try:
        return bool(term_called(name))
    except KeyError:
        return False
