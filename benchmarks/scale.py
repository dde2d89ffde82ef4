"""How it holds at the size of a phone maker: `python -m benchmarks.scale [--folder DIR]`.

3,000 interactions in 300 apps × 2 versions × 20 runs: 120,000 runs, imported through a manifest, in SQLite. Then
one interaction with 10,000 runs on each of two further versions. Every
step runs in a process of its own. With --folder the database is kept (UPREG_VAR_DIR=DIR opens it) and used again.
"""

import argparse
from collections.abc import Callable
from functools import partial

from benchmarks.steps import Found, Stepwise


def find_step(options: argparse.Namespace) -> Callable[[], Found]:
    """Return the step that is asked for, once Django is set up."""
    from benchmarks import scale_steps

    if options.step == "fill":
        sizes = options.apps, options.interactions, options.runs
        return partial(scale_steps.step_fill, options.folder, *sizes)
    step: Callable[[], Found] = getattr(scale_steps, f"step_{options.step}")
    return step


BENCHMARK = Stepwise(
    module="benchmarks.scale",
    doc=__doc__,
    steps=(
        ("fill", "import and measure all runs"),
        ("compare", "full comparison"),
        ("compare", "again, nothing changed"),
        ("exclude", "exclude one run"),
        ("compare", "again, one run changed"),
        ("gate", "release gate"),
        ("pages", "ranking page, 60 requests"),
        ("crowd", "10,000 runs a side"),
    ),
    sizes={"apps": 300, "interactions": 3000, "runs": 20},
    find=find_step,
    before="forget",
)

if __name__ == "__main__":
    raise SystemExit(BENCHMARK.main())
