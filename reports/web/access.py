"""Who may change what everybody shares: one rule for Django's admin and for our own pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

WHO = "People with the right to change the catalogue can do this: staff, given the right by an administrator."


def may_change(user: Any, model: type[Model]) -> bool:
    """Tell whether a person may change rows of a model, by the rule of the admin: staff with the permission."""
    meta = model._meta
    return bool(user.is_active and user.is_staff and user.has_perm(f"{meta.app_label}.change_{meta.model_name}"))


def refuse_others(user: Any, model: type[Model], *, who: str = WHO) -> None:
    """Answer 403 to who may not change rows of a model; ``who`` says who may."""
    if not may_change(user, model):
        raise PermissionDenied(who)


def for_changers(
    model: type[Model], *, who: str = WHO
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Keep a view for those who may change rows of a model."""

    def decorated(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            refuse_others(request.user, model, who=who)
            return view(request, *args, **kwargs)

        return guarded

    return decorated
