import pytest

from upreg_site import settings as project_settings

PLACES = [
    ("/", "Compare", True),
    ("/versions/", "Catalogue", True),
    ("/runs/", "Runs", True),
    ("/gate/policy/", "Gate", False),
]


@pytest.mark.parametrize(("address", "area", "is_exact"), PLACES)
def test_header_marks_the_area_of_the_page(signed_in, address, area, is_exact):
    page = signed_in.get(address).content.decode()

    assert f'aria-current="{"page" if is_exact else "true"}">{area}</a>' in page


def test_footer_names_the_version_and_leads_to_help(signed_in):
    page = signed_in.get("/").content.decode()

    assert f"UPReg {project_settings.VERSION}" in page
    assert '<a href="/help/">Help</a>' in page
