"""A page of docs/ as HTML: headings with the anchors that GitHub gives them, links and pictures that work here."""

import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
_WRITER = RendererHTML(_PARSER)
_NO_WORD = re.compile(r"[^\w\- ]")
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|/", re.IGNORECASE)
_IMAGES = "images/"
_LONG = 160  # characters of a cell: a table with one is read row by row where there is little room
_BETWEEN = re.compile(r"(?<=\d) ([·→]) (?=\d)")  # numbers that are read together: 38 · 2 · 0, 3 → 2


@dataclass(frozen=True)
class Heading:
    """One heading of a page; ``level`` 1 is the title."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True)
class Section:
    """A heading with the first paragraph below it, as HTML and as plain text; empty if another heading follows."""

    heading: Heading
    html: SafeString
    text: str


@dataclass(frozen=True)
class Document:
    """A rendered page. ``sections`` are all its headings in order."""

    html: SafeString
    sections: list[Section]

    @property
    def title(self) -> str:
        """The page's name: its first heading."""
        return self.sections[0].heading.text

    @property
    def summary(self) -> str:
        """The first paragraph, as plain text."""
        return self.sections[0].text

    @property
    def contents(self) -> list[Heading]:
        """The headings below the title, down to the third level."""
        return [section.heading for section in self.sections if section.heading.level in (2, 3)]


def render_document(text: str, *, slug: str) -> Document:
    """Render Markdown; ``slug`` is the page's own place in docs/, from which its links are relative.

    Raw HTML in the text is shown, never passed on. Raises ValueError for a page without a heading.
    """
    tokens = _PARSER.parse(text)
    for token in tokens:
        for child in token.children or ():
            _point(child, slug)
    headings = _name_headings(tokens)
    if not headings:
        raise ValueError(f"docs/{slug}.md has no heading")
    _name_columns(tokens)
    _name_cells(tokens)
    _hold_numbers(tokens)
    sections = [_section(tokens, at, heading) for at, heading in headings]
    return Document(mark_safe(_PARSER.renderer.render(tokens, _PARSER.options, {})), sections)


def anchor_of(heading: str) -> str:
    """Return the anchor that GitHub gives a heading, so that links work here and there."""
    return _NO_WORD.sub("", heading.strip().lower()).replace(" ", "-")


def plain_text(tokens: Sequence[Token]) -> str:
    """Return the words of inline tokens without their marks."""
    return "".join(" " if token.type in ("softbreak", "hardbreak") else token.content for token in tokens)


def _name_headings(tokens: list[Token]) -> list[tuple[int, Heading]]:
    """Give each heading its id and a link to itself; return them with their places."""
    headings: list[tuple[int, Heading]] = []
    taken: dict[str, int] = {}
    for at, (opening, inline) in enumerate(pairwise(tokens)):
        if opening.type != "heading_open":
            continue
        text = plain_text(inline.children or ())
        anchor = anchor_of(text)
        taken[anchor] = again = taken.get(anchor, -1) + 1
        anchor = f"{anchor}-{again}" if again else anchor
        heading = Heading(int(opening.tag[1:]), anchor, text)
        opening.attrSet("id", anchor)
        if heading.level > 1:
            link = Token("link_open", "a", 1, attrs={"href": f"#{anchor}", "class": "anchor"})
            inline.children = [link, *(inline.children or ()), Token("link_close", "a", -1)]
        headings.append((at, heading))
    return headings


def _section(tokens: list[Token], at: int, heading: Heading) -> Section:
    """Return the section whose heading opens at a place; three tokens later its first block begins."""
    after = tokens[at + 3 : at + 5]
    if [token.type for token in after] != ["paragraph_open", "inline"]:
        return Section(heading, mark_safe(""), "")
    inline = after[1].children or []
    html = _WRITER.renderInline(inline, _PARSER.options, {})
    return Section(heading, mark_safe(html), plain_text(inline))


def _point(token: Token, slug: str) -> None:
    """Let a link to another file of docs/ lead to its page, and a picture come from the server."""
    if token.type == "link_open":
        token.attrSet("href", address_of(str(token.attrGet("href")), slug=slug))
    elif token.type == "image":
        source = posixpath.normpath(posixpath.join(posixpath.dirname(slug), str(token.attrGet("src"))))
        if source.startswith(_IMAGES):
            token.attrSet("src", reverse("help-image", args=[source.removeprefix(_IMAGES)]))
            token.attrSet("loading", "lazy")


def address_of(target: str, *, slug: str) -> str:
    """Return where a link of the page ``slug`` leads; an address outside of docs/ stays as it is."""
    if _OUTSIDE.match(target):
        return target
    file, _, anchor = target.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(slug), file)) if file else f"{slug}.md"
    if not path.endswith(".md") or path.startswith(".."):
        return target
    page = reverse("help-page", args=[path.removesuffix(".md")])
    return f"{page}#{anchor}" if anchor else page


def _name_columns(tokens: list[Token]) -> None:
    """Mark what heads a column; a head without words is an ordinary empty cell."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and inline.content:
            opening.attrSet("scope", "col")
        elif opening.type == "th_open":
            opening.tag = closing.tag = "td"


def _name_cells(tokens: list[Token]) -> None:
    """Mark tables with long texts, and tell each of their cells what heads its column."""
    for at, table in enumerate(tokens):
        if table.type != "table_open":
            continue
        heads: list[str] = []
        cells: list[list[tuple[Token, str]]] = []
        for opening, inline in pairwise(tokens[at:]):
            if opening.type == "table_close":
                break
            if opening.type == "th_open":
                heads.append(plain_text(inline.children or ()))
            elif opening.type == "tr_open":
                cells.append([])
            elif opening.type == "td_open":
                cells[-1].append((opening, inline.content))
        if any(len(text) > _LONG for row in cells for _, text in row):
            table.attrSet("class", "is-prose")
            for row in cells:
                for head, (cell, _) in zip(heads, row, strict=False):
                    cell.attrSet("data-head", head)


def _hold_numbers(tokens: list[Token]) -> None:
    """Keep numbers of one cell of a table on one line."""
    for opening, inline in pairwise(tokens):
        if opening.type == "td_open":
            for child in inline.children or ():
                child.content = _BETWEEN.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", child.content)


# What is wider than the page scrolls on its own, also by keyboard.
def _table_open(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    attributes = RendererHTML.renderAttrs(tokens[at])
    return f'<div class="table-scroll" role="group" aria-label="Table" tabindex="0"><table{attributes}>\n'


def _table_close(*_: object) -> str:
    return "</table></div>\n"


def _code(_: object, tokens: Sequence[Token], at: int, *__: object) -> str:
    return f'<pre tabindex="0"><code>{escape(tokens[at].content)}</code></pre>\n'


_WRITERS: dict[str, Callable[..., str]] = {
    "table_open": _table_open,
    "table_close": _table_close,
    "fence": _code,
    "code_block": _code,
}
for _rule, _writer in _WRITERS.items():
    _PARSER.add_render_rule(_rule, _writer)
