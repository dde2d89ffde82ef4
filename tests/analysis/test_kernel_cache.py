import os
import stat
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from analysis.kernels import cache


@pytest.fixture
def _nowhere(monkeypatch, tmp_path):
    monkeypatch.setattr(cache, "_writable", lambda folder: False)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(cache.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")


@pytest.mark.usefixtures("_nowhere")
def test_without_a_writable_folder_a_private_one_is_used(tmp_path):
    folder = Path(cache.choose_folder())
    assert folder.parent == tmp_path
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert str(folder) == numba.config.CACHE_DIR
    assert cache.choose_folder() == str(folder)


@pytest.mark.usefixtures("_nowhere")
def test_a_folder_that_others_can_write_is_not_trusted(tmp_path):
    trap = tmp_path / f"upreg-kernels-{os.getuid()}"
    trap.mkdir()
    trap.chmod(0o777)
    assert cache.choose_folder() != str(trap)


def test_a_writable_folder_or_the_users_choice_is_left_alone(monkeypatch, tmp_path):
    assert cache.choose_folder(tmp_path) == ""
    monkeypatch.setattr(cache, "_writable", lambda folder: False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert cache.choose_folder() == ""


def test_a_second_process_finds_the_kernels_compiled():
    code = (
        "import numpy as np\n"
        "from analysis.kernels.planes import fold\n"
        "fold(np.zeros(8, np.int32), 4, np.zeros(2, np.int64))\n"
        "print(sum(fold.stats.cache_hits.values()), sum(fold.stats.cache_misses.values()))"
    )
    run = [sys.executable, "-c", code]
    subprocess.run(run, check=True, capture_output=True)
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout.split() == ["1", "0"]
