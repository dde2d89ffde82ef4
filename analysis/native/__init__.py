"""The compiled kernels, ready to be called with numpy arrays. What each does is said where it is written."""

from __future__ import annotations

from analysis.native.kernel import Kernel


def _luma(samples: str) -> Kernel:
    return Kernel(
        "planes.luma_sums", f"{samples}[:,:]", "int64", "int64", "int64", f"{samples}[:,:]", "int32[:,:]",
        "int32[:,:]", "int32[:,:,:]", "uint8[:]", "uint8[:]",
    )  # fmt: skip


def _chroma(samples: str) -> Kernel:
    return Kernel(
        "planes.chroma_sums", f"{samples}[:,:]", *["int64"] * 4, f"{samples}[:,:]", *["int32[:,:]"] * 2, "uint8[:]"
    )


luma_sums = {samples: _luma(samples) for samples in ("uint8", "uint16")}
chroma_sums = {samples: _chroma(samples) for samples in ("uint8", "uint16")}
compare = Kernel(
    "comparing.compare", "int64", "int32[:,:,:]", "int32[:,:,:]", "float64[:,:,:]", "float64[:,:]", "float64",
    "uint8[:]", "uint16[:,:]", "uint16[:,:]", "float32[:,:]", "float32[:,:]", "int32[:]", "int32[:]", "uint8[:]",
    "float64[:]",
)  # fmt: skip
take = Kernel(
    "taking.take", "float64", "int64", "float64[:]", "uint16[:,:]", "uint8[:]", "uint8[:,:]", "uint8[:]",
    "float64[:]", "uint8[:]", "uint16[:,:]", "uint16[:,:]", "int16[:,:]", "int16[:]", "int16[:,:]", "int16[:]",
    "int16[:,:]", "uint8[:]", *["float32[:,:,:]"] * 3, "float64[:,:]", "uint8[:,:]", "float64[:,:]",
)  # fmt: skip
weigh = Kernel(
    "weighing.weigh", "uint16[:,:]", "uint16[:,:]", "uint8[:]", "float64", "float64", "int64", "uint8[:]",
    "int16[:,:]", "float64[:]", "float64[:]",
)  # fmt: skip
histories = Kernel(
    "history.histories", "uint8[:,:]", "float64[:]", "uint8[:,:]", "int64[:]", "float64", "float64[:]",
    "float64[:,:]", "float64[:,:]",
)  # fmt: skip

KERNELS = (*luma_sums.values(), *chroma_sums.values(), compare, take, weigh, histories)
