"""People: who they are and may do, letting somebody in, out, and in again with another password."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model, update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from analysis.verdicts.text import count_text
from reports.access.roles import may, stored_role
from reports.access.services import LastAdministratorError, OwnRoleError, set_active, set_role
from reports.accounts.forms import MailForm
from reports.accounts.reset import make_link, set_mail
from reports.accounts.sessions import count_sessions, end_all_sessions, end_other_sessions, keep_session
from reports.accounts.throttle import current_lockouts, lift_lockout
from reports.audit.services import keep_change, record
from reports.audit.words import changes_of_people
from reports.catalogue.forms import FindForm, PersonForm, RoleForm
from reports.models import Action, Role
from reports.web.requests import page_context, signed_in_user

User: Any = get_user_model()


@dataclass(frozen=True)
class PersonRow:
    """A person as the list shows it."""

    user: AbstractUser
    role: str

    @property
    def last_login(self) -> datetime | None:
        """When the person was last here."""
        return self.user.last_login


@require_GET
def people(request: HttpRequest) -> HttpResponse:
    """List everybody: names for all, roles and last log-ins for those who may change accounts."""
    words = FindForm(request.GET).values()["q"]
    found = User.objects.select_related("grant").order_by("username")
    for word in words.split():
        named = Q(first_name__icontains=word) | Q(last_name__icontains=word)
        found = found.filter(named | Q(username__icontains=word))
    paging = page_context(request, found)
    rows = [PersonRow(user, stored_role(user).label) for user in paging["page"].object_list]
    context = {**paging, "rows": rows, "words": words, "section": "people"}
    if may(request.user, "people"):
        context |= {"changes": changes_of_people(), "lockouts": current_lockouts()}
    return render(request, "catalogue/people.html", context)


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
def person_add(request: HttpRequest) -> HttpResponse:
    """Let somebody new in, as a viewer unless another role is chosen."""
    form = PersonForm(request.POST or None)
    if not form.is_valid():
        return _form_page(request, form, "Add a person", "Add")
    with transaction.atomic():
        person, me = form.save(), signed_in_user(request)
        record(Action.ADDED, of=person, user=me)
        set_role(person=person, role=Role(form.cleaned_data["role"]), by=me)
    messages.success(request, f"{person.get_username()} can log in now. Hand the password over in person.")
    return redirect("people")


@require_http_methods(["GET", "POST"])
def person_role(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a person another role."""
    person = get_object_or_404(User.objects.select_related("grant"), pk=pk)
    form = RoleForm(request.POST or None, initial={"role": stored_role(person)})
    title = f"Role of {person.get_username()}"
    if not form.is_valid():
        return _form_page(request, form, title, "Give this role")
    role = Role(form.cleaned_data["role"])
    try:
        changed = set_role(person=person, role=role, by=signed_in_user(request))
    except (LastAdministratorError, OwnRoleError) as error:
        form.add_error("role", str(error))
        return _form_page(request, form, title, "Give this role")
    said = "is now" if changed else "was already"
    article = "an" if role == Role.ADMINISTRATOR else "a"
    messages.success(request, f"{person.get_username()} {said} {article} {role.label}.")
    return redirect("people")


@sensitive_post_parameters("new_password1", "new_password2")
@require_http_methods(["GET", "POST"])
def person_password(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a person another password; whoever is logged in with the old one is logged out."""
    person = get_object_or_404(User, pk=pk)
    form = SetPasswordForm(person, request.POST or None)
    if not form.is_valid():
        more = {"person": person, "sessions": count_sessions(person)}
        title = f"New password for {person.get_username()}"
        return _form_page(request, form, title, "Set the password", **more)
    key = request.session.session_key
    with transaction.atomic():
        form.save()
        end_other_sessions(request=request) if person == request.user else end_all_sessions(person=person)
        keep_change(of=person, field="password", before=None, after=None, user=signed_in_user(request))
    if person == request.user:
        update_session_auth_hash(request, person)
        keep_session(request, key)
    messages.success(request, f"{person.get_username()} has a new password.")
    return redirect("people")


@require_http_methods(["GET", "POST"])
def person_mail(request: HttpRequest, pk: int) -> HttpResponse:
    """Change the mail address of a person, to which a link for a new password is sent."""
    person = get_object_or_404(User, pk=pk)
    form = MailForm(request.POST or None, initial={"email": person.email})
    if not form.is_valid():
        return _form_page(request, form, f"Mail address of {person.get_username()}", "Save the address")
    changed = set_mail(person=person, email=form.cleaned_data["email"], by=signed_in_user(request))
    words = "has another mail address now" if changed else "had this mail address already"
    messages.success(request, f"{person.get_username()} {words}.")
    return redirect("people")


@require_POST
def person_active(request: HttpRequest, pk: int) -> HttpResponse:
    """Lock a person out at once, or let them in again."""
    person, active = get_object_or_404(User, pk=pk), request.POST.get("active") == "1"
    try:
        if set_active(person=person, active=active, by=signed_in_user(request)):
            if not active:
                end_all_sessions(person=person)
            words = "can log in again" if active else "is locked out, at once"
            messages.success(request, f"{person.get_username()} {words}.")
    except (LastAdministratorError, OwnRoleError) as error:
        messages.error(request, str(error))
    return redirect("people")


@never_cache
@require_POST
def person_link(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a link by which a person sets the own password, and show it this once."""
    person = get_object_or_404(User, pk=pk, is_active=True)
    link = make_link(person, base=request.build_absolute_uri("/").rstrip("/"), user=signed_in_user(request))
    return render(request, "catalogue/person_link.html", {"person": person, "link": link, "section": "people"})


@require_POST
def person_sessions_end(request: HttpRequest, pk: int) -> HttpResponse:
    """Log a person out everywhere."""
    person = get_object_or_404(User, pk=pk)
    ended = end_all_sessions(person=person, by=signed_in_user(request))
    messages.success(request, f"{person.get_username()}: {count_text(ended, 'session')} ended.")
    return redirect("people")


@require_POST
def lockout_lift(request: HttpRequest) -> HttpResponse:
    """Let a name or address that must wait after failed log-ins try again at once."""
    name, address = request.POST.get("username", "")[:255], request.POST.get("address", "")[:64]
    try:
        lifted = lift_lockout(username=name, address=address, user=signed_in_user(request))
    except ValueError:
        lifted = 0
    words = f"{name or address} may try again at once." if lifted else "Nothing waits there any more."
    messages.success(request, words)
    return redirect("people")


def _form_page(request: HttpRequest, form: Any, title: str, button: str, **more: Any) -> HttpResponse:
    context = {"form": form, "title": title, "button": button, "section": "people", **more}
    return render(request, "catalogue/person.html", context, status=422 if form.is_bound else 200)
