"""What is measured on what: OS versions, devices, apps and their scripted interactions."""

import re
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from analysis.metrics.benchmarks import BENCHMARK
from analysis.names import fault_of_name
from analysis.video.masks import read_masks
from reports.models.querysets import OsVersionQuerySet

MASKS_HELP = (
    "Areas that are never judged, as a list of "
    '{"name": "status bar", "x0": 0, "y0": 0, "x1": 1, "y1": 0.04, "unit": "fraction"}; unit is fraction or px.'
)
_PART = re.compile(r"\d+|[a-z]+", re.IGNORECASE)
_WIDTH = 12
LONGEST_KEY = 600  # characters: 42 numbers; names of more parts than fit are alike in what is cut off
_BEFORE_RELEASE = {"dev": "a", "alpha": "b", "a": "b", "beta": "c", "b": "c", "preview": "d", "rc": "e"}
_RELEASE, _AFTER_RELEASE = "m", "n"

# These names are path segments of the pages' addresses.
_FORBIDDEN = re.compile(r"[/\\?#]|^\.{1,2}$")


def name_validator(text: str) -> None:
    """Refuse what cannot be part of an address, and what hides or moves what stands around it."""
    if _FORBIDDEN.search(text):
        raise ValidationError("This cannot be a name: leave out / \\ ? #.")
    seen_validator(text)


def seen_validator(text: str) -> None:
    """Refuse characters that hide, or move what stands around them."""
    if fault := fault_of_name(text):
        raise ValidationError(f"This {fault}.")


class InteractionType(models.TextChoices):
    """How the scripted user touches the screen; or that it was not filmed, and a benchmark measured it."""

    TAP = "tap"
    SCROLL = "scroll"
    SWIPE = "swipe"
    TYPE = "type"
    DRAW = "draw"
    LAUNCH = "launch"
    BENCHMARK = BENCHMARK  # nobody films it: its values come from a file of results


class OsVersion(models.Model):
    """One OS build. ``sort_key`` (see version_sort_key) gives the order among versions.

    ``sorts_as`` stands in for a name that does not tell its place. Versions of one ``channel`` form a line. At most
    one of a line is ``pinned``: the baseline that a person chose, with who, when and why; it never moves by itself.
    """

    name = models.CharField(max_length=80, unique=True, validators=[name_validator])
    sorts_as = models.CharField(max_length=80, blank=True, help_text="Empty: as its name")
    sort_key = models.CharField(max_length=LONGEST_KEY, editable=False)
    channel = models.CharField(
        max_length=40,
        blank=True,
        validators=[seen_validator],
        help_text="The line of versions that it belongs to, such as beta. Empty: the main line",
    )
    released_on = models.DateField(null=True, blank=True)
    note = models.TextField(blank=True, max_length=2000)
    author = models.CharField(
        max_length=150, blank=True, validators=[seen_validator], help_text="Whose change it brings: name or mail"
    )
    change = models.CharField(
        max_length=500, blank=True, validators=[seen_validator], help_text="That change: a link or a revision"
    )
    pinned = models.BooleanField(default=False)
    pinned_at = models.DateTimeField(null=True, blank=True)
    pinned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    pinned_reason = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = OsVersionQuerySet.as_manager()

    class Meta:
        ordering = ["sort_key", "name"]
        verbose_name = "OS version"
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="os_version_has_a_name"),
            models.UniqueConstraint(
                fields=["channel"], condition=Q(pinned=True), name="one_version_of_a_line_is_pinned"
            ),
            models.CheckConstraint(
                condition=Q(pinned=False) | ~Q(pinned_reason=""), name="pinned_version_has_a_reason"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def change_link(self) -> str:
        """The address of its change; empty where that is no link."""
        return self.change if self.change.startswith(("https://", "http://")) else ""

    def own_sort_key(self) -> str:
        """Return the key of its place among the versions: of its name, or of what it sorts as."""
        return version_sort_key(self.sorts_as or self.name)[:LONGEST_KEY]


class Masked(models.Model):
    """What has areas that are never judged: refuses to be saved by a form with masks that no measurement takes."""

    masks: Any  # a JSONField of each

    class Meta:
        abstract = True

    def clean_fields(self, exclude: Collection[str] | None = None) -> None:
        """Check the masks with the other fields, beside which a form shows why; an emptied field is no mask.

        Not in ``clean``: that is asked too where a form has no masks, as the list of apps, and cannot say it there.
        """
        self.masks = [] if self.masks is None else self.masks
        errors: dict[str, Any] = {}
        try:
            super().clean_fields(exclude)
        except ValidationError as error:
            error.update_error_dict(errors)
        if "masks" not in (exclude or ()) and "masks" not in errors:
            try:
                read_masks(self.masks)
            except ValueError as error:
                errors["masks"] = [ValidationError(str(error))]
        if errors:
            raise ValidationError(errors)


class Device(Masked):
    """A device model at one refresh rate; the same model at 60 and at 120 Hz is two devices, never pooled."""

    name = models.CharField(max_length=120, validators=[name_validator])
    refresh_hz = models.FloatField(default=60.0, validators=[MinValueValidator(1.0), MaxValueValidator(1000.0)])
    masks = models.JSONField(default=list, blank=True, help_text=MASKS_HELP)

    class Meta:
        ordering = ["name", "refresh_hz"]
        constraints = [
            models.UniqueConstraint(F("name"), F("refresh_hz"), name="device_is_unique"),
            models.CheckConstraint(
                condition=Q(refresh_hz__gte=1.0, refresh_hz__lte=1000.0), name="device_refresh_hz_is_sane"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.refresh_hz:g} Hz)"


class App(Masked):
    """One app; ``package`` is its identity, ``critical`` apps tolerate no regression at the release gate."""

    package = models.CharField(max_length=200, unique=True, validators=[name_validator])
    name = models.CharField(max_length=200, validators=[seen_validator])
    category = models.CharField(max_length=80, blank=True, validators=[seen_validator])
    critical = models.BooleanField(default=False, help_text="No regression at all may pass the release gate.")
    masks = models.JSONField(default=list, blank=True, help_text=MASKS_HELP)

    class Meta:
        ordering = ["name", "package"]
        constraints = [models.CheckConstraint(condition=~Q(package=""), name="app_has_a_package")]

    def __str__(self) -> str:
        return self.name


class Interaction(Masked):
    """One scripted interaction of an app, for example "open inbox"."""

    app = models.ForeignKey(App, on_delete=models.PROTECT, related_name="interactions")
    name = models.CharField(max_length=160, validators=[name_validator])
    type = models.CharField(max_length=16, choices=InteractionType)
    scenario = models.TextField(blank=True)
    masks = models.JSONField(default=list, blank=True, help_text=MASKS_HELP)

    class Meta:
        ordering = ["app__name", "name"]
        constraints = [
            models.UniqueConstraint(fields=["app", "name"], name="interaction_is_unique_in_its_app"),
            models.CheckConstraint(condition=Q(type__in=InteractionType.values), name="interaction_type_is_known"),
            models.CheckConstraint(condition=~Q(name=""), name="interaction_has_a_name"),
        ]

    def __str__(self) -> str:
        return f"{self.app.name} · {self.name}"

    @property
    def filmed(self) -> bool:
        """Whether there are screencasts of it, and not only what a benchmark measured."""
        return self.type != InteractionType.BENCHMARK


def version_sort_key(name: str) -> str:
    """Return a text whose plain order is the order of the versions.

    Numbers count as numbers; the end of a name comes after its pre-release words (dev, alpha, beta, preview, rc)
    and before any other word or further number: ``13-beta < 13-rc1 < 13 < 13.0.1 < 13.0.1-hotfix``.
    """
    return "".join(_part_key(part) for part in _PART.findall(name)) + _RELEASE


def _part_key(part: str) -> str:
    if part.isdigit():
        return _AFTER_RELEASE + "0" + part.zfill(_WIDTH)
    word = part.lower()
    return _BEFORE_RELEASE.get(word, _AFTER_RELEASE + "1") + word + " "
