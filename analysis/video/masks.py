"""Areas of the screen that do not count: status bar, navigation bar, what a person draws."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

UNITS = ("fraction", "px")


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
