import ast
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from analysis.kernels import compiling, folder
from analysis.kernels.loading import load
from analysis.kernels.weighing import weigh

KERNELS = Path(compiling.__file__).parent
USE = """
from analysis.kernels import compiling
from calling import outer
print(compiling.was_compiled(outer), outer(1))
"""
MODULES = {
    "helping": "from analysis.kernels.compiling import kernel\n@kernel\ndef inner(x):\n    return x + {added}\n",
    "calling": "from helping import inner\nfrom analysis.kernels.compiling import entry\n"
    "@entry('int64(int64)')\ndef outer(x):\n    return inner(x)\n",
}


def run(code, tmp_path, cache):
    environment = {**os.environ, "UPREG_KERNEL_CACHE": str(cache), "PYTHONPATH": f"{tmp_path}:{KERNELS.parents[1]}"}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)


def outcome(process):
    printed, _ = process.communicate()
    return process.returncode, printed.strip()


@pytest.fixture
def use(tmp_path):
    """Return a function that calls a small kernel in a process of its own and gives "was compiled, answer"."""

    def start(added=1):
        for name, text in MODULES.items():
            (tmp_path / f"{name}.py").write_text(text.format(added=added))
        return run(USE, tmp_path, tmp_path / "cache")

    return start


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """Return the folder of the small kernel after a first process, and its outcome."""
    folder = tmp_path_factory.mktemp("first")
    for name, text in MODULES.items():
        (folder / f"{name}.py").write_text(text.format(added=1))
    return folder, outcome(run(USE, folder, folder / "cache"))


@pytest.fixture
def use_again(first, tmp_path):
    """Return a function that calls the kernel in a second process, with a copy of what the first one kept."""
    folder, _ = first
    shutil.copytree(folder / "cache", tmp_path / "cache")
    return lambda: run(USE, folder, tmp_path / "cache")


def test_the_second_process_loads_what_the_first_compiled(first, use_again):
    assert [first[1], outcome(use_again())] == [(0, "True 2"), (0, "False 2")]


def test_numba_does_not_see_that_a_helper_in_another_file_changed(use):
    """The reason for a digest in the name of the folder: this 2 should be a 6."""
    outcome(use(added=1))
    assert outcome(use(added=5)) == (0, "False 2")


def test_another_source_means_another_folder(tmp_path):
    (tmp_path / "one.py").write_text("1")
    before = compiling.digest(tmp_path)
    (tmp_path / "one.py").write_text("2")
    assert compiling.digest(tmp_path) != before
    (tmp_path / "one.py").write_text("1")
    assert compiling.digest(tmp_path) == before


def test_the_digest_covers_every_module_that_a_kernel_imports():
    imports = [node for source in KERNELS.glob("*.py") for node in ast.walk(ast.parse(source.read_text()))]
    modules = {node.module for node in imports if isinstance(node, ast.ImportFrom) and node.module}
    needed = {module for module in modules if module.startswith("analysis.")}
    assert {module for module in needed if not module.startswith("analysis.kernels.")} == {"analysis.arrays"}


def test_of_two_processes_that_start_together_one_compiles(use):
    started = [use(), use()]
    assert sorted(map(outcome, started)) == [(0, "False 2"), (0, "True 2")]


@pytest.mark.parametrize(("ending", "kept"), [("nbi", 0), ("nbc", 900)])
def test_a_file_cut_short_is_compiled_again(use_again, tmp_path, ending, kept):
    (path,) = (tmp_path / "cache").rglob(f"*.{ending}")
    path.write_bytes(path.read_bytes()[:kept])
    assert outcome(use_again()) == (0, "True 2")
    assert not list((tmp_path / "cache").rglob("*.nb?"))


def test_on_a_full_disk_each_process_compiles_for_itself(tmp_path):
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text.format(added=1))
    full = (
        "import resource, signal\n"
        "import analysis.kernels.compiling\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
    )
    process = run("import sys\nsys.dont_write_bytecode = True\n" + full + USE, tmp_path, tmp_path / "cache")
    assert outcome(process) == (0, "True 2")
    assert not list((tmp_path / "cache").rglob("*.nb?"))


def test_without_any_place_for_it_machine_code_stays_in_memory(monkeypatch):
    def fail(name):
        raise PermissionError(name)

    monkeypatch.setattr(compiling, "choose_folder", fail)
    monkeypatch.setattr(compiling, "CACHE", compiling._open_cache())
    assert compiling.CACHE is None
    assert compiling.entry("int64(int64)")(lambda x: x + 1)(1) == 2


def test_kernels_leave_pythons_lock_to_the_decoder_and_take_no_other_types():
    for kernel in load():
        assert kernel.targetoptions["nogil"]
        assert not kernel._can_compile


def test_importing_what_measures_imports_no_numba():
    code = "import sys, analysis.measure\nprint('numba' in sys.modules)"
    assert outcome(run(code, KERNELS, "")) == (0, "False")


def test_warming_up_tells_only_when_it_compiles(tmp_path):
    code = "from analysis.kernels import loading, compiling\nloading.load = lambda: None\nloading.warm_up(print)"
    first, second = (outcome(run(code, tmp_path, tmp_path)) for _ in range(2))
    assert first[1].startswith("First start: compiling")
    assert second == (0, "")


MEANS = np.ones((1, 1), np.uint16)
WEIGHED = [MEANS, np.ones(1, np.uint8), 1.0, 2.0, 0, np.ones(1, np.uint8), np.zeros((1, 1), np.int16)]
ANSWERS = [np.zeros(2), np.zeros(1)]


@pytest.mark.parametrize(
    "wrong",
    [np.ones((1, 1)), np.ones(1, np.uint16), np.ones((2, 2), np.uint16)[:, ::2], np.ones((2, 4), np.uint16).T],
)
def test_an_array_of_another_kind_is_refused(wrong):
    with pytest.raises(TypeError, match="No matching definition"):
        weigh(wrong, *WEIGHED, *ANSWERS)


@pytest.fixture
def _nowhere(monkeypatch, tmp_path):
    monkeypatch.setattr(folder, "_make", lambda folder: False)
    monkeypatch.delenv(folder.CHOICE, raising=False)
    monkeypatch.setattr(folder.tempfile, "tempdir", str(tmp_path))


@pytest.mark.usefixtures("_nowhere")
def test_without_a_writable_folder_a_private_one_is_used(tmp_path):
    found = folder.choose_folder("abc")
    assert found.parents[1] == tmp_path
    assert stat.S_IMODE(found.parent.stat().st_mode) == 0o700
    assert folder.choose_folder("abc") == found


@pytest.mark.usefixtures("_nowhere")
def test_a_user_without_a_home_needs_none(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    with monkeypatch.context() as patch:
        patch.setattr("pwd.getpwuid", lambda uid: {}[uid])
        assert folder.choose_folder("abc").parents[1] == tmp_path


@pytest.mark.usefixtures("_nowhere")
def test_a_folder_that_others_can_write_is_not_trusted(tmp_path):
    trap = tmp_path / f"upreg-kernels-{os.getuid()}"
    trap.mkdir()
    trap.chmod(0o777)
    assert folder.choose_folder("abc").parent != trap


def test_the_folder_beside_the_source_is_used_unless_the_user_chose_one(monkeypatch, tmp_path):
    monkeypatch.delenv(folder.CHOICE, raising=False)
    assert folder.choose_folder("abc", tmp_path) == tmp_path / "__pycache__" / "abc"
    monkeypatch.setenv(folder.CHOICE, str(tmp_path / "mine"))
    assert folder.choose_folder("abc") == tmp_path / "mine" / "abc"


def test_a_place_where_no_file_can_be_put_is_left_out(monkeypatch, tmp_path):
    monkeypatch.delenv(folder.CHOICE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    (tmp_path / "__pycache__").write_text("a file, where a folder should be")
    assert folder.choose_folder("abc", tmp_path) == tmp_path / "home" / "upreg" / "abc"
