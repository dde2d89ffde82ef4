"""Areas of the screen that do not count: status bar, navigation bar, what a person draws."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

UNITS = ("fraction", "px")
CORNERS = ("x0", "y0", "x1", "y1")
FARTHEST_PX = 1e6
EXAMPLE = '{"name": "status bar", "x0": 0, "y0": 0, "x1": 1, "y1": 0.04, "unit": "fraction"}'


@dataclass(frozen=True, slots=True)
class Mask:
    """One rectangle to leave out, `x0 <= x < x1` and `y0 <= y < y1`, in the picture as shown.

    `unit` is "fraction" (0 to 1 of width and height) or "px" (pixels of the video).
    """

    name: str
    x0: float
    y0: float
    x1: float
    y1: float
    unit: str = "fraction"

    def __post_init__(self) -> None:
        """Refuse an empty, inside-out or misplaced rectangle."""
        values = (self.x0, self.y0, self.x1, self.y1)
        if self.unit not in UNITS:
            raise ValueError(f"mask {self.name!r}: unit {self.unit!r} is unknown: use fraction or px")
        if not all(math.isfinite(value) and value >= 0 for value in values):
            raise ValueError(f"mask {self.name!r}: {values} must be finite and not negative")
        if self.x0 >= self.x1 or self.y0 >= self.y1:
            raise ValueError(f"mask {self.name!r}: x0 < x1 and y0 < y1 must hold, got {values}")
        if self.unit == "fraction" and max(values) > 1:
            raise ValueError(f"mask {self.name!r}: fractions end at 1, got {values}: did you mean unit px?")

    def pixels(self, width: int, height: int) -> tuple[float, float, float, float]:
        """Return (x0, y0, x1, y1) in pixels of a picture of this size, cut at its edges."""
        scale_x, scale_y = (width, height) if self.unit == "fraction" else (1.0, 1.0)
        return (
            min(self.x0 * scale_x, width),
            min(self.y0 * scale_y, height),
            min(self.x1 * scale_x, width),
            min(self.y1 * scale_y, height),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return asdict(self)


def read_masks(entries: object) -> tuple[Mask, ...]:
    """Return the masks that a JSON value describes: a list of objects with the fields of a Mask.

    Raises ValueError, naming the mask and the cure, for whatever else a person can write.
    """
    if not isinstance(entries, list):
        raise ValueError(f"masks are no list but {_shown(entries)}: write [{EXAMPLE}]")
    return tuple(_mask(entry, number) for number, entry in enumerate(entries, 1))


def _mask(entry: object, number: int) -> Mask:
    if not isinstance(entry, dict):
        raise ValueError(f"mask {number} is {_shown(entry)}: write {EXAMPLE}")
    name = entry.get("name")
    which = f"mask {number}" + (f" ({_shown(name)})" if isinstance(name, str) else "")
    lacking = [key for key in ("name", *CORNERS) if key not in entry]
    if lacking:
        raise ValueError(f"{which} lacks {', '.join(lacking)}: write {EXAMPLE}")
    unknown = [str(key) for key in entry if key not in ("name", *CORNERS, "unit")]
    if unknown:
        raise ValueError(f"{which} has {_shown(', '.join(unknown))}: write {EXAMPLE}")
    if not isinstance(name, str):
        raise ValueError(f"{which}: name is {_shown(name)}: give a text")
    for key in CORNERS:
        if not _is_place(entry[key]):
            raise ValueError(f"{which}: {key} is {_shown(entry[key])}: give a number from 0 to {FARTHEST_PX:g}")
    return Mask(**entry)


def _is_place(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= FARTHEST_PX


def _shown(value: object) -> str:
    return repr(value)[:80]
