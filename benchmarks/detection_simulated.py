"""Pairs of samples whose true shift is known as a multiple of θ.

Spreads follow what real screencasts show between repetitions: 4–12 % of the median for times, one to three frames
for dropped frames.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.policy.policy import DEFAULT_POLICY

FRAME_MS = 1000.0 / 60.0
SHAPES = ("skewed", "bimodal")
UNCLEAR = (0.75, 1.25)  # multiples of θ so near to it that either verdict is right
MOST = 5.0


@dataclass(frozen=True)
class Kind:
    """What runs of one metric look like: range of true medians, and of the spread as a share of the median."""

    metric: str
    interaction_type: str
    medians: tuple[float, float]
    spreads: tuple[float, float]


KINDS = (
    Kind("response_time_ms", "tap", (40.0, 400.0), (0.06, 0.12)),
    Kind("finish_time_ms", "tap", (300.0, 1500.0), (0.04, 0.10)),
    Kind("launch_time_ms", "launch", (450.0, 2000.0), (0.06, 0.12)),
    Kind("dropped_frames", "scroll", (1.0, 12.0), (0.0, 0.0)),
)


def simulate(kind: Kind, n: int, pairs: int, rng: np.random.Generator, *, changed: bool) -> pd.DataFrame:
    """Return ``pairs`` pairs of ``n`` runs each as ``decide`` takes them, with the column ``true_multiple``.

    ``changed`` draws half of the true shifts from −1 … 0.75 θ and half from 1.25 … 5 θ; else all are 0.
    """
    medians = rng.uniform(*kind.medians, pairs)
    multiples = _multiples(pairs, rng) if changed else np.zeros(pairs)
    theta = DEFAULT_POLICY.threshold(app="", interaction_type=kind.interaction_type, metric=kind.metric).at(medians)
    spreads = rng.uniform(*kind.spreads, pairs) * medians
    bimodal = rng.random(pairs) < 0.5
    shift = multiples * theta
    if kind.metric == "dropped_frames":
        shift = np.round(shift)
        base, new = _counts(medians, n, rng), _counts(medians, n, rng) + shift[:, None]
    else:
        base = _on_frames(_times(medians, spreads, bimodal, n, rng), rng)
        new = _on_frames(_times(medians, spreads, bimodal, n, rng) + shift[:, None], rng)
    return _table(kind, base, np.maximum(new, 0.0), shift / theta)


def _multiples(pairs: int, rng: np.random.Generator) -> NDArray[np.float64]:
    below, above = rng.uniform(-1.0, UNCLEAR[0], pairs), rng.uniform(UNCLEAR[1], MOST, pairs)
    return np.where(np.arange(pairs) % 2, above, below)


def _times(
    medians: NDArray[np.float64],
    spreads: NDArray[np.float64],
    bimodal: NDArray[np.bool_],
    n: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw right-skewed times (log-normal, skewness 1.3); of bimodal ones every fifth is 4 spreads slower."""
    sigma = 0.4
    noise = np.exp(sigma * rng.standard_normal((len(medians), n))) - 1.0  # its median is 0
    slow = bimodal[:, None] & (rng.random((len(medians), n)) < 0.2)
    return medians[:, None] + spreads[:, None] * (noise / sigma + 4.0 * slow)


def _counts(medians: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw whole frames, over-dispersed against Poisson by a quarter."""
    return rng.negative_binomial(4.0 * medians[:, None], 0.8, (len(medians), n)).astype(float)


def _on_frames(times: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Move times to the next refresh; the action falls anywhere between two."""
    phase = rng.uniform(0.0, FRAME_MS, times.shape)
    return np.ceil((times - phase) / FRAME_MS) * FRAME_MS + phase


def _table(
    kind: Kind, base: NDArray[np.float64], new: NDArray[np.float64], multiples: NDArray[np.float64]
) -> pd.DataFrame:
    pairs, n = base.shape
    frame = pd.DataFrame(
        {
            "interaction": np.tile(np.repeat(np.arange(pairs), n), 2),
            "side": np.repeat(["base", "new"], pairs * n),
            "value": np.concatenate([base.ravel(), new.ravel()]),
            "true_multiple": np.tile(np.repeat(multiples, n), 2),
        }
    )
    return frame.assign(app="simulated", interaction_type=kind.interaction_type, metric=kind.metric, n=n)
