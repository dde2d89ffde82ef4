import json

import pytest
from django.urls import reverse

from analysis.gate.reasons import FAIL
from reports.comparing.standing import rules_now, standing
from reports.models import App, Comparison, Device, Interaction, Run, RunStatus
from reports.policies.selectors import EVERYTHING
from tests import factories

pytestmark = pytest.mark.django_db
LIST_QUERIES = {"apps": 8, "devices": 6, "interactions": 6}
PAGE_QUERIES = 7
AREA = {"name": "clock", "left": "80", "top": "0", "width": "20", "height": "4", "again": "on"}


@pytest.fixture
def run():
    """Return a run of the Mail app."""
    return factories.run(of=factories.interaction("open inbox"))


def _address(kind, run):
    if kind == "app":
        return reverse("app-edit", args=[run.interaction.app.package])
    return reverse(f"catalogue-{kind}", args=[run.device_id if kind == "device" else run.interaction_id])


def _pk(kind, run):
    return {"app": run.interaction.app_id, "device": run.device_id, "interaction": run.interaction_id}[kind]


@pytest.mark.parametrize("section", LIST_QUERIES)
def test_list_without_rows_says_how_to_get_them(signed_in, section):
    assert "import_runs" in signed_in.get(reverse(section)).content.decode()


@pytest.mark.parametrize("section", LIST_QUERIES)
def test_list_takes_a_constant_number_of_queries(signed_in, section, run, django_assert_num_queries):
    with django_assert_num_queries(LIST_QUERIES[section]):
        signed_in.get(reverse(section))
    for number in range(60):
        app = factories.app(f"App {number}")
        factories.run(of=factories.interaction("open", of=app), on=factories.device(f"phone {number}"))
    with django_assert_num_queries(LIST_QUERIES[section]):
        page = signed_in.get(reverse(section)).content.decode()
    assert "1–50 of 61" in page


def test_lists_find_by_every_word_and_filter(signed_in, run):
    feed = factories.app("Feed", category="social", critical=True)
    factories.run(of=factories.interaction("fling", type="scroll", of=feed), on=factories.device("tablet", 120.0))

    def shown(section, **query):
        return [str(row.row) for row in signed_in.get(reverse(section), query).context["rows"]]

    assert shown("apps") == ["Feed", "Mail"]
    assert shown("apps", q="example mail") == ["Mail"]
    assert shown("apps", category="social") == ["Feed"]
    assert shown("apps", critical="on") == ["Feed"]
    assert shown("devices", q="tab") == ["tablet (120 Hz)"]
    assert shown("interactions", q="inbox mail") == ["Mail · open inbox"]
    assert shown("interactions", type="scroll") == ["Feed · fling"]
    assert "No app fits" in signed_in.get(reverse("apps"), {"q": "zz"}).content.decode()


def test_lists_count_runs_and_interactions(signed_in, run):
    factories.run(of=run.interaction, status=RunStatus.FAILED)

    page = signed_in.get(reverse("apps"))

    [row] = page.context["rows"]
    assert (row.interactions, row.counts.runs, row.counts.done, row.counts.failed) == (1, 2, 1, 1)
    assert "?app=org.example.mail&amp;status=failed" in page.content.decode()


@pytest.mark.parametrize("kind", ["app", "device", "interaction"])
def test_page_takes_a_constant_number_of_queries(signed_in, kind, run, django_assert_num_queries):
    with django_assert_num_queries(PAGE_QUERIES + (kind == "device")):  # what its recordings show of its bars
        signed_in.get(_address(kind, run))


def test_pages_of_what_there_is_not_are_not_found(keeper):
    for address in ("/apps/no.such/edit/", "/devices/9/", "/interactions/9/"):
        assert keeper.get(address).status_code == 404
    assert keeper.post("/catalogue/galaxy/1/areas/", AREA).status_code == 404
    assert keeper.post("/catalogue/app/9/again/").status_code == 404


def test_app_that_becomes_critical_turns_the_gate_at_once(keeper, compared, django_capture_on_commit_callbacks):
    App.objects.update(critical=False)
    app = App.objects.get(package="org.example.mail")

    with django_capture_on_commit_callbacks(execute=True):
        keeper.post(reverse("app-critical", args=[app.pk]), {"critical": "1", "back": "/apps/?q=mail"})

    comparison = Comparison.objects.get()
    assert App.objects.get(pk=app.pk).critical
    assert standing(comparison, EVERYTHING, rules_now()).decision == FAIL
    assert (comparison.fingerprint, comparison.status) == ("", "pending")
    assert "Marked as critical" in keeper.get(reverse("app-edit", args=[app.package])).content.decode()


def test_app_is_saved_with_what_changed(keeper, run):
    app = run.interaction.app
    values = {"name": "Post", "category": "talk", "critical": ""}

    answer = keeper.post(reverse("app-save", args=[app.pk]), values, follow=True)

    app.refresh_from_db()
    assert (app.name, app.category, app.critical) == ("Post", "talk", False)
    page = answer.content.decode()
    assert "Name changed from “Mail” to “Post”" in page
    answer = keeper.post(reverse("app-save", args=[app.pk]), {"name": "", "category": "kept"})
    page = answer.content.decode()
    assert (answer.status_code, "This field is required" in page, 'value="kept"' in page) == (422, True, True)


def test_interaction_is_saved_and_another_type_says_how_runs_it_concerns(keeper, run):
    address = reverse("interaction-save", args=[run.interaction_id])
    assert "measure 1" in keeper.get(_address("interaction", run)).content.decode()

    answer = keeper.post(address, {"scenario": "tap the first mail", "type": "tap"}, follow=True)
    assert "is saved." in answer.content.decode()
    answer = keeper.post(address, {"scenario": "tap the first mail", "type": "launch", "again": "on"}, follow=True)

    assert "1 run will be measured again" in answer.content.decode()
    assert Interaction.objects.get().type == "launch"
    assert Run.objects.get().status == RunStatus.PENDING
    answer = keeper.post(address, {"scenario": "kept", "type": "pinch"})
    assert (answer.status_code, "kept" in answer.content.decode()) == (422, True)


@pytest.mark.parametrize("kind", ["app", "device", "interaction"])
def test_areas_are_added_and_removed_by_numbers(keeper, run, kind):
    names = [reverse(f"catalogue-area-{do}", args=[kind, _pk(kind, run)]) for do in ("add", "remove")]

    page = keeper.post(names[0], AREA, follow=True).content.decode()

    assert "clock is no longer judged; 1 run will be measured again." in page
    assert "upper right, about 20 × 4 % of the screen" in page
    assert Run.objects.get().status == RunStatus.PENDING
    mask = {"name": "clock", "x0": 0.8, "y0": 0.0, "x1": 1.0, "y1": 0.04, "unit": "fraction"}
    page = keeper.post(names[1], {"mask": json.dumps(mask)}, follow=True).content.decode()
    assert "The area is judged again. 1 run keeps its numbers until measured again." in page
    wrong = keeper.post(names[0], AREA | {"width": "50", "name": "kept name"})
    assert (wrong.status_code, "past the right edge" in wrong.content.decode()) == (422, True)
    assert "kept name" in wrong.content.decode()
    assert "not known" in keeper.post(names[1], {"mask": "[["}, follow=True).content.decode()


def test_all_runs_are_measured_again_when_asked_for(keeper, run):
    factories.run(of=run.interaction)

    page = keeper.post(reverse("catalogue-again", args=["device", run.device_id]), follow=True).content.decode()

    assert "2 runs will be measured again." in page
    assert Run.objects.filter(status=RunStatus.PENDING).count() == 2


def test_who_may_not_change_the_catalogue_reads_and_is_refused(signed_in, run):
    for kind in ("app", "device", "interaction"):
        page = signed_in.get(_address(kind, run)).content.decode()
        assert "Do not judge this area" not in page
        for name in ("catalogue-area-add", "catalogue-area-remove", "catalogue-again"):
            assert signed_in.post(reverse(name, args=[kind, _pk(kind, run)]), AREA).status_code == 403
    assert signed_in.post(reverse("app-save", args=[run.interaction.app_id])).status_code == 403
    assert signed_in.post(reverse("app-critical", args=[run.interaction.app_id])).status_code == 403
    assert signed_in.post(reverse("interaction-save", args=[run.interaction_id])).status_code == 403
    assert Device.objects.get().masks == []


def test_an_app_marked_in_the_admin_turns_the_gate_as_well(
    client, compared, django_user_model, django_capture_on_commit_callbacks
):
    client.force_login(django_user_model.objects.create_superuser(username="boss", password="only-for-tests"))
    App.objects.update(critical=False)
    app = App.objects.get(package="org.example.mail")
    values = {"package": app.package, "name": app.name, "category": app.category, "critical": "on", "masks": "[]"}

    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("admin:reports_app_change", args=[app.pk]), values)

    assert standing(Comparison.objects.get(), EVERYTHING, rules_now()).decision == FAIL
    assert Comparison.objects.get().fingerprint == ""
