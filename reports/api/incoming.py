"""Make a run of a recording that was sent: in parts before, with this very request, or with an earlier run.

Who decides is reports/importing: the same rules as for a line of a manifest.
"""

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from analysis.manifest.columns import COLUMNS, MAX_REPETITION, TO_IMPORT
from analysis.options import INTERACTION_TYPES
from reports.api.problems import Problem, wrong
from reports.api.uploads import SHA256_HEX, owner_of, upload_problems
from reports.importing.gathered import keep_refused
from reports.importing.single import Outcome, RunRefusedError, Taken, import_run, row_of
from reports.media.screencasts import ScreencastMissingError, fingerprint, local_file
from reports.models import Run, Upload
from reports.uploads.kinds import LONGEST_NAME, plain_file_name
from reports.uploads.services import UploadGoneError, as_file, get_upload, in_words, moved, used

UPLOADS = {"video": "upload", "log": "log_upload", "trace": "trace_upload"}  # column → field with its upload
FILES = {"video": "file", "log": "log_file", "trace": "trace_file"}  # column → field with the file itself
JSON, FORM = "application/json", "multipart/form-data"
KNOWN = "sha256"  # field with the sha256 of a recording that an earlier run has
__all__ = ["FORM", "JSON", "NewRunFormSerializer", "NewRunSerializer", "Outcome", "take_in"]
Known = tuple[str, str, str]  # sha256 of a recording, its names: stored, and as sent
_ENDING = re.compile(r"\.[a-z0-9]{1,8}", re.ASCII)


def _columns() -> dict[str, serializers.Field]:
    """Return the columns of a manifest as fields of a description; what they may hold is decided elsewhere."""
    bounds = {"action_ms": (0, 1e9), "refresh_hz": (1, 1000), "x": (0, 1e6), "y": (0, 1e6)}
    found: dict[str, serializers.Field] = {}
    for name in COLUMNS:
        told: dict[str, Any] = {"required": name in TO_IMPORT and name != "video"}
        if name in bounds:
            least, most = bounds[name]
            found[name] = serializers.FloatField(min_value=least, max_value=most, **told)
        elif name == "repetition":
            found[name] = serializers.IntegerField(min_value=0, max_value=MAX_REPETITION, **told)
        elif name == "show_touches":
            found[name] = serializers.BooleanField(**told)
        elif name == "interaction_type":
            found[name] = serializers.ChoiceField(choices=INTERACTION_TYPES, **told)
        else:
            longest = getattr(COLUMNS[name].parse, "keywords", {}).get("limit", LONGEST_NAME)
            found[name] = serializers.CharField(max_length=longest, **told)
    return found


class NewRunSerializer(serializers.Serializer):
    """A recording that was sent before, as a line of a manifest describes it; further fields are kept with the run.

    One of ``upload`` and ``sha256`` names it.
    """

    upload = serializers.UUIDField(required=False, help_text="Of the recording, all of whose parts are there.")
    sha256 = serializers.CharField(
        required=False, max_length=64, help_text="Of a recording that a run has: nothing need be sent."
    )
    log_upload = serializers.UUIDField(required=False, help_text="Of the device's log.")
    trace_upload = serializers.UUIDField(required=False, help_text="Of the trace.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the columns of a manifest besides."""
        return {**super().get_fields(), **_columns()}


class NewRunFormSerializer(serializers.Serializer):
    """A recording and what a line of a manifest says of it, in one form; UPREG_REQUEST_MB bounds it."""

    file = serializers.FileField()
    log_file = serializers.FileField(required=False)
    trace_file = serializers.FileField(required=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the columns of a manifest besides."""
        return {**super().get_fields(), **_columns()}


def take_in(request: Request) -> Taken:
    """Make the run that a request describes, or find it; raises Problem or ValidationError."""
    fields = _fields(request)
    with upload_problems(), in_words():
        uploads = {column: get_upload(owner_of(request), pk) for column, pk in _ids(fields).items()}
        sent = _sent(request)
        known = _known(fields)
        _check_one_video("video" in uploads, "video" in sent, known is not None)
        for column, name in _names(uploads, sent, known).items():
            fields.setdefault(column, name)
        try:
            taken = _taken(fields, uploads, sent, known)
        except RunRefusedError as error:
            keep_refused(fields=fields, problems=error.problems)
            raise _refused(error) from error
        for column, upload in uploads.items():
            if column in taken.stored:
                used(upload=upload, stored_name=taken.stored[column])
    return taken


def _taken(
    fields: Mapping[str, Any], uploads: Mapping[str, Upload], sent: Mapping[str, UploadedFile], known: Known | None
) -> Taken:
    """Make the run; begin again where another request has made one of these uploads, and moved them, meanwhile."""
    row = row_of(fields)
    while True:
        try:
            with ExitStack() as held:
                files = {column: held.enter_context(as_file(upload)) for column, upload in uploads.items()}
                files |= {column: held.enter_context(_on_disk(file)) for column, file in sent.items()}
                if known is not None:
                    files["video"] = held.enter_context(_stored(*known))
                return import_run(row=row, files=files, source=row.video)
        except (RunRefusedError, UploadGoneError):
            if not moved(uploads.values()):
                raise


def _fields(request: Request) -> dict[str, Any]:
    """Return what was sent beside files: a JSON object, or the fields of a form."""
    if not isinstance(request.data, Mapping):
        raise wrong("", "Send a JSON object with the columns of a manifest.")
    return {str(name): value for name, value in request.data.items() if name not in FILES.values()}


def _ids(fields: dict[str, Any]) -> dict[str, UUID]:
    """Take the numbers of uploads out of the fields."""
    found = {}
    for column, field in UPLOADS.items():
        given = fields.pop(field, None)
        if given in (None, ""):
            continue
        try:
            found[column] = UUID(given if isinstance(given, str) else "")
        except ValueError:
            raise wrong(field, "This is no number of an upload: send the last part of its Location.") from None
    return found


def _sent(request: Request) -> dict[str, UploadedFile]:
    """Return the files of a form by their columns."""
    return {column: request.FILES[field] for column, field in FILES.items() if field in request.FILES}


def _known(fields: dict[str, Any]) -> Known | None:
    """Take the sha256 out of the fields; return it with the names of its recording: stored, and as sent."""
    given = fields.pop(KNOWN, None)
    if given in (None, ""):
        return None
    if not (isinstance(given, str) and SHA256_HEX.fullmatch(given)):
        raise wrong(KNOWN, "This is no sha256: it takes 64 hex digits.")
    sha256 = given.lower()
    names = (
        Run.objects.filmed().filter(sha256=sha256).order_by("pk").values_list("file_name", "original_name").first()
    )
    return sha256, *(names or ("", f"{sha256}.mp4"))


def _check_one_video(*given: bool) -> None:
    if sum(given) != 1:
        raise wrong(
            UPLOADS["video"],
            "Send the recording one way: upload names one that was sent in parts, file holds it (in a form), "
            "sha256 names one that a run has already.",
        )


def _names(uploads: Mapping[str, Any], sent: Mapping[str, UploadedFile], known: Any) -> dict[str, str]:
    """Return what the files are called, by column."""
    names = {column: upload.file_name for column, upload in uploads.items()}
    for column, file in sent.items():
        try:
            names[column] = plain_file_name(file.name or "")
        except ValueError as error:
            raise wrong(FILES[column], f"The file name {error}.") from None
    return names | ({"video": known[2]} if known else {})


@contextmanager
def _on_disk(file: UploadedFile) -> Iterator[Path]:
    """Give a file of a form as one of this machine, which ends as it did."""
    ending = PurePosixPath(file.name or "").suffix.lower()
    with tempfile.NamedTemporaryFile(suffix=ending if _ENDING.fullmatch(ending) else "") as copy:
        for chunk in file.chunks():
            copy.write(chunk)
        copy.flush()
        yield Path(copy.name)


@contextmanager
def _stored(sha256: str, name: str, _: str) -> Iterator[Path]:
    """Give the recording of an earlier run, if the storage has it as it was."""
    absent = wrong(KNOWN, "There is no recording with this sha256 here: send the file.")
    if not name:
        raise absent
    with ExitStack() as held:
        try:
            path = held.enter_context(local_file(name))
        except ScreencastMissingError:
            raise absent from None
        if fingerprint(path).sha256 != sha256:
            raise absent
        yield path


def _refused(error: RunRefusedError) -> Exception:
    if error.conflict:
        return Problem(
            409,
            "; ".join(problem.message for problem in error.problems),
            field="video",
            title="This recording is there with another video",
            cure="Give the new recording its own repetition or recorded_at; exclude the old run if it is wrong.",
        )
    by_field: dict[str, list[str]] = {}
    for problem in error.problems:
        by_field.setdefault("" if problem.field == "line" else problem.field, []).append(problem.message)
    return ValidationError(by_field)
