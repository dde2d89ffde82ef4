"""Django's admin for administrators, behind our own login and our own table of roles."""

from collections.abc import Callable, Iterable
from functools import update_wrapper
from typing import Any

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator

from reports.access.roles import may


class OnlyShown:
    """Show rows and change none: people, tasks and schedules have pages and commands that keep who did what."""

    actions = None
    list_editable = ()

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        """Let nobody add."""
        return False

    def has_change_permission(self, request: HttpRequest, *_: Any) -> bool:
        """Let nobody change."""
        return False

    def has_delete_permission(self, request: HttpRequest, *_: Any) -> bool:
        """Let nobody delete."""
        return False


class OperatorsSite(AdminSite):
    """The admin for administrators. Only what keeps its own changes can be changed there: the catalogue."""

    site_header = site_title = "UPReg administration"
    index_title = "What is stored"

    def register(
        self,
        model_or_iterable: type[Model] | Iterable[type[Model]],
        admin_class: type[ModelAdmin] | None = None,
        **options: Any,
    ) -> None:
        """Register; whatever does not say that it keeps its changes (``keeps_changes``) is only shown."""
        kind: type[ModelAdmin] = admin_class or ModelAdmin
        if not getattr(kind, "keeps_changes", False):
            kind = type(f"{kind.__name__}OnlyShown", (OnlyShown, kind), {})
        super().register(model_or_iterable, kind, **options)

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """Guard a view of the admin, and leave out an empty ``_to_field``, of which Django makes a mistake."""
        guarded = super().admin_view(view, cacheable)

        def cleaned(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            for name in ("GET", "POST"):
                if getattr(request, name).get("_to_field") == "":
                    given = getattr(request, name).copy()
                    del given["_to_field"]
                    setattr(request, name, given)
            return guarded(request, *args, **kwargs)

        return update_wrapper(cleaned, guarded)

    def has_permission(self, request: HttpRequest) -> bool:
        """Let administrators in, by the table of roles."""
        return may(request.user, "administration")

    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Stand in for Django's own form: there is one login."""
        index = reverse("admin:index", current_app=self.name)
        if request.user.is_authenticated:
            return redirect(index)
        return redirect_to_login(request.GET.get("next", index))  # our login follows only an address of ours
