"""Markdown as Jira's own markup, which version 2 of its API takes: what bug reports and people write, no more."""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_SIGNS = re.compile(r"([\\{}\[\]|*_^~+!])")  # what Jira would take for markup
_MARKS = {"strong": "*", "em": "_", "s": "-"}


def jira_markup(markdown: str) -> str:
    """Return Markdown in Jira's markup; what it has no sign for stays as text."""
    return "\n".join(_blocks(_PARSER.parse(markdown))).strip() + "\n"


def _blocks(tokens: Sequence[Token]) -> list[str]:
    lines: list[str] = []
    lists: list[str] = []  # the signs of the lists around
    before, sign = "", "|"
    cells: list[str] | None = None  # of the row of a table, while in one
    for token in tokens:
        kind = token.type
        if kind == "heading_open":
            before = f"{token.tag}. "
        elif kind in ("bullet_list_open", "ordered_list_open"):
            lists.append("*" if kind.startswith("bullet") else "#")
        elif kind in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
            lines += [] if lists else [""]
        elif kind == "list_item_open":
            before = "".join(lists) + " "
        elif kind in ("th_open", "td_open"):
            sign = "||" if kind == "th_open" else "|"
        elif kind == "tr_open":
            cells = []
        elif kind == "tr_close":
            lines.append(sign + sign.join(cell or " " for cell in cells or ()) + sign)
            cells = None
        elif kind == "inline":
            text = _inline(token.children or [])
            if cells is not None:
                cells.append(text)
            else:
                lines.append(before + text)
                before = ""
        elif kind in ("fence", "code_block"):
            lines += [
                "{noformat}",
                token.content.rstrip("\n").replace("{noformat}", "{ noformat}"),
                "{noformat}",
                "",
            ]
        elif kind == "hr":
            lines += ["----", ""]
        elif kind in ("paragraph_close", "heading_close", "table_close") and not lists:
            lines.append("")
    return lines


def _inline(tokens: Sequence[Token]) -> str:
    parts: list[str] = []
    targets: list[str] = []
    bare = False
    for token in tokens:
        name = token.type.removesuffix("_open").removesuffix("_close")
        if token.type == "text" and bare:
            continue  # a bare address is its own text
        if token.type == "text":
            parts.append(_SIGNS.sub(r"\\\1", token.content))
        elif token.type == "code_inline":
            parts.append("{{" + _SIGNS.sub(r"\\\1", token.content) + "}}")
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" " if token.type == "softbreak" else "\n")
        elif name in _MARKS:
            parts.append(_MARKS[name])
        elif token.type == "link_open":
            targets.append(str(token.attrGet("href") or "").replace("|", "%7C").replace("]", "%5D"))
            bare = token.markup == "autolink"
            parts.append("[")
        elif token.type == "link_close":
            parts.append(f"{'' if bare else '|'}{targets.pop()}]")
            bare = False
        elif token.type == "image":
            parts.append(_SIGNS.sub(r"\\\1", token.content))
    return "".join(parts)
