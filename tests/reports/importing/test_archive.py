"""A zip from anybody: nothing leaves its folder or grows beyond the bounds; each refusal has a name and a cure."""

import io
import stat
import struct
import zipfile

import pytest

from reports.importing.archive import ArchiveBounds, ArchiveError, chunks_of, entries_of, open_archive

MB = 1 << 20


def packed(entries, *, compression=zipfile.ZIP_STORED):
    """Return a zip of (name or ZipInfo, content)."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return stream


def read(stream, *, most_bytes=MB, **bounds):
    archive = open_archive(stream)
    size = stream.seek(0, io.SEEK_END)
    entries = entries_of(archive, packed_bytes=size, most_bytes=most_bytes, bounds=ArchiveBounds(**bounds))
    return archive, entries


def special(name, mode):
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def encrypted(name):
    """Return a zip whose only entry says that it is encrypted, in both places that say so."""
    data = bytearray(packed([(name, b"secret")]).getvalue())
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        struct.pack_into("<H", data, data.index(sign) + offset, 1)
    return io.BytesIO(bytes(data))


def test_files_come_with_their_folders_and_what_systems_add_is_left_out():
    names = ["14.1/Mail/1.mp4", "14.1/", "__MACOSX/14.1/._1.mp4", "14.1/.DS_Store", "Thumbs.db", "./b.mp4"]
    archive, entries = read(packed([(name, b"x" * (not name.endswith("/"))) for name in names]))

    assert [(entry.path, entry.fault) for entry in entries] == [("14.1/Mail/1.mp4", ""), ("b.mp4", "")]
    assert b"".join(chunks_of(archive, entries[0])) == b"x"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("/etc/passwd", "absolute path"),
        ("C:/a.mp4", "absolute path"),
        ("../a.mp4", "leads out of its folder (..)"),
        ("a/../../b.mp4", "leads out"),
        ("a\\b.mp4", "has \\ in its path"),
        ("x" * 500 + ".mp4", "path of 504 characters"),
        ("a\u202egpm.mp4", "U+202E"),
        (special("link.mp4", stat.S_IFLNK | 0o777), "is a link to another file: pack the file itself"),
        (special("pipe", stat.S_IFIFO | 0o644), "no regular file"),
    ],
)
def test_an_entry_that_leads_elsewhere_is_refused_by_name_and_the_others_are_taken(name, words):
    _, entries = read(packed([(name, b"x"), ("good.mp4", b"y")]))

    assert [bool(entry.fault) for entry in entries] == [True, False]
    assert words in entries[0].fault


def test_an_encrypted_entry_and_one_of_the_same_name_are_refused():
    assert "is encrypted" in read(encrypted("a.mp4"))[1][0].fault
    with pytest.warns(UserWarning, match="Duplicate name"):
        stream = packed([("a.mp4", b"1"), ("a.mp4", b"2")])
    assert "twice" in read(stream)[1][1].fault


@pytest.mark.parametrize(
    ("entries", "options", "words"),
    [
        ([("a", b"x")] * 1, {"most_bytes": 0}, "says it holds"),
        ([(str(n), b"") for n in range(4)], {"files": 3}, "holds 4 files: send at most 3"),
        ([("zeros", bytes(2 * MB))], {"most_bytes": 9 * MB, "ratio_from": MB}, "as no recordings do"),
        ([(".hidden", b"x")], {}, "holds no file"),
    ],
)
def test_a_zip_that_is_too_much_is_refused_as_a_whole(entries, options, words):
    with pytest.raises(ArchiveError, match=words):
        read(packed(entries, compression=zipfile.ZIP_DEFLATED), **options)


def test_a_zip_that_lies_about_its_length_gives_no_more_than_it_said():
    data = bytearray(packed([("bomb.mp4", bytes(MB))], compression=zipfile.ZIP_DEFLATED).getvalue())
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, 10)  # the directory says: 10 bytes
    archive, [entry] = read(io.BytesIO(bytes(data)))

    taken = []
    with pytest.raises(ArchiveError, match="cannot be unpacked"):
        taken.extend(chunks_of(archive, entry))
    assert sum(map(len, taken)) <= 10


@pytest.mark.parametrize("length", [4, 40])
@pytest.mark.parametrize("padding", [0, 500])
def test_half_a_zip_is_refused_in_words(length, padding):
    content = packed([("a", b"x")]).getvalue()[:length] + b"\0" * padding

    with pytest.raises(ArchiveError, match="cannot be read"):
        open_archive(io.BytesIO(content))


def test_an_entry_that_was_damaged_is_refused_by_itself():
    data = packed([("a.mp4", b"content")]).getvalue().replace(b"content", b"CONTENT")
    archive, [entry] = read(io.BytesIO(data))

    with pytest.raises(ArchiveError, match="pack it again"):
        list(chunks_of(archive, entry))
