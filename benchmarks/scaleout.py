"""Extractions by one and by two hosts that share a database and an object store: `python -m benchmarks.scaleout`.

Brings its own PostgreSQL and its own S3 server. Each host measures with one process on one core. Three rounds over
the same ``--runs`` recordings: one host; two hosts; two hosts of which one loses its power (kill -9 of all its
processes) after a third of the runs and is started again ``--away`` seconds later. A run is lost if it does not
end, and measured twice if two workers brought a result. The figures of all rounds must be the same to the last bit.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.hosts import MEASURED_TWICE, QUEUE_ALL, Host, Lab, keep_logs, lab


@dataclass(frozen=True, slots=True)
class Round:
    """What a round came to."""

    name: str
    seconds: float
    judged: int
    twice: int


def main() -> int:
    """Print the table; 1 if anything was lost, measured twice or otherwise than before."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="recordings (%(default)s)")
    parser.add_argument("--away", type=float, default=5.0, help="seconds until a killed host is back (%(default)s)")
    parser.add_argument("--logs", type=Path, help="keep the logs of the hosts in this folder")
    options = parser.parse_args()
    with lab(2) as found:
        found.import_runs(options.runs)
        one, two = found.hosts
        rounds = [_round(found, "one host", options.runs, [one])]
        first = found.measured()
        rounds.append(_round(found, "two hosts", options.runs, [one, two]))
        same = found.measured() == first
        rounds.append(_round(found, "two hosts, one killed", options.runs, [one, two], away_s=options.away))
        same = same and found.measured() == first
        if options.logs:
            keep_logs(found, options.logs)
    return _report(rounds, options.runs, same)


def _round(found: Lab, name: str, runs: int, hosts: list[Host], *, away_s: float | None = None) -> Round:
    """Measure every run anew and return how that went; the clusters are at work before the first run waits."""
    found.start(*hosts)
    started = datetime.now(UTC)  # a cluster at work for the first time takes up by itself what was imported
    hosts[0].manage("shell", "-c", QUEUE_ALL)
    if away_s is not None:
        found.wait_for(found.judged, runs // 3)
        hosts[-1].end()
        time.sleep(away_s)
        hosts[-1].start()
    found.wait_for(found.judged, runs)
    time.sleep(3)  # a worker that came too late would say so now
    judged, seconds = found.judged(), float(found.count(_TOOK))
    for host in hosts:
        host.end()
    twice = int(hosts[0].manage("shell", "-c", MEASURED_TWICE.format(since=started.isoformat())).split()[-1])
    print(f"{name}: {judged} of {runs} in {seconds:.0f} s", flush=True)
    return Round(name, seconds, judged, twice)


_TOOK = """
    SELECT extract(epoch FROM max(measured_at) - min(measured_at - measuring_s * interval '1 second'))
    FROM reports_run"""


def _report(rounds: list[Round], runs: int, same: bool) -> int:
    print("\n| round | runs a minute | against one host | lost | measured twice |\n|---|---|---|---|---|")
    for row in rounds:
        pace, ratio = 60 * runs / row.seconds, rounds[0].seconds / row.seconds
        print(f"| {row.name} | {pace:.0f} | {ratio:.2f} | {runs - row.judged} | {row.twice} |")
    print(f"\nFigures of all rounds: {'the same' if same else 'NOT the same'}.")
    return int(not same or any(row.judged < runs or row.twice for row in rounds))


if __name__ == "__main__":
    raise SystemExit(main())
