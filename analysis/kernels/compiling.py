"""How kernels are compiled: without Python's lock, and without its errors, so that they can run without numba."""

from __future__ import annotations

import numba
import numpy as np

# Not cached by numba: it would take a kernel from its cache although a kernel that it calls has changed.
kernel = numba.njit(nogil=True, error_model="numpy")

# Numba makes int64 of every sum of two int32, so that wide registers hold half of what they could: hence INT(…)
# around sums. It lets a signed index count from the end, so that the compiler cannot tell reads from writes: hence
# UINT(…) in the innermost loops.
INT, UINT = np.int32, np.uint32
