"""One set of icons, drawn here: lines of 1.5 on a grid of 16, in the colour of the text beside them."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_DRAWINGS = {
    "search": '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 4 4"/>',
    "close": '<path d="m3.5 3.5 9 9m0-9-9 9"/>',
    "check": '<path d="m2.5 8.5 3.5 3.5 7.5-8"/>',
    "warning": '<path d="M8 2 1.5 13.5h13zM8 6.5v3.5m0 1.7v.3"/>',
    "info": '<circle cx="8" cy="8" r="6.3"/><path d="M8 7.3v4M8 4.7V5"/>',
    "help": '<circle cx="8" cy="8" r="6.3"/><path d="M6.2 6.2c0-2.4 3.6-2.4 3.6 0C9.8 7.6 8 7.6 8 9.2M8 11.3v.3"/>',
    "download": '<path d="M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11"/>',
    "upload": '<path d="M8 10.5v-8M4.5 5.5 8 2l3.5 3.5M2.5 13.5h11"/>',
    "filter": '<path d="M2 3.5h12M4.5 8h7M6.5 12.5h3"/>',
    "swap": '<path d="M2.5 5.5h11M10.5 2.5l3 3-3 3M13.5 10.5h-11M5.5 7.5l-3 3 3 3"/>',
    "external": '<path d="M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4"/>',
    "left": '<path d="m10 3-5 5 5 5"/>',
    "right": '<path d="m6 3 5 5-5 5"/>',
    "down": '<path d="m3 6 5 5 5-5"/>',
    "up": '<path d="m3 10 5-5 5 5"/>',
    "edit": '<path d="m3 10.5 7.5-7.5 2.5 2.5L5.5 13l-3 .5zM9 4.5 11.5 7"/>',
    "clock": '<circle cx="8" cy="8" r="6.3"/><path d="M8 4.3V8l2.5 2"/>',
    "pin": '<path d="M5.5 2h5M6.5 2v4.5L4 9.5h8L9.5 6.5V2M8 9.5V14"/>',
    "plus": '<path d="M8 3v10M3 8h10"/>',
    "minus": '<path d="M3 8h10"/>',
    "menu": '<path d="M2.5 4h11M2.5 8h11M2.5 12h11"/>',
    "list": '<path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1"/>',
    "play": '<path d="M4.5 2.5v11l9-5.5z" fill="currentColor"/>',
    "pause": '<path d="M5 3v10M11 3v10" stroke-width="3"/>',
    "step-back": '<path d="M12.5 3 6 8l6.5 5zM3.5 3v10" fill="currentColor"/>',
    "step-on": '<path d="M3.5 3 10 8l-6.5 5zM12.5 3v10" fill="currentColor"/>',
    "loop": '<path d="M13.5 8a5.5 5.5 0 0 1-9.6 3.7M2.5 8a5.5 5.5 0 0 1 9.6-3.7M12.5 1.5v3h-3M3.5 14.5v-3h3"/>',
    "phone": '<rect x="4" y="1.5" width="8" height="13" rx="1.5"/><path d="M7 12.3h2"/>',
    "person": '<circle cx="8" cy="5" r="3"/><path d="M2.5 14c.6-3 2.7-4.5 5.5-4.5s4.9 1.5 5.5 4.5"/>',
    "report": '<path d="M4 1.500h5.500L13 5v9.500H4zM9 1.500V5.500h4M6.5 8.500h4M6.5 11h4"/>',
    "undo": '<path d="M5.5 3 2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6"/>',
}


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Return an icon of the set; without a ``label`` it is decoration beside words and not read aloud.

    Raises KeyError for a name that is not in the set.
    """
    drawing = mark_safe(_DRAWINGS[name])  # drawn above, nobody's input
    meaning = format_html('role="img" aria-label="{}"', label) if label else mark_safe('aria-hidden="true"')
    return format_html('<svg class="icon" viewBox="0 0 16 16" width="16" height="16" {}>{}</svg>', meaning, drawing)
