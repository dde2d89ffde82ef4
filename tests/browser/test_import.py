"""Bring recordings in: a part that is cut off is sent again, and the action is set on the picture by keys."""

from functools import partial
from io import BytesIO

import pytest

from reports.importing.staging import Sent, stage
from reports.models import StagedFile, Upload
from tests.browser.axe import faults_of
from tests.intake import MP4_HEAD
from tests.numbered import render_numbered

pytestmark = pytest.mark.browser


def test_a_folder_goes_on_after_a_reload_where_it_was(visitor, tmp_path):
    folder = tmp_path / "14.1" / "Mail"
    folder.mkdir(parents=True)
    (folder / "open 1.mp4").write_bytes(MP4_HEAD + bytes(9 << 20))  # two parts
    page = visitor.open("/import/")
    begun = []

    def cut(route):
        if route.request.method == "PATCH":
            begun.append(route.request.headers["upload-offset"])
            if len(begun) == 2:
                return  # never answered: the page is loaded again meanwhile
        route.continue_()

    page.route("**/api/v1/uploads/*/", cut)
    page.set_input_files("#id_folder", str(tmp_path / "14.1"))
    page.click("text=Send and look")
    while len(begun) < 2:
        page.wait_for_timeout(20)
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.set_input_files("#id_folder", str(tmp_path / "14.1"))
    page.click("text=Send and look")
    page.wait_for_selector("text=What they show")

    assert begun[0] == "0"
    assert begun[-1] == str(8 << 20)
    assert begun.count("0") == 1
    file = StagedFile.objects.get()
    assert (file.path, file.size_bytes) == ("14.1/Mail/open 1.mp4", len(MP4_HEAD) + (9 << 20))
    assert not Upload.objects.exists()


def test_the_action_is_set_by_keys_alone(visitor, engineer, tmp_path):
    film = render_numbered(tmp_path / "film.mp4", [1000 * n / 60 for n in range(30)]).read_bytes()
    names = [f"14.1/Mail/open inbox/{n}.mp4" for n in (1, 2)]
    staged = stage(user=engineer, files=[Sent(name, partial(BytesIO, film)) for name in names])
    first, second = staged.files.order_by("pk")
    page = visitor.open(f"/import/{staged.pk}/files/{first.pk}/action/")
    page.wait_for_selector("text=frame 1 of 30")

    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector("text=frame 11 of 30")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("text=frame 12 of 30")
    assert faults_of(page) == []
    with page.expect_navigation():
        page.keyboard.press("Enter")

    assert f"/files/{second.pk}/action/?t=" in page.url
    assert [file.cells.get("action_ms") for file in staged.files.order_by("pk")] == ["183.333", None]
