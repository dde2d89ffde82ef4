"""The forms of the pages, as JSON and as parameters of an address.

A form reads text: ``"5"`` is a number to it, and a wrong filter counts as not given, so that old links stay usable.
A script says what it means: here a text is a text, a wrong value is refused, and so is a name that nobody knows.
What else may be wrong is asked of the form itself.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, TypeVar

from django import forms
from django.http import QueryDict
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from reports.api.filters import field_schema
from reports.web.forms import BIGGEST_ID

_TOLD = 40  # characters of an unknown name are told again
_ALL = "__all__"  # what Django calls the errors of a form as a whole
FormT = TypeVar("FormT", bound=forms.Form)
SPELT = ("true", "false", "1", "0", "on")


class TextField(serializers.CharField):
    """A JSON string: a number is none."""

    default_error_messages = {"invalid": "This is no text: write it in quotes."}

    def to_internal_value(self, data: Any) -> str:
        """Return the text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class WholeField(serializers.IntegerField):
    """A whole JSON number: neither a text nor true."""

    default_error_messages = {"invalid": "This is no whole number: write it without quotes, like 3."}

    def to_internal_value(self, data: Any) -> int:
        """Return the number."""
        if isinstance(data, bool) or not (isinstance(data, int) or (isinstance(data, float) and data.is_integer())):
            self.fail("invalid")
        return int(data)


class NumberField(serializers.FloatField):
    """A finite JSON number: neither a text nor true."""

    default_error_messages = {"invalid": "This is no number: write it without quotes, like 50 or 0.5."}

    def to_internal_value(self, data: Any) -> float:
        """Return the number."""
        try:
            number = math.nan if isinstance(data, bool) or not isinstance(data, int | float) else float(data)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.fail("invalid")
        return number


class FlagField(serializers.BooleanField):
    """True or false, and no text that says so."""

    default_error_messages = {"invalid": "Write true or false, without quotes."}

    def to_internal_value(self, data: Any) -> bool:
        """Return it."""
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class DayField(serializers.DateField):
    """A day as ISO 8601 writes it."""

    default_error_messages = {"invalid": "This is no day: write it like 2030-12-31."}


class ObjectField(serializers.DictField):
    """A JSON object of any fields; whoever takes it checks them."""

    default_error_messages = {"not_a_dict": "This is no object: write {{…}}."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the object."""
        if not isinstance(data, Mapping):
            self.fail("not_a_dict")
        return dict(data)


class ChoiceField(serializers.ChoiceField):
    """One of some words; the refusal names them."""

    default_error_messages = {"invalid_choice": "{input} is not one of: {known}."}

    def to_internal_value(self, data: Any) -> Any:
        """Return the word."""
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", input=repr(data)[:_TOLD], known=", ".join(map(str, self.choices)))
        return data


class Body(serializers.Serializer):
    """A JSON object; what it does not know is refused, not passed over: a misspelt field would change nothing."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the values of the fields."""
        if isinstance(data, Mapping):
            refuse_unknown(data, self.fields)
        return super().to_internal_value(data)


class FormBody(Body):
    """A JSON object that a form of a page checks; the fields come from the form, unless they are declared here.

    ``validated_data`` are the form's cleaned values.
    """

    form: ClassVar[type[forms.Form | forms.ModelForm]]
    without: ClassVar[tuple[str, ...]] = ()  # fields of the form that scripts do not give

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the form's fields, each as JSON has it, under those that are declared."""
        declared = super().get_fields()
        taken = {key: field for key, field in self.form.base_fields.items() if key not in self.without}
        return {**{key: json_field(field) for key, field in taken.items() if key not in declared}, **declared}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask the form; its errors are those of the fields."""
        form = self.form(self.typed(attrs), **self.options())
        if not form.is_valid():
            raise ValidationError(self.errors_of(form))
        return self.cleaned(form)

    def cleaned(self, form: Any) -> dict[str, Any]:
        """Return what the form has made of it."""
        return form.cleaned_data

    def typed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return what a page would have sent."""
        return {key: value for key, value in values.items() if value is not None}

    def options(self) -> dict[str, Any]:
        """Return what else the form is made of."""
        return {}

    def errors_of(self, form: forms.BaseForm) -> dict[str, list[str]]:
        """Return the errors of a form by the names that the JSON has."""
        return form_errors(form)


class EditBody(FormBody):
    """What a form changes of something that is there: a field that is not given stays as it is.

    The context holds as ``now`` the values of the form's fields. ``validated_data`` has ``seen`` as well, for the
    service to refuse what would go over somebody else's change.
    """

    seen = WholeField(
        required=False,
        min_value=0,
        max_value=BIGGEST_ID,
        help_text="The id of the newest change that you have read, 0 for none: a later one is not overwritten",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the form's fields, none of which has to be given."""
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask the form about what there will be."""
        seen = attrs.pop("seen", None)
        return {**super().validate(attrs), "seen": seen}

    def typed(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return what the page would have sent: its fields as they are, and over them what was given."""
        return super().typed({**self.context["now"], **values})


class _Closed(OpenApiSerializerExtension):
    """Says in the description, too, that an object takes no other fields."""

    target_class = Body
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        described = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**described, "additionalProperties": False}


def json_field(field: forms.Field) -> serializers.Field:
    """Return the field of a form as JSON has it."""
    told: dict[str, Any] = {"required": field.required, "help_text": str(field.label or "")}
    if isinstance(field, forms.BooleanField):
        return FlagField(**told)
    if isinstance(field, forms.IntegerField | forms.FloatField):
        bounds: dict[str, Any] = {
            "min_value": field.min_value,
            "max_value": field.max_value,
            "allow_null": not field.required,
        }
        kind = WholeField if isinstance(field, forms.IntegerField) else NumberField
        return kind(**told, **bounds)
    if isinstance(field, forms.DateField):
        return DayField(**told)
    if isinstance(field, forms.ModelChoiceField):
        return TextField(**told, max_length=200)
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        return ChoiceField(choices=[key for key, _ in choices], **told)
    return TextField(**told, allow_blank=not field.required, max_length=getattr(field, "max_length", None))


def form_errors(form: forms.BaseForm) -> dict[str, list[str]]:
    """Return field → errors of a form in words."""
    whole = {_ALL: "non_field_errors"}
    return {whole.get(name, name): [str(error) for error in errors] for name, errors in form.errors.items()}


def asked(form: type[FormT], query: QueryDict, *, besides: Iterable[str] = ()) -> FormT:
    """Read the parameters of an address with the form of a page, and refuse what the page would pass over.

    ``besides`` are parameters that something else reads, as the limit of a list.

    Raises
    ------
    ValidationError
        A parameter is unknown or wrong, each with why.

    """
    asked = form(query)
    refuse_unknown(query, {**asked.fields, **dict.fromkeys(besides)})
    errors = form_errors(asked)
    for name, field in asked.fields.items():
        if isinstance(field, forms.BooleanField) and query.get(name, "true").lower() not in SPELT:
            errors[name] = ["Write true or false."]
    if errors:
        raise ValidationError(errors)
    return asked


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse names that nobody reads, and say which there are."""
    names = list(known)
    unknown = [name for name in given if name not in names]
    if unknown:
        shown = unknown[0][:_TOLD] if unknown[0].isprintable() else "?"
        raise ValidationError({shown: [f"There is nothing of this name; there are {', '.join(names) or 'none'}."]})


def parameters(form: type[forms.Form], **words: str) -> list[OpenApiParameter]:
    """Describe the fields of a form as parameters of an address; ``words`` say what some of them are."""
    return [
        OpenApiParameter(name, type=field_schema(field), required=field.required, description=words.get(name, ""))
        for name, field in form.base_fields.items()
    ]
