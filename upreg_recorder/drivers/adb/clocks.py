"""The clocks of a device, and what is known of them: every instant is a middle with how far it may be off.

A device has three: REALTIME (of the day; may be set at any time), BOOTTIME (since it started), and MONOTONIC,
which stops while it sleeps. Films of `screenrecord` are stamped in BOOTTIME, input events in MONOTONIC, logs and
the shell's EPOCHREALTIME in REALTIME. All are brought to BOOTTIME here. Units are ms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.failures import TrialError

# `read` and EPOCHREALTIME are the shell's own: a turn of this loop starts no process and takes 20 µs to 200 µs.
# /proc/uptime goes in steps of 10 ms, so 400 turns see a step; the stamp around it tells when to within a turn.
TURNS = 400
TICK_MS = 10.0
READ_TICKS = (
    f"i=0; while [ $i -lt {TURNS} ]; do "
    'a=$EPOCHREALTIME; read u x < /proc/uptime; echo "$a $EPOCHREALTIME $u"; i=$((i+1)); done'
)
ROUND_TRIPS = 8
DRIFT_MS = 100.0  # more than a crystal drifts in hours: somebody or a time server has set a clock
APART_MS = 2000.0  # logs of host and device can hardly be read side by side then
MANY_MS = 1e15
_TICKS = re.compile(r"^(\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$", re.MULTILINE)
_UPTIME = re.compile(r"^Uptime: (\d+) Realtime: (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Known:
    """A number of ms that lies between `low` and `high`."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        """The best single value."""
        return (self.low + self.high) / 2

    @property
    def within(self) -> float:
        """How far the truth may be from the middle."""
        return (self.high - self.low) / 2

    def plus(self, other: Known) -> Known:
        """Return the sum of two."""
        return Known(self.low + other.low, self.high + other.high)

    def minus(self, other: Known) -> Known:
        """Return the difference of two."""
        return Known(self.low - other.high, self.high - other.low)

    def wider(self, by: float) -> Known:
        """Return the same with `by` ms more to either side."""
        return Known(self.low - by, self.high + by)


def exactly(value: float, within: float = 0.0) -> Known:
    """Return what is known to ± `within` ms."""
    return Known(value - within, value + within)


@dataclass(frozen=True)
class Clocks:
    """How far BOOTTIME is ahead of the other two clocks of a device."""

    from_real: Known
    from_monotonic: Known | None  # None where the device does not tell how long it has slept

    def boot_of_real(self, instant: Known) -> Known:
        """Return an instant of the day as one since the device started."""
        return instant.plus(self.from_real)


def read_clocks(link: Link) -> Clocks:
    """Read the clocks of a device; raises TrialError if its shell does not tell them."""
    return Clocks(_from_real(link), _from_monotonic(link))


def stamp(text: str) -> float:
    """Return ms since 1970 of the shell's EPOCHREALTIME."""
    return float(text) * 1000


def _from_real(link: Link) -> Known:
    """Intersect what each turn tells: the uptime it read was true at some time between its two stamps."""
    low, high = -MANY_MS, MANY_MS
    for before, after, uptime in _TICKS.findall(link.sh(READ_TICKS)):
        low = max(low, float(uptime) * 1000 - stamp(after))
        high = min(high, float(uptime) * 1000 + TICK_MS - stamp(before))
    if low == -MANY_MS:
        raise TrialError(
            f"{link.serial}: its shell tells no time (EPOCHREALTIME, /proc/uptime): Android 7 or later does"
        )
    if low > high:  # the clock was set meanwhile
        raise TrialError(
            f"{link.serial}: its clock was set while it was read: turn off automatic time, or try again"
        )
    return Known(low, high)


def _from_monotonic(link: Link) -> Known | None:
    """Return how long the device has slept: `dumpsys gfxinfo` prints both clocks side by side, in whole ms.

    They are read one after the other, each cut to whole ms: the difference is good to ± 2 ms.
    """
    found = _UPTIME.search(link.sh("dumpsys gfxinfo com.android.systemui | head -n 4"))
    return exactly(float(found[2]) - float(found[1]), 2.0) if found else None


def host_ahead(link: Link) -> Known:
    """Return how many ms the host's clock is ahead of the device's, by the shortest of several round trips."""
    best = Known(-MANY_MS, MANY_MS)
    for _ in range(ROUND_TRIPS):
        before = link.pace.now() * 1000
        said = link.sh("echo $EPOCHREALTIME")
        after = link.pace.now() * 1000
        if re.fullmatch(r"\d+\.\d+", said) is None:
            raise TrialError(f"{link.serial}: its shell tells no time (EPOCHREALTIME): Android 7 or later does")
        seen = Known(before - stamp(said), after - stamp(said))
        best = min(best, seen, key=lambda known: known.within)
    return best


def clock_notes(first: Known, now: Known) -> list[str]:
    """Return what is wrong with the clocks of host and device, given their difference at first and now."""
    notes = []
    if abs(now.middle) > now.within + APART_MS:
        side = "behind" if now.middle > 0 else "ahead of"
        notes.append(f"the device's clock is {abs(now.middle) / 1000:.1f} s {side} the host's")
    drift = now.minus(first)
    if abs(drift.middle) > drift.within + DRIFT_MS:
        notes.append(f"the clocks of host and device drifted apart by {drift.middle:+.0f} ms since it was opened")
    return notes
