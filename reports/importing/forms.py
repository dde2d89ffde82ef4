"""What people send from the pages that bring recordings in."""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, BinaryIO, cast
from uuid import UUID

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict

from reports.importing.staged import ASKED, LONGEST
from reports.importing.staging import Sent

LONGEST_BATCH = 200  # more than a batch may be called: the words say how many
_UPLOAD = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_TYPE_OF = re.compile(r"type-of-([0-9]{1,18})", re.ASCII)
_OF_A_FILE = re.compile(r"([a-z_]{3,20})-([0-9]{1,18})", re.ASCII)


def _opened(file: UploadedFile) -> AbstractContextManager[BinaryIO]:
    return nullcontext(cast(BinaryIO, file))  # it reads and seeks as any file; Django closes it


class _Files(forms.FileInput):
    allow_multiple_selected = True  # value_from_datadict gives a list then


class FilesField(forms.FileField):
    """Several files at once."""

    widget = _Files

    def clean(self, data: Any, initial: Any = None) -> list[Sent]:
        """Return the files; an empty one is told by name later."""
        if not data:
            raise forms.ValidationError(self.error_messages["required"], code="required")
        files = data if isinstance(data, list | tuple) else [data]
        return [Sent(file.name or "", partial(_opened, file)) for file in files]


class UploadForm(forms.Form):
    """Recordings, a manifest with its recordings, or a zip of them."""

    recordings = FilesField(max_length=400)


def sent_in_parts(sent: QueryDict) -> list[tuple[UUID, str]]:
    """Return the uploads that a form names with the path of each; what is no number of an upload is left out."""
    found = []
    for text in sent.getlist("sent"):
        number, _, path = text.partition(" ")
        if _UPLOAD.fullmatch(number):
            found.append((UUID(number), path))
    return found


def said_batch(sent: QueryDict) -> str | None:
    """Return the name of the batch; None if the form has no such field."""
    name = sent.get("batch")
    return None if name is None else name[:LONGEST_BATCH]


def said_of_all(sent: QueryDict) -> Mapping[str, str]:
    """Return what a person says of all files, by column; empty cells say nothing."""
    return {name: sent.get(f"all-{name}", "").strip()[: LONGEST[name]] for name in ASKED}


def said_of_each(sent: QueryDict) -> Mapping[int, Mapping[str, str]]:
    """Return what a person says of single files, by the id of the file and column."""
    found: dict[int, dict[str, str]] = {}
    for key, value in sent.items():
        match = _OF_A_FILE.fullmatch(key)
        if match and match[1] in LONGEST:
            found.setdefault(int(match[2]), {})[match[1]] = str(value).strip()[: LONGEST[match[1]]]
    return found


def said_types(sent: QueryDict) -> Mapping[int, str]:
    """Return the types that a person says of interactions, by the id of one of their files."""
    found: dict[int, str] = {}
    for key, value in sent.items():
        if match := _TYPE_OF.fullmatch(key):
            found[int(match[1])] = str(value).strip()[: LONGEST["interaction_type"]]
    return found
