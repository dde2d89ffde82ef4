import errno
import os
import shutil

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, InMemoryStorage

from reports.media import screencasts
from reports.media.screencasts import (
    NotNowError,
    ScreencastMissingError,
    StorageError,
    fingerprint,
    forget_partial_files,
    keep,
    local_file,
)
from tests.intake import fake_video


@pytest.fixture(params=["files", "remote"])
def storage(request, tmp_path):
    """Give a storage with real paths, then one without any, as an object store is."""
    return FileSystemStorage(tmp_path / "media") if request.param == "files" else InMemoryStorage()


def all_files(folder):
    return [name for _, _, names in os.walk(folder) for name in names]


def test_a_kept_file_is_read_back_whole(storage, tmp_path):
    path = fake_video(tmp_path, "A clip.MP4", b"x" * 3_000_000)
    found = fingerprint(path)
    keep(path, found, storage=storage)
    assert (found.size_bytes, found.name[-4:]) == (3_000_000, ".mp4")
    with local_file(found.name, storage=storage) as local:
        assert local.read_bytes() == path.read_bytes()
        assert local.suffix == ".mp4"


def test_keeping_a_file_twice_writes_it_once(storage, tmp_path, monkeypatch):
    path = fake_video(tmp_path)
    keep(path, fingerprint(path), storage=storage)
    monkeypatch.setattr(screencasts, "_save", lambda *_: pytest.fail("written twice"))
    keep(path, fingerprint(path), storage=storage)


def test_what_a_crash_left_of_a_file_is_replaced(storage, tmp_path):
    whole = fake_video(tmp_path, "a.mp4", b"whole")
    name = fingerprint(whole).name
    storage.save(name, ContentFile(b"ha"))
    keep(whole, fingerprint(whole), storage=storage)
    with local_file(name, storage=storage) as local:
        assert local.read_bytes() == b"whole"


def test_a_file_that_is_gone_is_named(storage):
    with (
        pytest.raises(ScreencastMissingError, match="no longer in the storage"),
        local_file("x/y.mp4", storage=storage),
    ):
        pass


def test_a_full_disk_leaves_no_half_file(tmp_path, monkeypatch):
    storage = FileSystemStorage(tmp_path / "media")
    path = fake_video(tmp_path, content=b"x" * 1000)

    def full(source, target, _length):
        target.write(source.read(500))
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfileobj", full)
        with pytest.raises(StorageError, match="No space left on device: make room"):
            keep(path, fingerprint(path), storage=storage)
    assert all_files(tmp_path / "media") == []
    keep(path, fingerprint(path), storage=storage)
    assert len(all_files(tmp_path / "media")) == 1


def test_a_file_that_still_grows_is_not_kept(tmp_path):
    storage = FileSystemStorage(tmp_path / "media")
    path = fake_video(tmp_path)
    found = fingerprint(path)
    path.write_bytes(path.read_bytes() + b" and more")
    with pytest.raises(OSError, match="changed while it was imported"):
        keep(path, found, storage=storage)


def test_a_file_that_changes_but_not_in_length_is_not_kept(storage, tmp_path):
    path = fake_video(tmp_path, content=b"before")
    found = fingerprint(path)
    path.write_bytes(b"behind")
    with pytest.raises(OSError, match="changed while it was imported"):
        keep(path, found, storage=storage)
    assert not storage.exists(found.name)


def test_a_remote_file_is_fetched_once(tmp_path):
    storage, path = InMemoryStorage(), fake_video(tmp_path)
    found = fingerprint(path)
    keep(path, found, storage=storage)
    with local_file(found.name, storage=storage) as first:
        pass
    storage.open = lambda *_: pytest.fail("fetched again")
    with local_file(found.name, storage=storage) as second:
        assert (first, second.read_bytes()) == (second, path.read_bytes())


def test_a_remote_file_that_is_damaged_is_named_and_not_kept(tmp_path, settings):
    storage, path = InMemoryStorage(), fake_video(tmp_path, content=b"as recorded")
    name = fingerprint(path).name
    storage.save(name, ContentFile(b"and rotten!"))
    with pytest.raises(ScreencastMissingError, match=r"damaged in the storage.*import its manifest again"):
        local_file(name, storage=storage).__enter__()
    assert all_files(settings.MEDIA_CACHE) == []


def test_a_storage_that_is_away_is_not_a_lost_screencast(tmp_path, settings):
    class Away(InMemoryStorage):
        def size(self, name):
            raise ConnectionError("nobody answers")

    with pytest.raises(NotNowError, match="could not be fetched from the storage: nobody answers"):
        local_file("screencasts/aa/x.mp4", storage=Away()).__enter__()


def test_what_the_reader_raises_is_left_as_it_is(storage, tmp_path):
    path = fake_video(tmp_path)
    keep(path, fingerprint(path), storage=storage)
    with pytest.raises(OSError, match=r"^the reader's$"), local_file(fingerprint(path).name, storage=storage):
        raise OSError("the reader's")


def test_a_disk_without_room_for_a_copy_says_where_and_the_cure(tmp_path, monkeypatch, settings):
    storage, path = InMemoryStorage(), fake_video(tmp_path)
    keep(path, fingerprint(path), storage=storage)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotNowError, match=rf"no room for a copy of .* in {settings.MEDIA_CACHE}: make room there"):
        local_file(fingerprint(path).name, storage=storage).__enter__()
    assert all_files(settings.MEDIA_CACHE) == []


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_an_odd_extension_is_not_taken_over(tmp_path):
    for name in ("clip", "clip.m p4", "clip.verylongextension", "clip.mp4;"):
        assert fingerprint(fake_video(tmp_path, name)).name.endswith(".bin")


def test_what_a_killed_import_left_half_written_is_forgotten_but_not_what_is_being_written(tmp_path):
    storage = FileSystemStorage(tmp_path / "media")
    path = fake_video(tmp_path)
    keep(path, fingerprint(path), storage=storage)
    old, new = (fake_video(tmp_path / "media" / ".partial", name) for name in ("old", "new"))
    os.utime(old, (0, 0))
    forget_partial_files(storage=storage)
    assert (old.exists(), new.exists()) == (False, True)
    with local_file(fingerprint(path).name, storage=storage) as local:
        assert local.exists()


def test_a_storage_without_files_has_nothing_to_forget():
    forget_partial_files(storage=InMemoryStorage())
