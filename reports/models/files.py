"""What is known of a file in the storage: whether it still is what was stored. Runs that share it share this."""

from django.db import models
from django.db.models import Exists, OuterRef, Q


class FileState(models.TextChoices):
    """``damaged``: its bytes are others than those that were stored; ``dropped``: by retention, on purpose."""

    INTACT = "intact"
    DAMAGED = "damaged"
    MISSING = "missing"
    DROPPED = "dropped"


class StoredFile(models.Model):
    """One file of the storage by its name. ``checked_at``: when its bytes were last compared with its sha256.

    A row is made when the file is first looked at, so a file without one is as good as never checked.
    """

    name = models.CharField(max_length=255, unique=True, help_text="Path in the default storage")
    sha256 = models.CharField(max_length=64, help_text="Of the bytes that were stored")
    state = models.CharField(max_length=8, choices=FileState, default=FileState.INTACT)
    checked_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(null=True, blank=True, help_text="Since when it is in this state")

    class Meta:
        ordering = ["name"]
        indexes = [
            models.Index(fields=["checked_at"], name="file_checked_longest_ago"),
            models.Index(fields=["state"], condition=~Q(state="intact"), name="file_not_intact"),
        ]
        constraints = [models.CheckConstraint(condition=Q(state__in=FileState.values), name="file_state_is_known")]

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"


GONE = (FileState.DAMAGED, FileState.MISSING, FileState.DROPPED)  # no evidence any more


def film_is(*states: FileState) -> Exists:
    """Match the runs whose screencast is in one of these states."""
    return Exists(StoredFile.objects.filter(name=OuterRef("file_name"), state__in=states))
