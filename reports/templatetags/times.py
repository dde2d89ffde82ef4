"""Points in time: how long ago, with the exact instant one hover away."""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from analysis.verdicts.text import about_text

register = template.Library()
NBSP = "\u00a0"
MISSING = "–"
_STEPS = ((60, 1, "s"), (3600, 60, "min"), (86_400, 3600, "h"), (30 * 86_400, 86_400, "d"))


@register.simple_tag
def ago(instant: datetime | None, now: datetime | None = None) -> SafeString | str:
    """Return ``<time>2 h ago</time>`` with the exact instant as its title; older than a month: the date."""
    if instant is None:
        return MISSING
    exact = timezone.localtime(instant)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        exact.isoformat(timespec="seconds"),
        exact.strftime("%d %b %Y, %H:%M:%S %Z"),
        _words((now or timezone.now()) - instant, exact),
    )


def _words(age: timedelta, exact: datetime) -> str:
    seconds = int(age.total_seconds())
    if seconds < 10:
        return "just now"
    for below, size, unit in _STEPS:
        if seconds < below:
            return f"{seconds // size}{NBSP}{unit} ago"
    return exact.strftime("%d %b %Y")


@register.filter
def duration(seconds: float | None) -> str:
    """Return a rough duration, ``about 3 min``; nothing where it is not known."""
    return "" if seconds is None else about_text(seconds)
