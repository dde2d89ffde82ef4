"""What every address of the API has in common: logins, refusals, its description, its page."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from reports.api.docs import description
from reports.api.schema import ROOT
from tests import factories

pytestmark = pytest.mark.django_db
RUNS = "/api/v1/runs/"
PROBLEM = "application/problem+json"
IN_PATH = (
    "?id",
    "?name",
    "?package",
    "?base",
    "?new",
    "?interaction",
)  # which the outermost bounds of any request bound
KEYS = {"type", "title", "status", "detail", "errors", "cure", "request_id"}


def problem(answer, status):
    assert (answer.status_code, answer["Content-Type"]) == (status, PROBLEM)
    found = answer.json()
    assert found.keys() >= KEYS
    assert (found["status"], bool(found["title"]), bool(found["detail"])) == (status, True, True)
    return found


def test_nobody_is_asked_to_log_in():
    answer = Client().get(RUNS)

    assert "Your account, API tokens" in problem(answer, 401)["cure"]
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_session_does_what_its_role_may_with_the_token_of_a_form_alone(engineer):
    run, browser = factories.run(), Client(enforce_csrf_checks=True)
    browser.force_login(engineer)

    assert browser.get(RUNS).status_code == 200
    refused = browser.post(f"{RUNS}{run.pk}/exclude/", {"reason": "x"}, content_type="application/json")
    assert "CSRF" in problem(refused, 403)["detail"]


def test_a_scope_that_does_not_suffice_is_named(script):
    answer = script("read", "admin").post(f"{RUNS}1/retry/", {}, content_type="application/json")

    found = problem(answer, 403)
    assert found["detail"] == "This token may not have runs measured again: make one with the scope triage."
    assert (found["refused"], answer["X-Refused"]) == ("retry", "retry")


def test_a_role_that_does_not_suffice_is_named_whatever_the_scope(script, django_user_model):
    viewer = django_user_model.objects.create_user(username="ada")

    answer = script("triage", of=viewer).post(f"{RUNS}1/retry/", {}, content_type="application/json")

    assert problem(answer, 403)["detail"].startswith("Triagers, policy owners and administrators may")


@pytest.mark.parametrize(
    ("method", "path", "sent", "kind", "status"),
    [
        ("delete", RUNS, "", "", 405),
        ("post", f"{RUNS}1/exclude/", "{", "application/json", 400),
        ("post", f"{RUNS}1/exclude/", "[" * 100_000, "application/json", 400),
        ("post", f"{RUNS}1/exclude/", "1" * 5000, "application/json", 400),
        ("post", f"{RUNS}1/exclude/", "[]", "application/json", 422),
        ("post", f"{RUNS}1/exclude/", '{"reason": "x"}', "text/csv", 415),
        ("post", f"{RUNS}1/exclude/", " " * 2_500_001, "application/json", 413),
        ("get", f"{RUNS}99999999999999999999/", "", "", 404),
        ("get", "/api/v1/no-such-thing/", "", "", 404),
    ],
)
def test_every_refusal_is_a_problem_with_its_cure(script, method, path, sent, kind, status):
    answer = script("triage").generic(method.upper(), path, sent, content_type=kind or "application/octet-stream")

    problem(answer, status)


def test_what_an_address_takes_stands_in_allow(script):
    assert "GET" in script("read").delete(RUNS)["Allow"]


def test_another_form_than_json_is_not_offered(script):
    problem(script("read").get(RUNS, headers={"accept": "application/xml"}), 406)


def test_the_description_names_every_address_and_is_sent_once(script):
    client = script("read")

    answer = client.get("/api/v1/schema/")
    known = client.get("/api/v1/schema/", headers={"if-none-match": answer["ETag"]})

    paths = answer.json()["paths"]
    assert {f"{ROOT}runs/", f"{ROOT}runs/{{id}}/exclude/", f"{ROOT}versions/{{name}}/"} <= paths.keys()
    assert all(path.startswith(ROOT) for path in paths)
    assert known.status_code == 304


def test_every_operation_says_how_it_refuses_and_how_to_log_in():
    found, _ = description()

    for methods in found["paths"].values():
        for operation in methods.values():
            assert {"401", "403", "429"} <= operation["responses"].keys()
            assert {"token": []} in operation["security"]
            assert operation["description"]


def _inputs(found):
    """Yield the name and the schema of everything that can be sent."""
    for path, methods in found["paths"].items():
        for operation in methods.values():
            for row in operation.get("parameters", []):
                yield f"{path}?{row['name']}", row["schema"]
            for body in operation.get("requestBody", {}).get("content", {}).values():
                yield from _inside(found, path, body["schema"])


def _inside(found, name, schema):
    for part in [schema, *schema.get("allOf", []), *schema.get("oneOf", [])]:
        if "$ref" in part:
            part = found["components"]["schemas"][part["$ref"].rpartition("/")[2]]
        yield name, part
        for field, inner in part.get("properties", {}).items():
            yield from _inside(found, f"{name}:{field}", inner)


def _is_bounded(schema):
    if schema.get("type") == "string":
        return bool({"maxLength", "enum", "format"} & schema.keys())
    return schema.get("type") not in ("integer", "number") or {"minimum", "maximum"} <= schema.keys()


def test_everything_that_can_be_sent_has_a_bound():
    found, _ = description()
    texts = {name for name, schema in _inputs(found) if schema.get("type") == "string"}

    open_ended = [name for name, schema in _inputs(found) if not (name.endswith(IN_PATH) or _is_bounded(schema))]

    assert len(texts) > 10
    assert open_ended == []


def test_the_page_lists_every_address_without_scripts_and_asks_no_other_server(signed_in):
    page = signed_in.get("/api/v1/docs/").content.decode()

    found, _ = description()
    missing = [path for path in found["paths"] if f"<code>{path}</code>" not in page]
    assert missing == []
    assert "//" not in page.replace("http://testserver", "").replace("https://www.w3.org", "").split("<main")[1]


def test_the_description_needs_no_request(db):
    json.dumps(description()[0])
    assert reverse("api:runs-list") == RUNS
