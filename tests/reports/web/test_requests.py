import pytest
from django.http import HttpResponse

from reports.web.requests import clean_address, number_of


@pytest.fixture
def ask(rf):
    """Return a function that asks a view behind clean_address where it leads, "" if it answers itself."""
    view = clean_address(lambda request, pk: HttpResponse(f"run {pk}"))
    return lambda query: view(rf.get(f"/runs/?{query}"), pk=1).headers.get("Location", "")


def test_an_address_with_empty_keys_leads_to_the_one_without(ask):
    assert ask("q=&status=failed&app=&version=13.0+beta") == "/runs/?status=failed&version=13.0+beta"
    assert ask("q=&status=") == "/runs/"
    assert ask("type=tap&type=&type=scroll") == "/runs/?type=tap&type=scroll"


def test_a_clean_address_is_answered(ask):
    assert ask("") == ""
    assert ask("q=0&status=failed") == ""


@pytest.mark.parametrize("path", ["/compare/13.0.9/13.0.13/", "/compare/13.0.9/13.0.13/gate/", "/runs/"])
def test_filter_forms_without_a_script_end_at_a_clean_address(signed_in, compared, path):
    answer = signed_in.get(path + "?q=&device=&sort=-delta", follow=True)

    assert answer.redirect_chain == [(path + "?sort=-delta", 302)]
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("1204", 1204), ("", None), (None, None), ("-1", None), ("²", None), ("9" * 18, None)],
)
def test_number_of_an_address_is_whole_and_fits_a_column(text, number):
    assert number_of(text) == number
