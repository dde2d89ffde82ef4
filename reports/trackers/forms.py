"""Issue trackers and issues, as forms."""

import re
from typing import Any
from urllib.parse import urlsplit

from django import forms

from reports.models import Tracker, TrackerKind
from reports.web.forms import NameField

_PROJECTS = {
    TrackerKind.GITHUB: (re.compile(r"[\w.-]+/[\w.-]+", re.ASCII), "owner/repository"),
    TrackerKind.GITLAB: (re.compile(r"\d+|[\w.-]+(/[\w.-]+)+", re.ASCII), "group/project, or the project's number"),
    TrackerKind.JIRA: (re.compile(r"[A-Za-z][A-Za-z0-9_]+", re.ASCII), "the project's key, such as MAIL"),
}
ADDRESSES = {
    TrackerKind.GITHUB: "https://api.github.com",
    TrackerKind.GITLAB: "https://gitlab.com",
    TrackerKind.JIRA: "https://your-site.atlassian.net",
}
_TOLD_WITH_TOKEN = ("kind", "address", "account")  # a token is only ever sent to whom it was entered for


class TrackerForm(forms.Form):
    """A tracker. The token is never shown again; left empty, the one that is kept stays."""

    name = NameField(max_length=80, label="Name", help_text="What the team calls it.")
    kind = forms.ChoiceField(choices=TrackerKind.choices, label="Kind")
    address = forms.URLField(
        max_length=300,
        assume_scheme="https",
        label="Address",
        help_text=f"Where its API begins: {ADDRESSES[TrackerKind.GITHUB]}, https://HOST/api/v3 for GitHub "
        f"Enterprise, {ADDRESSES[TrackerKind.GITLAB]} or your own server, {ADDRESSES[TrackerKind.JIRA]}.",
    )
    project = NameField(
        max_length=200, label="Project", help_text="GitHub: owner/repository. GitLab: group/project. Jira: its key."
    )
    account = forms.EmailField(
        max_length=200,
        required=False,
        label="Account",
        help_text="Jira Cloud alone: the mail address of the account whose token it is.",
    )
    issue_type = NameField(
        max_length=80, required=False, label="Kind of issue", help_text="Jira alone: Bug, unless you say otherwise."
    )
    token = forms.CharField(
        max_length=500,
        required=False,
        strip=True,
        label="Token",
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, tracker: Tracker, **options: Any) -> None:
        super().__init__(*args, **options)
        self._tracker = tracker
        if tracker.token:
            self.fields["token"].help_text = "Kept, encrypted; it is never shown. Leave it empty to keep it."
        else:
            self.fields[
                "token"
            ].help_text = "May read and write issues of the project, and no more. Kept encrypted."

    def clean_address(self) -> str:
        """Refuse what is not asked over HTTP, or holds a name and password that every page would show."""
        parts = urlsplit(self.cleaned_data["address"])
        if (
            parts.scheme not in ("http", "https")
            or parts.username
            or parts.password
            or parts.query
            or parts.fragment
        ):
            raise forms.ValidationError(
                "Give an address such as https://gitlab.example, without name, password or query."
            )
        return str(self.cleaned_data["address"]).rstrip("/")

    def clean(self) -> dict[str, Any]:
        """Hold the project against the kind, and ask for the token where it would go somewhere else."""
        values = super().clean() or {}
        if (kind := values.get("kind")) and "project" in values:
            pattern, words = _PROJECTS[TrackerKind(kind)]
            if not pattern.fullmatch(values["project"]):
                self.add_error("project", f"This is no project of {TrackerKind(kind).label}: give {words}.")
        moved = any(values.get(name) != getattr(self._tracker, name) for name in _TOLD_WITH_TOKEN)
        if not values.get("token") and (moved or not self._tracker.token) and not self.errors.get("token"):
            self.add_error(
                "token", "Enter the token: it is sent to no other address than the one it was entered for."
            )
        taken = Tracker.objects.filter(active=True, name=values.get("name")).exclude(pk=self._tracker.pk)
        if values.get("name") and taken.exists():
            self.add_error("name", "Another tracker has this name: choose another one.")
        return values


class IssueForm(forms.Form):
    """An issue before it is made."""

    tracker = forms.ModelChoiceField(
        Tracker.objects.none(), label="Tracker", error_messages={"required": "Choose a tracker."}, empty_label=None
    )
    title = forms.CharField(max_length=250, label="Title")
    body = forms.CharField(max_length=30_000, label="Text, in Markdown", widget=forms.Textarea(attrs={"rows": 18}))

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["tracker"].queryset = Tracker.objects.filter(active=True)  # type: ignore[attr-defined]
