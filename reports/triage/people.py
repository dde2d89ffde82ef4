"""Who may be given a finding: active people, found by user name or full name."""

from dataclasses import dataclass
from email.utils import parseaddr
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet, Value
from django.db.models.functions import Concat

MOST_OFFERED = 200  # in a list to choose from; whoever comes after them is found by typing the name
_FIELDS = ("username", "first_name", "last_name")


class NoSuchPersonError(LookupError):
    """A name means nobody, or several; the message tells the cure."""


@dataclass(frozen=True)
class Assigned:
    """Whom a finding is given: the person, if there is an account, and the name as it is kept."""

    name: str = ""
    person_id: int | None = None


NOBODY = Assigned()


def people_to_choose() -> QuerySet[AbstractUser]:
    """Return those who can log in, by user name, as far as a list takes them; one query, when it is read."""
    people: QuerySet[AbstractUser] = _active().only(*_FIELDS)[:MOST_OFFERED]
    return people


def person_called(words: str) -> Assigned:
    """Find the active person by user name or, if one alone has it, by full name; one to three queries."""
    name = " ".join(words.split())
    if not name:
        return NOBODY
    full = _active().annotate(full_name=Concat("first_name", Value(" "), "last_name"))
    for found in (
        _active().filter(username=name),
        _active().filter(username__iexact=name),
        full.filter(full_name__iexact=name),
    ):
        people = list(found.values_list("pk", "username")[:2])
        if len(people) == 1:
            return Assigned(people[0][1], people[0][0])
        if people:
            raise NoSuchPersonError(f"several people are called {name}: give the user name of one")
    raise NoSuchPersonError(
        f"nobody who can log in here is called {name}: choose a person of the list, or leave it empty"
    )


def author_called(words: str) -> Assigned:
    """Find the active person whom the author of a change names: by mail, by user name or by full name.

    ``words`` are as a repository has them: ``Anna Berg``, ``anna@lab.example`` or ``Anna Berg <anna@lab.example>``.
    Raises NoSuchPersonError for nobody and for several.
    """
    name, mail = parseaddr(words)
    if "@" in mail:
        people = list(_active().filter(email__iexact=mail).values_list("pk", "username")[:2])
        if len(people) == 1:
            return Assigned(people[0][1], people[0][0])
        if people:
            raise NoSuchPersonError(f"several people have the mail address {mail}")
    return person_called(name or words)


def _active() -> Any:
    return get_user_model().objects.filter(is_active=True).order_by("username")
