"""Call a compiled kernel with numpy arrays, without numba.

Importing numba and loading what it cached takes half a second a process: more than measuring a short recording. So
the kernels of analysis/kernels are compiled once to an object file (build.py), which LLVM alone loads in
milliseconds (objects.py). See docs/adr/0006-kernels-without-numba.md.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from analysis.arrays import AnyArray

SCALARS = {"int64": ctypes.c_int64, "float64": ctypes.c_double}


class Kernel:
    """One function of analysis/kernels for arguments of given types.

    `source` is "module.function"; the parameters are "uint8[:,:]" for a C-contiguous array of two dimensions,
    "int64" or "float64" for a number. A kernel returns nothing: it writes into the arrays that it is given.
    """

    def __init__(self, source: str, *parameters: str) -> None:
        self.source, self.parameters = source, parameters
        self.symbol = "_".join(["upreg", source.replace(".", "_"), *(p[:5].rstrip("[:") for p in parameters[:1])])
        self._readers = [_reader(source, number, text) for number, text in enumerate(parameters)]
        self._function: Callable[..., int] | None = None

    def __call__(self, *arguments: Any) -> None:
        """Run on these arguments; raises TypeError for an array of another type, number of dimensions or order."""
        self.partial(*arguments)()

    def partial(self, *last: Any) -> Callable[..., None]:
        """Return the kernel with its last arguments fixed.

        Looking at an array costs more than passing its address, and most arrays of a kernel are the same each time.
        """
        function = self._function or self._load()
        split = len(self._readers) - len(last)
        first = self._readers[:split]
        fixed = [
            value
            for reader, argument in zip(self._readers[split:], last, strict=True)
            for value in reader(argument)
        ]
        scratch = ctypes.create_string_buffer(64)  # for the value and the exception that no kernel returns
        place = ctypes.addressof(scratch)

        def call(*arguments: Any, kept_alive: Any = (last, scratch)) -> None:
            raw = [place, place]
            for reader, argument in zip(first, arguments, strict=True):
                raw += reader(argument)
            function(*raw, *fixed)

        return call

    def _load(self) -> Callable[..., int]:
        from analysis.native.objects import address_of

        types: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
        for text in self.parameters:
            types += [SCALARS[text]] if text in SCALARS else [ctypes.c_void_p] + [ctypes.c_int64] * text.count(":")
        self._function = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(address_of(self.symbol))
        return self._function


def _reader(source: str, number: int, text: str) -> Callable[[Any], list[Any]]:
    if text in SCALARS:
        return lambda value: [value]
    dtype, dimensions = np.dtype(text.partition("[")[0]), text.count(":")

    def read(array: AnyArray) -> list[Any]:
        if array.dtype != dtype or array.ndim != dimensions or not array.flags.c_contiguous:
            raise TypeError(
                f"argument {number} of {source} must be a C-contiguous {text}, not {array.dtype}{array.shape}"
            )
        return [array.ctypes.data, *array.shape]

    return read
