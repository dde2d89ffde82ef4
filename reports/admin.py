"""The catalogue in the admin."""

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import Form
from django.http import HttpRequest

from reports.catalogue.services import app_changed
from reports.models import App, Device, Interaction, OsVersion


@admin.register(OsVersion)
class OsVersionAdmin(admin.ModelAdmin):
    """OS versions in their own order."""

    list_display = ["name", "created_at"]
    search_fields = ["name"]

    def save_model(self, request: HttpRequest, obj: OsVersion, form: Form, change: bool) -> None:
        """Keep the version's place in the order with its name."""
        obj.sort_key = obj.own_sort_key()
        super().save_model(request, obj, form, change)


@admin.register(Device)
class DeviceAdmin(admin.ModelAdmin):
    """Device models, their refresh rate and masks."""

    list_display = ["name", "refresh_hz"]
    search_fields = ["name"]


@admin.register(App)
class AppAdmin(admin.ModelAdmin):
    """Apps; the critical mark is set from the list."""

    list_display = ["name", "package", "category", "critical"]
    list_editable = ["critical"]
    list_filter = ["critical", "category"]
    search_fields = ["name", "package"]

    def save_model(self, request: HttpRequest, obj: App, form: Form, change: bool) -> None:
        """Let the gate and the comparisons follow."""
        super().save_model(request, obj, form, change)
        app_changed(app=obj, fields=form.changed_data)


@admin.register(Interaction)
class InteractionAdmin(admin.ModelAdmin):
    """Interactions of all apps."""

    list_display = ["name", "app", "type"]
    list_filter = ["type", "app__category"]
    search_fields = ["name", "app__name", "scenario"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Interaction]:
        """Load the app with each row."""
        return super().get_queryset(request).select_related("app")
