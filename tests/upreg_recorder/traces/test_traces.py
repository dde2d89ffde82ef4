"""Traces are read with Perfetto's own messages; the truth is a child that burns and holds what it was told to."""

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto

from upreg_recorder.traces import Sampler, procfs, write_trace

BURN_S, HOLD_MB = 0.3, 64
CHILD = f"""
import sys, time
held = bytearray(b"x" * ({HOLD_MB} << 20))
while time.process_time_ns() < {BURN_S} * 1e9:
    pass
print(time.process_time_ns(), flush=True)
sys.stdin.read()
"""
PARENT = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {CHILD!r}], stdin=sys.stdin)
print(child.pid, flush=True)
child.wait()
"""


@pytest.fixture(scope="module")
def sampled(tmp_path_factory):
    """Sample a parent whose child burns and holds; give the trace, both ids and what the child says it used, ns."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child = int(parent.stdout.readline())
    sampler = Sampler(parent.pid, every_ms=20)
    sampler.start()
    used_ns = int(parent.stdout.readline())
    recording = sampler.stop()
    recording.mark("action", time.time())
    parent.stdin.close()
    parent.wait()
    parent.stdout.close()
    file = tmp_path_factory.mktemp("trace") / "run.perfetto-trace"
    write_trace(recording, file)
    trace = proto.Trace()
    trace.ParseFromString(file.read_bytes())
    return trace, parent.pid, child, used_ns


def of(trace, kind):
    return [packet for packet in trace.packet if packet.WhichOneof("data") == kind]


def courses(trace, pid):
    return [
        each for packet in of(trace, "process_stats") for each in packet.process_stats.processes if each.pid == pid
    ]


def test_runtime_is_what_the_child_used(sampled):
    trace, _, child, used_ns = sampled
    last = courses(trace, child)[-1]
    assert abs(last.runtime_user_mode + last.runtime_kernel_mode - used_ns) <= 3 * procfs.TICK_NS


def test_runtime_never_goes_back(sampled):
    trace, _, child, _ = sampled
    spent = [each.runtime_user_mode + each.runtime_kernel_mode for each in courses(trace, child)]
    assert spent == sorted(spent)
    assert spent[0] < spent[-1]


def test_memory_is_what_the_child_holds(sampled):
    trace, parent, child, _ = sampled
    held, plain = courses(trace, child)[-1], courses(trace, parent)[-1]
    assert held.rss_anon_kb - plain.rss_anon_kb + (2 << 10) >= HOLD_MB << 10
    assert held.rss_anon_kb < (HOLD_MB + 64) << 10
    assert held.vm_rss_kb >= held.rss_anon_kb + held.rss_file_kb
    assert held.vm_size_kb > held.vm_rss_kb


def test_tree_says_who_started_whom_and_how(sampled):
    trace, parent, child, _ = sampled
    tree = {each.pid: each for packet in of(trace, "process_tree") for each in packet.process_tree.processes}
    assert set(tree) == {parent, child}
    assert tree[child].ppid == parent
    assert tree[child].cmdline[:2] == [sys.executable, "-c"]
    assert tree[parent].process_start_from_boot <= tree[child].process_start_from_boot


def test_host_is_told_with_each_sample(sampled):
    trace, *_ = sampled
    total = procfs.kilobytes(procfs.parse_lines(Path("/proc/meminfo").read_bytes())["MemTotal"])
    stats = of(trace, "sys_stats")
    assert len(stats) == len(of(trace, "process_stats"))
    for packet in stats:
        assert {each.key: each.value for each in packet.sys_stats.meminfo}[proto.MEMINFO_MEM_TOTAL] == total
    busy = [sum(core.user_ns + core.system_mode_ns for core in packet.sys_stats.cpu_stat) for packet in stats]
    assert busy[-1] - busy[0] >= (BURN_S / 2) * 1e9


def test_packets_stand_on_one_clock_that_is_tied_to_the_others(sampled):
    trace, *_ = sampled
    snapshot = trace.packet[0].clock_snapshot
    clocks = {clock.clock_id: clock.timestamp for clock in snapshot.clocks}
    assert snapshot.primary_trace_clock == proto.BUILTIN_CLOCK_BOOTTIME
    assert set(clocks) == {1, 2, 3, 4, 5, 6}
    times = [packet.timestamp for packet in of(trace, "process_stats")]
    assert clocks[proto.BUILTIN_CLOCK_BOOTTIME] <= times[0]
    assert times == sorted(set(times))
    (marked,) = of(trace, "track_event")
    assert marked.track_event.name == "action"
    assert marked.timestamp >= times[-1] - 10_000_000  # it was marked after the last sample, on the wall clock


@pytest.mark.parametrize("kind", ["clock_snapshot", "process_tree", "process_stats", "sys_stats", "trace_config"])
def test_packets_have_what_perfettos_own_have(sampled, kind):
    """Fields that packets of Perfetto's service have on phones (Android 11 to 13), as far as readers need them."""
    trace, *_ = sampled
    whole = {
        "clock_snapshot": {"clock_snapshot", "trusted_uid", "trusted_packet_sequence_id"},
        "process_tree": {"process_tree", "trusted_uid", "trusted_packet_sequence_id", "timestamp"},
        "process_stats": {"process_stats", "trusted_uid", "trusted_packet_sequence_id", "timestamp"},
        "sys_stats": {"sys_stats", "trusted_uid", "trusted_packet_sequence_id", "timestamp"},
        "trace_config": {"trace_config", "trusted_uid", "trusted_packet_sequence_id"},
    }[kind]
    for packet in of(trace, kind):
        assert whole <= {field.name for field, _ in packet.ListFields()}


def test_process_that_ends_meanwhile_ends_in_the_trace(tmp_path):
    brief = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    sampler = Sampler(brief.pid, every_ms=10)
    sampler.start()
    brief.communicate(b"\n")
    recording = sampler.stop()
    write_trace(recording, tmp_path / "a.perfetto-trace")
    assert brief.pid not in recording.samples[-1].processes
    assert Counter(file.suffix for file in tmp_path.iterdir()) == {".perfetto-trace": 1}


def test_name_of_a_command_may_hold_anything():
    stat = procfs.parse_stat(b"7 (a) S) (b) R 3 " + b" ".join(b"%d" % number for number in range(5, 30)))
    assert (stat.parent, stat.user_ns, stat.kernel_ns) == (3, 14 * procfs.TICK_NS, 15 * procfs.TICK_NS)
    assert stat.started_ns == 22 * procfs.TICK_NS


def test_clocks_of_cores_are_read_in_their_order(tmp_path):
    for core, khz in ((0, 1_800_000), (2, 600_000), (10, 2_400_000)):
        file = tmp_path / f"devices/system/cpu/cpu{core}/cpufreq/scaling_cur_freq"
        file.parent.mkdir(parents=True)
        file.write_text(f"{khz}\n")
    sampler = Sampler(1, system=tmp_path)
    assert [int(text) for text in sampler._sample().khz] == [1_800_000, 600_000, 2_400_000]
