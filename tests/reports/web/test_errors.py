import pytest
from django.test import Client, RequestFactory

from reports.web.problems import problem


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

    page = answer.content.decode()
    assert answer.status_code == 403
    assert "Your browser sent no cookie" in page
    assert "Nothing was changed. Load the page again" in page
    client.cookies["csrftoken"] = "x" * 32
    assert "You have logged in or out since" in client.post("/runs/retry/").content.decode()


def test_address_that_takes_forms_only_says_so_in_place_of_an_empty_page(signed_in):
    answer = signed_in.get("/runs/retry/")

    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This address does not take that" in answer.content.decode()


def test_mistake_of_ours_is_told_with_the_number_that_stands_in_the_log(signed_in, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("reports.accounts.views.my_sessions", fail)
    signed_in.raise_request_exception = False

    page = signed_in.get("/account/")
    told = signed_in.get("/account/", headers={"accept": "application/json"})

    number = page["X-Request-ID"]
    assert (page.status_code, told.status_code) == (500, 500)
    assert f'<code class="request">{number}</code>' in page.content.decode()
    assert (told.json()["request_id"], told.json()["status"]) == (told["X-Request-ID"], 500)
    assert "ZeroDivisionError" not in page.content.decode() + told.content.decode()


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("get", "/no/such/page/", {"accept": "application/json"}, 404),
        ("get", "/api/no/such/", {}, 404),
        ("get", "/runs/retry/", {"x-requested-with": "fetch"}, 405),
        ("get", "/runs/?q=%00", {"accept": "application/json"}, 400),
        ("get", f"/{'x' * 3000}", {"accept": "application/json"}, 414),
        ("post", "/runs/retry/", {"accept": "application/json"}, 403),
    ],
)
def test_script_is_answered_with_a_problem_it_can_read(engineer, method, path, headers, status):
    client = Client(enforce_csrf_checks=True)
    client.force_login(engineer)

    answer = getattr(client, method)(path, headers=headers)

    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    found = answer.json()
    assert (found["status"], found["request_id"]) == (status, answer["X-Request-ID"])
    assert found["title"]
    assert found["detail"]


@pytest.mark.parametrize("status", [400, 404, 405, 500, 503])
def test_error_pages_stand_without_a_session_or_a_database(status):
    page = problem(RequestFactory().get("/"), status, text="x" if status == 404 else "").content.decode()

    assert str(status) in page
    assert "To the first page" in page
    assert 'href="/help/"' in page
