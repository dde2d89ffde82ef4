"""Which files may be sent at all: told by their first bytes, while they are received."""

from pathlib import PurePosixPath

from analysis.names import fault_of_name, tidy_name
from analysis.video.opening import HEAD_BYTES, UnreadableVideoError, demuxer_of

ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # with files in it, and empty
TEXTS = (".csv", ".tsv", ".txt", ".log")  # a manifest, a device's log
TRACES = (".perfetto-trace", ".pftrace")
TRACE_BEGINS = b"\x0a"  # a trace of Perfetto is a list of packets; this is the tag of the first
LONGEST_NAME = 255
__all__ = ["HEAD_BYTES", "LONGEST_NAME", "fault_of_kind", "plain_file_name"]


def fault_of_kind(file_name: str, head: bytes) -> str:
    """Say why a file with this name and these first bytes (`HEAD_BYTES` of them) is not taken, with the cure.

    Nothing for a recording in a container that is read, a zip, and a manifest, log or trace that is what its name
    says.
    """
    if head.startswith(ZIP):
        return ""
    ending = PurePosixPath(file_name).suffix.lower()
    if ending in TEXTS:
        return "" if b"\0" not in head else f"{file_name} is no text: save it as UTF-8"
    if ending in TRACES:
        return "" if head.startswith(TRACE_BEGINS) else f"{file_name} does not begin like a trace of Perfetto"
    try:
        demuxer_of(head)
    except UnreadableVideoError as problem:
        return f"{file_name}: {problem}"
    return ""


def plain_file_name(given: str) -> str:
    """Return the name of a file without the folders before it; raises ValueError, with the cure.

    It is only ever shown and stored: no path is made of it but its ending.
    """
    name = tidy_name(given.replace("\\", "/").rsplit("/", 1)[-1])
    if name in ("", ".", ".."):
        raise ValueError("names no file: send the name of the file, such as open-inbox-1.mp4")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"has {len(name)} characters: shorten it to {LONGEST_NAME}")
    if fault := fault_of_name(name):
        raise ValueError(fault)
    return name
