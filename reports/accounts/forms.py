"""What people send about their own account."""

from typing import Any

from django import forms
from django.contrib.auth import get_user_model

from reports.models import AuditEntry

_EMAIL: Any = get_user_model()._meta.get_field("email")


class AskForm(forms.Form):
    """Who has forgotten a password."""

    name = forms.CharField(
        max_length=AuditEntry._meta.get_field("who").max_length,
        label="User name or mail address",
        error_messages={"required": "Give your user name or your mail address."},
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "autofocus": True}),
    )


class MailForm(forms.Form):
    """A mail address; nothing takes it away."""

    email = forms.EmailField(
        required=False,
        max_length=_EMAIL.max_length,
        label="Mail address",
        error_messages={"invalid": "Give an address such as ann@lab.example, or none."},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class ConfirmForm(forms.Form):
    """The own password, so that nobody else who finds the page open changes how one logs in."""

    password = forms.CharField(
        label="Your password",
        strip=False,
        max_length=4096,
        error_messages={"required": "Give your password."},
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        self._user = user
        super().__init__(*args, **kwargs)

    def clean_password(self) -> None:
        """Refuse a wrong one, and keep none."""
        if not self._user.check_password(self.cleaned_data["password"]):
            raise forms.ValidationError("This is not your password. Type it again.")


class OwnMailForm(MailForm, ConfirmForm):
    """One's own mail address, confirmed with the password."""

    field_order = ("email", "password")
