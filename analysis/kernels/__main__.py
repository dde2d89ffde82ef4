"""Compile the kernels ahead of time: `python -m analysis.kernels`, for a first start or an image that is baked."""

from contextlib import suppress

from analysis.kernels.loading import warm_up

if __name__ == "__main__":
    with suppress(KeyboardInterrupt):  # whoever started it was stopped as well
        warm_up(lambda line: print(line, flush=True))
