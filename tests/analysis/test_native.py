import ast
import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from analysis import native
from analysis.native import folder, objects
from analysis.native.build import KernelBuildError, build
from analysis.native.kernel import Kernel

HISTORY = [np.ones((1, 1), np.uint8), np.array([5.0]), np.zeros((1, 1), np.uint8), np.array([1]), 100.0]


def state():
    return np.full(1, -np.inf), np.full((3, 1), -np.inf), np.zeros((3, 1))


def test_measuring_needs_no_numba_once_the_kernels_are_built():
    native.histories(*HISTORY, *state())
    code = (
        "import sys, numpy as np\n"
        "import analysis.measure, analysis.native as native\n"
        "native.histories._load()\n"
        "print('numba' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"
    )


def test_fixed_arguments_and_given_ones_make_the_same_call():
    one, two = state(), state()
    native.histories(*HISTORY, *one)
    native.histories.partial(*HISTORY[1:], *two)(HISTORY[0])
    assert one[1][0, 0] == two[1][0, 0] == 5.0


@pytest.mark.parametrize(
    "wrong", [np.ones((1, 1)), np.ones(1, np.uint8), np.ones((2, 2), np.uint8)[:, ::2], np.ones((2, 4), np.uint8).T]
)
def test_an_array_of_another_kind_is_refused(wrong):
    with pytest.raises(TypeError, match=r"argument 0 of history\.histories must be a C-contiguous uint8\[:,:\]"):
        native.histories(wrong, *HISTORY[1:], *state())


def test_too_few_arguments_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        native.histories.partial(*HISTORY[1:], *state())()


def test_a_kernel_that_needs_numbas_run_time_is_refused(monkeypatch):
    from analysis.kernels import history
    from analysis.kernels.compiling import kernel

    @kernel
    def allocates(out):
        out[0] = np.zeros(int(out[0]), np.uint8).sum()

    monkeypatch.setattr(history, "allocates", allocates, raising=False)
    with pytest.raises(KernelBuildError, match=r"history\.allocates calls .*NRT_.*may not allocate"):
        build([Kernel("history.allocates", "uint8[:]")], objects.machine())


def test_a_file_cut_short_is_built_again(tmp_path, monkeypatch):
    built = []
    monkeypatch.setattr(objects, "choose_folder", lambda: tmp_path)
    monkeypatch.setattr("analysis.native.build.build", lambda *_: built.append(1) or b"code")
    assert objects.object_code(objects.machine()) == b"code"
    (path,) = tmp_path.glob("*.o")
    assert objects.object_code(objects.machine()) == b"code"
    path.write_bytes(path.read_bytes()[:-1])
    assert objects.object_code(objects.machine()) == b"code"
    assert len(built) == 2


def test_of_two_processes_that_start_together_one_builds(tmp_path):
    code = (
        "import analysis.native.build as build, analysis.native.objects as objects, sys, time\n"
        "build.build = lambda *_: (print('built', flush=True), time.sleep(1), b'code')[-1]\n"
        "assert objects.object_code(objects.machine()) == b'code'"
    )
    environment = {**os.environ, "UPREG_KERNEL_CACHE": str(tmp_path)}
    run = [sys.executable, "-c", code]
    started = [subprocess.Popen(run, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    printed = [process.communicate()[0] for process in started]
    assert [process.returncode for process in started] == [0, 0]
    assert sorted(printed) == ["", "built\n"]


def test_without_room_for_the_file_the_code_is_used_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(objects, "choose_folder", lambda: tmp_path / "missing")
    monkeypatch.setattr("analysis.native.build.build", lambda *_: b"code")
    assert objects.object_code(objects.machine()) == b"code"


def test_numba_keeps_no_kernels_of_its_own(tmp_path):
    """It would not notice that a kernel which another one calls has changed, and needs a folder to write to."""
    code = "from analysis.kernels.planes import stride; print(stride(16, 8))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    run = [sys.executable, "-c", code]
    assert subprocess.run(run, env=environment, check=True, capture_output=True, text=True).stdout == "2\n"
    assert not list(tmp_path.iterdir())


def test_the_key_covers_every_module_that_a_kernel_imports():
    kernels = [source for source in objects.sources() if source.parent.name == "kernels"]
    imports = [node for source in kernels for node in ast.walk(ast.parse(source.read_text()))]
    modules = {node.module for node in imports if isinstance(node, ast.ImportFrom) and node.module}
    needed = {Path(*module.split(".")).with_suffix(".py") for module in modules if module.startswith("analysis.")}
    assert len(needed) > 5
    assert needed <= {source.relative_to(objects.ANALYSIS.parent) for source in objects.sources()}


def test_a_kernel_that_was_forgotten_is_named_and_not_called():
    with pytest.raises(
        LookupError, match=r"upreg_planes_keep.* is not compiled: add its kernel to native\.KERNELS"
    ):
        Kernel("planes.keep", "uint8[:,:]")._load()


@pytest.fixture
def _nowhere(monkeypatch, tmp_path):
    monkeypatch.setattr(folder, "_make", lambda folder: False)
    monkeypatch.delenv(folder.CHOICE, raising=False)
    monkeypatch.setattr(folder.tempfile, "tempdir", str(tmp_path))


@pytest.mark.usefixtures("_nowhere")
def test_without_a_writable_folder_a_private_one_is_used(tmp_path):
    found = folder.choose_folder()
    assert found.parent == tmp_path
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    assert folder.choose_folder() == found


@pytest.mark.usefixtures("_nowhere")
def test_a_user_without_a_home_needs_none(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    with monkeypatch.context() as patch:
        patch.setattr("pwd.getpwuid", lambda uid: {}[uid])
        assert folder.choose_folder().parent == tmp_path


@pytest.mark.usefixtures("_nowhere")
def test_a_folder_that_others_can_write_is_not_trusted(tmp_path):
    trap = tmp_path / f"upreg-kernels-{os.getuid()}"
    trap.mkdir()
    trap.chmod(0o777)
    assert folder.choose_folder() != trap


def test_the_folder_beside_the_source_is_used_unless_the_user_chose_one(monkeypatch, tmp_path):
    monkeypatch.delenv(folder.CHOICE, raising=False)
    assert folder.choose_folder(tmp_path) == tmp_path / "__pycache__"
    monkeypatch.setenv(folder.CHOICE, str(tmp_path / "mine"))
    assert folder.choose_folder() == tmp_path / "mine"
    assert Path(tmp_path / "mine").is_dir()
