"""The evidence of a run: which frames were chosen, what was left out of judgement, and all else in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.action.proposals import KINDS
from analysis.verdicts.text import number_text
from reports.measuring.series import RunSeries
from reports.models import Correction, Run

MOMENTS = ("response", "finish")
SEEN = ("ssim_mean", "ssim_worst", "changed_pct")  # what is said of a chosen frame
US_PER_MS = 1000
Size = tuple[int | None, int | None]  # width and height in px, as far as they are known
THIRDS = (100 / 3, 200 / 3)  # where left, middle and right part, in percent of the picture
NEARLY_ALL_PCT = 85.0  # a side this long is not worth a number
MOST_PCT = 60.0  # of the picture: no place of its own any more
OUTCOME_WORDS = {
    "ok": "measured",
    "no_response": "no response",
    "never_settles": "never settles",
    "no_action": "needs an action",
    "unreadable": "unreadable",
    "too_short": "too short",
    "too_noisy": "too noisy",
    "moving_camera": "filmed by a moving camera",
}


@dataclass(frozen=True)
class Box:
    """An area, in percent of the picture; so is the ``screen`` in it, where black lies around that."""

    left: float
    top: float
    width: float
    height: float
    screen: "Box | None" = None

    @property
    def place(self) -> str:
        """Say where it lies and how large it is: ``upper left, about 8 × 1 % of the screen``."""
        if self.screen:
            return self._of(self.screen).place
        if self.width >= NEARLY_ALL_PCT and self.height >= NEARLY_ALL_PCT:
            return "the whole screen"
        if self.width * self.height >= 100 * MOST_PCT:
            return "most of the screen"
        return f"{self._where()}, about {_share(self.width)} × {_share(self.height)} % of the screen"

    def _of(self, whole: "Box") -> "Box":
        """Return the area in percent of another one."""
        across, down = 100 / whole.width, 100 / whole.height
        left, top = (self.left - whole.left) * across, (self.top - whole.top) * down
        return Box(left, top, self.width * across, self.height * down)

    def _where(self) -> str:
        across = _third(self.left + self.width / 2, ("left", "middle", "right"))
        down = _third(self.top + self.height / 2, ("upper", "middle", "lower"))
        if self.width >= NEARLY_ALL_PCT:
            return f"across the {down} part"
        if self.height >= NEARLY_ALL_PCT:
            return f"down the {across}"
        return "in the middle" if across == down else f"{down} {across}"


class _Shown:
    """A frame that is shown beside the one before it; both times in ms from the first frame."""

    time_ms: float
    before_ms: float

    @property
    def time_us(self) -> int:
        """The time of the frame, as addresses of stills carry it."""
        return round(self.time_ms * US_PER_MS)

    @property
    def before_us(self) -> int:
        """The time of the frame before, as addresses of stills carry it."""
        return round(self.before_ms * US_PER_MS)


@dataclass(frozen=True)
class OtherFrame(_Shown):
    """The other frame that a moment may be, the frame before it, and why, as a clause. Times as of the chosen."""

    frame: int
    time_ms: float
    before_ms: float
    after_action_ms: float
    reason: str


@dataclass(frozen=True)
class ChosenFrame(_Shown):
    """Response or finish of a run: the frame that was chosen for it, and the frame before.

    Times count from the first frame. Where a person corrected the moment it is the frame of the person; else
    ``confidence`` is how sure it is, empty for what was measured before there was such a word.
    """

    moment: str
    frame: int
    before: int
    time_ms: float
    before_ms: float
    after_action_ms: float
    ssim_mean: float
    ssim_worst: float
    changed_pct: float
    box: Box | None = None
    correction: Correction | None = None
    found_by: str = ""
    confidence: str = ""
    other: OtherFrame | None = None


@dataclass(frozen=True)
class SeenEvent:
    """A change after the action: when (ms after it), where, and what came of it in words.

    One that comes again at its place, with the same outcome, is told once with its number of `times`. ``shown_ms``
    is the frame that shows it, from the first frame on.
    """

    start_ms: float
    end_ms: float
    place: str
    changed_pct: float
    said: str
    decides: bool
    shown_ms: float
    box: Box | None = None
    times: int = 1

    @property
    def shown_us(self) -> int:
        """The time of its frame, as addresses of stills carry it."""
        return round(self.shown_ms * US_PER_MS)


@dataclass(frozen=True)
class SeenTogether:
    """Changes that began in the same frame and came to the same: one picture with all their places."""

    events: tuple[SeenEvent, ...]

    @property
    def first(self) -> SeenEvent:
        """The largest of them, which speaks for all."""
        return max(self.events, key=lambda event: event.changed_pct)

    @property
    def end_ms(self) -> float:
        """When the last of them ended."""
        return max(event.end_ms for event in self.events)

    @property
    def others(self) -> int:
        """How many there are besides the largest."""
        return len(self.events) - 1


@dataclass(frozen=True)
class LeftOut:
    """An area that did not count, and why. ``box`` is None where the size of the picture is unknown."""

    reason: str
    box: Box | None

    @property
    def place(self) -> str:
        """Say where it lies."""
        return self.box.place if self.box else "somewhere on the screen"


@dataclass(frozen=True)
class Fact:
    """One more thing that the evidence says."""

    name: str
    value: str


def chosen_frames(run: RunSeries) -> tuple[ChosenFrame, ...]:
    """Return response and finish of a run, those that there are; a corrected one is the frame of the person."""
    found = (_corrected(run, name) if name in run.corrections else _found(run, name) for name in MOMENTS)
    return tuple(frame for frame in found if frame)


def areas_left_out(evidence: Mapping[str, Any]) -> tuple[LeftOut, ...]:
    """Return the areas that did not count, with the reason: masks first, then what was ignored."""
    masks = (mask for mask in evidence.get("masks", []) if isinstance(mask, dict))
    ignored = ((_box(area["rect"], evidence), area["reason"]) for area in evidence.get("ignored", []))
    return (
        *(LeftOut(f"{mask.get('name') or 'an area'} (masked)", _mask_box(mask, evidence)) for mask in masks),
        *(LeftOut(reason, box) for box, reason in ignored),
    )


def left_out_areas(evidence: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the areas that did not count in words."""
    return tuple(f"{area.reason}, {area.place}" if area.box else area.reason for area in areas_left_out(evidence))


def seen_events(evidence: Mapping[str, Any], action_ms: float = 0.0) -> tuple[SeenEvent, ...]:
    """Return what changed after the action by its start, with the rule that left it out; empty for older runs.

    ``action_ms`` is the action that they were counted from, in ms after the first frame.
    """
    told: dict[tuple[tuple[float, ...], str], SeenEvent] = {}
    for event in evidence.get("events", []):
        box = _box(event["rect"], evidence)
        seen = SeenEvent(
            start_ms=float(event["start_ms"]),
            end_ms=float(event["end_ms"]),
            place=_place(box),
            changed_pct=float(event["changed_pct"]),
            said=_said(event["decides"], event["left_out"]),
            decides=bool(event["decides"]),
            shown_ms=max(0.0, action_ms + float(event["start_ms"])),
            box=box,
        )
        known = told.setdefault((tuple(event["rect"]), seen.said), seen)
        if known is not seen:
            again = replace(known, end_ms=seen.end_ms, times=known.times + 1)
            told[tuple(event["rect"]), seen.said] = again
    return tuple(told.values())


def seen_together(events: Iterable[SeenEvent]) -> tuple[SeenTogether, ...]:
    """Put together the changes that began at once and came to the same, in their order."""
    groups: dict[tuple[str, int], list[SeenEvent]] = {}
    for event in events:
        groups.setdefault((event.said, event.shown_us), []).append(event)
    return tuple(SeenTogether(tuple(group)) for group in groups.values())


def judged_action_ms(evidence: Mapping[str, Any], run: Run) -> float:
    """Return the action that the evidence was counted from: of a run that waits for another one it is the old."""
    for moment in MOMENTS:
        found = evidence.get(moment) or {}
        if "time_ms" in found and "after_action_ms" in found:
            return float(found["time_ms"]) - float(found["after_action_ms"])
    return run.action_ms


def _place(box: Box | None) -> str:
    return box.place if box else "somewhere on the screen"


def _third(middle: float, words: tuple[str, str, str]) -> str:
    return words[0] if middle < THIRDS[0] else words[2] if middle > THIRDS[1] else words[1]


def _share(pct: float) -> str:
    return number_text(round(pct), 0) if pct >= 0.5 else "under 1"


def _size(evidence: Mapping[str, Any]) -> Size:
    video = evidence.get("video") or {}
    return video.get("width"), video.get("height")


def _box(rect: Sequence[float] | None, evidence: Mapping[str, Any], size: Size | None = None) -> Box | None:
    """Return an area of the picture, with the screen that it lies in."""
    return _on_screen(box_of(rect, size or _size(evidence)), evidence)


def _on_screen(box: Box | None, evidence: Mapping[str, Any]) -> Box | None:
    screen = box_of(evidence.get("screen"), _size(evidence))
    return replace(box, screen=screen) if box and screen else box


def _mask_box(mask: Mapping[str, Any], evidence: Mapping[str, Any]) -> Box | None:
    width, height = _size(evidence) if mask.get("unit") == "px" else (1, 1)
    corners = [mask.get(name) for name in ("x0", "y0", "x1", "y1")]
    return None if None in corners else _on_screen(box_of(corners, (width, height)), evidence)


def _said(decides: Sequence[str], left_out: Mapping[str, str]) -> str:
    """Say which moments an event decided, or why it did not."""
    if decides:
        return f"decides {' and '.join(decides)}"
    if not left_out:
        return "between response and finish"
    if len(set(left_out.values())) == 1 and len(left_out) == len(MOMENTS):
        return f"left out: {next(iter(left_out.values()))}"
    return "; ".join(f"no {moment}: {reason}" for moment, reason in left_out.items())


def other_facts(evidence: Mapping[str, Any]) -> list[Fact]:
    """Return what else a person may want to know of how the recording was read, in words."""
    video = evidence.get("video") or {}
    told = (
        ("From rest, changed from", _levels(evidence.get("threshold_levels"))),
        ("Its own noise reaches", _levels(evidence.get("noise_floor_levels"))),
        ("Keeps time", _rate_words(evidence.get("variable_rate"))),
        ("Slots a second", _number(evidence.get("slots_hz"))),
        ("Coded as", _codec_words(video)),
        ("Turned by", f"{video['rotation']}°" if video.get("rotation") else ""),
        ("Noted while reading", "; ".join(str(note) for note in evidence.get("notes", []))),
    )
    return [Fact(name, value) for name, value in told if value]


def _levels(value: float | None) -> str:
    return "" if value is None else f"{number_text(value, 1)} of 255 grey levels"


def _number(value: float | None) -> str:
    return "" if value is None else number_text(value, 1)


def _rate_words(variable: bool | None) -> str:
    if variable is None:
        return ""
    return "a frame whenever the screen changed" if variable else "a frame at every slot"


def _codec_words(video: Mapping[str, Any]) -> str:
    parts = [str(video.get(name, "")) for name in ("codec", "pixel_format")]
    return ", ".join(part for part in parts if part)


def _found(run: RunSeries, moment: str) -> ChosenFrame | None:
    found = run.evidence.get(moment)
    if not found:
        return None
    frame = int(found["frame"])
    known: dict[str, Any] = {name: float(found[name]) for name in SEEN if name in found}
    known["found_by"] = str(found.get("found_by", ""))
    known["after_action_ms"] = float(found["after_action_ms"])
    known["confidence"], known["other"] = str(found.get("confidence", "")), _other(run, found.get("other"))
    known["box"] = _box(found.get("changed_rect"), run.evidence, (run.run.width_px, run.run.height_px))
    return _chosen(run, moment, frame, before=int(found.get("frame_before", frame - 1)), **known)


def _other(run: RunSeries, found: Mapping[str, Any] | None) -> OtherFrame | None:
    """Return the other candidate; None also where the series of the run ends before it."""
    times = run.series.time_ms
    if not found or int(found["frame"]) >= len(times):
        return None
    frame = int(found["frame"])
    before, after_action_ms = float(times[max(frame - 1, 0)]), float(found["after_action_ms"])
    return OtherFrame(frame, float(times[frame]), before, after_action_ms, str(found["reason"]))


def _corrected(run: RunSeries, moment: str) -> ChosenFrame:
    correction = run.corrections[moment]
    frame = run.frame_at(correction.value_ms)
    return _chosen(run, moment, frame, before=frame - 1, after_action_ms=correction.value_ms, correction=correction)


def _chosen(run: RunSeries, moment: str, frame: int, *, before: int, **known: Any) -> ChosenFrame:
    """Fill in what the frame series says of a frame, besides what is known of it."""
    series, last = run.series, len(run.series.time_ms) - 1
    frame, before = min(frame, last), min(max(before, 0), last)
    times: dict[str, Any] = {"time_ms": float(series.time_ms[frame]), "before_ms": float(series.time_ms[before])}
    seen = {name: float(getattr(series, name)[frame]) for name in SEEN}
    return ChosenFrame(moment=moment, frame=frame, before=before, **times | seen | known)


def box_of(rect: Sequence[Any] | None, size: Size) -> Box | None:
    """Turn corners in a picture of this width and height into percent; None where either is unknown."""
    width, height = size
    if not rect or not width or not height:
        return None
    x0, y0, x1, y1 = (float(value) for value in rect)
    share_x, share_y = 100.0 / width, 100.0 / height
    return Box(x0 * share_x, y0 * share_y, (x1 - x0) * share_x, (y1 - y0) * share_y)


@dataclass(frozen=True)
class FoundAction:
    """An instant at which the user may have acted, with the picture before it and the first that shows it."""

    kind: str
    time_ms: float
    uncertain_ms: float
    certain: bool
    why: str
    box: Box | None

    @property
    def name(self) -> str:
        """What it is: ``a touch dot``."""
        return KINDS.get(self.kind, "a sign")

    @property
    def time_us(self) -> int:
        """When it is first shown, as addresses have it."""
        return round(self.time_ms * US_PER_MS)

    @property
    def before_us(self) -> int:
        """The last instant before it."""
        return max(0, self.time_us - 1000)


def found_actions(evidence: Mapping[str, Any]) -> tuple[FoundAction, ...]:
    """Return what was found of the action, the surest first; nothing where somebody gave it."""
    told = evidence.get("action") or {}
    return tuple(
        FoundAction(
            kind=str(one["kind"]),
            time_ms=float(one["time_ms"]),
            uncertain_ms=float(one["uncertain_ms"]),
            certain=bool(one["certain"]),
            why=str(one["why"]),
            box=_box(one["rect"], evidence),
        )
        for one in told.get("proposals", ())
    )


def chosen_action(evidence: Mapping[str, Any]) -> FoundAction | None:
    """Return the proposal that counts without a person, or that a person has confirmed."""
    told = evidence.get("action") or {}
    if not told.get("chosen"):
        return None
    return found_actions({**evidence, "action": {"proposals": [told["chosen"]]}})[0]


def outcome_words(outcome: str) -> str:
    """Return an outcome in words: one that is not known here as it is stored; without one measuring broke."""
    return OUTCOME_WORDS.get(outcome, outcome.replace("_", " ")) or "could not be measured"
