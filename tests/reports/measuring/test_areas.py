import json

import pytest
from django.urls import reverse

from analysis.video.masks import Mask
from reports.access.services import set_role
from reports.audit.words import changes_of
from reports.measuring.areas import add_area, owners_of, remove_area, set_type
from reports.models import Comparison, Interaction, Role, Run, RunStatus
from tests import factories

pytestmark = pytest.mark.django_db
BAR = Mask("status bar", 0.0, 0.0, 1.0, 0.04)
FORM = {"name": "status bar", "left": "0", "top": "0", "width": "100", "height": "4", "again": "on"}


@pytest.fixture
def run():
    """Return a run of the Mail app with pictures, beside runs of another interaction and of another app."""
    found = factories.run(width_px=540, height_px=1170, duration_ms=2000.0)
    factories.run(of=factories.interaction("search"))
    factories.run(of=factories.interaction("like", of=factories.app("Feed")))
    return found


@pytest.fixture
def keeper(engineer):
    """Return an administrator, who may change the catalogue."""
    set_role(person=engineer, role=Role.ADMINISTRATOR, by=None)
    return type(engineer).objects.get(pk=engineer.pk)


def _waiting():
    return Run.objects.filter(status=RunStatus.PENDING).count()


def test_each_owner_says_how_runs_it_concerns(run):
    assert [(owner.key, owner.runs) for owner in owners_of(run)] == [("interaction", 1), ("app", 2), ("device", 3)]


def test_an_area_of_the_app_is_measured_again_in_all_its_runs(run, engineer):
    outcome = add_area(owner=run.interaction.app, mask=BAR, again=True, user=engineer)

    assert (outcome.concerned, outcome.again, _waiting()) == (2, 2, 2)
    assert run.interaction.app.masks == [BAR.as_dict()]
    assert changes_of(run.interaction.app)[0].words == "No longer judged: status bar; 2 runs measured again"


def test_an_area_is_kept_without_measuring_anything_if_that_was_not_asked_for(run, engineer):
    outcome = add_area(owner=run.device, mask=BAR, again=False, user=engineer)

    assert (outcome.changed, outcome.concerned, outcome.again, _waiting()) == (True, 3, 0, 0)


def test_an_area_is_judged_again_however_it_was_written(run, engineer):
    short = {key: value for key, value in BAR.as_dict().items() if key != "unit"}
    Interaction.objects.filter(pk=run.interaction_id).update(masks=[short, short])

    outcome = remove_area(owner=run.interaction, mask=BAR.as_dict(), again=True, user=engineer)

    assert (outcome.again, Interaction.objects.get(pk=run.interaction_id).masks) == (1, [short])


def test_area_that_is_gone_already_changes_nothing(run, engineer):
    assert not remove_area(owner=run.device, mask=BAR.as_dict(), again=True, user=engineer).changed
    assert (_waiting(), changes_of(run.device)) == (0, [])


def test_two_who_draw_at_once_both_get_their_area(run, engineer):
    first, second = Interaction.objects.get(pk=run.interaction_id), Interaction.objects.get(pk=run.interaction_id)

    add_area(owner=first, mask=BAR, again=False, user=engineer)
    add_area(owner=second, mask=Mask("clock", 0.8, 0.0, 1.0, 0.1), again=False, user=engineer)

    masks = Interaction.objects.get(pk=run.interaction_id).masks
    assert [mask["name"] for mask in masks] == ["status bar", "clock"]


def test_another_type_measures_again_and_counts_comparisons_anew(engineer, compared):
    interaction = Interaction.objects.get(name="like")

    outcome = set_type(interaction=interaction, type="launch", again=True, user=engineer)

    assert (outcome.again, _waiting()) == (16, 16)
    comparison = Comparison.objects.get()
    assert (comparison.fingerprint, comparison.stale, comparison.status) == ("", True, "done")
    with pytest.raises(ValueError, match="no type of interaction"):
        set_type(interaction=interaction, type="pinch", again=True, user=engineer)


def test_another_type_that_measures_nothing_counts_comparisons_anew_at_once(engineer, compared):
    interaction = Interaction.objects.get(name="like")

    outcome = set_type(interaction=interaction, type="swipe", again=False, user=engineer)

    assert (outcome.concerned, outcome.again, _waiting()) == (16, 0, 0)
    assert Comparison.objects.get().status == "pending"


def test_page_adds_and_removes_an_area(signed_in, keeper, run):
    address = reverse("run-area-add", args=[run.pk])

    answer = signed_in.post(address, FORM | {"owner": "interaction"}, follow=True)

    page = answer.content.decode()
    assert "1 run will be measured again" in page
    assert "across the upper part, about 100 × 4 % of the screen" in page
    assert "Interaction: no longer judged: status bar; 1 run measured again" in page
    mask = json.dumps(BAR.as_dict())
    signed_in.post(reverse("run-area-remove", args=[run.pk]), {"owner": "interaction", "mask": mask})
    assert Interaction.objects.get(pk=run.interaction_id).masks == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"name": ""}, "Say what is there."),
        ({"left": "50"}, "It goes past the right edge: at most 50 from there."),
        ({"top": "99"}, "It goes past the lower edge: at most 1 from there."),
        ({"width": "0"}, "greater than or equal to 0.1"),
        ({"height": "tall"}, "Enter a number"),
        ({"owner": "galaxy"}, "Select a valid choice"),
    ],
)
def test_page_says_beside_the_field_what_is_wrong_with_an_area(signed_in, keeper, run, changed, words):
    values = FORM | {"owner": "app", "name": "the clock"} | changed

    answer = signed_in.post(reverse("run-area-add", args=[run.pk]), values)

    page = answer.content.decode()
    assert (answer.status_code, words in page) == (422, True)
    assert ("the clock" in page) == (values["name"] == "the clock")
    assert _waiting() == 0


def test_who_may_not_change_the_catalogue_is_refused_and_told_so(signed_in, run):
    page = signed_in.get(reverse("run-detail", args=[run.pk])).content.decode()

    assert "Administrators can set them." in page
    assert 'id="area-form"' not in page
    values = FORM | {"owner": "app", "type": "launch", "mask": json.dumps(BAR.as_dict())}
    for name in ("run-area-add", "run-area-remove", "run-type"):
        assert signed_in.post(reverse(name, args=[run.pk]), values).status_code == 403
    assert run.interaction.app.masks == []


def test_page_changes_the_type(signed_in, keeper, run):
    answer = signed_in.post(reverse("run-type", args=[run.pk]), {"type": "launch"}, follow=True)

    assert "1 run keeps its numbers until measured again" in answer.content.decode()
    assert Interaction.objects.get(pk=run.interaction_id).type == "launch"
    assert signed_in.post(reverse("run-type", args=[run.pk]), {"type": "pinch"}).status_code == 422
