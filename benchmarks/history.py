"""How the history holds at the size of a phone maker: `python -m benchmarks.history [--folder DIR]`.

300 apps × 10 interactions × 60 versions × 20 runs: 3.6 million values in SQLite. Every step runs in a process of
its own, so that its peak memory is its own. With --folder the database is kept (UPREG_VAR_DIR=DIR opens it) and
used again.
"""

import argparse
from collections.abc import Callable
from functools import partial

from benchmarks.steps import Found, Stepwise

SIZES = {"apps": 300, "interactions": 10, "versions": 60, "runs": 20}


def find_step(options: argparse.Namespace) -> Callable[[], Found]:
    """Return the step that is asked for, once Django is set up."""
    from benchmarks import history_steps

    if options.step == "fill":
        return partial(history_steps.step_fill, **{name: getattr(options, name) for name in SIZES})
    step: Callable[[], Found] = getattr(history_steps, f"step_{options.step}")
    return step


BENCHMARK = Stepwise(
    module="benchmarks.history",
    doc=__doc__,
    steps=(
        ("fill", "write all runs"),
        ("line", "history of all versions but the last"),
        ("one", "one more version"),
        ("again", "the same, nothing changed"),
        ("middle", "a version in the middle changed"),
        ("pages", "matrix, 60 requests"),
        ("charts", "chart of a course with every run"),
    ),
    sizes=SIZES,
    find=find_step,
)

if __name__ == "__main__":
    raise SystemExit(BENCHMARK.main())
