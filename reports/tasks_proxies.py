"""What the queue calls for the drill-down: an id in, a service call out."""

from reports.media import proxies


def make_proxy(proxy_id: int) -> str:
    """Make the proxy of a screencast."""
    return proxies.make_proxy(proxy_id=proxy_id)
