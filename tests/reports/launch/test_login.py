import stat

import pytest
from django.contrib.auth import authenticate
from django.http import HttpRequest

from reports.launch.login import Login, ensure_login

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    return tmp_path / "login.txt"


def test_the_first_start_makes_a_login_that_works_and_keeps_it_private(file):
    login = ensure_login(file)
    user = authenticate(HttpRequest(), username=login.user, password=login.password)
    assert (user.username, user.is_superuser) == ("upreg", True)
    assert len(login.password) >= 12
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_that_others_could_read_is_closed_to_them(file):
    file.write_text("x")
    file.chmod(0o644)
    ensure_login(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_later_start_tells_the_same_login(file):
    assert ensure_login(file) == ensure_login(file)


def test_a_password_that_was_changed_is_neither_told_nor_reset(file, django_user_model):
    ensure_login(file)
    user = django_user_model.objects.get()
    user.set_password("chosen by a person")
    user.save()
    assert ensure_login(file) == Login("upreg", "")
    assert authenticate(HttpRequest(), username="upreg", password="chosen by a person")


def test_a_login_file_that_is_gone_resets_nothing(file):
    login = ensure_login(file)
    file.unlink()
    assert ensure_login(file) == Login("upreg", "")
    assert authenticate(HttpRequest(), username="upreg", password=login.password)


def test_no_login_is_made_where_people_have_their_own(file, engineer):
    assert ensure_login(file) is None
    assert not file.exists()
