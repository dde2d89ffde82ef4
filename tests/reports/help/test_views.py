from pathlib import Path

import pytest

from reports.help.library import help_pages

HELP_QUERIES = 3
TEMPLATES = Path(__file__).parents[3] / "templates"


def test_help_lists_the_pages_by_what_people_want_and_all_words(signed_in, django_assert_num_queries):
    with django_assert_num_queries(HELP_QUERIES):
        page = signed_in.get("/help/").content.decode()

    assert '<a href="/help/manifest/"><b>name recordings in a manifest</b>' in page
    assert 'href="/help/glossary/#threshold-θ"' in page


@pytest.mark.parametrize("slug", [page.slug for page in help_pages()])
def test_help_page_shows_its_document(signed_in, slug):
    answer = signed_in.get(f"/help/{slug}/")

    assert answer.status_code == 200
    assert answer.context["page"].document.html in answer.content.decode()


def test_help_page_that_is_not_there_is_named_as_lost(signed_in):
    assert "no help page of this name" in signed_in.get("/help/none/", follow=True).content.decode()
    assert signed_in.get("/help/images/none.png").status_code == 404


def test_help_picture_is_sent_as_what_it_is(signed_in):
    answer = signed_in.get("/help/images/architecture.svg")

    assert answer["Content-Type"] == "image/svg+xml"
    assert b"<svg" in b"".join(answer.streaming_content)


def test_every_template_with_an_empty_state_leads_to_help():
    templates = [(path.name, path.read_text()) for path in TEMPLATES.rglob("*.html")]

    lost = [name for name, text in templates if 'class="empty' in text and "{% url 'help" not in text]
    assert lost == []
