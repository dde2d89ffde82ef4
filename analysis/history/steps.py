"""Where the level of a course changed for good: change points by ruptures. What they mean is judged elsewhere."""

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

SHORTEST = 2  # versions: one alone is a spike, of which the mark of its version tells
PENALTY = 6.0  # times log(versions): three times what BIC asks for a mean that changes (2 log n), to be sparing
NORMAL = 0.6745  # median of |x| of a standard normal x


def change_points(medians: ArrayLike) -> list[int]:
    """Return the places at which the level changes: each is that of the first version of the new level.

    ``medians``, shape (versions,), are those of one course in the order of its versions. Found are the places that
    make the squared distances to the mean of each stretch smallest, at a price for each of them (Killick, Fearnhead
    and Eckley 2012, PELT; ruptures.KernelCPD). A wild version counts as the middle one of itself and its neighbours
    (a running median leaves true steps where they are); the scale is that of the steps between neighbours,
    robustly, so that no change widens it.
    """
    levels = np.asarray(medians, dtype=float)
    if len(levels) < 2 * SHORTEST:
        return []
    scale = _noise(levels)
    if scale == 0.0:  # most neighbours are equal: whatever differs stands out
        scale = max(float(np.ptp(levels)), 1.0) * 1e-6
    import ruptures  # only who has a course to search pays for it

    signal = scipy.ndimage.median_filter(levels - np.median(levels), size=3, mode="nearest")[:, None] / scale
    search = ruptures.KernelCPD(kernel="linear", min_size=SHORTEST).fit(signal)
    ends = search.predict(pen=PENALTY * np.log(len(levels)))
    return [int(end) for end in ends[:-1]]


def _noise(levels: NDArray[np.float64]) -> float:
    """Return the standard deviation of one median around its level, from the steps between neighbours."""
    return float(np.median(np.abs(np.diff(levels))) / NORMAL / np.sqrt(2.0))
