import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.names import fault_of_name, harmless, tidy_name

HIDING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\u2060\ufeff\u2028\u2029"


@pytest.mark.parametrize(
    "name",
    [
        "Mail",
        "13.0.12-rc1",
        "Überblick & Co: „Fotos“ (β)",
        "דואר אלקטרוני",
        "البريد",
        "می\u200cخواهم",  # Persian: the joiner is part of the word
        "क्\u200dष",  # Devanagari: it follows a virama
        "👩\u200d👩\u200d👧\u200d👦 family",
        "👩\U0001f3fd\u200d💻",
        "Phở bò, Việt Nam",
        "メール",
        "שָׁלוֹם",
    ],
)
def test_names_of_all_scripts_are_kept(name):
    assert fault_of_name(tidy_name(name)) == ""


@pytest.mark.parametrize(
    "sign", [*HIDING, "\0", "\t", "\n", "\x1b", "\x7f", "\x85", "\u3164", "\u2800", "\ud800", "\ue000"]
)
def test_names_with_what_hides_or_moves_are_refused_with_its_place(sign):
    fault = fault_of_name(f"Ma{sign}il")

    assert f"U+{ord(sign):04X}" in fault
    assert "at character 3" in fault
    assert "leave it out" in fault


@pytest.mark.parametrize("name", ["a\u200db", "\u200dMail", "Mail\u200c", "Ma\u200cil"])
def test_joiners_where_no_script_needs_them_are_refused(name):
    assert "shows nothing" in fault_of_name(name)


def test_floods_of_marks_are_refused():
    assert "marks on one letter" in fault_of_name(tidy_name("Ma" + "\u0301\u0488" * 20 + "il"))


def test_names_that_look_alike_are_one():
    assert tidy_name("Cafe\u0301  Mail\u00a0 ") == "Café Mail"
    assert tidy_name("a\u2003b") == tidy_name(" a b ")


def test_texts_are_shown_without_what_hides_and_keep_their_lines():
    assert harmless(f"one\ntwo\t{HIDING}") == "one\ntwo\t" + "\ufffd" * len(HIDING)
    assert harmless("می\u200cخواهم 👩\u200d👧") == "می\u200cخواهم 👩\u200d👧"


@given(st.text())
def test_what_is_shown_hides_nothing_and_can_stand_in_xml(text):
    shown = harmless(text)

    assert all(unicodedata.category(sign) != "Cs" and sign not in HIDING for sign in shown)
    assert not any(ord(sign) < 32 and sign not in "\t\n\r" for sign in shown)
    assert harmless(shown) == shown


@given(st.text())
def test_a_tidy_name_stays_as_it_is(text):
    assert tidy_name(tidy_name(text)) == tidy_name(text)
