"""A note on a word where it stands, from docs/glossary.md: a native popover, which needs no script."""

from itertools import count

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from analysis.verdicts.sentences import metric_label
from reports.help.library import Term, term_called
from reports.templatetags.icons import icon

register = template.Library()
_numbers = count(1)  # a word may stand on a page many times, also in a part that is fetched later


@register.simple_tag
def term(name: str, words: str = "") -> SafeString:
    """Return the word, or other ``words``, as a button that shows its note: ``{% term "q" "q-value" %}``.

    Raises KeyError for a name that the glossary does not have. Not for use inside a link: see ``term_mark``.
    """
    found = term_called(name)
    return _noted(found, "term", words or found.name, "")


@register.simple_tag
def term_mark(name: str) -> SafeString:
    """Return a small sign that shows the note, to stand beside a word that is a link or a label already."""
    found = term_called(name)
    return _noted(found, "term term-mark", icon("help"), format_html(' aria-label="What is {}?"', found.name))


@register.simple_tag
def metric_term(metric: str, short: bool = False) -> str:
    """Return a metric's name with its note, ``short`` without the word that every time shares.

    A metric that the glossary does not have is its plain name: farms may send metrics of their own.
    """
    label = metric_label(metric)
    words = label.removesuffix(" time") if short else label
    try:
        return term(label, words)
    except KeyError:
        return words


_NOTED = """<span class="term-place"><button type="button" class="{css}" popovertarget="{key}"
 style="anchor-name:--{key}"{more}>{words}</button><span popover id="{key}" class="term-note" role="note"
 aria-label="{name}" style="position-anchor:--{key}"><b>{name}</b> {note}
 <a href="{address}">More in the glossary</a></span></span>""".replace("\n", "")


def _noted(found: Term, css: str, words: str, more: str) -> SafeString:
    return format_html(
        _NOTED,
        css=css,
        key=f"term-{next(_numbers)}",
        more=more,
        words=words,
        name=found.name,
        note=found.note,
        address=found.address,
    )
