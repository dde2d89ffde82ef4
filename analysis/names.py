"""What a name may hold: two that look alike are one, and none moves or hides what stands around it.

Every place that takes a name asks here: manifests, forms, policies. Texts that people write in their own words are
free; pages show them harmlessly.
"""

from __future__ import annotations

import re
import unicodedata

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of characters that show nothing, or turn what stands around them (U+202E), or nobody knows."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that show nothing
MOST_MARKS = 4  # on one letter, in a row: Vietnamese takes two, Hebrew and Thai up to three
_HARMFUL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"  # Persian and Indic words need them, and emoji of several people
_VIRAMA = 9  # combining class of the sign after which a joiner changes a letter's form
_SPACES = re.compile(r"[^\S\t\n\r\v\f\x1c-\x1f\x85\u2028\u2029]+")


def tidy_name(text: str) -> str:
    """Return a name in one form of Unicode (NFC), with plain single spaces, without spaces around it."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip(" ")


def fault_of_name(text: str) -> str:
    """Say what is wrong with a name and the cure; nothing for one that can be kept."""
    marks = 0
    for place, character in enumerate(text):
        kind = unicodedata.category(character)
        if character in BLANK or (kind in UNSEEN and not _joins(text, place)):
            return (
                f"has {_called(character)} at character {place + 1}, which shows nothing or moves what stands "
                "around it: leave it out, or type the name again"
            )
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            return f"has more than {MOST_MARKS} marks on one letter, at character {place + 1}: leave them out"
    return ""


def _joins(text: str, place: int) -> bool:
    """Tell whether a joiner stands where a script needs it: in Arabic, after a virama, between two pictures."""
    if text[place] not in _JOINERS or not 0 < place < len(text) - 1:
        return False
    before, after = text[place - 1], text[place + 1]
    if unicodedata.combining(before) == _VIRAMA:
        return True
    if unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL":
        return True
    return text[place] == _JOINERS[1] and _is_picture(before) and unicodedata.category(after) == "So"


def _is_picture(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk") or character == "\ufe0f"  # Sk: tones of skin


def _called(character: str) -> str:
    code = f"U+{ord(character):04X}"
    name = unicodedata.name(character, "control character" if unicodedata.category(character) == "Cc" else "")
    return f"{code} ({name.lower()})" if name else code


def harmless(text: str) -> str:
    """Return a text as it can be shown: a sign in the place of each character that hides or turns others.

    For what was stored before names were refused, and for texts in people's own words. Line breaks and tabs stay,
    and so do the joiners of Persian words and of emoji. What is returned can stand in XML.
    """
    return _HARMFUL.sub("\ufffd", text)
