"""Read a query string forgivingly: what makes no sense is passed over, so that an old link still shows a page."""

from typing import Any

from django import forms
from django.http import QueryDict

PAGE_SIZES = (50, 100, 200)


class LenientForm(forms.Form):
    """A form over GET whose wrong values count as not given."""

    def values(self) -> dict[str, Any]:
        """Return the cleaned value of every field; a wrong one as if nothing had been given."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, _nothing(field)) for name, field in self.fields.items()}


def page_size(query: QueryDict) -> int:
    """Return the rows a page that the address asks for, one of ``PAGE_SIZES``."""
    asked = query.get("per_page", "")
    return int(asked) if asked in map(str, PAGE_SIZES) else PAGE_SIZES[0]


def _nothing(field: forms.Field) -> Any:
    if isinstance(field, forms.BooleanField):
        return False
    return None if isinstance(field, forms.IntegerField | forms.FloatField) else ""
