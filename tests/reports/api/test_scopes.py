"""Scopes of the gate through the API."""

import pytest

from reports.models import Scope
from reports.policies.services import save_scope

pytestmark = pytest.mark.django_db
SCOPES = "/api/v1/scopes/"


def put(client, name, **sent):
    return client.put(f"{SCOPES}{name}/", sent, content_type="application/json")


def test_a_scope_is_saved_read_and_deleted(signed_in, compared):
    made = put(signed_in, "swipes", interaction_types=["scroll", "swipe"])
    again = put(signed_in, "swipes", apps=["org.example.mail"], interaction_types=["scroll"])

    assert (made.status_code, again.status_code) == (201, 200)
    found = signed_in.get(f"{SCOPES}swipes/").json()
    assert found == {
        "name": "swipes", "apps": ["org.example.mail"], "interaction_types": ["scroll"],
        "seen": "scroll org.example.mail",
    }  # fmt: skip
    assert signed_in.get(SCOPES).json()["results"] == [found]
    assert signed_in.get("/api/v1/comparisons/13.0.9/13.0.13/gate/?scope=swipes").json()["decided"] == 0
    assert signed_in.delete(f"{SCOPES}swipes/").status_code == 204
    assert signed_in.delete(f"{SCOPES}swipes/").status_code == 404


def test_what_somebody_saved_since_is_not_overwritten(signed_in, compared):
    save_scope(name="swipes", interaction_types=["swipe"])

    refused = put(signed_in, "swipes", interaction_types=["tap"], seen="")

    assert (refused.status_code, "all apps and swipe" in refused.json()["detail"]) == (409, True)
    assert Scope.objects.get().interaction_types == ["swipe"]
    assert put(signed_in, "swipes", interaction_types=["tap"], seen="swipe").status_code == 200


@pytest.mark.parametrize(
    ("field", "sent"),
    [
        ("apps", {"apps": ["org.example.none"]}),
        ("apps", {}),
        ("apps.0", {"apps": [7]}),
        ("interaction_types.0", {"interaction_types": ["press"]}),
        ("types", {"types": ["tap"]}),
    ],
)
def test_what_is_wrong_is_named_by_its_field(signed_in, compared, field, sent):
    answer = put(signed_in, "part", **sent)

    assert (answer.status_code, [row["field"] for row in answer.json()["errors"]]) == (422, [field])
    assert not Scope.objects.exists()
