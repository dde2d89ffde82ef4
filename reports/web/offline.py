"""What a page is made of that opens from disk: the product's own style written into it, and a name for the file."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

# The product's own colours and chips, then what such pages share.
STYLES = ("css/tokens.css", "css/chips.css", "css/offline.css")
FONT, FONT_STYLE, FONT_TYPE = "fonts/inter.woff2", "css/fonts.css", "font/woff2"
LONGEST_PART = 48  # of a file name, so that it fits every file system
_PLAIN = re.compile(r"[A-Za-z0-9]+(?:\.[A-Za-z0-9]+)*")


def static_bytes(name: str) -> bytes:
    """Return a static file of the product; nothing if there is none."""
    found = finders.find(name)
    return Path(found).read_bytes() if isinstance(found, str) else b""


def static_text(name: str) -> str:
    """Return a static file of the product as text."""
    return static_bytes(name).decode()


def page_styles(own: str, *, font: bool = False) -> str:
    """Return one style sheet: the shared ones, then the template ``own``; with our ``font``."""
    return "\n".join([*([_font_style()] if font else []), *map(static_text, STYLES), render_to_string(own)])


def _font_style() -> str:
    return static_text(FONT_STYLE).replace(f"../{FONT}", data_uri(static_bytes(FONT), FONT_TYPE))


def data_uri(data: bytes, kind: str) -> str:
    """Return bytes as an address that carries them."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def file_name(*parts: str, ending: str) -> str:
    """Return a file name of plain letters; what is left of no part is left out."""
    plain = ("-".join(_PLAIN.findall(part))[:LONGEST_PART].strip("-.") for part in parts)
    return "-".join(filter(None, plain)) + ending
