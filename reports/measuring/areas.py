"""What runs are measured with besides their own facts: areas that are never judged, and the interaction's type.

Both concern many runs. Each change says how many, and measures them again only if that was asked for.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from analysis.video.masks import Mask, read_masks
from reports.audit.services import keep_change, record
from reports.measuring.evidence import Box, box_of
from reports.measuring.services import measure_runs_anew
from reports.models import Action, App, Comparison, Device, Interaction, InteractionType, Run
from reports.models.catalogue import Masked
from reports.models.querysets import RunQuerySet
from reports.queue.services import recount_comparisons

OWNERS: dict[str, type[Masked]] = {"interaction": Interaction, "app": App, "device": Device}
_RUNS_OF = {Interaction: "interaction", App: "interaction__app", Device: "device"}


@dataclass(frozen=True)
class Area:
    """A mask as pages show it. ``box`` is None for one in pixels where no picture's size is known."""

    name: str
    mask: dict[str, Any]
    box: Box | None

    @property
    def json(self) -> str:
        """Return it as a form sends it back."""
        return json.dumps(self.mask)

    @property
    def words(self) -> str:
        """Say where it lies."""
        return self.box.place if self.box else "given in pixels of the picture"


@dataclass(frozen=True)
class Owner:
    """Whose areas: this interaction, its app, its device. ``runs`` is how many runs they concern."""

    key: str
    name: str
    runs: int
    areas: tuple[Area, ...]


@dataclass(frozen=True)
class Outcome:
    """What a change came to: ``concerned`` runs, of which ``again`` are measured again."""

    changed: bool
    concerned: int
    again: int


def runs_of(owner: Masked) -> RunQuerySet:
    """Return the runs that are measured with the areas of an interaction, app or device."""
    return Run.objects.filter(**{_RUNS_OF[type(owner)]: owner.pk})


def owners_of(run: Run) -> tuple[Owner, ...]:
    """Return whose areas concern a run; three queries."""
    size = (run.width_px, run.height_px)
    rows: tuple[tuple[str, Masked], ...] = (
        ("interaction", run.interaction), ("app", run.interaction.app), ("device", run.device),
    )  # fmt: skip
    names = {"interaction": run.interaction.name, "app": run.interaction.app.name, "device": str(run.device)}
    return tuple(Owner(key, names[key], runs_of(row).count(), areas_of(row, size)) for key, row in rows)


def areas_of(owner: Masked, size: tuple[int | None, int | None] = (None, None)) -> tuple[Area, ...]:
    """Return the areas of an owner; what was entered wrongly is left to the forms, which say so."""
    try:
        masks = read_masks(owner.masks)
    except ValueError:
        return ()
    return tuple(Area(mask.name, mask.as_dict(), _box(mask, size)) for mask in masks)


def _box(mask: Mask, size: tuple[int | None, int | None]) -> Box | None:
    width, height = (1, 1) if mask.unit == "fraction" else size
    if not width or not height:
        return None
    return box_of(mask.pixels(width, height), (width, height))


def add_area(*, owner: Masked, mask: Mask, again: bool, user: AbstractBaseUser) -> Outcome:
    """Never judge an area any more on what belongs to an interaction, app or device; nothing if it is there."""
    added = mask.as_dict()
    return _with_masks(owner, lambda masks: masks if added in masks else [*masks, added], again, user)


def remove_area(*, owner: Masked, mask: dict[str, Any], again: bool, user: AbstractBaseUser) -> Outcome:
    """Judge an area again; nothing happens if it is gone already."""
    return _with_masks(owner, partial(_without, mask=mask), again, user)


class WrongTypeError(ValueError):
    """An interaction cannot be of this type."""


@transaction.atomic
def set_type(*, interaction: Interaction, type: str, again: bool, user: AbstractBaseUser) -> Outcome:
    """Say how the interaction touches the screen: it decides which metrics it has and how it is judged.

    Raises WrongTypeError where a benchmark measured it, or would.
    """
    locked = Interaction.objects.select_for_update().get(pk=interaction.pk)
    concerned = runs_of(locked).count()
    if type not in InteractionType.values:
        raise ValueError(f"{type!r} is no type of interaction: choose {', '.join(InteractionType.values)}")
    if InteractionType.BENCHMARK in (type, locked.type) and locked.type != type:
        raise WrongTypeError("what a benchmark measured has no other type, and what is filmed is no benchmark")
    if locked.type == type:
        return Outcome(changed=False, concerned=concerned, again=0)
    before, locked.type = locked.type, type
    locked.save(update_fields=["type"])
    count = _measure_for_type(locked) if again else 0
    if not count:
        recount_comparisons()
    keep_change(of=locked, field="type", before=before, after=type, user=user, runs=count)
    return Outcome(changed=True, concerned=concerned, again=count)


@transaction.atomic
def measure_again(*, owner: Masked, user: AbstractBaseUser) -> int:
    """Measure all runs of an interaction, app or device again; return how many."""
    count = measure_runs_anew(runs=runs_of(owner))
    record(Action.MEASURED_AGAIN, of=owner, user=user, runs=count)
    return count


def _measure_for_type(interaction: Interaction) -> int:
    """Measure the runs again; their comparisons count anew afterwards, even if every number stays the same."""
    runs = runs_of(interaction)
    versions = list(runs.order_by().values_list("os_version", flat=True).distinct())
    Comparison.objects.of_versions(*versions).update(fingerprint="")
    return measure_runs_anew(runs=runs)


@transaction.atomic
def _with_masks(
    owner: Masked,
    change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]],
    again: bool,
    user: AbstractBaseUser,
) -> Outcome:
    """Change the areas of an owner under a lock, so that two people who draw at once both get theirs."""
    locked = type(owner)._default_manager.select_for_update().get(pk=owner.pk)
    before = locked.masks if isinstance(locked.masks, list) else []
    after = change(before)
    read_masks(after)
    concerned = runs_of(locked).count()
    if after == before:
        return Outcome(changed=False, concerned=concerned, again=0)
    locked.masks = owner.masks = after
    _save_masks(locked)
    count = measure_runs_anew(runs=runs_of(locked)) if again else 0
    keep_change(of=locked, field="masks", before=before, after=after, user=user, runs=count)
    return Outcome(changed=True, concerned=concerned, again=count)


def _save_masks(owner: Any) -> None:
    owner.save(update_fields=["masks"])


def _without(masks: list[dict[str, Any]], *, mask: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the masks without the first that is this one, however it was written."""
    left, gone = [], False
    for each in masks:
        same = not gone and {"unit": "fraction"} | each == mask
        gone = gone or same
        if not same:
            left.append(each)
    return left
