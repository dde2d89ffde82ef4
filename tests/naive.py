"""Slow obvious twins of the fast kernels: plain numpy or plain loops, written from the definitions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
# What the 8-bit codes of a strength mean: quarter levels up to 31.75, then steps of two levels from 32 on.
LEVELS = np.array([code / 4 if code < 128 else 32 + 2 * (code - 128) for code in range(256)])


def blocks_of(plane: np.ndarray, size: tuple[int, int], shape: tuple[int, int]) -> list[list[np.ndarray]]:
    """Cut a plane into blocks; those at the right and lower edge may be smaller."""
    high, wide = size
    return [
        [plane[r * high : (r + 1) * high, c * wide : (c + 1) * wide].astype(float) for c in range(shape[1])]
        for r in range(shape[0])
    ]


def means(plane: np.ndarray, size: tuple[int, int], shape: tuple[int, int]) -> np.ndarray:
    """Return the mean of each block."""
    return np.array([[block.mean() for block in row] for row in blocks_of(plane, size, shape)])


def ssim(a: np.ndarray, b: np.ndarray) -> float:
    """Return the SSIM of two blocks, Wang et al. 2004, with population moments."""
    cov = ((a - a.mean()) * (b - b.mean())).mean()
    top = (2 * a.mean() * b.mean() + C1) * (2 * cov + C2)
    return float(top / ((a.mean() ** 2 + b.mean() ** 2 + C1) * (a.var() + b.var() + C2)))


def residual(a: np.ndarray, b: np.ndarray) -> float:
    """Return the deviation of b from its best line through a with a gain that is not negative."""
    if a.var() == 0:
        return float(b.std())
    gain = max(0.0, float(((a - a.mean()) * (b - b.mean())).mean() / a.var()))
    return float((b - gain * a).std())


def common_shift(shift: np.ndarray, reach: int) -> np.ndarray:
    """Return by how much every block of each window moved the same way; 0 where the window leaves the picture."""
    out = np.zeros_like(shift)
    rows, columns = shift.shape
    for row in range(reach, rows - reach):
        for column in range(reach, columns - reach):
            window = shift[row - reach : row + reach + 1, column - reach : column + reach + 1]
            out[row, column] = max(window.min(), (-window).min(), 0)
    return out


def unlike(luma: np.ndarray, values: np.ndarray, mask: np.ndarray, place: tuple[int, int], limits) -> float:
    """Return the share of a small picture's telling pixels that a place does not show; `limits`: levels, least."""
    levels, least = limits
    rows = [y for y in range(values.shape[0]) if 0 <= y + place[0] < luma.shape[0]]
    columns = [x for x in range(values.shape[1]) if 0 <= x + place[1] < luma.shape[1]]
    shown = np.array([[float(luma[y + place[0], x + place[1]]) for x in columns] for y in rows])
    telling, off = 0, 0
    for row, y in enumerate(rows):
        for column, x in enumerate(columns):
            if not mask[y, x] or abs(values[y, x] - np.median(shown)) <= levels:
                continue
            around = shown[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            low, high = (shown[row, column] + around.min()) / 2, (shown[row, column] + around.max()) / 2
            telling += 1
            off += low - values[y, x] > levels or values[y, x] - high > levels
    return off / telling if telling >= least else np.inf


def laid_over(
    pictures: tuple[np.ndarray, np.ndarray],
    masks: tuple[np.ndarray, np.ndarray],
    corners: tuple[tuple[int, int], tuple[int, int]],
    shift: tuple[int, int],
    levels: float,
) -> float:
    """Return the share of the pixels of either mask that differ, where the second lies `shift` from the first."""
    (one, other), (here, there) = pictures, masks
    (top, left), (there_y, there_x) = corners
    ys = range(min(0, shift[0]), max(here.shape[0], shift[0] + there.shape[0]))
    xs = range(min(0, shift[1]), max(here.shape[1], shift[1] + there.shape[1]))
    off_by = there_y - shift[0] - top, there_x - shift[1] - left
    inside = [
        0 <= y < one.shape[0] and 0 <= x < one.shape[1]
        for y0, x0 in ((top, left), (top + off_by[0], left + off_by[1]))
        for y, x in ((y0 + ys[0], x0 + xs[0]), (y0 + ys[-1], x0 + xs[-1]))
    ]
    if not all(inside):
        return np.inf
    own = {(int(y), int(x)) for y, x in np.argwhere(here)}
    own |= {(int(y) + shift[0], int(x) + shift[1]) for y, x in np.argwhere(there)}
    shown = {(y, x): float(other[top + y + off_by[0], left + x + off_by[1]]) for y in ys for x in xs}
    off = 0
    for y, x in own:
        around = [shown[y + j, x + i] for j in (-1, 0, 1) for i in (-1, 0, 1) if (y + j, x + i) in shown]
        value = float(one[top + y, left + x])
        least, most = (shown[y, x] + min(around)) / 2, (shown[y, x] + max(around)) / 2
        off += least - value > levels or value - most > levels
    return off / len(own)


def slid(
    was: np.ndarray, low: np.ndarray, high: np.ndarray, mask: np.ndarray, reach: tuple[int, int], levels: float
) -> tuple[float, int, int]:
    """Return how unlike a place is what it shows later, where it slid by so many rows and columns: the least."""
    height, width = mask.shape
    found = (np.inf, 0, 0)
    for dy in range(-reach[0], reach[0] + 1):
        for dx in range(-reach[1], reach[1] + 1):
            both = [
                (y, x, y + dy, x + dx)
                for y in range(height)
                for x in range(width)
                if 0 <= y + dy < height and 0 <= x + dx < width and (mask[y, x] or mask[y + dy, x + dx])
            ]
            off = [low[v, u] - was[y, x] > levels or was[y, x] - high[v, u] > levels for y, x, v, u in both]
            if (dy or dx) and both and sum(off) / len(both) < found[0]:
                found = sum(off) / len(both), dy, dx
    return found


def displaced(
    one: np.ndarray, other: np.ndarray, inside: list[tuple[int, int]], *others: np.ndarray
) -> tuple[int, float, float]:
    """Return how many pixels of some blocks are off, how far they moved, and which share of it that explains.

    Of all mixtures of a pixel with one neighbour beside it and one above or below, the one that explains most: of
    those of the first picture that make the second, of those of the second that make the first, and of others.
    """
    height, width = one.shape
    pixels = [
        (y, x)
        for row, column in inside
        for y in range(8 * row, min(8 * row + 8, height))
        for x in range(8 * column, min(8 * column + 8, width))
    ]
    off = np.array([float(other[at]) - float(one[at]) for at in pixels])
    bases = [(one, 1), (other, -1), *((edges, way) for edges in others for way in (-1, 1))]
    best = (0.0, 0.0)
    for edges, way in bases if pixels else []:
        shown = edges.astype(float)
        for dx, dy in (-1, -1), (-1, 1), (1, -1), (1, 1):
            along = [shown[y, min(max(x + dx, 0), width - 1)] - shown[y, x] for y, x in pixels]
            down = [shown[min(max(y + dy, 0), height - 1), x] - shown[y, x] for y, x in pixels]
            parts = np.array([along, down])
            square, with_off = parts @ parts.T, way * (parts @ off)
            steady = square + np.eye(2) * (1e-3 * np.trace(square) + 1)
            moved = np.maximum(0, np.linalg.solve(steady, with_off))
            less = 2 * moved @ with_off - moved @ square @ moved
            best = max(best, (less / max(off @ off, 1.0), float(np.hypot(*moved))))
    return np.count_nonzero(np.abs(off) > 12), best[1], best[0]


def grow(blocks: np.ndarray, reach: int) -> np.ndarray:
    """Return the area widened by `reach`, block by block."""
    out = np.zeros_like(blocks)
    for row, column in np.argwhere(blocks):
        out[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1] = True
    return out


def count_near(blocks: np.ndarray, reach: int) -> np.ndarray:
    """Return how many blocks of the area lie within `reach` of each place."""
    return np.array(
        [
            [
                blocks[max(0, r - reach) : r + reach + 1, max(0, c - reach) : c + reach + 1].sum()
                for c in range(blocks.shape[1])
            ]
            for r in range(blocks.shape[0])
        ]
    )


def stands_out(values: np.ndarray, row: int, column: int, least: float, support: float, strong: float) -> bool:
    """Return whether a block reaches `least` with its neighbours, or alone by `strong` times as much."""
    value = values[row, column]
    window = values[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    return bool(value >= least and (value >= strong * least or (window >= 0.7 * least).sum() >= support))


def decide(step, drift, together, drifted, lately, peak, going, limits) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Return which blocks changed visibly, block by block from the rules of detection/noise.py; cells of 8 × 8."""
    out = np.zeros(step.shape, dtype=bool)
    for row, column in np.ndindex(step.shape):
        here, cell = (row, column), (row // 8, column // 8)
        faint = max(limits.coherent_isolated, limits.share_coherent * peak[cell])
        if drifted[here] >= faint:
            out[here] = True
        elif going[cell]:
            least = max(limits.moving, limits.share_recent * lately[here], limits.share_peak * peak[cell])
            alone = stands_out(step, row, column, least, limits.support, limits.strong)
            out[here] = together[here] >= limits.coherent or alone
        else:
            noise = limits.share_isolated * peak[cell]
            sudden = stands_out(
                step, row, column, max(limits.isolated, noise), limits.support, limits.strong_isolated
            )
            slow = stands_out(drift, row, column, max(limits.drift, noise), limits.support, limits.strong_isolated)
            out[here] = together[here] >= faint or sudden or slow
    return out


def dropped(times: list[float], hz: float, pause: float) -> int:
    """Return the slots without anything new, gap by gap."""
    total = 0
    for a, b in pairwise(times):
        if b - a < pause:
            total += max(0, round((b - a) * hz / 1000) - 1)
    return total
