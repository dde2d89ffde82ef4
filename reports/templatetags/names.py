"""Names that may be longer than their place: shortened in the middle, as the end is where two versions differ."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
TAIL = 10  # characters at the end that are never cut
HEAD = 3  # so few before them leave nothing to give way
LONG = 24  # characters from which on a row may have to shorten it


@register.simple_tag
def short_name(name: object, css: str = "", focusable: bool = False) -> SafeString:
    """Return the name so that it gives way in its middle when its place is narrow (static/css/names.css).

    Nothing is left out of the text: it is copied, found and read aloud whole. The full name shows on hover; also
    on focus, if it lies inside a link or is ``focusable`` itself.
    """
    text = str(name)
    head, tail = (text[:-TAIL], text[-TAIL:]) if len(text) > TAIL + HEAD else (text, "")
    css = f"{css} is-long" if len(text) > LONG else css
    stop = mark_safe(' tabindex="0"') if focusable else ""
    parts = format_html("<span>{}</span>", head)
    if tail:
        parts = format_html("{}<span>{}</span>", parts, tail)
    return format_html('<span class="short {}" dir="auto" title="{}"{}>{}</span>', css, text, stop, parts)
