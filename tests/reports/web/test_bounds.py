import pytest

from reports.web.bounds import LONGEST_PATH, LONGEST_QUERY, LONGEST_VALUE, MOST_PARAMETERS, UNREAD
from tests import factories


def said(answer):
    return answer.content.decode()


def test_a_query_with_nul_is_refused_in_words(signed_in):
    answer = signed_in.get("/runs/?q=a%00b")

    assert answer.status_code == 400
    assert "q: holds a character that cannot be stored" in said(answer)


def test_a_form_with_nul_is_refused_by_the_name_of_its_field(signed_in):
    answer = signed_in.post("/gate/policy/save/", {"save_as": "a\0b"})

    assert answer.status_code == 400
    assert "save as: holds a character that cannot be stored" in said(answer)


def test_a_text_that_is_too_long_is_refused_by_the_name_of_its_field(signed_in):
    answer = signed_in.post("/gate/policy/save/", {"note": "x" * (LONGEST_VALUE + 1)})

    assert answer.status_code == 400
    assert "note: has 100,001 characters, and no field takes more than 100,000" in said(answer)


@pytest.mark.parametrize("path", ["/apps/" + "x" * LONGEST_PATH + "/", "/runs/?q=" + "x" * LONGEST_QUERY])
def test_an_address_that_is_too_long_is_refused(signed_in, path):
    answer = signed_in.get(path)

    assert answer.status_code == 414
    assert "The address is too long" in said(answer)


def test_an_address_with_too_many_parameters_is_refused(signed_in):
    answer = signed_in.get("/runs/?" + "a=1&" * MOST_PARAMETERS)

    assert answer.status_code == 400
    assert "more than 1,000 parameters" in said(answer)


def test_a_path_and_a_cookie_with_nul_are_refused(signed_in, client):
    assert signed_in.get("/apps/a%00b/").status_code == 400

    signed_in.cookies["sessionid"] = "a\0b"
    assert signed_in.get("/runs/").status_code == 400


@pytest.mark.parametrize("number", ["9223372036854775808", "9" * 30, "9" * 5000])
def test_a_number_that_no_row_has_is_not_there(signed_in, number):
    answer = signed_in.get(f"/runs/{number}/")

    assert answer.status_code in (404, 414)


def test_a_form_of_too_many_fields_or_bytes_says_the_bound(signed_in, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    many = signed_in.post("/runs/retry/", {str(number): "1" for number in range(9)})
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2_000_000
    large = signed_in.post("/runs/retry/", "note=" + "x" * 2_100_000, "application/x-www-form-urlencoded")

    assert (many.status_code, large.status_code) == (400, 400)
    assert "5 fields at most" in said(many)
    assert "2.0 MB at most" in said(large)


def test_a_request_for_another_host_is_refused_not_a_mistake_of_ours(signed_in):
    answer = signed_in.get("/runs/", headers={"host": "elsewhere.example"})

    assert answer.status_code == 400
    assert "To the first page" in said(answer)


@pytest.mark.parametrize("mask", ["[" * 19_000, '{"name": ' + "9" * 5000 + "}", "[" * 30_000])
def test_json_that_python_cannot_read_is_an_error_of_the_field(admin_client, mask):
    pk = factories.interaction().pk

    answer = admin_client.post(f"/catalogue/interaction/{pk}/areas/remove/", {"mask": mask}, follow=True)
    shown = admin_client.post(f"/admin/reports/interaction/{pk}/change/", {"name": "a", "masks": mask})

    assert "That area is not known" in said(answer)
    assert shown.status_code == 200
    assert ("Enter a valid JSON" in said(shown)) or ("Shorten this to 20,000 characters" in said(shown))


@pytest.mark.parametrize("back", ["1", "runs", "a:b", "//evil.example", "http://[::1"])
def test_a_form_leads_back_only_to_an_address(signed_in, back):
    answer = signed_in.post("/runs/retry/", {"back": back})

    assert (answer.status_code, answer.url) == (302, "/runs/")


@pytest.mark.parametrize(
    "path", ["/apps/?type=tap", "/devices/?category=1&critical=1", "/interactions/?critical=on"]
)
def test_a_filter_of_another_list_narrows_nothing(signed_in, path):
    assert signed_in.get(path).status_code == 200


def test_an_empty_field_to_go_to_is_no_mistake_of_the_admin(admin_client):
    pk = factories.app("Mail").pk

    assert admin_client.get(f"/admin/reports/app/{pk}/change/?_to_field=").status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/runs/", "/api/none/"])
def test_a_body_that_was_not_read_is_told_to_a_script_as_a_problem(client, settings, path):
    settings.REQUEST_MB = 7
    answer = client.post(path, **{UNREAD: True})

    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/problem+json")
    found = answer.json()
    assert "7 MB at most" in found["detail"]
    assert "in parts, by POST /api/v1/uploads/" in found["cure"]


def test_a_body_that_was_not_read_is_told_to_people_on_a_page(client):
    answer = client.post("/import/", **{UNREAD: True})

    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "text/html; charset=utf-8")
    text = answer.content.decode()
    assert "A request takes 16 MB at most. Send a larger file in parts, as the page Import does" in text
