"""The audit log: who did what, when, from where, from what to what. The history of a page is read from it, too."""

from typing import Any, NoReturn

from django.db import models
from django.db.models import Q
from django.utils import timezone

ONLY_ADDED_TO = "the audit log is only ever added to"


class Action(models.TextChoices):
    """What was done; the label goes before the subject: "excluded Mail · open inbox"."""

    LOGGED_IN = "logged_in", "logged in"
    LOGGED_OUT = "logged_out", "logged out"
    LOGIN_FAILED = "login_failed", "failed to log in"
    LOCKED_OUT = "locked_out", "must wait after failures"
    LOCKOUT_LIFTED = "lockout_lifted", "lifted the wait of"
    SESSIONS_ENDED = "sessions_ended", "ended sessions of"
    LINK_MADE = "link_made", "made a link to set the password of"
    RESET_ASKED = "reset_asked", "asked for a link to set the password"
    TOKEN_MADE = "token_made", "made API token"
    TOKEN_REVOKED = "token_revoked", "revoked API token"
    CHANGED = "changed", "changed"
    ADDED = "added", "added"
    DELETED = "deleted", "deleted"
    POLICY_SAVED = "policy_saved", "saved policy"
    SCOPE_SAVED = "scope_saved", "saved scope"
    SCOPE_DELETED = "scope_deleted", "deleted scope"
    WAIVER_ADDED = "waiver_added", "added a waiver for"
    WAIVER_SECONDED = "waiver_seconded", "approved as the second the waiver for"
    WAIVER_REFUSED = "waiver_refused", "refused the waiver for"
    WAIVER_WITHDRAWN = "waiver_withdrawn", "withdrew the waiver for"
    GATE_DECIDED = "gate_decided", "recorded the gate of"
    COMPARED = "compared", "compared"
    TRIAGED = "triaged", "triaged"
    TRIAGE_UNDONE = "triage_undone", "took back the triage of"
    ISSUE_ASKED = "issue_asked", "asked for an issue about"
    CORRECTED = "corrected", "corrected"
    CORRECTION_WITHDRAWN = "correction_withdrawn", "took back the correction of"
    EXCLUDED = "excluded", "excluded"
    INCLUDED = "included", "included again"
    MEASURED_AGAIN = "measured_again", "had measured again"
    IMPORTED = "imported", "imported"
    BATCH_COMPLETED = "batch_completed", "declared complete"
    BATCH_REOPENED = "batch_reopened", "declared open again"
    EXPORTED = "exported", "exported"


class Subject(models.TextChoices):
    """What it was done to."""

    RUN = "run"
    INTERACTION = "interaction"
    APP = "app"
    DEVICE = "device"
    VERSION = "version"
    PERSON = "person"
    POLICY = "policy"
    SCOPE = "scope"
    WAIVER = "waiver"
    COMPARISON = "comparison"
    TOKEN = "token", "API token"
    FILE = "file"
    BATCH = "batch"
    BISECTION = "bisection"
    OTHER = "other"


class AuditQuerySet(models.QuerySet):
    """Reads and additions; whatever would change or take away an entry is refused."""

    def update(self, **_: Any) -> NoReturn:
        """Refuse."""
        raise TypeError(ONLY_ADDED_TO)

    def delete(self) -> NoReturn:
        """Refuse."""
        raise TypeError(ONLY_ADDED_TO)

    def bulk_update(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse."""
        raise TypeError(ONLY_ADDED_TO)


class AuditEntry(models.Model):
    """One thing that somebody did. Only ever added to: triggers of the database refuse the rest (migration 0016).

    Nothing is referred to by a foreign key: the log outlives what and whom it speaks of, so it keeps the names.
    A table that is altered on SQLite is made anew without its triggers: such a migration must make them again.
    """

    made_at = models.DateTimeField(default=timezone.now)
    action = models.CharField(max_length=24, choices=Action)
    user_id = models.PositiveBigIntegerField(null=True, blank=True, help_text="None: nobody was logged in")
    who = models.CharField(max_length=200, help_text="Name of the user then, or as it was typed; or of the command")
    token = models.CharField(  # noqa: DJ001 - with a default SQLite would copy the whole log to add it
        max_length=100, null=True, blank=True, help_text="The API token by which they asked; None: none"
    )
    address = models.CharField(max_length=64, blank=True, help_text="From where; empty for a command")
    request_id = models.CharField(max_length=64, blank=True)
    kind = models.CharField(max_length=12, choices=Subject)
    object_id = models.PositiveBigIntegerField(null=True, blank=True)
    subject = models.CharField(max_length=400, blank=True, help_text="Its name then")
    field = models.CharField(max_length=40, blank=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    note = models.TextField(blank=True, help_text="A reason that was given, or what it came to, in words")
    runs = models.PositiveIntegerField(default=0, help_text="How many runs it concerned, or had measured again")

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"
        indexes = [  # each filter of the page reads its own from the newest on
            models.Index(fields=["kind", "object_id", "-id"], name="audit_by_subject"),
            models.Index(fields=["who", "-id"], name="audit_by_person"),
            models.Index(fields=["action", "-id"], name="audit_by_action"),
            models.Index(fields=["made_at"], name="audit_by_time"),
        ]
        constraints = [models.CheckConstraint(condition=~Q(who=""), name="audit_names_somebody")]

    def __str__(self) -> str:
        return f"{self.who} {self.get_action_display()} {self.subject}".strip()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the entry; refuse to write it a second time."""
        if not self._state.adding:
            raise TypeError(ONLY_ADDED_TO)
        super().save(*args, **kwargs)

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse."""
        raise TypeError(ONLY_ADDED_TO)
