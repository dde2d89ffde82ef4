"""When an input or a launch happened, by the device's own word; each source with how far it may be off.

The shell's `input` takes 50 ms to 700 ms to start, so when it was called says little. What it sends carries its own
instant (`uptimeMillis`, MONOTONIC). Three places tell it, the best first:

1. the trace, if `trace_input` is on: the app notes `eventTimeNano` of each event that it is given (Android 12);
2. `dumpsys input`: the last ten events of the dispatcher, with `eventTime` on builds that can be debugged;
3. the same list on other builds: `MotionEvent, age=…ms`, the age at some time during the dump.

A launch by `am` or `monkey` is noted in the log by the system that starts it ("START u0 …", REALTIME in µs).
Where none of them speaks, the action lay between the stamps of the shell before and after the command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from upreg_recorder.drivers.adb.clocks import Clocks, Known, exactly, stamp
from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.plans.model import Step

DUMPS = 3  # each is one more look at the ages; what they tell is intersected
CUT_MS = 1.0  # uptimeMillis and ages are whole ms, the rest is cut off
REQUEST_MS = 10.0  # from when `am` asks until the system notes the start: it looks the activity up
BETWEEN = "the device's clock before and after the command"
QUEUE = 10  # events that the dispatcher keeps
TOUCHES = ("tap", "swipe", "scroll", "draw")
DUMP = "echo at=$EPOCHREALTIME; dumpsys input; echo at=$EPOCHREALTIME"
_AT = re.compile(r"^at=(\d+\.\d+)$", re.MULTILINE)
_TRACED = re.compile(rb"deliverInputEvent src=0x([0-9a-f]+) eventTimeNano=(\d+)")
_STARTED = re.compile(r"^\s*(\d+\.\d+)\s.*?Activity(?:Task)?Manager\s*:\s*START u\d+ \{(.*?)\}", re.MULTILINE)
TOUCHSCREEN, KEYBOARD = 0x1002, 0x101


@dataclass(frozen=True)
class When:
    """An instant in BOOTTIME ms, and how it came to be known, in words."""

    at: Known
    how: str


@dataclass(frozen=True)
class _Event:
    """An event of the dispatcher: its instant in BOOTTIME ms, and whether it puts a finger or a key down."""

    kind: str
    at: Known
    down: bool | None  # None where the build does not tell


@dataclass(frozen=True)
class _Queue:
    """What the dispatcher keeps, the oldest first; `told`: with the instants that the events carry."""

    events: tuple[_Event, ...]
    told: bool

    def goes_back_before(self, instant: Known) -> bool:
        """Whether nothing since that instant was pushed out."""
        return len(self.events) < QUEUE or self.events[0].at.high < instant.low


def of_input(link: Link, clocks: Clocks, step: Step, asked: Known, trace: bytes) -> When:
    """Return when the step began. `asked`: the stamps before and after the command, BOOTTIME."""
    traced = _in_trace(clocks, step, asked, trace)
    if traced is not None:
        return When(traced, "the instant that the event carries, from the trace")
    queue = _in_queue(link, clocks)
    found = _began(queue, step, asked)
    if found is not None:
        how = "the instant that the event carries" if queue.told else "the age of the event"
        return When(found, f"{how}, from dumpsys input")
    took = step.ms if step.kind in ("swipe", "scroll") else 0.0
    return When(Known(asked.low, max(asked.low, asked.high - took)), BETWEEN)


def of_launch(link: Link, clocks: Clocks, package: str, asked: Known) -> When:
    """Return when the system was asked to start the app, by its log; `asked` as for an input."""
    since = (asked.low - clocks.from_real.high) / 1000 - 1
    said = link.sh(f"logcat -d -b main,system -v epoch -v usec -T {since:.3f}")
    for time, intent in _STARTED.findall(said):
        at = clocks.boot_of_real(exactly(stamp(time)))
        if f"cmp={package}/" in intent and at.high >= asked.low and at.low <= asked.high:
            return When(Known(at.low - REQUEST_MS, at.high), "the system's note of the start, from its log")
    return When(asked, BETWEEN)


def _in_trace(clocks: Clocks, step: Step, asked: Known, trace: bytes) -> Known | None:
    if clocks.from_monotonic is None:
        return None
    source = TOUCHSCREEN if step.kind in TOUCHES else KEYBOARD
    times = [int(nano) / 1e6 for src, nano in _TRACED.findall(trace) if int(src, 16) & source == source]
    seen = [clocks.from_monotonic.plus(Known(time, time + CUT_MS)) for time in times]
    return min((at for at in seen if _among(at, asked)), key=lambda at: at.low, default=None)


def _in_queue(link: Link, clocks: Clocks) -> _Queue:
    """Return what the dispatcher keeps: of one look if events carry their instants, else of several together."""
    looks = [_look(link.sh(DUMP), clocks) for _ in range(DUMPS)]
    same = {tuple(event.kind for event in look.events) for look in looks}
    if looks[0].told or len(same) > 1:
        return looks[0]
    events = zip(*(look.events for look in looks), strict=True)
    return _Queue(tuple(_agreed(seen) for seen in events), told=False)


def _look(said: str, clocks: Clocks) -> _Queue:
    """Read one dump."""
    stamps = [stamp(text) for text in _AT.findall(said)]
    recent = re.search(r"RecentQueue: length=\d+\n(.*?)(?=^\s*(?:PendingEvent|InboundQueue))", said, re.S | re.M)
    if len(stamps) != 2 or recent is None:
        return _Queue((), told=False)
    during = clocks.boot_of_real(Known(*stamps))
    events, told = [], False
    for line in recent[1].splitlines():
        age, time, action = (re.search(rf"\b{name}=([\w.]+)", line) for name in ("age", "eventTime", "action"))
        if age is None:
            continue
        if time and clocks.from_monotonic is not None:
            told, own = True, int(time[1]) / 1e6
            at = clocks.from_monotonic.plus(Known(own, own + CUT_MS))
        else:
            old = float(age[1].removesuffix("ms"))
            at = during.minus(Known(old, old + CUT_MS)).plus(Known(0, CUT_MS))
        kind = line.strip().partition("Event")[0]
        events.append(_Event(kind, at, action[1] in ("DOWN", "0") if action else None))
    return _Queue(tuple(events), told)


def _agreed(seen: Sequence[_Event]) -> _Event:
    """Intersect what several looks say of one event; where they do not meet, the first counts."""
    low, high = max(event.at.low for event in seen), min(event.at.high for event in seen)
    return _Event(seen[0].kind, Known(low, high), seen[0].down) if low <= high else seen[0]


def _among(at: Known, asked: Known) -> bool:
    return at.high >= asked.low and at.low <= asked.high


def _began(queue: _Queue, step: Step, asked: Known) -> Known | None:
    """Return when a step began: its first event if it is kept still, else reckoned back from its last.

    A swipe takes `ms` from its first event to its last, up to one step more, and has more events than are kept.
    """
    kind = "Motion" if step.kind in TOUCHES else "Key"
    events = [event for event in queue.events if event.kind == kind and _among(event.at, asked)]
    if not events:
        return None
    first, last = events[0], events[-1]
    if queue.goes_back_before(asked) or (first.down and kind == "Motion"):
        return first.at
    if step.kind not in ("swipe", "scroll") or len(events) < 2:
        return None
    pause = max(0.0, last.at.high - events[-2].at.low)
    return Known(last.at.low - step.ms - pause, last.at.high - step.ms)
