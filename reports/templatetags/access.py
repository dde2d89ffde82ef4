"""Who may do what one may not do oneself, in a plain sentence in the place of the button."""

from django import template

from reports.access.roles import PLURALS
from reports.access.table import CAPABILITIES

register = template.Library()


@register.simple_tag
def only(capability: str, words: str) -> str:
    """Return ``Policy owners can waive it.``, with the least role that may."""
    return f"{PLURALS[CAPABILITIES[capability].role].capitalize()} can {words}."
