"""What many tests begin with is made once in each process; for the others its rows are put back as they were."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.apps import apps
from django.db import connection
from django.db.models import Model


@dataclass
class _Kept:
    """The rows that were made; from when they are put back first, the statements that did it."""

    rows: dict[type[Model], list[Model]]
    statements: list[tuple[str, Sequence]] = field(default_factory=list)


_kept: dict[Callable[[], object], _Kept] = {}


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
            _kept[make] = _Kept({model: rows for model, rows in after.items() if rows})
    elif _any_row(kept.rows):
        make()
    elif kept.statements:
        with connection.cursor() as cursor:
            for statement, values in kept.statements:
                cursor.execute(statement, values)
    else:
        _put_back(kept)


def _put_back(kept: _Kept) -> None:
    """Write the rows as Django does it, and note how: to find the words for it takes longer than to say them."""

    def note(execute, statement, values, many, context):
        if statement.startswith("INSERT"):
            kept.statements.append((statement, values))
        return execute(statement, values, many, context)

    with connection.execute_wrapper(note):
        for model, rows in kept.rows.items():
            _all(model).bulk_create(rows)


def _any_row(models: Sequence[type[Model]]) -> bool:
    tables = (connection.ops.quote_name(model._meta.db_table) for model in models)
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT EXISTS (SELECT 1 FROM {table})" for table in tables))
        return any(found for (found,) in cursor)


def _models() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def _all(model: type[Model]):
    return model._base_manager
