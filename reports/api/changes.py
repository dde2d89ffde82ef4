"""What people changed of a row of the catalogue: told with it, and not overwritten by who has not read it."""

from typing import Any

from django.db.models import Model
from rest_framework import serializers

from reports.api.problems import CONFLICT, Problem
from reports.audit.words import ChangedMeanwhileError, changes_of


class ChangeSerializer(serializers.Serializer):
    """One change, as the page tells it."""

    id = serializers.IntegerField(help_text="To send along as seen with the next change.")
    words = serializers.CharField()
    who = serializers.CharField()
    when = serializers.DateTimeField()


class ChangedSerializer(serializers.Serializer):
    """What is told of a row beside what its list says."""

    changes = ChangeSerializer(many=True, help_text="The last 20, newest first.")


def with_changes(shown: dict[str, Any], row: Model) -> dict[str, Any]:
    """Return what is shown of a row, and its last changes; one query."""
    return {**shown, "changes": ChangeSerializer(changes_of(row), many=True).data}


def changed_meanwhile(error: ChangedMeanwhileError) -> Problem:
    """Return the refusal of a change by somebody who has not seen the last one, to be raised."""
    cure = f"Read it again; to put yours over that, send seen: {error.newest}."
    return Problem(CONFLICT, f"Somebody else changed this since: {error.told}.", cure=cure)
