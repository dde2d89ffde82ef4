"""One's own account: who one is, where one is logged in, another password; and a password by a link."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView, PasswordResetConfirmView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.http import require_GET, require_POST

from analysis.verdicts.text import count_text
from reports.accounts.sessions import end_all_sessions, end_other_sessions, end_session, keep_session, my_sessions
from reports.audit.services import keep_change
from reports.web.requests import signed_in_user


@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Show who one is and where one is logged in."""
    return render(request, "accounts/account.html", {"sessions": my_sessions(request)})


@require_POST
def session_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one of one's own sessions."""
    ended = end_session(row_id=pk, user=signed_in_user(request))
    messages.success(request, "That session is ended." if ended else "That session had ended already.")
    return redirect("account")


@require_POST
def sessions_end(request: HttpRequest) -> HttpResponse:
    """End all of one's own sessions but this one."""
    ended = end_other_sessions(request=request)
    messages.success(request, f"{count_text(ended, 'other session')} ended.")
    return redirect("account")


class LoginPage(LoginView):
    """Django's page for logging in, with the way to single sign-on where there is one."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the provider's name, and whether passwords are taken."""
        oidc = settings.OIDC
        said = {"sign_on": oidc.name if oidc else "", "local_login": settings.LOCAL_LOGIN or not oidc}
        return super().get_context_data(**kwargs) | said


class LogoutPage(LogoutView):
    """Django's way out; the browser forgets the recordings that it kept, and which pages were looked at."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """End the session here and what is left of it there."""
        response = super().post(request, *args, **kwargs)
        response["Clear-Site-Data"] = '"cache", "storage"'
        return response


class ChangePassword(PasswordChangeView):
    """Take another password of the person who is logged in; every other session ends."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("account")
    http_method_names = ["get", "head", "post"]

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Save it, write that down and end the other sessions, or none of it."""
        key = self.request.session.session_key
        with transaction.atomic():
            end_other_sessions(request=self.request)
            response = super().form_valid(form)
            keep_session(self.request, key)
            keep_change(of=form.user, field="password", before=None, after=None, user=form.user)
        messages.success(self.request, "Your password is changed. All your other sessions are ended.")
        return response


class ResetPassword(PasswordResetConfirmView):
    """Take a new password of whoever has the link that an administrator handed over; it works once."""

    template_name = "registration/reset.html"
    success_url = reverse_lazy("login")
    http_method_names = ["get", "head", "post"]

    def form_valid(self, form: Any) -> HttpResponse:
        """Save it, write that down and log the person out everywhere, or none of it."""
        with transaction.atomic():
            response = super().form_valid(form)
            end_all_sessions(person=form.user, by=form.user)
            keep_change(of=form.user, field="password", before=None, after=None, user=form.user)
        messages.success(self.request, "Your password is set. Log in with it.")
        return response
