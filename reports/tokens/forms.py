"""What people send about their tokens."""

from typing import Any

from django import forms

from reports.access.roles import role_of, scopes_of
from reports.models import ApiToken, TokenScope
from reports.web.forms import NameField

DAYS = ((7, "in a week"), (30, "in 30 days"), (90, "in 90 days"), (365, "in a year"))
WORDS = {
    TokenScope.READ: "read and export whatever the pages show",
    TokenScope.UPLOAD: "upload: bring in recordings",
    TokenScope.TRIAGE: "triage: compare, decide about findings, correct, exclude and repeat runs",
    TokenScope.ADMIN: "admin: policies, scopes, waivers, decisions, pins, catalogue",
}


class TokenForm(forms.Form):
    """A new token. Offered is what the role of its owner can use; reading is always included."""

    name = NameField(
        max_length=ApiToken._meta.get_field("name").max_length,
        label="What is it for?",
        widget=forms.TextInput(attrs={"placeholder": "test farm, hall 3", "autocomplete": "off"}),
        error_messages={"required": "Say what it is for, such as test farm."},
    )
    scopes = forms.MultipleChoiceField(
        label="What may it do?",
        widget=forms.CheckboxSelectMultiple,
        choices=[(scope.value, words) for scope, words in WORDS.items()],
        error_messages={"required": "Choose what it may do."},
    )
    days = forms.TypedChoiceField(label="It expires", coerce=int, choices=DAYS, initial=90)

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"initial": {"scopes": [TokenScope.READ.value]}} | kwargs)
        field: Any = self.fields["scopes"]
        field.choices = [(scope.value, WORDS[scope]) for scope in scopes_of(role_of(user))]
