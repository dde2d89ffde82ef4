"""Which notices somebody wants: what they said, else what is usual; changed on their page or from a mail."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from reports.audit.services import keep_change
from reports.models import Notice, Preference

# Of those who said nothing: what asks somebody to act is wanted, that a comparison is complete only by who says so.
USUAL = {
    Notice.COMPLETE: False,
    Notice.GATE_FAILED: True,
    Notice.CRITICAL: True,
    Notice.ASSIGNED: True,
    Notice.DIGEST: True,
}


def place_label(kind: Notice) -> str:
    """Return what a kind is called where many read it."""
    return "something is assigned to somebody" if kind == Notice.ASSIGNED else kind.label


def kind_words(kinds: Collection[str]) -> str:
    """Say of what a place where many read is told."""
    return "; ".join(place_label(kind) for kind in Notice if kind in kinds)


@dataclass(frozen=True)
class Switch:
    """One kind of notice, and whether somebody wants it."""

    kind: str
    label: str
    wanted: bool


def wants(kinds: Collection[str], said: Mapping[str, bool]) -> bool:
    """Tell whether somebody who said this wants to be told of any of these kinds."""
    return any(said.get(kind, USUAL.get(Notice(kind), False)) for kind in kinds if kind in Notice.values)


def switches(person: AbstractBaseUser) -> list[Switch]:
    """Return every kind with whether a person wants it; one query."""
    said = dict(Preference.objects.filter(user=person.pk).values_list("kind", "wanted"))
    return [Switch(kind.value, kind.label, wants([kind], said)) for kind in Notice]


@transaction.atomic
def set_wanted(*, person: Any, wanted: Collection[str], by: AbstractBaseUser) -> bool:
    """Let a person be told of these kinds and no other; return False if it was so already."""
    person = get_user_model()._default_manager.select_for_update().get(pk=person.pk)
    before = switches(person)
    changed = [switch for switch in before if switch.wanted != (switch.kind in wanted)]
    for switch in changed:
        values = {"wanted": not switch.wanted}
        Preference.objects.update_or_create(user=person, kind=switch.kind, defaults=values)
    if changed:
        was = [switch.label for switch in before if switch.wanted]
        now = [switch.label for switch in before if switch.kind in wanted]
        keep_change(of=person, field="notices", before=", ".join(was), after=", ".join(now), user=by)
    return bool(changed)


def switch_off(*, person: Any, kinds: Collection[str]) -> bool:
    """Let a person be told of these kinds no more, as the link in a mail asks; False if it was so already."""
    wanted = {switch.kind for switch in switches(person) if switch.wanted and switch.kind not in kinds}
    return set_wanted(person=person, wanted=wanted, by=person)
