"""The sentence on top of every page about a comparison: how many regressed, how many of them count, and where."""

from collections.abc import Sequence

from analysis.verdicts.text import count_text, number_text, share_text


def gate_sentence(
    *,
    regressed: int,
    waived: int,
    decided: int,
    expected: int,
    budget_pct: float,
    critical_open: Sequence[str] = (),
    critical_waived: Sequence[str] = (),
) -> str:
    """Say how many interactions regressed, against which budget, and which critical apps are affected.

    ``regressed`` counts the interactions that are not waived; apps are given by name.
    """
    if not decided:
        return _nothing(expected)
    share = f"{share_text(100.0 * regressed / decided)} against a budget of {share_text(budget_pct)}"
    sentence = f"{regressed_words(regressed, waived, decided)}: {share}."
    return " ".join([sentence, *_affected(critical_open, ""), *_affected(critical_waived, ", waived")])


def drift_sentence(
    *,
    pinned: str,
    why: str,
    regressed: int,
    waived: int,
    decided: int,
    budget_pct: float,
    critical_open: Sequence[str] = (),
) -> str:
    """Say how many interactions regressed against the pinned version and its budget, or ``why`` nobody knows."""
    if why:
        return f"Drift is not known: {why}."
    if not decided:
        return f"Nothing could be decided against the pinned {pinned}."
    share = f"{share_text(100.0 * regressed / decided)} against a drift budget of {share_text(budget_pct)}"
    sentence = f"Against the pinned {pinned}, {regressed_words(regressed, waived, decided)}: {share}."
    return " ".join([sentence, *_affected(critical_open, "")])


def regressed_words(regressed: int, waived: int, decided: int) -> str:
    """Return ``13 of 412 interactions regressed, 3 of them waived``; the waived ones are told, never dropped."""
    total = regressed + waived
    words = f"{number_text(total)} of {count_text(decided, 'interaction')} regressed"
    if not waived:
        return words
    if regressed:
        return f"{words}, {number_text(waived)} of them waived"
    return f"{words}, {'waived' if waived == 1 else 'all waived'}"


def _affected(names: Sequence[str], how: str) -> list[str]:
    if not names:
        return []
    listed = ", ".join(f"{name} (critical)" for name in names)
    return [f"{listed} {'is' if len(names) == 1 else 'are'} affected{how}."]


def _nothing(expected: int) -> str:
    if not expected:
        return "Nothing can be said yet: there is no interaction to compare."
    return f"Nothing can be said yet: {count_text(expected, 'interaction needs', 'interactions need')} more runs."
