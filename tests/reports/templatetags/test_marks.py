import pytest

from analysis.measure import OUTCOMES
from analysis.verdicts.words import VERDICTS
from reports.measuring.evidence import OUTCOME_WORDS, outcome_words
from reports.templatetags import marks


@pytest.mark.parametrize(
    ("severity", "signs"), [("Minor", "▲"), ("Noticeable", "▲▲"), ("Severe", "▲▲▲"), ("Awful", "▲")]
)
def test_severity_has_word_and_sign_besides_its_colour(severity, signs):
    chip = marks.severity_chip(severity)

    assert f">{severity} <" in chip
    assert f">{signs}</span>" in chip


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_a_word_and_a_sign_of_its_own(verdict):
    others = {marks.verdict_chip(other) for other in VERDICTS} - {marks.verdict_chip(verdict)}

    assert len(others) == len(VERDICTS) - 1
    assert marks.verdict_word(verdict) != verdict


def test_a_severity_word_of_a_policy_cannot_smuggle_markup_in():
    assert "<b>" not in marks.severity_chip("<b>bad</b>")


@pytest.mark.parametrize(
    ("p", "words"), [(0.0001, "very sure"), (0.005, "sure"), (0.03, "fairly sure"), (0.05, "not sure"), (None, "")]
)
def test_sureness_says_a_p_value_in_plain_words(p, words):
    assert marks.sureness(p) == words


def test_every_outcome_of_the_measurement_has_words():
    assert set(OUTCOME_WORDS) >= set(OUTCOMES)
    assert outcome_words("decoder_gave_up") == "decoder gave up"
    assert outcome_words("") == "could not be measured"


def test_status_of_a_judged_run_is_its_outcome():
    assert ">no response<" in marks.status_mark("done", "no_response")
    assert ">failed<" in marks.status_mark("failed", "unreadable")
    assert "(excluded)" in marks.status_mark("done", "ok", True)


@pytest.mark.parametrize(
    ("share", "shade"), [(0.0, 0), (1.0, 10), (4.0, 20), (25.0, 50), (100.0, 100), (120.0, 100)]
)
def test_heat_grows_with_the_root_of_the_share(share, shade):
    assert marks.heat(share) == shade
