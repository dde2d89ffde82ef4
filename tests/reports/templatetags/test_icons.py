import pytest

from reports.templatetags.icons import icon


def test_icon_beside_words_is_not_read_aloud():
    assert 'aria-hidden="true"' in icon("close")


def test_icon_that_stands_alone_has_a_name():
    assert 'role="img" aria-label="Close"' in icon("close", "Close")


def test_icon_that_is_not_drawn_fails_loudly():
    with pytest.raises(KeyError):
        icon("unicorn")
