"""What many tests begin with is made once in each process; for the others its rows are put back as they were."""

from collections.abc import Callable
from copy import copy

from django.apps import apps
from django.db.models import Model

_kept: dict[Callable[[], object], dict[type[Model], list[Model]]] = {}


def made_once(make: Callable[[], object]) -> None:
    """Have in the database what ``make`` makes; rows of the same tables that are there already make it work again.

    The numbers of rows put back were given out before, so that no later row gets one of them.
    """
    kept = _kept.get(make)
    if kept is None:
        before = {model: set(_all(model).values_list("pk", flat=True)) for model in _models()}
        make()
        after = {model: [row for row in _all(model).all() if row.pk not in before[model]] for model in before}
        if not any(before[model] for model, rows in after.items() if rows):
            _kept[make] = {model: rows for model, rows in after.items() if rows}
    elif any(_all(model).exists() for model in kept):
        make()
    else:
        for model, rows in kept.items():
            _all(model).bulk_create([copy(row) for row in rows])


def _models() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def _all(model: type[Model]):
    return model._base_manager
