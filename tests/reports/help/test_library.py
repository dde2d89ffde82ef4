import os
import re

import pytest

from reports.help import library
from reports.help.library import all_terms, help_images, help_page, help_pages, term_called

HREF = re.compile(r'(?:href|src)="([^"]+)"')


def test_help_has_a_page_for_every_want():
    slugs = [page.slug for page in help_pages()]

    assert slugs[: len(library.WANTS)] == list(library.WANTS)


def test_every_page_but_a_decision_says_who_needs_it():
    unnamed = [page.slug for page in help_pages() if not page.want]

    assert [slug for slug in unnamed if not slug.startswith("adr/")] == []


def test_help_finds_no_page_outside_of_docs():
    assert help_page("../README") is None
    assert help_page("no-such-page") is None


def test_every_link_and_picture_of_the_docs_leads_somewhere():
    anchors = {page.address: {each.heading.anchor for each in page.document.sections} for page in help_pages()}
    pictures = {f"/help/images/{name}" for name in help_images()}

    lost = []
    for page in help_pages():
        for address in HREF.findall(page.document.html):
            path, _, anchor = address.partition("#")
            on_page = anchors.get(path or page.address, set())
            known = path in pictures or (on_page and (not anchor or anchor in on_page))
            if not known and not address.startswith("https:"):
                lost.append((page.slug, address))
    assert lost == []


def test_no_numbered_list_of_the_docs_runs_on_in_a_paragraph():
    """A table that is not set in belongs to no point of a list, and what follows it goes on as one paragraph."""
    lost = [
        (page.slug, words[:40])
        for page in help_pages()
        for words in re.findall(r"<p>(.*?)</p>", page.document.html, re.DOTALL)
        if re.search(r"^\s*\d+\. ", words, re.MULTILINE)
    ]
    assert lost == []


@pytest.mark.parametrize("name", ["θ", "Threshold", "threshold (θ)", "vfr", "capture", "very sure", "δ", "NO-GO"])
def test_term_is_found_by_each_of_its_names(name):
    assert name.lower() in [known.lower() for known in term_called(name).names]


def test_large_and_small_delta_are_two_terms():
    assert (term_called("Δ").name, term_called("δ").name) == ("Delta", "Cliff's delta")


def test_terms_have_one_owner_for_each_name():
    names = [name for term in all_terms() for name in term.names]

    assert len(names) == len(set(names))


def test_page_is_read_again_only_when_its_file_has_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(library, "DOCS", tmp_path)
    file = tmp_path / "page.md"
    file.write_text("# Before\n")
    first = help_page("page").document

    assert help_page("page").document is first
    file.write_text("# After\n")
    os.utime(file, ns=(1, 1))
    assert help_page("page").document.title == "After"
