"""How words match names: all must; the start of a name is nearer than that of a word, and that than its middle."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from django.db.models import Case, IntegerField, Q, Value, When
from django.db.models.expressions import Combinable

MOST_WORDS = 8
# How far a match is from what was meant; the sum over all words counts.
NAME_START, WORD_START, MIDDLE, BESIDE = 0, 1, 4, 6
_BEFORE_WORD = " -_./("  # what stands between the words of a name
_WORD = re.compile(r"\S*\w\S*")


def words_of(text: str) -> list[str]:
    """Return the words of a search; signs between them, as in ``Mail · open inbox``, are none."""
    return _WORD.findall(text.lower())[:MOST_WORDS]


def near_in_rows(words: Sequence[str], fields: Sequence[str], also: Sequence[str] = ()) -> tuple[Q, Combinable]:
    """Return the filter for rows that have every word in one of the fields, and how near they come (0 is nearest).

    A word that only the fields of ``also`` have, such as a package, of which many begin alike, is never near.
    """
    has_all, near = Q(), cast(Combinable, Value(0, output_field=IntegerField()))
    for word in words:
        has_all &= _any([*fields, *also], "icontains", word)
        word_start = Q()
        for sign in _BEFORE_WORD:
            word_start |= _any(fields, "icontains", sign + word)
        near = near + Case(
            When(_any(fields, "istartswith", word), then=Value(NAME_START)),
            When(word_start, then=Value(WORD_START)),
            When(_any(fields, "icontains", word), then=Value(MIDDLE)),
            default=Value(BESIDE),
            output_field=IntegerField(),
        )
    return has_all, near


def near_in_names(words: Sequence[str], names: Sequence[str], others: str = "") -> int | None:
    """Return how near names of our own come to the words, as ``near_in_rows`` for rows; None: a word is missing.

    ``others`` are words that mean the same: they count where one of them begins so.
    """
    near = 0
    for word in words:
        distance = min(_distance(word, name.lower()) for name in names)
        if distance > WORD_START and _distance(word, others.lower()) <= WORD_START:
            distance = WORD_START
        if distance > MIDDLE:
            return None
        near += distance
    return near


def marked(text: str, words: Sequence[str]) -> list[tuple[str, bool]]:
    """Split a text into parts, each with whether it is one of the words; a word at a beginning is preferred."""
    hit = [False] * len(text)
    low = text.lower()
    if len(low) != len(text):  # a letter that has no small form of its own length
        return [(text, False)]
    for word in words:
        at = _place(word, low)
        if at >= 0:
            hit[at : at + len(word)] = [True] * len(word)
    cuts = [0, *(at for at in range(1, len(text)) if hit[at] != hit[at - 1]), len(text)]
    return [(text[start:end], hit[start]) for start, end in pairwise(cuts) if end > start]


def _any(fields: Sequence[str], lookup: str, text: str) -> Q:
    found = Q()
    for field in fields:
        found |= Q(**{f"{field}__{lookup}": text})
    return found


def _place(word: str, text: str) -> int:
    starts = [text.find(sign + word) for sign in _BEFORE_WORD]
    found = [at + 1 for at in starts if at >= 0]
    return 0 if text.startswith(word) else min(found, default=text.find(word))


def _distance(word: str, text: str) -> int:
    at = _place(word, text)
    if at < 0:
        return MIDDLE + 1
    if at == 0:
        return NAME_START
    return WORD_START if text[at - 1] in _BEFORE_WORD else MIDDLE
