"""Passwords that look long and are not: a word that everybody knows, with something hung on."""

import re
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

# Words that whoever knows this site tries first; documented in docs/security.md.
OUR_WORDS = ("upreg", "regression", "screencast", "recording", "triage", "policy", "gate", "lab", "admin")
LEAST_OWN = 6  # characters that must be left once those words, digits and signs are taken away
_LETTERS = re.compile(r"[^\W\d_]+")


class WornPasswordValidator(CommonPasswordValidator):
    """Refuse a common password with digits or signs around it, one repeated, and one made of this site's words.

    Django's list of common passwords, from breaches, has few of twelve characters: people make ``password`` long
    enough by ``password2026!``. What is left is compared with the list once such trimmings are gone.
    """

    def validate(self, password: str, user: Any = None) -> None:
        """Raise ValidationError if little of the password is its own."""
        letters = "".join(_LETTERS.findall(password.lower()))
        own = letters
        for word in OUR_WORDS:
            own = own.replace(word, "")
        if len(set(password.lower())) < LEAST_OWN or (letters != own and len(own) < LEAST_OWN):
            raise ValidationError(self.get_error_message(), code="password_worn")
        if any(core in self.passwords for core in _cores(password.lower(), letters)):
            raise ValidationError(self.get_error_message(), code="password_worn")

    def get_error_message(self) -> str:
        """Return what is wrong, and the cure."""
        return (
            "This password is a well-known one with something added: take four words that do not belong together."
        )

    def get_help_text(self) -> str:
        """Return the rule as it stands beside the field."""
        return "Your password can’t be a well-known word, or a word of this site, with digits or signs added."


def _cores(password: str, letters: str) -> Iterator[str]:
    """Yield what a password may have been before it was made longer."""
    yield letters
    yield password.rstrip("0123456789!?.*#@$%&+-_ ")
    for length in range(4, len(password) // 2 + 1):
        if (password[:length] * len(password))[: len(password)] == password:
            yield password[:length]
