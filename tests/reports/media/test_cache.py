import errno
import hashlib
import io
import os
import subprocess
import sys
import threading

import pytest

from reports.media.cache import FileCache, Wanted, WrongContentError

KB = 1000


@pytest.fixture
def cache(tmp_path):
    return FileCache(tmp_path / "cache", 10 * KB)


def remote(name, content=b"x" * 4 * KB, *, opens=None, size=None):
    def open_it():
        if opens is not None:
            opens.append(name)
        return io.BytesIO(content)

    sha256 = hashlib.sha256(content).hexdigest()
    return Wanted(name, len(content) if size is None else size, sha256, open_it)


def read(cache, wanted):
    with cache.borrow(wanted) as path:
        return path.read_bytes()


def kept(cache, *names):
    return [(cache.folder / remote(name).key).exists() for name in names]


def age(cache, name, seconds):
    path = cache.folder / remote(name).key
    os.utime(path, (path.stat().st_mtime - seconds,) * 2)


def test_a_copy_is_fetched_once_and_keeps_its_suffix(cache):
    opens = []
    for _ in range(3):
        assert read(cache, remote("a.mp4", opens=opens)) == b"x" * 4 * KB
    assert opens == ["a.mp4"]
    with cache.borrow(remote("a.mp4")) as path:
        assert path.suffix == ".mp4"


def test_the_longest_unused_copy_goes_first(cache):
    for seconds, name in ((30, "a"), (20, "b")):
        read(cache, remote(name))
        age(cache, name, seconds)
    read(cache, remote("a"))  # used again: now b is the oldest
    read(cache, remote("c"))
    assert kept(cache, "a", "b", "c") == [True, False, True]


def test_a_copy_that_is_read_is_never_given_up(cache):
    with cache.borrow(remote("a")) as path:
        age(cache, "a", 60)
        read(cache, remote("b"))
        read(cache, remote("c"))
        assert path.read_bytes() == b"x" * 4 * KB
        assert kept(cache, "a", "b", "c") == [True, False, True]


def test_a_copy_that_another_process_reads_is_never_given_up(cache):
    read(cache, remote("a"))
    age(cache, "a", 60)
    path = cache.folder / remote("a").key
    holds = (
        f"import fcntl, sys; f = open({str(path)!r}); fcntl.flock(f, fcntl.LOCK_SH); print(1, flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", holds], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        read(cache, remote("b"))
        read(cache, remote("c"))
        assert kept(cache, "a", "b", "c") == [True, False, True]
        other.kill()
    age(cache, "c", -1)
    read(cache, remote("d"))
    assert kept(cache, "a", "c", "d") == [False, True, True]


def test_a_file_larger_than_the_cache_is_given_all_the_same(cache):
    assert len(read(cache, remote("large", b"y" * 30 * KB))) == 30 * KB


@pytest.mark.parametrize("content", [b"other", b"shorter than it was stored"[:3]])
def test_what_is_not_what_was_stored_is_refused_and_not_kept(cache, content):
    sent = remote("a", b"whole")
    wrong = Wanted("a", sent.size_bytes, sent.sha256, lambda: io.BytesIO(content))
    with pytest.raises(WrongContentError):
        read(cache, wrong)
    assert list(cache.folder.iterdir()) == []
    assert read(cache, sent) == b"whole"


def test_a_copy_cut_short_by_a_power_failure_is_fetched_again(cache):
    read(cache, remote("a"))
    os.truncate(cache.folder / remote("a").key, 10)
    assert len(read(cache, remote("a"))) == 4 * KB


def test_what_a_killed_process_left_half_written_is_taken_over(cache):
    cache.folder.mkdir()
    (cache.folder / (remote("a").key + ".part")).write_bytes(b"z" * 9 * KB)
    assert read(cache, remote("a")) == b"x" * 4 * KB
    assert [file.name for file in cache.folder.iterdir()] == [remote("a").key]


def test_a_full_disk_is_met_by_giving_up_copies(cache, monkeypatch):
    read(cache, remote("old"))
    fails = iter([True])
    fsync = os.fsync

    def full_once(handle):
        if next(fails, False):
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", full_once)
    assert len(read(cache, remote("a"))) == 4 * KB
    assert kept(cache, "old", "a") == [False, True]


def test_a_full_disk_with_nothing_to_give_up_is_an_error_and_leaves_nothing(cache, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        read(cache, remote("a"))
    assert list(cache.folder.iterdir()) == []


def test_many_readers_of_few_files_in_little_room_all_read_whole_files(cache):
    contents = {str(n): bytes([n]) * 4 * KB for n in range(5)}
    wrong = []

    def reader(seed):
        for step in range(40):
            name = str((seed + step) % 5)
            if read(cache, remote(name, contents[name])) != contents[name]:
                wrong.append(name)
            done.append(name)

    done = []
    threads = [threading.Thread(target=reader, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (wrong, len(done)) == ([], 240)
    assert sum(file.stat().st_size for file in cache.folder.iterdir()) <= 10 * KB + 6 * 4 * KB
