"""Write what was sampled as Perfetto writes it: process trees, process_stats, sys_stats, one packet per sample.

The messages are Perfetto's own (perfetto_trace.proto), the clock is the time since boot, as on Android.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as proto

from upreg_recorder.traces.procfs import TICK_NS, Process, kilobytes, parse_lines, parse_stat
from upreg_recorder.traces.sampling import Recording, Sample

SERVICE, OURS, MARKS = 1, 2, 3  # sequences: what they hold is in order
TRUSTED_UID = 9999  # as Perfetto's service has it
TRACK = 0x5550_5265_67  # "UPReg"
MEMORY = {
    "VmSize": "vm_size_kb",
    "VmRSS": "vm_rss_kb",
    "RssAnon": "rss_anon_kb",
    "RssFile": "rss_file_kb",
    "RssShmem": "rss_shmem_kb",
    "VmSwap": "vm_swap_kb",
    "VmLck": "vm_locked_kb",
    "VmHWM": "vm_hwm_kb",
}
HOST_MEMORY = {
    "MemTotal": proto.MEMINFO_MEM_TOTAL,
    "MemFree": proto.MEMINFO_MEM_FREE,
    "MemAvailable": proto.MEMINFO_MEM_AVAILABLE,
    "Buffers": proto.MEMINFO_BUFFERS,
    "Cached": proto.MEMINFO_CACHED,
    "SwapTotal": proto.MEMINFO_SWAP_TOTAL,
    "SwapFree": proto.MEMINFO_SWAP_FREE,
    "AnonPages": proto.MEMINFO_ANON_PAGES,
    "Mapped": proto.MEMINFO_MAPPED,
    "Shmem": proto.MEMINFO_SHMEM,
    "Slab": proto.MEMINFO_SLAB,
}
CPU_TIMES = (
    "user_ns",
    "user_nice_ns",
    "system_mode_ns",
    "idle_ns",
    "io_wait_ns",
    "irq_ns",
    "softirq_ns",
    "steal_ns",
)


def write_trace(recording: Recording, file: Path) -> None:
    """Write a trace that ui.perfetto.dev opens."""
    trace = proto.Trace()
    for packet in _packets(recording):
        packet.trusted_uid = TRUSTED_UID
        trace.packet.append(packet)
    part = file.with_suffix(".part")
    part.write_bytes(trace.SerializeToString())
    part.rename(file)


def _packets(recording: Recording) -> Iterator[proto.TracePacket]:
    yield from _head(recording)
    told: set[int] = set()
    for sample in recording.samples:
        new = [
            recording.processes[pid] for pid in sample.processes if pid not in told and pid in recording.processes
        ]
        if new:
            yield _tree(new, sample.began_ns)
            told.update(process.pid for process in new)
        yield _processes(sample)
        yield _host(sample)
    yield from _marks(recording)


def _head(recording: Recording) -> Iterator[proto.TracePacket]:
    snapshot = _packet(SERVICE, recording.clocks["BOOTTIME"])
    snapshot.clock_snapshot.primary_trace_clock = proto.BUILTIN_CLOCK_BOOTTIME
    for name, ns in recording.clocks.items():
        clock_id = proto.BuiltinClock.Value(f"BUILTIN_CLOCK_{name}")
        snapshot.clock_snapshot.clocks.add(clock_id=clock_id, timestamp=ns)
    yield snapshot
    config = _packet(SERVICE)
    every_ms = max(round(recording.every_ms), 1)
    stats = config.trace_config.data_sources.add().config
    stats.name = "linux.process_stats"
    stats.process_stats_config.proc_stats_poll_ms = every_ms
    stats.process_stats_config.record_process_runtime = True
    stats.process_stats_config.record_thread_names = True
    host = config.trace_config.data_sources.add().config
    host.name = "linux.sys_stats"
    host.sys_stats_config.meminfo_period_ms = host.sys_stats_config.stat_period_ms = every_ms
    yield config
    system, uname = _packet(SERVICE), os.uname()
    names = {"sysname": uname.sysname, "release": uname.release, "version": uname.version, "machine": uname.machine}
    system.system_info.utsname.MergeFrom(proto.Utsname(**names))
    system.system_info.hz = 1_000_000_000 // TICK_NS
    system.system_info.num_cpus = os.cpu_count() or 0
    yield system


def _tree(processes: list[Process], ns: int) -> proto.TracePacket:
    packet = _packet(OURS, ns)
    for each in processes:
        packet.process_tree.processes.add(
            pid=each.pid,
            ppid=each.parent,
            uid=each.uid,
            cmdline=each.command,
            process_start_from_boot=each.started_ns,
        )
        for tid, name in each.threads:
            if tid != each.pid:  # the main thread has the name of its process
                packet.process_tree.threads.add(tid=tid, tgid=each.pid, name=name)
    return packet


def _processes(sample: Sample) -> proto.TracePacket:
    packet = _packet(OURS, sample.began_ns)
    packet.process_stats.collection_end_timestamp = sample.ended_ns
    for pid, (stat, status) in sample.processes.items():
        spent, memory = parse_stat(stat), parse_lines(status)
        counters = {field: kilobytes(memory[name]) for name, field in MEMORY.items() if name in memory}
        packet.process_stats.processes.add(
            pid=pid, runtime_user_mode=spent.user_ns, runtime_kernel_mode=spent.kernel_ns, **counters
        )
    return packet


def _host(sample: Sample) -> proto.TracePacket:
    packet = _packet(OURS, sample.began_ns)
    stats = packet.sys_stats
    stats.collection_end_timestamp = sample.ended_ns
    memory = parse_lines(sample.meminfo)
    for name, key in HOST_MEMORY.items():
        if name in memory:
            stats.meminfo.add(key=key, value=kilobytes(memory[name]))
    for line in sample.stat.decode().splitlines():
        name, *ticks = line.split() or [""]
        core = name.removeprefix("cpu")
        if name != core and core.isdigit():
            times = {field: int(count) * TICK_NS for field, count in zip(CPU_TIMES, ticks, strict=False)}
            stats.cpu_stat.add(cpu_id=int(core), **times)
    stats.cpufreq_khz.extend(int(khz) for khz in sample.khz if khz.strip())
    return packet


def _marks(recording: Recording) -> Iterator[proto.TracePacket]:
    track = _packet(MARKS)
    track.sequence_flags = proto.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
    track.track_descriptor.uuid, track.track_descriptor.name = TRACK, "UPReg"
    yield track
    for ns, name in sorted(recording.marks):
        packet = _packet(MARKS, ns)
        packet.track_event.type = proto.TrackEvent.TYPE_INSTANT
        packet.track_event.track_uuid, packet.track_event.name = TRACK, name
        yield packet


def _packet(sequence: int, ns: int | None = None) -> proto.TracePacket:
    packet = proto.TracePacket(trusted_packet_sequence_id=sequence)
    if ns is not None:
        packet.timestamp = ns
    return packet
