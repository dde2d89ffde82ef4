"""One's own account: who one is, where one is logged in, another password; and a password by a link."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView, PasswordResetConfirmView
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.verdicts.text import count_text
from reports.accounts.forms import AskForm, OwnMailForm
from reports.accounts.reset import WINDOW, ask_for_link, reset_by_mail, set_mail
from reports.accounts.sessions import end_all_sessions, end_other_sessions, end_session, keep_session, my_sessions
from reports.accounts.signon import own_sign_on_state
from reports.accounts.throttle import TOO_MANY_REQUESTS
from reports.audit.services import keep_change, record
from reports.models import Action
from reports.web.requests import signed_in_user


@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Show who one is and where one is logged in."""
    return render(
        request, "accounts/account.html", {"sessions": my_sessions(request)} | own_sign_on_state(request.user)
    )


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


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def own_mail(request: HttpRequest) -> HttpResponse:
    """Change one's own mail address, to which a link for a new password is sent."""
    user: Any = signed_in_user(request)
    form = OwnMailForm(user, request.POST or None, initial={"email": user.email})
    if form.is_valid():
        changed = set_mail(person=user, email=form.cleaned_data["email"], by=user)
        messages.success(request, "Your mail address is changed." if changed else "It was that already.")
        return redirect("account")
    words = {
        "title": "Change your mail address",
        "about": "A link for a new password is sent to it.",
        "button": "Change the address",
    }
    status = 422 if form.is_bound else 200
    return render(request, "accounts/confirm.html", {"form": form, **words}, status=status)


@never_cache
@login_not_required
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a link to set another password; what is answered does not tell whether anybody is called so."""
    if not reset_by_mail():
        raise Http404("UPReg sends no mail here: ask an administrator for a new password.")
    form = AskForm(request.POST or None)
    context: dict[str, Any] = {"form": form, "asked": "asked" in request.GET}
    if not form.is_valid():
        return render(request, "registration/forgotten.html", context, status=422 if form.is_bound else 200)
    if ask_for_link(request=request, typed=form.cleaned_data["name"]):
        return redirect(f"{reverse('forgotten')}?asked")
    response = render(
        request, "registration/forgotten.html", context | {"too_many": True}, status=TOO_MANY_REQUESTS
    )
    response["Retry-After"] = str(int(WINDOW.total_seconds()))
    return response


class LoginPage(LoginView):
    """Django's page for logging in, with the way to single sign-on where there is one."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the provider's name, whether passwords are taken, and whether a forgotten one is helped by mail."""
        oidc = settings.OIDC
        said = {"sign_on": oidc.name if oidc else "", "local_login": settings.LOCAL_LOGIN or not oidc}
        said["by_mail"] = reset_by_mail()
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
    """Take a new password of whoever has the link that was handed over or sent by mail; it works once."""

    template_name = "registration/reset.html"
    success_url = reverse_lazy("login")
    http_method_names = ["get", "head", "post"]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether another link can be sent."""
        return super().get_context_data(**kwargs) | {"by_mail": reset_by_mail()}

    def form_valid(self, form: Any) -> HttpResponse:
        """Save it, write that down and log the person out everywhere, or none of it."""
        with transaction.atomic():
            response = super().form_valid(form)
            end_all_sessions(person=form.user, by=form.user)
            record(Action.CHANGED, of=form.user, field="password", user=form.user, note="by a link")
        messages.success(self.request, "Your password is set. Log in with it.")
        return response
