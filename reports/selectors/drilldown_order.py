"""The interactions of a comparison in severity order: where the page's previous and next lead."""

from dataclasses import dataclass

from analysis.verdicts.words import REGRESSION
from reports.models import Comparison, Interaction, Result


@dataclass(frozen=True)
class Step:
    """A neighbour in the order: enough for a link."""

    package: str
    interaction: str
    label: str
    device_id: int


@dataclass(frozen=True)
class Place:
    """Where an interaction stands. ``total`` counts the regressed ones if it is one of them, else all."""

    position: int
    total: int
    regressed: bool
    previous: Step | None
    next: Step | None


def place_in_order(comparison: Comparison, interaction: Interaction, device_id: int | None) -> Place | None:
    """Return the place of this interaction among the worst rows of the comparison; None if it has none."""
    rows = list(
        Result.objects.filter(comparison=comparison, worst=True)
        .order_by("place", "-times_threshold", "id")
        .values_list("interaction_id", "device_id", "verdict")
    )
    at = _position(rows, interaction.pk, device_id)
    if at is None:
        return None
    regressed = sum(verdict == REGRESSION for _, _, verdict in rows)
    steps = _steps([rows[place][:2] for place in (at - 1, at + 1) if 0 <= place < len(rows)])
    return Place(
        position=at + 1,
        total=regressed if at < regressed else len(rows),
        regressed=at < regressed,
        previous=steps.get(rows[at - 1][:2]) if at else None,
        next=steps.get(rows[at + 1][:2]) if at + 1 < len(rows) else None,
    )


def _position(rows: list[tuple[int, int, str]], interaction_id: int, device_id: int | None) -> int | None:
    places = [
        (device != device_id, place)
        for place, (interaction, device, _) in enumerate(rows)
        if interaction == interaction_id
    ]
    return min(places)[1] if places else None


def _steps(keys: list[tuple[int, int]]) -> dict[tuple[int, int], Step]:
    ids = {interaction for interaction, _ in keys}
    found = {row.pk: row for row in Interaction.objects.filter(pk__in=ids).select_related("app")}
    return {
        key: Step(found[key[0]].app.package, found[key[0]].name, str(found[key[0]]), key[1])
        for key in keys
        if key[0] in found
    }
