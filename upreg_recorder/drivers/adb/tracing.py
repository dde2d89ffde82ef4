"""A Perfetto trace of one film: what each process and the whole system used, and the input events if asked for."""

from __future__ import annotations

import uuid
from pathlib import Path

from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.failures import TrialError

FOLDER = "/data/misc/perfetto-traces"  # the one place where traced may write for the shell
COUNTERS = """\
buffers: {{ size_kb: 16384 fill_policy: RING_BUFFER }}
data_sources: {{ config {{
  name: "linux.process_stats"
  process_stats_config {{ proc_stats_poll_ms: 500 scan_all_processes_on_start: true }}
}} }}
data_sources: {{ config {{
  name: "linux.sys_stats"
  sys_stats_config {{
    meminfo_period_ms: 500 vmstat_period_ms: 500 stat_period_ms: 500 cpufreq_period_ms: 500
  }}
}} }}
duration_ms: {duration_ms}
"""
INPUT = """\
data_sources: {{ config {{
  name: "linux.ftrace"
  ftrace_config {{ atrace_categories: "view" atrace_categories: "input" atrace_apps: "{package}" }}
}} }}
"""
STOP_S = 10.0
LOOK_S = 0.1


def config(package: str, seconds: float, *, with_input: bool) -> str:
    """Return the configuration in Perfetto's text form. The scheduler is left out: it costs what it measures."""
    text = COUNTERS.format(duration_ms=round(seconds * 1000))
    return text + (INPUT.format(package=package) if with_input else "")


class Trace:
    """A trace that runs on the device beside a film."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.there = f"{FOLDER}/upreg-{uuid.uuid4().hex[:12]}.perfetto-trace"
        self.pid = ""

    def start(self, text: str) -> None:
        """Begin to trace in the background; raises TrialError if the device cannot."""
        flat = " ".join(text.split())
        said, code = self.link.run(f"echo '{flat}' | perfetto --background --txt -c - -o {self.there}")
        pid = said.split()[-1] if said.split() else ""
        if code or not pid.isdigit():
            cure = "Android 9 or later can (there: setprop persist.traced.enable 1); or set `trace: false`"
            raise TrialError(
                f"{self.link.serial}: no trace, perfetto does not start ({said or 'not there'}): {cure}"
            )
        self.pid = pid

    def stop(self, into: Path) -> Path:
        """End the trace, wait until it is written, and fetch it; raises TrialError if it cannot be had."""
        turns = int(STOP_S / LOOK_S)
        wait = f"n=0; while [ -d /proc/{self.pid} ] && [ $n -lt {turns} ]; do sleep {LOOK_S}; n=$((n+1)); done"
        self.link.sh(f"kill -TERM {self.pid}; {wait}")
        self.pid = ""
        file = into.with_name(into.name + ".perfetto-trace")
        try:
            self.link.pull(self.there, file)
        except TrialError:
            file.unlink(missing_ok=True)
            raise
        finally:
            self.link.remove(self.there)
        return file

    def give_up(self) -> None:
        """End the trace and delete its file."""
        pid, self.pid = self.pid, ""
        if pid:
            self.link.sh(f"kill -TERM {pid}")
        self.link.remove(self.there)
