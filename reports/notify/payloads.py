"""A message in the forms that webhooks take, and its signature in the manner of Standard Webhooks."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.crypto import salted_hmac

from analysis.names import harmless
from reports.models import Event, Webhook, WebhookForm
from reports.notify.messages import Line, Message
from reports.web.shown import markdown_line

_SALT = "reports.notify.webhook"
_PREFIX = "whsec_"
LONGEST_HEADER = 150  # characters; Slack refuses a longer one
_COLOURS = {"fail": "Attention", "pass": "Good"}  # of an adaptive card


def secret_of(webhook: Webhook) -> str:
    """Return the secret of a webhook. It is stored nowhere: it is made of the server's own key and the nonce."""
    key = salted_hmac(_SALT, f"{webhook.pk}:{webhook.nonce.hex}", algorithm="sha256").digest()
    return _PREFIX + base64.b64encode(key).decode()


def signature_headers(secret: str, *, uid: str, at: int, body: bytes) -> dict[str, str]:
    """Return the headers by which the receiver knows that a body is ours, whole, and new (``at``, Unix seconds)."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = hmac.new(key, f"{uid}.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": uid,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }


def body_of(form: str, message: Message, event: Event) -> str:
    """Return what a webhook of a form is sent, as JSON."""
    return json.dumps(_FORMS[form](message, event), ensure_ascii=False)


def _json(message: Message, event: Event) -> dict[str, Any]:
    at: datetime = event.made_at
    comparison = event.comparison
    pair = {"base": comparison.base.name, "new": comparison.new.name} if comparison else {}
    device = {"device": str(comparison.device) if comparison.device else None} if comparison else {}
    return {
        "type": event.kinds[-1],
        "timestamp": at.isoformat(),
        "data": {
            "kinds": event.kinds,
            **pair,
            **device,
            "decision": message.decision or None,
            "subject": message.subject,
            "sentence": message.lead,
            "sections": [
                {
                    "heading": section.heading,
                    "lines": [
                        {"title": line.title, "words": line.words, "note": line.note, "address": line.address}
                        for line in section.lines
                    ],
                    "more": section.more,
                }
                for section in message.sections
            ],
            "address": message.address,
        },
    }


def _slack(message: Message, event: Event) -> dict[str, Any]:
    lines = [f"*{_slack_text(message.lead)}*"]
    for section in message.sections:
        lines += ["", f"*{_slack_text(section.heading)}*", *map(_slack_line, section.lines)]
        lines += [_slack_text(section.more)] if section.more else []
    text = "\n".join(lines)[:2900]  # of 3,000 that a block takes
    button = {"type": "button", "text": {"type": "plain_text", "text": message.button}, "url": message.address}
    return {
        "text": _slack_text(message.subject),
        "blocks": [
            {"type": "header", "text": {"type": "plain_text", "text": message.subject[:LONGEST_HEADER]}},
            {"type": "section", "text": {"type": "mrkdwn", "text": text}},
            {"type": "actions", "elements": [button]},
        ],
    }


def _slack_line(line: Line) -> str:
    title = f"<{line.address}|{_slack_text(line.title)}>" if line.address else _slack_text(line.title)
    note = f" _{_slack_text(line.note)}_" if line.note else ""
    return f"• {title}{note}" + (f"\n   {_slack_text(line.words)}" if line.words else "")


def _slack_text(text: str) -> str:
    """Escape as Slack asks for: nobody is mentioned, no link is made; signs of markup stand apart from words."""
    plain = harmless(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return " ".join("".join(f"\u200b{sign}\u200b" if sign in "*_~`|@" else sign for sign in plain).split())


def _mattermost(message: Message, event: Event) -> dict[str, Any]:
    lines = [f"**{markdown_line(message.subject)}**", "", markdown_line(message.lead)]
    for section in message.sections:
        lines += ["", f"**{markdown_line(section.heading)}**", *map(_markdown_item, section.lines)]
        lines += [markdown_line(section.more)] if section.more else []
    return {"text": "\n".join([*lines, "", f"[{message.button}]({message.address})"])}


def _markdown_item(line: Line) -> str:
    title = markdown_line(line.title)
    title = f"[{title}]({line.address})" if line.address else title
    note = f" **{markdown_line(line.note)}**" if line.note else ""
    return f"- {title}{note}" + (f": {markdown_line(line.words)}" if line.words else "")


def _teams(message: Message, event: Event) -> dict[str, Any]:
    body = [
        _block(message.subject, weight="Bolder", size="Medium", color=_COLOURS.get(message.decision, "Default")),
        _block(message.lead),
    ]
    for section in message.sections:
        body.append(_block(section.heading, weight="Bolder", spacing="Medium"))
        body += map(_card_line, section.lines)
        body += [_block(section.more, isSubtle=True)] if section.more else []
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "msteams": {"width": "Full"},
        "body": body,
        "actions": [{"type": "Action.OpenUrl", "title": message.button, "url": message.address}],
    }
    kind = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": kind, "contentUrl": None, "content": card}]}


def _block(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "TextBlock", "text": markdown_line(text), "wrap": True, **more}


def _card_line(line: Line) -> dict[str, Any]:
    return {"type": "TextBlock", "text": _markdown_item(line).removeprefix("- "), "wrap": True, "spacing": "Small"}


_FORMS: Mapping[str, Callable[[Message, Event], dict[str, Any]]] = {
    WebhookForm.JSON: _json,
    WebhookForm.SLACK: _slack,
    WebhookForm.MATTERMOST: _mattermost,
    WebhookForm.TEAMS: _teams,
}
