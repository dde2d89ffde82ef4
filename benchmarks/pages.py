"""What the pages weigh, how soon they show, and what three people need to get their answer.

``python -m benchmarks.pages`` starts the product with its samples on loopback and prints two tables. Weight: bytes
that crossed the wire and requests by kind, with an empty cache and on the second visit; LCP is the browser's
largest-contentful-paint, median of ``--times`` visits, and its ratio to the login page visited in the same round:
the same server, browser and style sheets with next to nothing to show. Journeys: clicks (a choice in a list is
two, a key one) and seconds of the machine; a person's reading comes on top.
``--folder DIR`` keeps the measured samples for the next time.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from playwright.sync_api import BrowserContext

from benchmarks.journeys import JOURNEYS, Walked, walk
from benchmarks.product import RANKING, Product, running_product

FLOOR = "login (floor)"
PAGES = {
    FLOOR: "/login/",
    "home": "/",
    "ranking": RANKING,
    "drill-down": f"{RANKING}io.framework7.kitchensink/launch/",
}
# The browser's names of what it loads: ours. Screencasts come by fetch() or <video>, like the answers of the queue.
KINDS = {
    "Document": "page",
    "Stylesheet": "styles",
    "Script": "scripts",
    "Font": "font",
    "Image": "pictures",
    "Fetch": "video, data",
    "XHR": "video, data",
    "Media": "video, data",
}
COLUMNS = (*dict.fromkeys(KINDS.values()), "other")
LCP = """() => new Promise((answer) => {
  const paints = (list) => answer(list.getEntries().at(-1).startTime);
  new PerformanceObserver(paints).observe({ type: "largest-contentful-paint", buffered: true });
  setTimeout(() => answer(null), 2000);
})"""


@dataclass
class Traffic:
    """What crossed the wire for one visit: bytes and requests by kind. Nothing is counted that a cache answered."""

    sizes: Counter[str] = field(default_factory=Counter)
    requests: Counter[str] = field(default_factory=Counter)
    _kinds: dict[str, str] = field(default_factory=dict)
    _cached: set[str] = field(default_factory=set)

    def on_response(self, event: dict) -> None:
        """Note of what kind a request is and whether the disk cache answers it."""
        self._kinds[event["requestId"]] = KINDS.get(event["type"], "other")
        if event["response"].get("fromDiskCache") or event["response"]["url"].startswith(("data:", "blob:")):
            self._cached.add(event["requestId"])

    def on_cached(self, event: dict) -> None:
        """Note that memory answers a request."""
        self._cached.add(event["requestId"])

    def on_finished(self, event: dict) -> None:
        """Count a request that has ended."""
        number = event["requestId"]
        if number in self._cached or number not in self._kinds:
            return
        self.sizes[self._kinds[number]] += int(event["encodedDataLength"])
        self.requests[self._kinds[number]] += 1


@dataclass(frozen=True)
class Visit:
    """One page opened once."""

    traffic: Traffic
    lcp_ms: float | None


def visit(context: BrowserContext, path: str) -> Visit:
    """Open a page in a new tab and wait until nothing more comes."""
    page = context.new_page()
    wire = context.new_cdp_session(page)
    traffic = Traffic()
    wire.on("Network.responseReceived", traffic.on_response)
    wire.on("Network.requestServedFromCache", traffic.on_cached)
    wire.on("Network.loadingFinished", traffic.on_finished)
    wire.send("Network.enable")
    page.goto(path, wait_until="networkidle")
    lcp = page.evaluate(LCP)
    page.close()
    return Visit(traffic, lcp)


def visit_all(product: Product, times: int) -> dict[tuple[str, str], list[Visit]]:
    """Visit every page with an empty cache and once more, round by round: a slow minute slows all alike."""
    visits: dict[tuple[str, str], list[Visit]] = {}
    for _ in range(times):
        for name, path in PAGES.items():
            with product.visitor(logged_in=name != FLOOR) as context:
                for cache in ("empty", "second visit"):
                    visits.setdefault((name, cache), []).append(visit(context, path))
    return visits


def weight_table(visits: dict[tuple[str, str], list[Visit]]) -> str:
    """Return the table of weight and LCP in Markdown; sizes in kB of 1,000 bytes, medians of all visits."""
    head = ["page", "cache", "requests", "kB", *COLUMNS, "LCP, ms", "× floor"]
    lines = [_row(head), _row(["---"] * len(head))]
    for (name, cache), found in visits.items():
        floor = _lcp(visits[FLOOR, cache])
        lcp = _lcp(found)
        ratio = f"{lcp / floor:.1f}" if lcp and floor else "–"
        sizes = [_median(visit.traffic.sizes[kind] for visit in found) for kind in COLUMNS]
        total = _median(visit.traffic.sizes.total() for visit in found)
        requests = _median(visit.traffic.requests.total() for visit in found)
        shown = [f"{requests:.0f}", _kilo(total), *map(_kilo, sizes), f"{lcp:.0f}" if lcp else "–", ratio]
        lines.append(_row([name, cache, *shown]))
    return "\n".join(lines)


def journey_table(walks: dict[str, list[Walked]]) -> str:
    """Return the table of journeys in Markdown; seconds are medians."""
    lines = [_row(["who", "from the first page to", "clicks", "seconds"]), _row(["---"] * 4)]
    for who, found in walks.items():
        seconds = median(walked.seconds for walked in found)
        lines.append(_row([who, found[0].way, str(found[0].clicks), f"{seconds:.1f}"]))
    return "\n".join(lines)


def _lcp(visits: Sequence[Visit]) -> float | None:
    known = [visit.lcp_ms for visit in visits if visit.lcp_ms is not None]
    return median(known) if known else None


def _median(values) -> float:
    return median(list(values))


def _kilo(size: float) -> str:
    return f"{size / 1000:.1f}" if size else "0"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Start the product, visit, walk, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="keep database and screencasts here")
    parser.add_argument("--times", type=int, default=5, help="visits and walks of each (5)")
    asked = parser.parse_args()
    with running_product(asked.folder) as product:
        visit_all(product, 1)  # what is made at the first asking, such as proxies, is no page's weight
        print(weight_table(visit_all(product, asked.times)), flush=True)
        walks = {who: [walk(product, who) for _ in range(asked.times)] for who in JOURNEYS}
        print("\n" + journey_table(walks))


if __name__ == "__main__":
    main()
