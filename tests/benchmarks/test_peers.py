"""Peers of the speed benchmark: found, skipped with a word, given the ffmpeg they need."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.find_ffmpeg import find_ffmpeg, takes_vsync
from benchmarks.measure_peers import RUN_VISUALMETRICS, peers

CLIP = Path("clip.mp4")


def program(path: Path, script: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def no_ffmpeg(monkeypatch, tmp_path):
    """Leave nothing on PATH but a folder that the test fills and the shell's own programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_peers_that_are_absent_are_skipped_with_a_word(no_ffmpeg, capsys):
    found = peers(CLIP, "", visualmetrics="")
    assert len(found) == 3
    assert set(found.values()) == {None}
    assert capsys.readouterr().err.count("is not installed: skipped") == 3


def test_ffmpeg_on_path_goes_before_the_static_one(no_ffmpeg, tmp_path):
    python = program(tmp_path / "python", "echo /static/ffmpeg")
    assert find_ffmpeg(python) == "/static/ffmpeg"
    own = program(no_ffmpeg / "ffmpeg", "")
    assert find_ffmpeg(python) == own


@pytest.mark.parametrize("python", ["", "/nowhere/python"])
def test_no_ffmpeg_is_found_without_path_and_peers(no_ffmpeg, python):
    assert find_ffmpeg(python) is None


def test_visualmetrics_is_refused_where_ffmpeg_has_lost_vsync(no_ffmpeg, tmp_path, capsys):
    ffmpeg = program(no_ffmpeg / "ffmpeg", "echo '-fps_mode  set framerate mode; overrides -vsync'")
    python = program(tmp_path / "python", "exit 0")
    found = peers(CLIP, python, visualmetrics=program(tmp_path / "script.py", ""))
    assert not takes_vsync(ffmpeg)
    assert [command is None for command in found.values()] == [False, True, False]
    assert f"of version 7 or older, not {ffmpeg}" in capsys.readouterr().err


def test_visualmetrics_runs_with_the_ffmpeg_that_was_found(no_ffmpeg, tmp_path):
    ffmpeg = program(no_ffmpeg / "ffmpeg", "echo 'Options'; echo '-vsync <>  set video sync method'")
    python = program(tmp_path / "python", "exit 0")
    script = program(tmp_path / "script.py", "")
    command = peers(CLIP, python, visualmetrics=script)["d  visualmetrics (browsertime)"]
    assert command == [python, str(RUN_VISUALMETRICS), ffmpeg, script, "--json", "--video", "clip.mp4"]


def test_visualmetrics_whose_own_check_fails_is_skipped(no_ffmpeg, tmp_path):
    program(no_ffmpeg / "ffmpeg", "echo; echo '-vsync <>  set video sync method'")
    python = program(tmp_path / "python", "exit 1")
    found = peers(CLIP, python, visualmetrics=program(tmp_path / "script.py", ""))
    assert found["d  visualmetrics (browsertime)"] is None


@pytest.mark.parametrize("has_ffprobe", [True, False])
def test_a_script_finds_ffmpeg_and_ffprobe_by_name(no_ffmpeg, tmp_path, has_ffprobe):
    ffmpeg = program(tmp_path / "static" / "ffmpeg-linux-7.0", 'echo "ffmpeg $*"')
    if has_ffprobe:
        program(no_ffmpeg / "ffprobe", 'echo "ffprobe $*"')
    script = tmp_path / "script.py"
    script.write_text(
        "import subprocess, sys\n"
        "subprocess.run(['ffmpeg', '-filters'], check=True)\n"
        "subprocess.run(['ffprobe', sys.argv[2]], check=True)\n"
        "exit(3 if __name__ == '__main__' else 4)\n"
    )
    command = [sys.executable, str(RUN_VISUALMETRICS), ffmpeg, str(script), "--video", "a b.mp4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})
    probed = "ffprobe a b.mp4" if has_ffprobe else "ffmpeg -hide_banner -i a b.mp4"
    assert done.stdout.splitlines() == ["ffmpeg -filters", probed]
    assert done.returncode == 3
