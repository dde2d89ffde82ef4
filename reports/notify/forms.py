"""What people say about the notices that they want, and administrators about webhooks."""

import re
from urllib.parse import urlsplit

from django import forms
from django.conf import settings

from reports.models import DeliveryStatus, Notice, Webhook, WebhookForm
from reports.models.catalogue import name_validator
from reports.notify.preferences import place_label
from reports.web.forms import LenientForm, NameField
from reports.web.outgoing import may_reach

_LONGEST_URL = Webhook._meta.get_field("url").max_length


class WantedForm(forms.Form):
    """The kinds of notices that somebody wants; none is one way to answer."""

    wanted = forms.MultipleChoiceField(
        choices=Notice.choices, required=False, error_messages={"invalid_choice": "Choose from the list."}
    )


class DeliveriesForm(LenientForm):
    """Which deliveries are listed."""

    STATES = (
        (DeliveryStatus.FAILED.value, "given up"),
        (DeliveryStatus.WAITING.value, "waiting"),
        (DeliveryStatus.SENT.value, "sent"),
        (DeliveryStatus.DROPPED.value, "not wanted any more"),
    )
    state = forms.ChoiceField(required=False, choices=STATES)


class WebhookAddForm(forms.Form):
    """A new webhook: its name, form and address, and what it is told of."""

    name = NameField(
        max_length=Webhook._meta.get_field("name").max_length,
        validators=[name_validator],
        error_messages={"required": "Give it a name, such as the channel's."},
    )
    form = forms.ChoiceField(
        label="Form", choices=WebhookForm.choices, error_messages={"invalid_choice": "Choose from the list."}
    )
    url = forms.CharField(
        label="Address",
        max_length=_LONGEST_URL,
        help_text="As the service gave it to you. It is not shown again as a whole.",
        error_messages={"required": "Give the address that takes the messages."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    kinds = forms.MultipleChoiceField(
        label="Tell it when",
        choices=[(kind.value, place_label(kind)) for kind in Notice],
        error_messages={"required": "Choose at least one.", "invalid_choice": "Choose from the list."},
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: object, webhook: Webhook | None = None, **kwargs: object) -> None:
        self._webhook = webhook
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]

    def clean_name(self) -> str:
        """Refuse the name of another webhook."""
        name: str = self.cleaned_data["name"]
        others = Webhook.objects.exclude(pk=self._webhook.pk) if self._webhook else Webhook.objects.all()
        if others.filter(name=name).exists():
            raise forms.ValidationError("Another webhook is called so. Give this one another name.")
        return name

    def clean_url(self) -> str:
        """Refuse what is no address for a webhook; where its name leads is looked at each time it is told."""
        url: str = self.cleaned_data["url"]
        if not url:
            return url  # the one that is kept
        schemes = ("https", "http") if settings.WEBHOOK_LOCAL else ("https",)
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname, parts.port
        except ValueError:
            host = None
        if not host or parts.scheme not in schemes or not re.fullmatch(r"[!-~]+", url):
            begins = " or ".join(f"{scheme}://" for scheme in schemes)
            raise forms.ValidationError(f"Give an address that begins with {begins}, in plain letters.")
        if parts.username is not None:
            raise forms.ValidationError("Leave out the name and password in front of the host.")
        if _is_local(host):
            raise forms.ValidationError(
                "This lies in the local network. Whoever runs the server can allow it by UPREG_WEBHOOK_LOCAL."
            )
        return url


class WebhookChangeForm(WebhookAddForm):
    """The same of a webhook that is there: an address is only given to lead elsewhere, and the secret stays."""

    active = forms.BooleanField(required=False, label="at work", initial=True)

    def __init__(self, *args: object, webhook: Webhook, **kwargs: object) -> None:
        super().__init__(*args, webhook=webhook, **kwargs)
        self.fields["url"].required = False
        self.fields["url"].label = "Another address"
        self.fields["url"].help_text = f"It leads to {webhook.host}; leave this empty to keep that address."


def _is_local(host: str) -> bool:
    try:
        return not may_reach(host)
    except ValueError:  # a name, not an address
        return (host == "localhost" or host.endswith(".localhost")) and not settings.WEBHOOK_LOCAL
