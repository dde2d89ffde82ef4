"""Reading a manifest: the file, its columns, its rows, the files it names. No database is touched here."""

from reports.manifest.columns import ManifestError
from reports.manifest.files import Source, SourceFileError, source_file
from reports.manifest.reader import Line, Reader, open_manifest
from reports.manifest.rows import EPOCH, Identity, ManifestRow, Problem, parse_row

__all__ = [
    "EPOCH",
    "Identity",
    "Line",
    "ManifestError",
    "ManifestRow",
    "Problem",
    "Reader",
    "Source",
    "SourceFileError",
    "open_manifest",
    "parse_row",
    "source_file",
]
