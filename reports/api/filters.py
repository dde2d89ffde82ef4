"""Filters of lists: the very forms of the pages, but what a script gets wrong is told and never passed over."""

from abc import ABCMeta, abstractmethod
from typing import Any, ClassVar

import django_filters
from django import forms
from django.db.models import QuerySet
from django_filters.filterset import FilterSetMetaclass
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.extensions import OpenApiFilterExtension
from rest_framework.request import Request

from reports.api.problems import wrong

PAGING = ("limit", "cursor")


class _Abstract(FilterSetMetaclass, ABCMeta):
    """Lets filters have an abstract method."""


class PageFilters(django_filters.FilterSet, metaclass=_Abstract):
    """The filters of a list.

    A subclass names the page's form as ``Meta.form`` and says in ``chosen`` what the page's selector makes of it.
    """

    except_for: ClassVar[tuple[str, ...]] = ()  # fields of the form that filter another list

    @classmethod
    def fields_of(cls) -> dict[str, forms.Field]:
        """Return the fields that filter, by the names of their parameters."""
        form: Any = cls._meta.form
        return {name: field for name, field in form.base_fields.items() if name not in cls.except_for}

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return what the filters leave."""
        return self.chosen(self.form.values())

    @abstractmethod
    def chosen(self, wanted: dict[str, Any]) -> QuerySet[Any]:
        """Return the rows; ``wanted`` holds the value of every field, empty where none was given."""


def given(wanted: dict[str, Any], **fields: str) -> dict[str, Any]:
    """Return the conditions of those filters that were given; ``fields`` says which field each is of."""
    return {fields[name]: value for name, value in wanted.items() if value}


class PageFilterBackend(DjangoFilterBackend):
    """Filters by ``filterset_class`` of a view; a parameter that it does not know is refused by its name."""

    def filter_queryset(self, request: Request, queryset: QuerySet[Any], view: Any) -> QuerySet[Any]:
        """Return the rows that are asked for."""
        known = known_parameters(view)
        for name in request.query_params:
            if name not in known:
                raise wrong(name[:80], f"There is no such parameter here; known are {', '.join(known)}.")
        return super().filter_queryset(request, queryset, view)


def known_parameters(view: Any) -> list[str]:
    """Return the names of what a list takes in its address."""
    filters = getattr(view, "filterset_class", None)
    return [*(filters.fields_of() if filters else ()), *PAGING]


class PageFilterExtension(OpenApiFilterExtension):
    """Describes the filters in the schema by the fields of their form."""

    target_class = "reports.api.filters.PageFilterBackend"
    priority = 1  # before drf-spectacular's own for django-filter, which reads models

    def get_schema_operation_parameters(self, auto_schema: Any, *args: Any, **kwargs: Any) -> list[dict[str, Any]]:
        """Return a parameter for each field."""
        filters = getattr(auto_schema.view, "filterset_class", None)
        if filters is None or not auto_schema._is_list_view():
            return []
        return [
            {"name": name, "in": "query", "schema": field_schema(field), **_described(field)}
            for name, field in filters.fields_of().items()
        ]


def _described(field: forms.Field) -> dict[str, str]:
    return {"description": str(field.help_text)} if field.help_text else {}


def field_schema(field: forms.Field) -> dict[str, Any]:
    """Describe what a field of a form takes, as OpenAPI does."""
    if isinstance(field, forms.BooleanField):
        return {"type": "boolean"}
    if isinstance(field, forms.IntegerField | forms.FloatField):
        kind = "integer" if isinstance(field, forms.IntegerField) else "number"
        bounds = {"minimum": field.min_value, "maximum": field.max_value}
        return {"type": kind} | {name: value for name, value in bounds.items() if value is not None}
    if isinstance(field, forms.DateField):
        return {"type": "string", "format": "date"}
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        keys = [key for key, _ in choices if key != ""]
        if isinstance(field, forms.MultipleChoiceField):
            return {"type": "array", "items": {"type": "string", "enum": keys}}
        return {"type": "string", "enum": keys}
    return {"type": "string", "maxLength": getattr(field, "max_length", None) or 200}
