import pytest
from django.urls import get_resolver, reverse
from django.urls.converters import UUIDConverter

OPEN_TO_ALL = {"login", "forgotten", "account-reset", "notices-off", "sign-on", "sign-on-back", "logout", "favicon"}
UUID = "00000000-0000-0000-0000-000000000000"
ARGUMENTS = {
    "base": "13.0.9",
    "new": "13.0.13",
    "app": "org.example.mail",
    "interaction": "open inbox",
    "pk": 1,
    "run_id": 1,
    "time_us": 0,
    "base_run": 1,
    "new_run": 2,
    "kind": "markdown",
}


def _addresses():
    """Yield (name, address) of every named page outside the admin."""
    for name, entries in get_resolver().reverse_dict.lists():
        if isinstance(name, str) and name not in OPEN_TO_ALL:
            _, parameters = entries[0][0][0]
            kinds = {parameter: type(kind) for parameter, kind in entries[0][3].items()}
            yield name, [UUID if kinds[each] is UUIDConverter else ARGUMENTS.get(each, 1) for each in parameters]


@pytest.mark.django_db
def test_every_page_sends_a_stranger_to_the_login(client):
    answers = {name: client.get(reverse(name, args=arguments)) for name, arguments in _addresses()}

    assert len(answers) > 100
    assert {name for name, answer in answers.items() if answer.status_code not in (302, 401, 403)} == set()
    led = {name: answer.url for name, answer in answers.items() if answer.status_code == 302}
    assert {name: url for name, url in led.items() if not url.startswith("/login/?next=")} == {}


@pytest.mark.django_db
def test_login_page_shows_the_reason_of_a_refusal(client):
    answer = client.post("/login/", {"username": "nobody", "password": "wrong"})

    assert answer.status_code == 200
    assert "correct username and password" in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.django_db
def test_login_leads_back_to_the_page_asked_for(client, engineer):
    answer = client.post(
        "/login/?next=/runs/", {"username": "engineer", "password": "only-for-tests", "next": "/runs/"}
    )

    assert answer.url == "/runs/"


def test_logout_needs_a_post(signed_in):
    assert signed_in.get("/logout/").status_code == 405
    assert signed_in.post("/logout/").url == "/login/"
