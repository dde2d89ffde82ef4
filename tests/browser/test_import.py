"""Send recordings from the page in parts: a part that is cut off is sent again, and after a reload they go on."""

import pytest

from reports.models import StagedFile, Upload
from tests.intake import MP4_HEAD

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
