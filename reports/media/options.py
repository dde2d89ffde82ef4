"""What is known about a run before it is measured."""

from analysis.options import MeasureOptions
from analysis.video.masks import Mask
from reports.models import Run


def measure_options(run: Run) -> MeasureOptions:
    """Collect the facts of a run and the masks of its device, app and interaction.

    Raises ValueError, naming the cure, if a mask was entered wrongly.
    """
    return MeasureOptions(
        action_ms=run.action_ms,
        interaction_type=run.interaction.type,
        refresh_hz=run.device.refresh_hz,
        touch_xy=_touch(run),
        show_touches=run.show_touches,
        masks=_masks(run),
        capture=run.capture,
    )


def _touch(run: Run) -> tuple[float, float] | None:
    if run.touch_x_px is None or run.touch_y_px is None:
        return None
    return run.touch_x_px, run.touch_y_px


def _masks(run: Run) -> tuple[Mask, ...]:
    owners = (run.device, run.interaction.app, run.interaction)
    return tuple(_mask(entry, owner) for owner in owners for entry in owner.masks)


def _mask(entry: object, owner: object) -> Mask:
    try:
        return Mask(**entry)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise ValueError(f"a mask of {owner} is wrong: {error}: correct it in the catalogue") from error
