"""Choose what to compare."""

from typing import Any, cast

from django import forms

from reports.home.selectors import CompareChoices
from reports.models import Device, OsVersion


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
        field.choices = [*([("", empty)] if empty else []), *((key, str(row)) for key, row in rows.items())]
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
