"""The catalogue in the admin: what is changed there is kept as on our own pages."""

from datetime import date
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import JSONField, Model, QuerySet
from django.http import HttpRequest

from reports.audit.services import keep_change, record
from reports.catalogue.services import app_changed
from reports.models import Action, App, Device, Interaction, OsVersion
from reports.models.catalogue import name_validator, seen_validator
from reports.web.forms import NameField, ShortJSONField
from reports.web.requests import signed_in_user


class Kept(admin.ModelAdmin):
    """A model whose changes are kept with who made them, whichever way they are made."""

    keeps_changes = True
    formfield_overrides: ClassVar = {JSONField: {"form_class": ShortJSONField}}

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Let names be asked for as on our own pages."""
        if name_validator in db_field.validators or seen_validator in db_field.validators:
            kwargs["form_class"] = NameField
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save, and keep each field that was changed."""
        super().save_model(request, obj, form, change)
        if not change:
            record(Action.ADDED, of=obj, user=signed_in_user(request))
            return
        for field in form.changed_data:
            before, after = _plain(form.initial.get(field)), _plain(getattr(obj, field))
            if before != after:
                keep_change(of=obj, field=field, before=before, after=after, user=signed_in_user(request))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete, and keep that."""
        record(Action.DELETED, of=obj, user=signed_in_user(request))
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Delete one by one, each kept."""
        for row in queryset:
            self.delete_model(request, row)


def _plain(value: Any) -> Any:
    """Return a value as a change keeps it: as JSON."""
    if isinstance(value, Model):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value


@admin.register(OsVersion)
class OsVersionAdmin(Kept):
    """OS versions in their own order. The pinned baseline is chosen on the version's page, with a reason."""

    fields = ["name", "sorts_as", "released_on", "note"]
    list_display = ["name", "created_at"]
    search_fields = ["name"]

    def save_model(self, request: HttpRequest, obj: OsVersion, form: Any, change: bool) -> None:
        """Keep the version's place in the order with its name."""
        obj.sort_key = obj.own_sort_key()
        super().save_model(request, obj, form, change)


@admin.register(Device)
class DeviceAdmin(Kept):
    """Device models, their refresh rate and masks."""

    list_display = ["name", "refresh_hz"]
    search_fields = ["name"]


@admin.register(App)
class AppAdmin(Kept):
    """Apps; the critical mark is set from the list."""

    list_display = ["name", "package", "category", "critical"]
    list_editable = ["critical"]
    list_filter = ["critical", "category"]
    search_fields = ["name", "package"]

    def save_model(self, request: HttpRequest, obj: App, form: Any, change: bool) -> None:
        """Let the gate and the comparisons follow."""
        super().save_model(request, obj, form, change)
        app_changed(app=obj, fields=form.changed_data)


@admin.register(Interaction)
class InteractionAdmin(Kept):
    """Interactions of all apps."""

    list_display = ["name", "app", "type"]
    list_filter = ["type", "app__category"]
    search_fields = ["name", "app__name", "scenario"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Interaction]:
        """Load the app with each row."""
        return super().get_queryset(request).select_related("app")
