"""A picture of annotated series: what an expert said beside what was found, drawn as SVG."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT, MARGIN, LEGEND = 440, 150, 20, 36  # px: of a panel, around it, of the line below all
INK, SOFT, BAND, OURS = "#16191c", "#565f67", "#d9dde0", "#b3261e"
FONT = f'font-family="system-ui, sans-serif" font-size="13" fill="{SOFT}"'


def figure(series: Sequence[tuple[int | None, Sequence[NDArray[np.float64]], list[int]]]) -> str:
    """Draw series with a regression or an alarm, two in a row: the true place, runs by build, what was found."""
    drawn = sorted((each for each in series if each[0] is not None or each[2]), key=lambda each: each[0] is None)
    height = HEIGHT * -(-len(drawn) // 2) + LEGEND
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {height}" width="{2 * WIDTH}">',
        "<title>Series over builds: where an expert sees a regression begin, and where it is found</title>",
        f'<rect width="{2 * WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for place, each in enumerate(drawn):
        lines.append(f'<g transform="translate({WIDTH * (place % 2)} {HEIGHT * (place // 2)})">')
        lines += [*_panel(*each), "</g>"]
    base = height - LEGEND / 2
    lines += [
        _ring(MARGIN + 5, base - 5),
        _text(MARGIN + 18, base, "begins here, says the expert"),
        _arrow(MARGIN + 215, base),
        _text(MARGIN + 228, base, "found"),
        _text(MARGIN + 300, base, "line: median of each build; band: half of its runs; oldest left"),
        "</svg>\n",
    ]
    return "\n".join(lines)


def _panel(truth: int | None, runs: Sequence[NDArray[np.float64]], found: list[int]) -> list[str]:
    low, middle, high = np.array([np.percentile(values, [25, 50, 75]) for values in runs]).T
    top, bottom = max(high.max(), 1.1 * np.median(middle)), min(low.min(), 0.9 * np.median(middle))
    x = np.linspace(MARGIN, WIDTH - MARGIN, len(runs))

    def y(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return 34 + (HEIGHT - 64) * (top - values) / (top - bottom)

    title = "a regression" if truth is not None else "no regression, says the expert"
    parts = [
        _text(MARGIN, 18, f"{len(runs)} builds: {title}"),
        f'<polygon points="{_points(x, y(high))} {_points(x[::-1], y(low)[::-1])}" fill="{BAND}"/>',
        f'<polyline points="{_points(x, y(middle))}" fill="none" stroke="{INK}" stroke-width="1.2"/>',
    ]
    if truth is not None:
        parts.append(_ring(x[truth], y(middle)[truth] - 12))
    return parts + [_arrow(x[place], y(middle)[place] + 18) for place in found]


def _points(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))


def _ring(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="none" stroke="{INK}" stroke-width="2"/>'


def _arrow(x: float, y: float) -> str:
    return f'<path d="M{x - 5:.1f} {y:.1f}l5 -9l5 9z" fill="{OURS}"/>'


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" {FONT}>{words}</text>'
