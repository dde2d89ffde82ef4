"""The log is only ever added to: neither our code nor SQL by hand changes or takes away an entry."""

import pytest
from django.db import DatabaseError, connection, transaction

from reports.audit.services import keep_change, record
from reports.audit.words import changes_of
from reports.measuring.services import exclude_runs
from reports.models import Action, AuditEntry
from tests import factories

pytestmark = pytest.mark.django_db
TABLE = AuditEntry._meta.db_table


@pytest.fixture
def entry(engineer):
    """Return an entry of somebody."""
    return keep_change(of=factories.app("Mail"), field="category", before="a", after="b", user=engineer)


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: entry.save(),
        lambda entry: entry.delete(),
        lambda entry: AuditEntry.objects.update(who="me"),
        lambda entry: AuditEntry.objects.filter(pk=entry.pk).delete(),
        lambda entry: AuditEntry.objects.bulk_update([entry], ["who"]),
    ],
    ids=["save", "delete", "update", "delete many", "bulk update"],
)
def test_entry_is_neither_changed_nor_deleted_by_code(entry, change):
    with pytest.raises(TypeError, match="only ever added to"):
        change(entry)


SQL = [f"UPDATE {TABLE} SET who = 'me'", f"DELETE FROM {TABLE}"]
SQL += {
    "sqlite": [f"INSERT OR REPLACE INTO {TABLE} SELECT * FROM {TABLE}"],
    "postgresql": [f"TRUNCATE {TABLE}"],
}[connection.vendor]


@pytest.mark.parametrize("statement", SQL)
def test_entry_is_neither_changed_nor_deleted_by_sql(entry, statement):
    with pytest.raises(DatabaseError, match="only ever added to"), transaction.atomic(), connection.cursor() as sql:
        sql.execute(statement)

    assert AuditEntry.objects.get().who == "engineer"


def test_history_keeps_the_name_of_a_person_who_is_deleted(entry, engineer):
    app = factories.app("Mail")

    engineer.delete()

    assert [told.who for told in changes_of(app)] == ["engineer"]
    assert AuditEntry.objects.get().user_id is not None


def test_change_that_cannot_be_written_down_is_not_made(engineer, monkeypatch):
    def refuse(*_, **__):
        raise DatabaseError

    run = factories.run()
    monkeypatch.setattr(AuditEntry.objects, "bulk_create", refuse)
    with pytest.raises(DatabaseError):
        exclude_runs(run_ids=[run.pk], reason="dark", user=engineer)

    run.refresh_from_db()
    assert not run.excluded


def test_entry_takes_names_of_any_length_and_no_nul(engineer):
    entry = record(Action.EXPORTED, who="x" * 5000, subject="a\0b", note="n" * 200_000)

    assert (len(entry.who), entry.subject, len(entry.note)) == (200, "ab", 10_000)
