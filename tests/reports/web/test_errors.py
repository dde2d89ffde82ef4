import pytest
from django.template.loader import render_to_string
from django.test import Client


def test_unknown_address_says_so_and_leads_back(signed_in):
    answer = signed_in.get("/no/such/page/")

    assert answer.status_code == 404
    assert "Nothing at this address" in answer.content.decode()
    assert "Resolver404" not in answer.content.decode()


def test_error_page_leads_back_to_the_page_before_if_it_is_ours(signed_in):
    ours = signed_in.get("/no/such/page/", headers={"referer": "http://testserver/runs/?q=a&b"}).content.decode()
    foreign = signed_in.get("/no/such/page/", headers={"referer": "https://elsewhere.example/"}).content.decode()

    assert 'href="http://testserver/runs/?q=a&amp;b">Back' in ours
    assert "Back" not in foreign
    assert "elsewhere" not in foreign


def test_form_without_its_token_says_what_to_do(engineer):
    client = Client(enforce_csrf_checks=True)
    client.force_login(engineer)

    answer = client.post("/runs/retry/")

    assert answer.status_code == 403
    assert "The form is too old" in answer.content.decode()


@pytest.mark.parametrize("name", ["400.html", "403.html", "500.html"])
def test_error_pages_stand_without_a_request_or_a_database(name):
    page = render_to_string(name)

    assert name.removesuffix(".html") in page
    assert "To the first page" in page
    assert 'href="/help/"' in page
