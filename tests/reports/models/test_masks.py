"""Masks that no measurement takes are refused where people enter them: in the admin's forms."""

import json

import pytest

from reports.models import App, Device
from tests import factories

pytestmark = pytest.mark.django_db
BAR = {"name": "status bar", "x0": 0, "y0": 0, "x1": 1, "y1": 0.04, "unit": "fraction"}


@pytest.fixture
def save(admin_client):
    """Save the form of a device with these masks as text; returns the answer."""
    device = factories.device("Pixel 9")

    def _save(text):
        form = {"name": device.name, "refresh_hz": "60", "masks": text}
        return admin_client.post(f"/admin/reports/device/{device.pk}/change/", form)

    return _save


@pytest.mark.parametrize("text", [json.dumps([BAR]), "[]", "", "null"])
def test_good_masks_and_none_at_all_are_saved(save, text):
    assert save(text).status_code == 302
    assert Device.objects.get().masks == ([BAR] if "bar" in text else [])


@pytest.mark.parametrize(
    ("masks", "words"),
    [
        ([BAR | {"y1": 200}], "did you mean unit px?"),
        ([BAR | {"x0": 1}], "x0 &lt; x1"),
        ([BAR, "notch"], "mask 2 is"),
        ([{"name": "notch"}], "lacks x0, y0, x1, y1"),
        (BAR, "masks are no list"),
    ],
)
def test_a_wrong_mask_is_refused_beside_its_field(save, masks, words):
    answer = save(json.dumps(masks))
    assert answer.status_code == 200
    assert words in answer.context["errors"].as_text() or words in answer.content.decode()
    assert list(answer.context["adminform"].form.errors) == ["masks"]
    assert Device.objects.get().masks == []


def test_other_wrong_fields_are_told_with_the_masks(save, admin_client):
    form = {"name": "a/b", "refresh_hz": "0", "masks": '["notch"]'}
    answer = admin_client.post("/admin/reports/device/add/", form)
    assert sorted(answer.context["adminform"].form.errors) == ["masks", "name", "refresh_hz"]


@pytest.mark.parametrize("kind", ["app", "interaction"])
def test_apps_and_interactions_refuse_them_too(kind, admin_client):
    found = factories.interaction() if kind == "interaction" else factories.app()
    address = f"/admin/reports/{kind}/{found.pk}/change/"
    form = admin_client.get(address).context["adminform"].form
    values = {name: value for name, value in form.initial.items() if value is not None}
    answer = admin_client.post(address, values | {"masks": '["notch"]'})
    assert list(answer.context["adminform"].form.errors) == ["masks"]


def test_an_app_with_a_wrong_mask_can_still_be_marked_in_the_list(admin_client):
    app = factories.app()
    App.objects.update(masks=["notch"])
    rows = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": app.pk, "form-0-critical": "on"}
    answer = admin_client.post("/admin/reports/app/", rows | {"_save": "Save"})
    assert answer.status_code == 302
    app.refresh_from_db()
    assert app.critical
