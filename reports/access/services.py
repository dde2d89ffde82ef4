"""Give people roles, lock them out, let them in; there is always an administrator left."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from reports.access.roles import role_of, stored_role
from reports.audit.services import keep_change
from reports.models import Role, RoleGrant


class LastAdministratorError(ValueError):
    """Nobody could give roles any more; the message says what to do first."""


class OwnRoleError(ValueError):
    """Nobody changes the own role or locks oneself out; the message says who can."""


@transaction.atomic
def set_role(*, person: Any, role: Role, by: AbstractBaseUser | None) -> bool:
    """Give a person a role, kept with who gave it; False if it is the same.

    ``by`` is None where a log-in from outside brings the role.

    Raises
    ------
    OwnRoleError
        ``by`` is the person.
    LastAdministratorError
        Nobody else is an administrator who can log in.

    """
    locked = _locked(person, by)
    before = stored_role(locked)
    if before == role:
        return False
    if by is not None and by.pk == person.pk:
        raise OwnRoleError("Nobody changes the own role: another administrator can.")
    is_administrator = role == Role.ADMINISTRATOR
    if not is_administrator:
        _refuse_if_last(locked)
        RoleGrant.objects.update_or_create(user=locked, defaults={"role": role})
    else:
        RoleGrant.objects.filter(user=locked).delete()
    _people().filter(pk=person.pk).update(is_superuser=is_administrator, is_staff=is_administrator)
    keep_change(of=locked, field="role", before=before.label, after=role.label, user=by)
    return True


@transaction.atomic
def set_active(*, person: Any, active: bool, by: AbstractBaseUser | None) -> bool:
    """Lock a person out at once, or let them in again; False if nothing is different. Raises as ``set_role``."""
    locked = _locked(person, by)
    if locked.is_active == active:
        return False
    if by is not None and by.pk == person.pk:
        raise OwnRoleError("You cannot lock yourself out.")
    if not active:
        _refuse_if_last(locked)
    _people().filter(pk=person.pk).update(is_active=active)
    keep_change(of=locked, field="is_active", before=not active, after=active, user=by)
    return True


def _people() -> Any:
    return get_user_model()._default_manager


def _locked(person: Any, by: AbstractBaseUser | None) -> Any:
    """Lock the person and all administrators, always in one order: two who demote each other come one by one."""
    administrators = list(_people().select_for_update().filter(is_superuser=True).order_by("pk"))
    if by is not None and not any(each.pk == by.pk and each.is_active for each in administrators):
        raise OwnRoleError("You are no administrator any more: somebody changed your role meanwhile.")
    return _people().select_for_update().get(pk=person.pk)


def _refuse_if_last(person: Any) -> None:
    if role_of(person) != Role.ADMINISTRATOR:
        return
    if not _people().filter(is_superuser=True, is_active=True).exclude(pk=person.pk).exists():
        name = person.get_username()
        raise LastAdministratorError(f"{name} is the last administrator: make somebody else one first.")
