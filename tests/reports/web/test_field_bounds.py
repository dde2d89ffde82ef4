"""Every field of every form has a bound, in the form and in the page; the middleware's is only the outermost."""

import re
from importlib import import_module
from pathlib import Path

from django import forms

from reports.web.forms import ShortJSONField

ROOT = Path(__file__).resolve().parents[3]
TYPED = re.compile(r"<(?:input|textarea)\b[^>]*>")
UNBOUNDED = re.compile(r'type="(?:hidden|checkbox|radio|submit|range|date|file)"| (?:hidden|readonly)\b')
NUMBERS = (forms.IntegerField, forms.FloatField, forms.DecimalField)
CHOSEN = (forms.ChoiceField, forms.ModelChoiceField, forms.BooleanField, forms.DateField)
DJANGOS = {"password1", "password2"}  # of its form for a new person, which hashes any length


def ours():
    for file in sorted((ROOT / "reports").glob("*/forms.py")):
        import_module(f"reports.{file.parent.name}.forms")
    found, seen = [forms.BaseForm], set()
    while found:
        one = found.pop()
        found += one.__subclasses__()
        if one.__module__.startswith("reports."):
            seen.add(one)
    return sorted(seen, key=lambda one: one.__qualname__)


def is_bounded(field):
    if isinstance(field, NUMBERS):
        return field.min_value is not None and field.max_value is not None
    if isinstance(field, forms.FileField):
        return field.max_length is not None  # of its name; UPREG_REQUEST_MB bounds the rest
    if isinstance(field, forms.CharField):
        return field.max_length is not None or isinstance(field, ShortJSONField)
    return isinstance(field, CHOSEN)


def test_every_field_of_every_form_has_a_bound():
    open_ended = [
        f"{form.__name__}.{name}"
        for form in ours()
        for name, field in form.base_fields.items()
        if name not in DJANGOS and not is_bounded(field)
    ]

    assert len(ours()) > 20
    assert open_ended == []


def test_every_field_that_is_typed_into_says_how_much_it_takes():
    fields = [
        (path.name, tag)
        for path in (ROOT / "templates").rglob("*.html")
        for tag in TYPED.findall(path.read_text())
        if not UNBOUNDED.search(tag)
    ]
    wrong = [
        (path, tag) for path, tag in fields if not re.search("maxlength=" if "number" not in tag else "min=", tag)
    ]

    assert len(fields) > 20
    assert wrong == []
