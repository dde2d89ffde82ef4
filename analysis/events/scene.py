"""What rules look at: the recording with what is known of it, and one step of one event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from analysis.arrays import F64, Bools
from analysis.detection.changes import Changes
from analysis.detection.crosshair import Crosshair
from analysis.events.background import Background
from analysis.events.bars import Company
from analysis.events.cursor.pointer import Pointer
from analysis.events.event import Event
from analysis.events.lamps import Lamp
from analysis.events.mark import Mark
from analysis.video.recording import Recording

Moment = Literal["response", "finish"]
BOTH: tuple[Moment, ...] = ("response", "finish")


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What rules look at besides the event itself.

    `times_ms` (m,) says when each picture came, `variable_rate` how the recorder wrote: both are asked for at every
    step, and cost a walk over the recording. `bars` is where systems have theirs, `lamps` are in
    them, `touched` lies around the finger, `mark` came with the action, `dragged` is what it changes, by picture,
    as it moves. `refined` are pictures that an encoder draws finer, `traces` what is left beside a cursor, by
    picture, `stale` what an encoder had left behind, by picture, `dithering` is where noise goes on to the
    end; `crosshair` is what Android's *Pointer location* draws, `focus` a window's frame, by picture: both are no
    longer among the changes.
    """

    recording: Recording
    changes: Changes
    events: Sequence[Event]
    background: Background
    finger: Bools
    action_ms: float
    times_ms: F64
    variable_rate: bool
    bars: Bools
    touched: Bools
    pointer: Pointer
    company: Company
    dithering: Bools
    lamps: tuple[Lamp, ...] = ()
    mark: Mark | None = None
    dragged: Mapping[int, Bools] = field(default_factory=dict)
    refined: frozenset[int] = frozenset()
    traces: Mapping[int, Bools] = field(default_factory=dict)
    stale: Mapping[int, Bools] = field(default_factory=dict)
    crosshair: Crosshair = field(default_factory=Crosshair)
    focus: Mapping[int, Bools] = field(default_factory=dict)

    def under_finger(self, event: Event) -> bool:
        """Return whether an event reaches where the screen was touched."""
        return bool((event.part & self.touched[event.box]).any())


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What one event changes in one picture; `blocks` are those that no rule has explained so far."""

    event: Event
    picture: int
    blocks: Bools
