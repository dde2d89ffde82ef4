"""The kernels that Python calls. Only who asks for them pays for importing numba, and for compiling if need be."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple


class Kernels(NamedTuple):
    """The compiled kernels. What each does is said where it is written."""

    luma_sums: Callable[..., None]
    chroma_sums: Callable[..., None]
    compare: Callable[..., None]
    displace: Callable[..., None]
    lay_over: Callable[..., None]
    match: Callable[..., None]
    slide: Callable[..., None]
    step_picture: Callable[..., None]
    weigh: Callable[..., None]


@cache
def load() -> Kernels:
    """Return the kernels; the first process on a machine compiles them, and all later ones load what it kept."""
    from analysis.kernels.comparing import compare
    from analysis.kernels.displacing import displace
    from analysis.kernels.matching import lay_over, match, slide
    from analysis.kernels.planes import chroma_sums, luma_sums
    from analysis.kernels.step import step_picture
    from analysis.kernels.weighing import weigh

    return Kernels(luma_sums, chroma_sums, compare, displace, lay_over, match, slide, step_picture, weigh)


def warm_up(say: Callable[[str], object]) -> None:
    """Load the kernels before they are needed; say so if this process has to compile them."""
    from analysis.kernels.compiling import was_compiled
    from analysis.kernels.weighing import weigh  # the smallest: tells soon whether the others are missing too

    if was_compiled(weigh):
        say("First start: compiling what looks at the pictures, which takes up to a minute …")
    load()
