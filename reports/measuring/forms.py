"""What people send from the pages about runs."""

import re
from typing import Any

from django import forms
from django.http import QueryDict

from analysis.options import INTERACTION_TYPES
from analysis.video.masks import Mask
from reports.comparing.inputs import PairIds
from reports.measuring.areas import OWNERS
from reports.measuring.doubtful import DoubtsFilter
from reports.measuring.selectors import FILE_WORDS, RunsFilter
from reports.models import Confidence, Moment, Run, RunStatus
from reports.web.forms import BIGGEST_ID, LenientForm, NameField, ShortJSONField

LONGEST_MS = 1e9  # as a manifest: eleven days, and no recording is longer
MOST_CONFIRMED = 200  # as many as a page lists
NOT_KNOWN = "These actions are not known, or too many at once: load the page again."
_ACTION = re.compile(r"\d{1,18}-\d{1,12}", re.ASCII)
EXCLUDED = [("no", "left out"), ("yes", "only")]
REASON_LENGTH = Run._meta.get_field("excluded_reason").max_length


class RunsForm(LenientForm):
    """Filters of the list. Names are kept as text: an unknown one simply matches no row."""

    q = forms.CharField(required=False, max_length=200)
    status = forms.ChoiceField(required=False, choices=RunStatus.choices)
    outcome = forms.CharField(required=False, max_length=24)
    version = forms.CharField(required=False, max_length=80)
    batch = forms.CharField(required=False, max_length=120)
    app = forms.CharField(required=False, max_length=200)
    interaction = forms.CharField(required=False, max_length=160)
    device = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)
    excluded = forms.ChoiceField(required=False, choices=EXCLUDED)
    file = forms.ChoiceField(required=False, choices=list(FILE_WORDS.items()))
    confidence = forms.ChoiceField(
        required=False, choices=Confidence.choices, help_text="Of the run's response or finish."
    )

    def wanted(self) -> RunsFilter:
        """Return what the address asks for."""
        return RunsFilter(**self.values())


class DoubtsForm(LenientForm):
    """Filters of the list of doubtful values."""

    base = forms.CharField(required=False, max_length=80)
    new = forms.CharField(required=False, max_length=80)
    app = forms.CharField(required=False, max_length=200)
    device = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)
    run = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)

    def wanted(self) -> DoubtsFilter:
        """Return what the address asks for."""
        return DoubtsFilter(**self.values())


class ExcludeForm(forms.Form):
    """Why a run is kept out of comparisons."""

    reason = forms.CharField(max_length=REASON_LENGTH, error_messages={"required": "Say why the run is excluded."})

    def problem(self) -> str:
        """Return the first error in words."""
        errors: dict[str, Any] = self.errors
        return next(iter(errors["reason"])) if errors else ""


class RevisionsForm(forms.Form):
    """Whose runs are measured again where another revision measured them. All are ids."""

    base = forms.IntegerField(min_value=1, max_value=BIGGEST_ID)
    new = forms.IntegerField(min_value=1, max_value=BIGGEST_ID)
    device = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)
    interaction = forms.IntegerField(required=False, min_value=1, max_value=BIGGEST_ID)

    def pair(self) -> PairIds:
        """Return the two versions, on the device if one is named."""
        return PairIds(*(self.cleaned_data[name] for name in ("base", "new", "device")))


class CorrectionForm(forms.Form):
    """A moment of a run, in ms after the action."""

    moment = forms.ChoiceField(choices=Moment.choices)
    value_ms = forms.FloatField(
        min_value=0, max_value=LONGEST_MS, error_messages={"required": "Say when it was, in ms after the action."}
    )
    note = forms.CharField(required=False, max_length=300)
    seen = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)


class ActionForm(forms.Form):
    """When the user acted."""

    action_ms = forms.FloatField(
        label="The user acted, ms after the first frame",
        min_value=0,
        max_value=LONGEST_MS,
        error_messages={"required": "Say when the user acted, in ms after the first frame."},
        widget=forms.NumberInput(attrs={"step": "any", "data-action": ""}),
    )


class ConfirmForm(forms.Form):
    """Which of the actions that were found are right: ``RUN-MICROSECONDS`` of each that is ticked."""

    action = forms.MultipleChoiceField(
        error_messages={"required": "Tick the recordings whose action is right.", "invalid_choice": NOT_KNOWN}
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        field: Any = self.fields["action"]
        field.choices = [(one, one) for one in data.getlist("action")[:MOST_CONFIRMED] if _ACTION.fullmatch(one)]

    def proposals(self) -> list[tuple[int, float]]:
        """Return each run with its action, ms after the first frame."""
        pairs = (one.split("-") for one in self.cleaned_data["action"])
        return [(int(run), int(time_us) / 1000) for run, time_us in pairs]


class AgainForm(forms.Form):
    """Whether runs that a change concerns are measured again. The page says beside it how many they are."""

    again = forms.BooleanField(required=False, label="Measure these runs again now")


class TypeForm(AgainForm):
    """How an interaction touches the screen."""

    type = forms.ChoiceField(choices=[(key, key) for key in INTERACTION_TYPES], label="Type")


class PlacedForm(forms.Form):
    """A rectangle in percent of the screen, as a person draws or writes it."""

    name = NameField(
        max_length=80, label="What is there", error_messages={"required": "Say what is there."},
        widget=forms.TextInput(attrs={"placeholder": "status bar"}),
    )  # fmt: skip
    left = forms.FloatField(min_value=0, max_value=100)
    top = forms.FloatField(min_value=0, max_value=100)
    width = forms.FloatField(min_value=0.1, max_value=100)
    height = forms.FloatField(min_value=0.1, max_value=100)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "area-%s"} | kwargs)  # beside other forms on one page
        for name in ("left", "top", "width", "height"):
            self.fields[name].label = f"{name.capitalize()}, %"
            self.fields[name].widget.attrs.update({"step": "any", "data-edge": name})

    def clean(self) -> dict[str, Any]:
        """Refuse a rectangle that leaves the screen."""
        cleaned: dict[str, Any] = super().clean() or {}
        for start, size, edge in (("left", "width", "right"), ("top", "height", "lower")):
            if start in cleaned and size in cleaned and cleaned[start] + cleaned[size] > 100 + 1e-6:
                self.add_error(size, f"It goes past the {edge} edge: at most {100 - cleaned[start]:g} from there.")
        return cleaned

    def mask(self) -> Mask:
        """Return the rectangle as a measurement takes it."""
        left, top, width, height = (self.cleaned_data[name] / 100 for name in ("left", "top", "width", "height"))
        right, bottom = min(1.0, left + width), min(1.0, top + height)
        corners = (round(value, 5) for value in (left, top, right, bottom))
        return Mask(self.cleaned_data["name"].strip(), *corners)


class AreaForm(PlacedForm, AgainForm):
    """An area that is never judged any more, and to whom it belongs."""

    owner = forms.ChoiceField(
        choices=[(key, key) for key in OWNERS], error_messages={"required": "Say where the area is found."}
    )


class RemoveAreaForm(AgainForm):
    """An area that is judged again, named by what it is."""

    owner = forms.ChoiceField(choices=[(key, key) for key in OWNERS])
    mask = ShortJSONField()
