"""Files on their way to the server, part by part."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Upload(models.Model):
    """One file that somebody sends in parts. Its parts, and the whole that they become, lie in the default storage.

    ``offset`` is how many of its bytes are stored; it only moves together with the row of a part. ``stored_name``
    names the whole once all parts are there and it was compared with its sha256.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token_id = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="The token by which it was begun; None: a session. It outlives the token"
    )
    file_name = models.CharField(max_length=255, help_text="As the sender calls it, without folders")
    length = models.BigIntegerField(help_text="Bytes of the whole file")
    offset = models.BigIntegerField(default=0, help_text="Bytes that are stored")
    sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of the whole, as announced; else once it is there"
    )
    stored_name = models.CharField(max_length=255, blank=True, help_text="Path of the whole in the default storage")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(help_text="When it is forgotten with all that is stored of it")

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["expires_at"], name="upload_for_sweeping")]
        constraints = [
            models.CheckConstraint(
                condition=Q(offset__gte=0) & Q(offset__lte=F("length")), name="upload_offset_is_within"
            ),
            models.CheckConstraint(condition=Q(stored_name="") | ~Q(sha256=""), name="upload_whole_has_its_sha256"),
        ]

    def __str__(self) -> str:
        return self.file_name


class UploadPart(models.Model):
    """One stored part: where it begins, how long it is, and the file that holds it."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="parts")
    offset = models.BigIntegerField()
    size_bytes = models.BigIntegerField()
    stored_name = models.CharField(max_length=255, help_text="Path in the default storage")

    class Meta:
        ordering = ["offset"]
        constraints = [models.UniqueConstraint(fields=["upload", "offset"], name="upload_part_is_stored_once")]

    def __str__(self) -> str:
        return f"{self.size_bytes} bytes from {self.offset} on"
