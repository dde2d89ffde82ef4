"""Give a finding to whose change made it slower, once a bisection has found the version that brought it."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser

from reports.audit.origin import current_origin
from reports.models import OPEN_STATES, Bisection, OsVersion, TriageEntry, TriageState
from reports.triage.people import NOBODY, Assigned, NoSuchPersonError, author_called
from reports.triage.selectors import newest_entries
from reports.triage.services import Decision, triage

SAID_LENGTH: int = Bisection._meta.get_field("triaged").max_length or 0


def blame(row: Bisection, culprit: OsVersion) -> tuple[str, str]:
    """Triage the finding to the author of a version; return the author, and what was done, in a sentence.

    The finding is the interaction from the good to the bad version. Whoever has it keeps it, and what was decided
    to the end stays so. An author without an account is named in the note. Call it in the transaction that ends it.
    """
    author = culprit.author
    if not author:
        return "", f"{culprit} does not say whose change it brings, so nobody was assigned."
    OsVersion.objects.select_for_update().get(
        pk=row.bad_id
    )  # a decision that is being made is seen, or sees this one
    newest = newest_entries(base_id=row.good_id, new_id=row.bad_id, interaction_ids=[row.interaction_id]).first()
    whose = f"The change of {culprit} is by {author}"
    if newest and newest.assignee:
        return author, f"{whose}; the finding stays with {newest.assignee}, to whom somebody assigned it."[
            :SAID_LENGTH
        ]
    if newest and newest.state not in OPEN_STATES:
        return author, f"{whose}; the finding was not assigned, as it was marked {newest.state}."[:SAID_LENGTH]
    user = _who(row)
    if user is None:
        return author, f"{whose}; nobody with an account has started or finished this, so nobody was assigned."
    try:
        person = author_called(author)
    except NoSuchPersonError:
        person = NOBODY
    _decide(row, culprit, newest, person, user)
    done = (
        f"the finding is assigned to {person.name}"
        if person.person_id
        else "no account: named in the finding's note"
    )
    return author, f"{whose}; {done}."[:SAID_LENGTH]


def _who(row: Bisection) -> AbstractBaseUser | None:
    """Return who decides: whoever finishes, else whoever started it."""
    pk = current_origin().user_id or row.started_by_id
    return get_user_model().objects.filter(pk=pk).first() if pk else None


def _decide(
    row: Bisection, culprit: OsVersion, newest: TriageEntry | None, person: Assigned, user: AbstractBaseUser
) -> None:
    known = newest.state if newest else TriageState.UNTRIAGED
    state = TriageState.INVESTIGATING if known == TriageState.UNTRIAGED else known
    facts = [f"Bisection {row.pk}: {culprit} is the first bad version", f"its change is by {culprit.author}"]
    note = ", ".join([*facts, *([culprit.change] if culprit.change else [])])
    decision = Decision(state=state, assignee=person.name, note=note, keeps=True)
    triage(base=row.good, new=row.bad, interaction_ids=[row.interaction_id], decision=decision, user=user)
