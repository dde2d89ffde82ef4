"""Open recordings: the only place that hands a file to FFmpeg's demuxers.

FFmpeg takes a playlist (HLS, ffconcat, SDP), a picture pattern or an address for a video and opens what it names,
whatever the file is called. So the first bytes decide here, one demuxer is forced by name, and FFmpeg gets an open
file descriptor with `fd` as the only protocol: no name, path or address that a file holds can be opened. Demuxing
so costs 0.97 of what it costs by path, and a Python file object as much (median of 15 rounds over 12 recordings).
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

import av

from analysis.video.containers.avi import check_avi
from analysis.video.containers.boxes import DamagedError, Source
from analysis.video.containers.matroska import check_matroska
from analysis.video.containers.mp4 import check_mp4

CONTAINERS = "MP4, MOV, Matroska, WebM or AVI"
HEAD_BYTES = 64
# The first box of ISO base media and QuickTime files. `ftyp` leads everywhere but in old QuickTime.
FIRST_BOXES = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide")
EBML = b"\x1a\x45\xdf\xa3"
PLAYLISTS = (b"#EXTM3U", b"ffconcat", b"v=0", b"<MPD", b"<?xml")
# Decoders are where damaged files do harm: none but these see one.
CODECS = (
    "h264", "hevc", "vp8", "vp9", "av1", "mpeg4", "mpeg2video", "mjpeg", "prores", "dnxhd", "ffv1", "ffvhuff",
    "huffyuv", "utvideo", "magicyuv", "qtrle", "png", "rawvideo",
)  # fmt: skip
OPTIONS = {
    "codec_whitelist": ",".join((*CODECS, "libdav1d")),
    "protocol_whitelist": "fd",
    # Holds also for what a demuxer opens inside the file.
    "format_whitelist": "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi",
}
CHECKS = {"mov": check_mp4, "matroska": check_matroska, "avi": check_avi}
NO_OTHER_FILES = {"mov": {"enable_drefs": "0", "use_absolute_path": "0"}}  # tracks whose pictures lie elsewhere


class UnreadableVideoError(Exception):
    """The file cannot be measured. The message says what is wrong and the cure."""


def open_container(path: str | Path, *, checked: bool = False) -> av.container.InputContainer:
    """Open a recording for reading; no other file can be opened through it. Close it after use.

    With `checked` it must hold pictures in one of `CODECS`, and its tables must not contradict each other: what is
    measured rests on them. Raises UnreadableVideoError, with the cure, for what is not so, is no regular file, no
    container of `CONTAINERS`, or cannot be parsed.
    """
    descriptor = _open(Path(path))
    codec = None
    try:
        demuxer = demuxer_of(_head(descriptor))
        if checked:
            codec = CHECKS[demuxer](Source(descriptor, os.fstat(descriptor).st_size))
        options = OPTIONS | NO_OTHER_FILES.get(demuxer, {}) | {"fd": str(descriptor)}  # FFmpeg duplicates it
        container = av.open("fd:", "r", format=demuxer, container_options=options)
    except DamagedError as error:
        raise UnreadableVideoError(
            f"the file is damaged: {error}: copy it from the device again, or record again"
        ) from error
    except (av.FFmpegError, ValueError) as error:
        raise UnreadableVideoError(
            f"not a complete video ({reason_of(error)}): record it again, or copy it after the recorder has stopped"
        ) from error
    finally:
        os.close(descriptor)
    problem = _no_pictures(container, codec or "without a name") if checked else ""
    if problem:
        container.close()
        raise UnreadableVideoError(problem)
    return container


def _no_pictures(container: av.container.InputContainer, codec: str) -> str:
    if not container.streams.video:
        return "the file holds no video stream, only sound or data: give the screen recording"
    context = container.streams.video[0].codec_context  # None where FFmpeg has no decoder
    if context is None or context.codec.canonical_name not in CODECS:
        name = codec if context is None else context.codec.canonical_name
        return f"the codec {name} is not read here: record in H.264, HEVC, VP9 or AV1, or convert the file"
    return ""


def check_kind(path: Path) -> None:
    """Raise UnreadableVideoError, with the cure, for a file that does not begin like one of `CONTAINERS`."""
    descriptor = _open(path)
    try:
        demuxer_of(_head(descriptor))
    finally:
        os.close(descriptor)


def demuxer_of(head: bytes) -> str:
    """Return the FFmpeg demuxer for a file with these first bytes, whatever it is called.

    Raises UnreadableVideoError, with the cure, if they are of no container that is read.
    """
    if head[4:8] in FIRST_BOXES:
        return "mov"
    if head.startswith(EBML):
        return "matroska"
    if head.startswith(b"RIFF") and head[8:12] == b"AVI ":
        return "avi"
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(PLAYLISTS):
        raise UnreadableVideoError(
            f"the file is a playlist that points to other files, not a video in {CONTAINERS}: "
            "give the recording itself"
        )
    raise UnreadableVideoError(
        f"the file does not begin like a video in {CONTAINERS}: give the screen recording, or re-mux it into MP4"
    )


def reason_of(error: Exception) -> str:
    """Return what FFmpeg says, ready for the middle of a sentence."""
    return str(getattr(error, "strerror", None) or error).strip().rstrip(".").lower()


def _open(path: Path) -> int:
    """Return a descriptor of a regular file that is not empty; a pipe without a writer is not waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL in the name
        raise UnreadableVideoError("there is no such file: check the path") from None
    except OSError as error:
        raise UnreadableVideoError(
            f"the file cannot be opened ({reason_of(error)}): check the path and its permissions"
        ) from error
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode) and found.st_size:
        return descriptor
    os.close(descriptor)
    if stat.S_ISREG(found.st_mode):
        raise UnreadableVideoError("the file is empty: copy it from the device again")
    raise UnreadableVideoError("there is no such file, but a folder, pipe or device: check the path")


def _head(descriptor: int) -> bytes:
    return os.pread(descriptor, HEAD_BYTES, 0)  # leaves the position at the start
