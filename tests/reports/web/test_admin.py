import pytest

PLACES = ["/admin/", "/admin/reports/app/", "/admin/login/"]


@pytest.mark.parametrize("address", PLACES)
def test_admin_tells_someone_without_permission_who_may_enter(signed_in, address):
    answer = signed_in.get(address)

    page = answer.content.decode()
    assert answer.status_code == 403
    assert "for operators" in page
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
