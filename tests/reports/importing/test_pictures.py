"""The action set on the picture before the import: exact times, each with its picture, and what cannot be read."""

from functools import partial
from io import BytesIO

import cv2
import numpy as np
import pytest
from django.core.files.storage import default_storage
from django.urls import reverse

from reports.access.services import set_role
from reports.importing.pictures import look_at_frame, next_without_action
from reports.importing.queued import ask_for_import, import_staged
from reports.importing.staging import Sent, stage
from reports.models import Role, Run, StagedFile
from reports.safety.orphans import orphans
from tests.intake import MP4_HEAD, ROW
from tests.numbered import read_number, render_numbered

# A recorder that writes a frame only where something changes, on the ticks of 90 kHz that containers keep.
TIMES_MS = [
    1000 * tick / 90_000 for tick in (0, 1500, 3000, 4503, 9000, 48_000, 49_501, *range(60_000, 90_000, 1500))
]
TIMES_US = [round(1000 * time) for time in TIMES_MS]


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A film with frames that wait for later ones (B frames) and one key frame."""
    return render_numbered(tmp_path_factory.mktemp("film") / "film.mp4", TIMES_MS, bf=3, g=250).read_bytes()


def sent(person, *films):
    files = [(f"14.1/Mail/open inbox/{n}.mp4", content) for n, content in enumerate(films, 1)]
    staged = stage(user=person, files=[Sent(name, partial(BytesIO, content)) for name, content in files])
    return staged, list(staged.files.order_by("pk"))


def address(file, name="import-staged-action", *more):
    return reverse(name, args=[file.staged_id, file.pk, *more])


def shown(client, file, time_us):
    answer = client.get(address(file, "import-staged-frame", time_us))
    return read_number(cv2.imdecode(np.frombuffer(answer.content, np.uint8), cv2.IMREAD_COLOR))


@pytest.mark.django_db
def test_each_step_shows_its_frame_and_the_touch_is_written_exactly(signed_in, engineer, film):
    _, (file, other) = sent(engineer, film, film)

    page = signed_in.get(address(file)).content.decode()
    assert "frame 1 of 27" in page.replace("<!-- -->", "")
    assert f'data-step="next" href="?t={TIMES_US[1]}"' in page
    assert f'data-step="next-ten" href="?t={TIMES_US[10]}"' in page
    assert 'data-step="previous' not in page
    assert [shown(signed_in, file, TIMES_US[at]) for at in (0, 5, 10, 26)] == [0, 5, 10, 26]
    assert shown(signed_in, file, TIMES_US[6] - 2000) == 5  # whatever instant is asked for
    last = signed_in.get(address(file), {"t": TIMES_US[26]}).content.decode()
    assert f'data-step="previous-ten" href="?t={TIMES_US[16]}"' in last
    assert 'data-step="next' not in last

    answer = signed_in.post(address(file), {"t": TIMES_US[5]})

    file.refresh_from_db()
    assert file.cells["action_ms"] == "533.333"
    assert answer.url == f"{address(other)}?t={TIMES_US[5]}"  # scripts act at about the same time in each
    again = signed_in.get(address(file), headers={"X-Requested-With": "fetch"}).content.decode()
    assert "frame 6 of 27, set as the action" in again
    assert "<html" not in again
    assert signed_in.post(address(other), {"t": 0}).url == reverse("import-staged", args=[file.staged_id])
    assert StagedFile.objects.get(pk=other.pk).cells["action_ms"] == "0"


@pytest.mark.django_db
def test_the_next_one_is_the_next_without_an_action_in_a_circle(engineer):
    staged, files = sent(engineer, *(MP4_HEAD + bytes([n]) for n in range(4)))
    StagedFile.objects.filter(pk=files[1].pk).update(cells={"action_ms": "5"})

    assert next_without_action(staged, files[0]) == (files[2].pk, 2)
    assert next_without_action(staged, files[3]) == (files[0].pk, 2)
    StagedFile.objects.update(cells={"action_ms": "5"})
    assert next_without_action(staged, files[3]) == (None, 0)


@pytest.mark.django_db
def test_a_button_of_the_table_keeps_what_was_typed_and_leads_to_the_picture(signed_in, engineer):
    staged, (file,) = sent(engineer, MP4_HEAD)

    answer = signed_in.post(
        reverse("import-staged-say", args=[staged.pk]), {f"app-{file.pk}": "Maps", "picture": file.pk}
    )

    assert (answer.url, StagedFile.objects.get().cells["app"]) == (address(file), "Maps")


@pytest.mark.django_db
def test_a_recording_that_cannot_be_decoded_says_so(signed_in, engineer, film):
    _, (broken, whole) = sent(engineer, film[: len(film) // 2], film)

    page = signed_in.get(address(broken)).content.decode()

    assert "No frame of this recording can be shown: " in page
    assert "The touch is here" not in page
    assert address(whole) in page
    assert signed_in.get(address(broken, "import-staged-frame", 0)).status_code == 404


@pytest.mark.django_db
def test_pictures_are_of_who_sent_them_and_go_with_the_recording(
    signed_in, engineer, client, django_user_model, film
):
    staged, (file,) = sent(engineer, film)
    look_at_frame(file, None)
    folder = f"staging/{staged.pk}"
    assert len(default_storage.listdir(folder)[1]) > 10  # those that the next steps ask for were made along with it
    assert orphans() == []
    other = django_user_model.objects.create_user(username="other")
    set_role(person=other, role=Role.ADMINISTRATOR, by=None)
    client.force_login(other)
    assert client.get(address(file)).status_code == 404
    assert client.get(address(file, "import-staged-frame", 0)).status_code == 404
    client.force_login(engineer)
    assert client.get(reverse("import-staged-action", args=[staged.pk, 10**9])).status_code == 404

    ask_for_import(staged=staged)
    assert client.get(address(file)).url == reverse("import-staged", args=[staged.pk])
    staged.refresh_from_db()
    staged.status = "open"
    staged.save()
    client.post(reverse("import-staged-drop", args=[staged.pk]))

    with pytest.raises(FileNotFoundError):
        default_storage.listdir(folder)


@pytest.mark.django_db
@pytest.mark.parametrize("columns", [tuple(ROW), tuple(name for name in ROW if name != "action_ms")])
def test_lines_of_a_manifest_that_say_no_action_take_it_from_the_picture(signed_in, engineer, film, columns):
    rows = [ROW | {"repetition": str(n), "video": f"{n}.mp4", "action_ms": ""} for n in (1, 2, 3)]
    rows[0]["action_ms"] = "50" if "action_ms" in columns else ""
    text = "\n".join(",".join(row[name] for name in columns) for row in (dict(zip(ROW, ROW, strict=True)), *rows))
    files = [("runs.csv", text.encode()), *((f"{n}.mp4", film) for n in (1, 2, 3))]
    staged = stage(user=engineer, files=[Sent(name, partial(BytesIO, content)) for name, content in files])
    _, second, third = staged.files.filter(kind="video").order_by("pk")
    page = signed_in.get(reverse("import-staged", args=[staged.pk])).content.decode()
    said = len(columns) == len(ROW)
    assert page.count("Set the action on the picture") == (2 if said else 3)
    assert next_without_action(staged, second) == (third.pk, 1 if said else 2)

    for file in (second, third):
        signed_in.post(address(file), {"t": TIMES_US[5]})
    assert "Action at 533.333 ms, on the picture" in signed_in.get(page_of(staged)).content.decode()
    ask_for_import(staged=staged)
    import_staged(staged_id=staged.pk)

    found = Run.objects.order_by("repetition").values_list("repetition", "action_ms", "action_from")
    first = (1, 50.0, "") if said else (1, 0.0, "ask")
    assert list(found) == [first, (2, 533.333, ""), (3, 533.333, "")]


def page_of(staged):
    return reverse("import-staged", args=[staged.pk])


@pytest.mark.django_db
def test_a_picture_that_stands_long_says_that_its_time_is_not_that_of_the_touch(signed_in, engineer, film):
    """Its fifth frame stands from 100 to 533.3 ms, the sixth 16.7 ms, the last until the end."""
    _, (file,) = sent(engineer, film)

    pages = [signed_in.get(address(file), {"t": TIMES_US[at]}).content.decode() for at in (4, 5, 26)]

    assert ["This picture stands for" in page for page in pages] == [True, False, False]
    assert "stands for 433 ms" in pages[0]
