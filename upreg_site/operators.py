"""Django's admin for operators: whoever may not enter is told so on our own pages, never by the admin's login."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib.admin import AdminSite
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
REFUSAL = (
    "The administration is for operators: users whom an administrator has marked as staff. "
    "Everything else is on the pages of UPReg."
)


class OperatorsSite(AdminSite):
    """The admin behind our own login and our own page of refusal."""

    site_header = site_title = "UPReg administration"
    index_title = "What is stored"

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Let operators pass and refuse everybody else who is logged in; nobody else comes as far as this."""
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not self.has_permission(request):
                raise PermissionDenied(REFUSAL)
            return inner(request, *args, **kwargs)

        return cast(View, guarded)

    @method_decorator(login_not_required)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Stand in for Django's own form: there is one login."""
        index = reverse("admin:index", current_app=self.name)
        if self.has_permission(request):
            return redirect(index)
        if request.user.is_authenticated:
            raise PermissionDenied(REFUSAL)
        return redirect_to_login(request.GET.get("next", index))  # our login follows only an address of ours
