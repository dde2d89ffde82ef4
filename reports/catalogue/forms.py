"""What people send from the pages of the catalogue."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import UserCreationForm

from reports.access.roles import ABOUT, ORDER
from reports.measuring.forms import AgainForm
from reports.models import App, InteractionType, OsVersion, Role
from reports.models.catalogue import LONGEST_KEY, version_sort_key
from reports.web.forms import LenientForm, NameField

REASON_LENGTH = OsVersion._meta.get_field("pinned_reason").max_length


class FindForm(LenientForm):
    """Words and filters of a list."""

    q = forms.CharField(required=False, max_length=200)
    category = forms.CharField(required=False, max_length=80)
    critical = forms.BooleanField(required=False)
    type = forms.ChoiceField(required=False, choices=InteractionType.choices)


class VersionForm(forms.Form):
    """Where a version stands, when it came out, what is to be known of it."""

    sorts_as = NameField(
        required=False, max_length=80, label="Sorts as", help_text="Empty: by its own name. Example: 13.0.12.5",
    )  # fmt: skip
    channel = NameField(
        required=False,
        max_length=OsVersion._meta.get_field("channel").max_length,
        label="Line",
        help_text="Empty: the main line. Versions of a line, such as beta, are set against one another.",
    )
    released_on = forms.DateField(
        required=False,
        label="Released on",
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Give a day as year-month-day, such as 2026-11-21."},
    )
    author = NameField(
        required=False,
        max_length=OsVersion._meta.get_field("author").max_length,
        label="Author of its change",
        help_text="Name or mail. Somebody with an account here is given what a bisection blames on this version.",
    )
    change = NameField(
        required=False,
        max_length=OsVersion._meta.get_field("change").max_length,
        label="Its change",
        help_text="A link or a revision.",
    )
    note = forms.CharField(required=False, max_length=2000, label="Note", widget=forms.Textarea(attrs={"rows": 3}))

    def clean_sorts_as(self) -> str:
        """Refuse what gives no place in the order."""
        text = str(self.cleaned_data["sorts_as"]).strip()
        if text and not any(sign.isascii() and sign.isalnum() for sign in text):
            raise forms.ValidationError("Give numbers or words, such as 13.0.12.5.")
        if len(version_sort_key(text)) > LONGEST_KEY:
            raise forms.ValidationError("This has too many parts: give fewer numbers and words.")
        return text


class PinForm(forms.Form):
    """Why a version is the baseline."""

    reason = forms.CharField(
        max_length=REASON_LENGTH,
        label="Why is it the baseline?",
        error_messages={"required": "Say why this version is the baseline."},
        widget=forms.TextInput(attrs={"placeholder": "the last version that shipped"}),
    )


class AppForm(forms.ModelForm):
    """What is known of an app besides its runs."""

    class Meta:
        model = App
        fields = ("name", "category", "critical")
        field_classes: ClassVar = {"name": NameField, "category": NameField}
        labels = {"critical": "Critical: no regression at all may pass the release gate"}

    def save_values(self) -> dict[str, Any]:
        """Return what the service saves."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class InteractionForm(AgainForm):
    """What an interaction does, and how it touches the screen."""

    scenario = forms.CharField(
        required=False, label="What the script does", widget=forms.Textarea(attrs={"rows": 3}), max_length=20_000
    )
    type = forms.ChoiceField(choices=[(key, key) for key in InteractionType.values], label="Type")


class RoleForm(forms.Form):
    """What a person may do, each role with what it adds."""

    role = forms.ChoiceField(
        choices=[(role.value, f"{role.label.capitalize()}: {ABOUT[role]}") for role in ORDER],
        initial=Role.VIEWER,
        widget=forms.RadioSelect,
    )


class PersonForm(RoleForm, UserCreationForm):
    """Somebody new: Django's own form and password rules, and a role."""

    class Meta(UserCreationForm.Meta):
        model = get_user_model()
        fields = ("username", "first_name", "last_name", "email")
        field_classes: ClassVar = {
            **UserCreationForm.Meta.field_classes,
            "first_name": NameField,
            "last_name": NameField,
        }
