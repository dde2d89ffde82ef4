"""The outcomes of analysis.measure as a person reads them."""

OUTCOME_WORDS = {
    "ok": "measured",
    "no_response": "no response",
    "never_settles": "never settles",
    "unreadable": "unreadable",
    "too_short": "too short",
}


def outcome_words(outcome: str) -> str:
    """Return an outcome in words; one that is not known here is shown as it is stored."""
    return OUTCOME_WORDS.get(outcome, outcome.replace("_", " "))
