"""Choose what to compare."""

from typing import Any, cast

from django import forms

from reports.home.selectors import CompareChoices
from reports.models import Device, OsVersion

LONGEST = 30  # a browser cuts the end of what does not fit into a field, where two builds differ
_HEAD, _TAIL = 17, 12


class CompareForm(forms.Form):
    """Two OS versions that have runs, on all devices or on one. The cleaned values are the rows themselves."""

    base = forms.TypedChoiceField(label="Baseline")
    new = forms.TypedChoiceField(label="Updated")
    device = forms.TypedChoiceField(label="Device", required=False, empty_value=None)

    def __init__(self, *args: Any, choices: CompareChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        versions = {version.name: version for version in choices.versions}
        devices = {str(device.pk): device for device in choices.devices}
        self._offer("base", versions, "No OS version called %(value)s has runs.")
        self._offer("new", versions, "No OS version called %(value)s has runs.")
        self._offer("device", devices, "No such device has runs.", empty="all devices")

    def _offer(
        self, name: str, rows: dict[str, OsVersion] | dict[str, Device], refusal: str, *, empty: str = ""
    ) -> None:
        field = cast(forms.TypedChoiceField, self.fields[name])
        labels = _labelled({key: str(row) for key, row in rows.items()})
        field.choices = [*([("", empty)] if empty else []), *labels]
        field.coerce = rows.__getitem__
        field.error_messages["invalid_choice"] = refusal
        field.widget.attrs["data-submit"] = ""

    def clean(self) -> dict[str, Any]:
        """Refuse a version compared with itself."""
        values = super().clean() or {}
        if values.get("base") and values.get("base") == values.get("new"):
            raise forms.ValidationError(
                f"{values['base']} cannot be compared with itself: choose another version on one side."
            )
        return values


def _labelled(names: dict[str, str]) -> list[tuple[str, str]]:
    """Shorten long names in their middle, all or none: none where two would look the same."""
    short = {key: f"{name[:_HEAD]}…{name[-_TAIL:]}" if len(name) > LONGEST else name for key, name in names.items()}
    return list((short if len(set(short.values())) == len(short) else names).items())
