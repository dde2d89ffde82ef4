"""How this computer's clock is brought to the film's by OBS's marker, and where the phone lies in the film."""

from __future__ import annotations

import math

import pytest

from upreg_recorder.drivers.obs.marker import ROUNDED_MS, Change, synchronise
from upreg_recorder.drivers.obs.staging import Frame, Rate, StageError, _frame, judge_rate

PERIOD_MS = 1000 / 60
START_MS = 4321.7  # of the film, on this computer's clock


def seen_ms(at_s: float, late: int = 0) -> float:
    """Return the time of the picture that first shows a change: the slow, plain way, picture by picture."""
    number = 0
    while START_MS + number * PERIOD_MS < at_s * 1000:
        number += 1
    return (number + late) * PERIOD_MS


def changes_from(first_s: float, gap_pictures: float, trip_s: float = 0.001) -> list[Change]:
    instants = [first_s + n * gap_pictures * PERIOD_MS / 1000 for n in range(4)]
    return [Change(at - trip_s / 2, at + trip_s / 2) for at in instants]


@pytest.mark.parametrize("phase", [0.0, 0.1, 0.37, 0.5, 0.81, 0.99])
def test_synchronise_bounds_the_truth(phase: float) -> None:
    changes = changes_from((START_MS + (10 + phase) * PERIOD_MS) / 1000, 3.25)
    seen = [seen_ms((change.sent_s + change.answered_s) / 2) for change in changes]
    sync = synchronise(changes, seen, PERIOD_MS)
    assert abs(sync.film_ms(START_MS / 1000)) <= sync.uncertain_ms
    assert sync.uncertain_ms <= PERIOD_MS / 8 + 0.5 + ROUNDED_MS + 1e-6


def test_changes_at_one_phase_tell_less_than_at_four() -> None:
    four, one = (changes_from((START_MS + 10.3 * PERIOD_MS) / 1000, gap) for gap in (3.25, 3.0))
    syncs = [
        synchronise(changes, [seen_ms((c.sent_s + c.answered_s) / 2) for c in changes], PERIOD_MS)
        for changes in (four, one)
    ]
    assert syncs[0].uncertain_ms < syncs[1].uncertain_ms / 2


@pytest.mark.parametrize("late", [(0, 1, 0, 0), (2, 0, 1, 0), (0, 0, 0, 3)])
def test_a_picture_composed_late_widens_and_still_bounds_the_truth(late: tuple[int, ...]) -> None:
    changes = changes_from((START_MS + 10.3 * PERIOD_MS) / 1000, 3.25)
    seen = [seen_ms((c.sent_s + c.answered_s) / 2, n) for c, n in zip(changes, late, strict=True)]
    sync = synchronise(changes, seen, PERIOD_MS)
    assert abs(sync.film_ms(START_MS / 1000)) <= sync.uncertain_ms


TRANSFORM = {
    "alignment": 5, "boundsAlignment": 0, "boundsHeight": 0.0, "boundsType": "OBS_BOUNDS_NONE", "boundsWidth": 0.0,
    "cropBottom": 0, "cropLeft": 0, "cropRight": 0, "cropTop": 0, "height": 1080.0, "positionX": 100.0,
    "positionY": 0.0, "rotation": 0.0, "sourceHeight": 2160.0, "sourceWidth": 1080.0, "width": 540.0,
}  # fmt: skip


BOUNDS = {"boundsWidth": 1920.0, "boundsHeight": 1080.0}


def test_place_of_a_touch_in_a_scaled_film() -> None:
    rate = Rate(60.0, (1920, 1080), (1280, 720))
    assert Frame(100.0, 0.0, 540.0, 1080.0).px((0.5, 0.25), rate) == pytest.approx((370 * 2 / 3, 180.0))


@pytest.mark.parametrize(
    ("changed", "frame"),
    [
        ({}, Frame(100.0, 0.0, 540.0, 1080.0)),
        ({"alignment": 0, "positionX": 960.0, "positionY": 540.0}, Frame(690.0, 0.0, 540.0, 1080.0)),
        ({"alignment": 10, "positionX": 1920.0, "positionY": 1080.0}, Frame(1380.0, 0.0, 540.0, 1080.0)),
        (
            {**BOUNDS, "boundsType": "OBS_BOUNDS_SCALE_INNER", "positionX": 0.0},
            Frame(690.0, 0.0, 540.0, 1080.0),
        ),
        (
            {"boundsType": "OBS_BOUNDS_STRETCH", "boundsWidth": 600.0, "boundsHeight": 1000.0},
            Frame(100.0, 0.0, 600.0, 1000.0),
        ),
        ({"boundsType": "OBS_BOUNDS_SCALE_OUTER", "boundsWidth": 1.0, "boundsHeight": 1.0}, None),
        ({"rotation": 90.0}, None),
        ({"cropTop": 20}, None),
    ],
)
def test_where_the_phone_lies(changed: dict[str, object], frame: Frame | None) -> None:
    assert _frame({**TRANSFORM, **changed}) == frame


def test_a_rate_of_none_fits_is_an_error() -> None:
    with pytest.raises(StageError, match="films 59 pictures a second and the screen shows 60"):
        judge_rate(Rate(59.0, (1, 1), (1, 1)), 60.0)
    assert math.isclose(Rate(60000 / 1001, (1, 1), (1, 1)).fps, 59.94, rel_tol=1e-4)
