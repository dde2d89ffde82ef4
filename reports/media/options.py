"""What is known about a run before it is measured."""

from analysis.options import CONFIRMED, MeasureOptions
from analysis.video.masks import Mask, read_masks
from reports.models import Run
from reports.models.catalogue import Masked


class WrongMaskError(ValueError):
    """A mask was entered wrongly. The message names whose it is, the mask and the cure."""


def measure_options(run: Run) -> MeasureOptions:
    """Collect the facts of a run and the masks of its device, app and interaction.

    Raises WrongMaskError if a mask was entered wrongly.
    """
    return MeasureOptions(
        action_ms=run.action_ms,
        interaction_type=run.interaction.type,
        refresh_hz=run.device.refresh_hz,
        touch_xy=_touch(run),
        show_touches=run.show_touches,
        masks=_masks(run),
        capture=run.capture,
        find_action=CONFIRMED if run.action_from and run.action_confirmed else run.action_from,
    )


def _touch(run: Run) -> tuple[float, float] | None:
    if run.touch_x_px is None or run.touch_y_px is None:
        return None
    return run.touch_x_px, run.touch_y_px


def _masks(run: Run) -> tuple[Mask, ...]:
    owners: tuple[Masked, ...] = (run.device, run.interaction.app, run.interaction)
    return tuple(mask for owner in owners for mask in _masks_of(owner))


def _masks_of(owner: Masked) -> tuple[Mask, ...]:
    try:
        return read_masks(owner.masks)
    except ValueError as error:
        cure = f"correct the masks of this {owner._meta.verbose_name} in the catalogue, then measure again"
        raise WrongMaskError(f"a mask of {owner} is wrong: {error}: {cure}") from error
