"""What people send from the pages of batches."""

from django import forms

from reports.batches.services import NAME_LENGTH, NOTE_LENGTH, VERSION_LENGTH
from reports.models import Run
from reports.models.catalogue import name_validator
from reports.web.forms import LenientForm, NameField

OUTCOME_LENGTH = Run._meta.get_field("outcome").max_length


class FindForm(LenientForm):
    """Words that narrow the list."""

    q = forms.CharField(required=False, max_length=200)


class RetryForm(LenientForm):
    """Which failed runs of a batch are measured again: those of one cause, or all."""

    cause = forms.CharField(required=False, max_length=OUTCOME_LENGTH)


class NoteForm(forms.Form):
    """What is to be known of a batch."""

    note = forms.CharField(
        required=False, max_length=NOTE_LENGTH, label="Note", widget=forms.Textarea(attrs={"rows": 3})
    )


class OpenForm(NoteForm):
    """A batch before anything of it comes in."""

    name = NameField(
        max_length=NAME_LENGTH,
        label="Name",
        validators=[name_validator],
        help_text="As manifests and scripts name it, such as night-42.",
        error_messages={"required": "Give the batch a name."},
    )
    os_version = NameField(
        max_length=VERSION_LENGTH,
        label="OS version",
        validators=[name_validator],
        help_text="What it is about. A new version is stored with it.",
        error_messages={"required": "Say which OS version it is about."},
        widget=forms.TextInput(attrs={"list": "versions-known"}),
    )
    field_order = ("name", "os_version", "note")
