import pytest
from django.core.exceptions import ImproperlyConfigured

from upreg_site import env
from upreg_site.secret import local_secret_key


@pytest.mark.parametrize(("word", "expected"), [("1", True), ("yes", True), ("OFF", False), ("0", False)])
def test_flag_known_word_is_read(monkeypatch, word, expected):
    monkeypatch.setenv("UPREG_X", word)

    assert env.flag("X", not expected) is expected


def test_flag_unknown_word_names_the_variable(monkeypatch):
    monkeypatch.setenv("UPREG_X", "perhaps")

    with pytest.raises(ImproperlyConfigured, match="UPREG_X='perhaps'"):
        env.flag("X", True)


@pytest.mark.parametrize("word", ["many", "1.5", "0"])
def test_integer_bad_value_names_the_variable(monkeypatch, word):
    monkeypatch.setenv("UPREG_X", word)

    with pytest.raises(ImproperlyConfigured, match="UPREG_X="):
        env.integer("X", 3, least=1)


def test_unset_variable_gives_the_default(monkeypatch):
    monkeypatch.setenv("UPREG_X", "")

    assert (env.flag("X", True), env.integer("X", 3), env.words("X", ["a"])) == (True, 3, ["a"])


def test_words_are_split_and_stripped(monkeypatch):
    monkeypatch.setenv("UPREG_X", "a.example, b.example ,")

    assert env.words("X", []) == ["a.example", "b.example"]


def test_secret_key_is_random_kept_and_private(tmp_path):
    first = local_secret_key(tmp_path / "one")

    assert local_secret_key(tmp_path / "one") == first
    assert local_secret_key(tmp_path / "two") != first
    assert (tmp_path / "one").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("word", ["upreg.example", "ftp://upreg.example", "https://", "https://a b"])
def test_address_that_is_none_names_the_variable(monkeypatch, word):
    monkeypatch.setenv("UPREG_X", word)

    with pytest.raises(ImproperlyConfigured, match=r"UPREG_X=.* is no address"):
        env.address("X", "http://localhost")


def test_address_ends_without_a_slash(monkeypatch):
    monkeypatch.setenv("UPREG_X", "https://lab.example/upreg/")

    assert env.address("X", "http://localhost") == "https://lab.example/upreg"
