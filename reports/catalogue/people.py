"""People: who they are and may do, letting somebody in, out, and in again with another password."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth import get_user_model, update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from reports.catalogue.forms import FindForm, PersonForm
from reports.measuring.changes import changes_of_people, keep_change
from reports.web.access import for_changers, may_change
from reports.web.requests import page_context, signed_in_user

User: Any = get_user_model()
WHO = "Only staff with the right to change users can do this."
for_managers = for_changers(User, who=WHO)
HIGHER = "Only an administrator can change an account of the staff."


@dataclass(frozen=True)
class PersonRow:
    """A person as the list shows it. ``mine`` says whether whoever looks may change the account."""

    user: AbstractUser
    role: str
    mine: bool

    @property
    def last_login(self) -> datetime | None:
        """When the person was last here."""
        return self.user.last_login


def role_of(user: AbstractUser) -> str:
    """Return in a word what a person may do."""
    if user.is_superuser:
        return "administrator"
    return "staff" if user.is_staff else "everyday work"


def may_manage(me: Any, other: AbstractUser) -> bool:
    """Tell whether one person may change the account of another: those of the staff only administrators may."""
    return may_change(me, User) and (me.is_superuser or not (other.is_staff or other.is_superuser))


@require_GET
def people(request: HttpRequest) -> HttpResponse:
    """List everybody: names for all, roles and last log-ins for those who may change accounts."""
    words = FindForm(request.GET).values()["q"]
    found = User.objects.order_by("username")
    for word in words.split():
        named = Q(first_name__icontains=word) | Q(last_name__icontains=word)
        found = found.filter(named | Q(username__icontains=word))
    paging = page_context(request, found)
    rows = [PersonRow(user, role_of(user), may_manage(request.user, user)) for user in paging["page"].object_list]
    manages = may_change(request.user, User)
    context = {**paging, "rows": rows, "words": words, "may_manage": manages, "section": "people"}
    changes = changes_of_people() if manages else []
    return render(request, "catalogue/people.html", context | {"changes": changes})


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
@for_managers
def person_add(request: HttpRequest) -> HttpResponse:
    """Let somebody new in, for everyday work; more rights are given in the admin."""
    if not (request.user.is_superuser or request.user.has_perm("auth.add_user")):
        raise PermissionDenied("Only staff with the right to add users can do this.")
    form = PersonForm(request.POST or None)
    if not form.is_valid():
        return _form_page(request, form, "Add a person", "Add")
    with transaction.atomic():
        person = form.save()
        keep_change(
            of=person, field="added", before=None, after=person.get_username(), user=signed_in_user(request)
        )
    messages.success(request, f"{person.get_username()} can log in now. Hand the password over in person.")
    return redirect("people")


@sensitive_post_parameters("new_password1", "new_password2")
@require_http_methods(["GET", "POST"])
@for_managers
def person_password(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a person another password; whoever is logged in with the old one is logged out."""
    person = _manageable(request, pk)
    form = SetPasswordForm(person, request.POST or None)
    if not form.is_valid():
        return _form_page(request, form, f"New password for {person.get_username()}", "Set the password")
    with transaction.atomic():
        form.save()
        keep_change(of=person, field="password", before=None, after=None, user=signed_in_user(request))
    if person == request.user:
        update_session_auth_hash(request, person)
    messages.success(request, f"{person.get_username()} has a new password.")
    return redirect("people")


@require_POST
@for_managers
def person_active(request: HttpRequest, pk: int) -> HttpResponse:
    """Lock a person out at once, or let them in again."""
    person, active = _manageable(request, pk), request.POST.get("active") == "1"
    if person == request.user:
        messages.error(request, "You cannot lock yourself out.")
    elif person.is_active != active:
        with transaction.atomic():
            User.objects.filter(pk=pk).update(is_active=active)
            keep_change(of=person, field="is_active", before=not active, after=active, user=signed_in_user(request))
        words = "can log in again" if active else "is locked out, at once"
        messages.success(request, f"{person.get_username()} {words}.")
    return redirect("people")


def _manageable(request: HttpRequest, pk: int) -> Any:
    person = get_object_or_404(User, pk=pk)
    if not may_manage(request.user, person):
        raise PermissionDenied(HIGHER)
    return person


def _form_page(request: HttpRequest, form: Any, title: str, button: str) -> HttpResponse:
    context = {"form": form, "title": title, "button": button, "section": "people"}
    return render(request, "catalogue/person.html", context, status=422 if form.is_bound else 200)
