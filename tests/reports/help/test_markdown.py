import pytest

from reports.help.markdown import anchor_of, render_document


def test_document_has_title_summary_and_contents_with_anchors():
    page = render_document("# Title\n\nFirst *words*.\n\n## Part one\n\n### Cliff's delta (δ)\n", slug="page")
    headings = [(heading.level, heading.anchor) for heading in page.contents]

    assert (page.title, page.summary) == ("Title", "First words.")
    assert headings == [(2, "part-one"), (3, "cliffs-delta-δ")]
    assert '<h2 id="part-one"><a href="#part-one" class="anchor">Part one</a></h2>' in page.html


def test_headings_of_the_same_words_have_anchors_of_their_own():
    page = render_document("# A\n\n## B\n\n## B\n", slug="page")

    assert [heading.anchor for heading in page.contents] == ["b", "b-1"]


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("metrics.md#how-accurate", "/help/metrics/#how-accurate"),
        ("../metrics.md", "/help/metrics/"),
        ("#here", "/help/adr/0001/#here"),
        ("https://example.org/a.md", "https://example.org/a.md"),
        ("../../README.md", "../../README.md"),
    ],
)
def test_links_lead_to_the_pages_of_the_help(target, address):
    slug = "adr/0001" if target.startswith(("..", "#")) else "page"

    page = render_document(f"# A\n\n[b]({target})\n", slug=slug)

    assert f'href="{address}"' in page.html


def test_pictures_come_from_the_server():
    assert 'src="/help/images/a.png"' in render_document("# A\n\n![b](images/a.png)\n", slug="page").html


def test_raw_html_is_shown_and_not_passed_on():
    page = render_document("# A\n\n<script>alert(1)</script> <b>x</b>\n\n    <i>\n", slug="page")

    assert "<script" not in page.html
    assert "<b>" not in page.html
    assert "<i>" not in page.html


def test_tables_scroll_by_keyboard_and_an_empty_head_is_no_head():
    page = render_document("# A\n\n| a | |\n|---|--:|\n| 1 | 2 |\n", slug="page")

    assert 'tabindex="0"><table>' in page.html
    assert '<th scope="col">a</th>' in page.html
    assert page.html.count("<th") == 2  # thead and the one with words


def test_numbers_of_one_cell_stay_on_one_line():
    table = "| a |\n|---|\n| 38 · 2 · 0 |\n| 3 → 2 |\n| a · b |\n"
    page = render_document(f"# A\n\n1 · 2 in a line\n\n{table}", slug="page")

    assert "<td>38\u00a0·\u00a02\u00a0·\u00a00</td>" in page.html
    assert "<td>3\u00a0→\u00a02</td>" in page.html
    assert "<td>a · b</td>" in page.html
    assert "1 · 2 in a line" in page.html


def test_page_without_a_heading_is_refused_by_name():
    with pytest.raises(ValueError, match=r"docs/page\.md"):
        render_document("words", slug="page")


def test_anchor_is_the_one_of_github():
    assert anchor_of("`GET /api/queue/`") == "get-apiqueue"


@pytest.mark.parametrize(("text", "prose"), [("w " * 100, True), ("few words", False)], ids=["long", "short"])
def test_cells_of_a_table_with_long_texts_say_what_heads_their_column(text, prose):
    page = render_document(f"# A\n\n| rule | `what` it does |\n|---|---|\n| one | {text} |\n", slug="page")

    assert ('<table class="is-prose">' in page.html, "<table>" in page.html) == (prose, not prose)
    assert ('<td data-head="what it does">' in page.html) is prose
