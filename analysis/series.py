"""The frame series: what the plots of the drill-down are drawn from."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from analysis.arrays import F32, F64

MAGIC = b"FS1\0"
FIELDS = (("ssim_mean", np.float32), ("ssim_worst", np.float32), ("changed_pct", np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class FrameSeries:
    """Per frame, against the frame before it. Index 0 has no frame before: 1.0, 1.0, 0.0.

    Attributes
    ----------
    time_ms : (n,) float64, presentation time, ms after the first frame.
    ssim_mean : (n,) float32, mean SSIM over the blocks of the picture (Wang et al. 2004, luma).
    ssim_worst : (n,) float32, SSIM of the block that changed most.
    changed_pct : (n,) float32, share of the screen that changed, percent.

    """

    time_ms: F64
    ssim_mean: F32
    ssim_worst: F32
    changed_pct: F32

    def __len__(self) -> int:
        return len(self.time_ms)

    def pack(self) -> bytes:
        """Return a compact binary form: 20 bytes a frame before compression, little-endian, columns one by one."""
        columns = [self.time_ms.astype("<f8").tobytes()]
        columns += [getattr(self, name).astype("<f4").tobytes() for name, _ in FIELDS]
        return MAGIC + len(self).to_bytes(4, "little") + zlib.compress(b"".join(columns))

    @classmethod
    def unpack(cls, packed: bytes) -> FrameSeries:
        """Return the series that `pack` wrote; ValueError if the bytes are something else."""
        if packed[:4] != MAGIC:
            raise ValueError("not a packed frame series: extract the run again")
        count = int.from_bytes(packed[4:8], "little")
        raw = zlib.decompress(packed[8:])
        if len(raw) != 20 * count:
            raise ValueError(f"a series of {count} frames needs {20 * count} bytes, got {len(raw)}")
        time_ms = np.frombuffer(raw, "<f8", count)
        rest = np.frombuffer(raw, "<f4", 3 * count, offset=8 * count).reshape(3, count)
        return cls(time_ms, rest[0], rest[1], rest[2])
