"""An object store that is away for a minute while recordings are measured.

``python -m benchmarks.faults.object_store_away`` brings PostgreSQL and an object store of its own, lets one host
measure ``--runs`` recordings with two processes, cuts the cable to the store after a quarter of them, and plugs it
in again ``--away`` seconds later. Prints how many runs waited with the reason on their page, how many failed, were
lost or measured twice, and how long after the return the last was measured.
"""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.hosts import MEASURED_TWICE, QUEUE_ALL, keep_logs, lab

WAITING = "SELECT count(*) FROM reports_run WHERE status = 'pending' AND error LIKE '%object store%'"
FAILED = "SELECT count(*) FROM reports_run WHERE status = 'failed'"


def main() -> int:
    """Print the figures; 1 if a run failed, was lost or measured twice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="recordings (%(default)s)")
    parser.add_argument("--away", type=float, default=60.0, help="seconds without the store (%(default)s)")
    parser.add_argument("--logs", type=Path, help="keep the logs of the host in this folder")
    options = parser.parse_args()
    with lab(1, workers=2) as found:
        [host] = found.hosts
        found.import_runs(options.runs)
        started = datetime.now(UTC)
        found.start(host)
        host.manage("shell", "-c", QUEUE_ALL)
        found.wait_for(found.judged, options.runs // 4)
        found.store.cut()
        time.sleep(options.away)
        waiting, meanwhile = found.count(WAITING), found.judged()
        found.store.plug_in()
        back = time.monotonic()
        found.wait_for(found.judged, options.runs)
        judged, failed, after = found.judged(), found.count(FAILED), time.monotonic() - back
        twice = int(host.manage("shell", "-c", MEASURED_TWICE.format(since=started.isoformat())).split()[-1])
        if options.logs:
            keep_logs(found, options.logs)
    lost, quarter = options.runs - judged, options.runs // 4
    print(f"store away for {options.away:.0f} s after {quarter} of {options.runs} runs; measured then: {meanwhile}")
    print(f"waited with the reason: {waiting}; failed: {failed}; lost: {lost}; measured twice: {twice}")
    print(f"the last was measured {after:.0f} s after the return")
    return int(judged < options.runs or failed > 0 or twice > 0)


if __name__ == "__main__":
    raise SystemExit(main())
