"""Names for the array types that pass between the rooms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

I32 = NDArray[np.int32]
I16 = NDArray[np.int16]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]
AnyArray = NDArray[Any]
