import pytest

from reports.models import AuditEntry
from tests import factories

PLACES = ["/admin/", "/admin/reports/app/", "/admin/login/"]


@pytest.mark.parametrize("address", PLACES)
def test_admin_tells_someone_without_permission_who_may_enter(signed_in, address):
    answer = signed_in.get(address, follow=True)

    page = answer.content.decode()
    assert answer.status_code == 403
    assert "Administrators may look into what is stored" in page
    assert "You are a policy owner." in page
    assert "To the first page" in page
    assert "Django" not in page


@pytest.mark.parametrize("address", PLACES)
def test_admin_sends_a_stranger_to_our_login_and_back(client, db, address):
    answer = client.get(address, follow=True)

    last, _ = answer.redirect_chain[-1]
    back = "/admin/" if address == "/admin/login/" else address
    assert last == f"/login/?next={back}"
    assert "Will people feel this update?" in answer.content.decode()


def test_admin_stays_open_to_operators(admin_client):
    assert "UPReg administration" in admin_client.get("/admin/").content.decode()
    assert admin_client.get("/admin/login/").url == "/admin/"
    assert admin_client.get("/admin/reports/osversion/").status_code == 200


def test_what_keeps_no_changes_cannot_be_changed_there(admin_client, admin_user):
    for place in ("auth/user/add/", "auth/group/add/", "django_q/schedule/add/", "django_q/ormq/add/"):
        assert admin_client.get(f"/admin/{place}").status_code == 403
    person = f"/admin/auth/user/{admin_user.pk}"
    change = admin_client.post(f"{person}/change/", {"username": "other"})
    delete = admin_client.post(f"{person}/delete/", {"post": "yes"})
    password = admin_client.post(f"{person}/password/", {"password1": "x", "password2": "x"})

    assert [answer.status_code for answer in (change, delete, password)] == [403, 403, 403]
    admin_user.refresh_from_db()
    assert admin_user.username == "admin"
    shown = {row["object_name"] for app in admin_client.get("/admin/").context["app_list"] for row in app["models"]}
    assert not shown & {
        "AuditEntry",
        "PolicyVersion",
        "Waiver",
        "GateRecord",
        "TriageEntry",
        "Correction",
        "RoleGrant",
    }


def test_what_is_changed_in_the_catalogue_there_is_kept(admin_client):
    mail = factories.app("Mail")
    values = {"package": mail.package, "name": "Post", "category": mail.category, "masks": "[]"}

    admin_client.post(f"/admin/reports/app/{mail.pk}/change/", values)
    admin_client.post(f"/admin/reports/app/{mail.pk}/delete/", {"post": "yes"})

    found = AuditEntry.objects.filter(action__in=["changed", "deleted"]).order_by("pk")
    kept = [(row.action, row.field, row.before, row.after, row.subject, row.who) for row in found]
    assert kept == [
        ("changed", "name", "Mail", "Post", "Post", "admin"),
        ("deleted", "", None, None, "Post", "admin"),
    ]


def test_a_pin_is_not_set_there_without_a_reason(admin_client):
    version = factories.os_version("13.0.12")

    admin_client.post(f"/admin/reports/osversion/{version.pk}/change/", {"name": "13.0.12", "pinned": "on"})

    version.refresh_from_db()
    assert version.pinned is False
