"""The state of the queue in the header of every page."""

from django import template
from django.template import Context

from reports.queue.selectors import QueueLine, queue_line

register = template.Library()


@register.simple_tag(takes_context=True)
def queue_state(context: Context) -> QueueLine:
    """Return the state of the queue; a page that shows it at length has loaded it already."""
    return context.get("queue") or queue_line()
