"""Why a delivery did not arrive, in words, and what helps. Read from what was noted of its last try."""

import re
from dataclasses import dataclass

from reports.models import Delivery

_MEND = "then change the address on the page of the webhook."


@dataclass(frozen=True)
class Trouble:
    """Why something did not arrive, and what whoever reads it can do; both are sentences."""

    why: str
    cure: str


# What begins the note of a try (``trouble`` of reports.web.outgoing, ``deliver``) → why, and the cure; first fit.
_BY_WEBHOOK = (
    (r".*UPREG_WEBHOOK_LOCAL", "The address lies in the local network, which webhooks may not reach.",
     "Whoever runs the server can name that network in UPREG_WEBHOOK_LOCAL."),
    (r"3\d\d ", "The address leads elsewhere, and no redirect is followed.",
     "Ask the service for the address that it leads to, " + _MEND),
    (r"40[13]\b", "The service refuses this address.", "Copy it from the service once more, " + _MEND),
    (r"4(04|10)\b", "There is nothing at this address any more.", "Make a new one at the service, " + _MEND),
    (r"4(00|15|22)\b", "The service does not take messages in this form.",
     "Choose the form of this service on the page of the webhook."),
    (r"413\b", "The message is larger than the service takes.", "Let the service take larger ones, if you can."),
    (r"429\b", "The service takes no more messages for now.", "Wait a while."),
    (r"5\d\d\b", "The service is in trouble itself.", "Wait until it runs again."),
    (r"\d\d\d( |$)", "The service did not take it.", "See what it answered, and mend that."),
    (r"no whole answer in time", "The service took too long to answer.", "See whether it runs."),
    (r"the name of its host leads nowhere", "The name of the host is not known.",
     "Look for a wrong letter, " + _MEND),
    (r".*CERTIFICATE_VERIFY_FAILED", "The certificate of the service is not valid for its name.",
     "Have it renewed, or let the server trust who signed it."),
    (r"no connection", "The service cannot be reached.", "See whether it runs."),
)  # fmt: skip
_BY_MAIL = (
    (r"SMTPAuthenticationError", "The mail server refuses the name and password of UPReg.",
     "Whoever runs the server sets UPREG_EMAIL_USER and UPREG_EMAIL_PASSWORD."),
    (r"SMTPSenderRefused", "The mail server refuses the sender.",
     "Whoever runs the server sets UPREG_EMAIL_FROM to an address that it takes."),
    (r"SMTPRecipientsRefused", "The mail server refuses the address of this person.",
     "Correct the address under People."),
    (r"SMTPDataError", "The mail server refuses the mail.", "See what it answered, and mend that."),
    (r"SMTPNotSupportedError|.*(SSL|CERTIFICATE)", "No safe connection to the mail server can be made.",
     "Whoever runs the server sets UPREG_EMAIL_TLS and UPREG_EMAIL_PORT as the mail server asks for."),
    (r"the name of its host leads nowhere", "The name of the mail server is not known.",
     "Whoever runs the server corrects UPREG_EMAIL_HOST."),
    (r"SMTP(ServerDisconnected|ConnectError)|.*(Timeout|timed out|Connection|Network|Errno)",
     "The mail server cannot be reached.",
     "See whether it runs and what UPREG_EMAIL_HOST and UPREG_EMAIL_PORT say."),
)  # fmt: skip
_OTHERWISE = Trouble("It could not be sent.", "Mend what is noted below.")


def trouble_of(delivery: Delivery) -> Trouble | None:
    """Return why the last try failed and what helps; None where none failed."""
    if delivery.tries == 0 or delivery.status in ("sent", "dropped"):
        return None
    for pattern, why, cure in _BY_WEBHOOK if delivery.webhook_id else _BY_MAIL:
        if re.match(pattern, delivery.answer):
            return Trouble(why, cure)
    return _OTHERWISE
