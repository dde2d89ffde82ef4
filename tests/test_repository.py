"""The repository itself: what it must have, must not have, and which way imports point."""

import ast
import csv
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command

from reports.models.catalogue import version_sort_key
from tests.beside import WAITING
from tests.on_postgresql import kept

ROOT = Path(__file__).resolve().parent.parent
OPENERS = ("VideoCapture", "imread_v2", "imopen", "get_reader")  # of OpenCV and imageio
OPENING = re.compile(rf"\b(av|{'|'.join(OPENERS)})\b")
FOREIGN_PATHS = re.compile(r"/" + r"work/|/" + r"root/|/" + r"home/\w+/")


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in listed.stdout.splitlines()]


def requirement_lines() -> list[str]:
    files = [ROOT / "requirements.txt", ROOT / "requirements-dev.txt"]
    lines = [line for file in files for line in file.read_text().splitlines()]
    return [line for line in lines if line and not line.startswith(("#", "-r"))]


def test_every_room_stands_on_the_picture_and_in_the_decision_about_floors():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    floors = next(each["layers"] for each in contracts if each.get("containers") == ["reports"])
    rooms = set(re.findall(r"\w+", " ".join(floors)))
    picture = (ROOT / "docs" / "images" / "architecture.svg").read_text()
    decision = (ROOT / "docs" / "adr" / "0001-layers.md").read_text()

    assert not rooms - set(re.findall(r">(\w+)</text>", picture)) - {"apps"}
    assert not rooms - set(re.findall(r"`(\w+)`", decision))


def test_import_rule_catches_an_import_of_django_in_analysis(tmp_path):
    offender = "import django\n"

    command = [Path(sys.executable).with_name("ruff"), "check", "--select", "TID251", "--stdin-filename"]
    result = subprocess.run(
        [*command, "analysis/offender.py", "-"],
        cwd=ROOT,
        input=offender,
        capture_output=True,
        text=True,
        check=False,
    )

    assert "TID251" in result.stdout


def test_what_runs_on_postgresql_or_beside_the_others_is_there():
    assert [path for path in (*kept(), *(ROOT / path for path in WAITING)) if not path.exists()] == []


@pytest.mark.django_db
def test_migrations_are_complete():
    call_command("makemigrations", check=True, dry_run=True)  # ends the program where one is missing


@pytest.mark.parametrize("line", requirement_lines())
def test_requirement_has_a_range_and_a_reason(line):
    assert re.match(r"\S+(~=|>=.+,<)\S+\s+# \w+", line)


def test_no_tracked_text_names_a_path_of_somebodys_machine():
    texts = [path for path in tracked() if path.suffix in {".py", ".md", ".html", ".js", ".css", ".toml", ".txt"}]

    offenders = [str(path) for path in texts if FOREIGN_PATHS.search(path.read_text())]

    assert offenders == []


def test_samples_are_small_and_complete():
    folder = ROOT / "samples"
    with (folder / "runs.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))

    groups = {}
    for row in rows:
        groups.setdefault((row["interaction"], row["os_version"]), []).append(row)

    assert all((folder / row["video"]).is_file() for row in rows)
    assert {len(group) for group in groups.values()} == {10}
    assert {row["capture"] for row in rows} == {"vfr"}  # as the recorder writes them
    assert sum((folder / row["video"]).stat().st_size for row in rows) < 15e6


def test_history_of_the_samples_is_small_and_complete():
    folder = ROOT / "samples"
    with (folder / "history.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))

    runs = Counter((row["interaction"], row["os_version"]) for row in rows)
    days = sorted({(version_sort_key(row["os_version"]), row["released_on"]) for row in rows})

    assert set(runs.values()) == {6}  # the least that verdicts take
    assert len(days) >= 6
    assert [day for _, day in days] == sorted(day for _, day in days)
    assert {(row["channel"], row["device"]) for row in rows} == {("chromium", "phone emulation")}
    assert sum((folder / row["video"]).stat().st_size for row in rows) < 10e6
    assert {folder / row["video"] for row in rows} == set((folder / "videos" / "history").rglob("*.mp4"))


def test_recordings_are_opened_in_one_place_only():
    """Every other way lets FFmpeg open the files that a recording names."""
    found = {f"{path.relative_to(ROOT)}" for path in product_files() for call in calls(path) if opens_a_video(call)}
    assert found == {"analysis/video/opening.py", "upreg_recorder/films.py"}


def product_files() -> list[Path]:
    product = ("analysis", "reports", "upreg_client", "upreg_recorder", "upreg_site", "benchmarks")
    return [path for path in tracked() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in product]


def calls(path: Path) -> list[ast.Call]:
    """Return the calls in a file, none if it names nothing that opens a video: to parse all takes seconds."""
    text = path.read_text()
    return (
        [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)] if OPENING.search(text) else []
    )


def opens_a_video(call: ast.Call) -> bool:
    """Whether a call opens a file with FFmpeg for reading; what is opened for writing names its mode."""
    name = ast.unparse(call.func)
    modes = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
    writes = [mode.value for mode in modes if isinstance(mode, ast.Constant)] == ["w"]
    by_av = name in ("av.open", "av.container.open") and not writes
    return by_av or name.rpartition(".")[2] in OPENERS


@pytest.mark.parametrize(
    ("line", "opens"),
    [
        ("av.open(path)", True),
        ("av.open(path, 'r')", True),
        ("av.open(path, mode)", True),
        ("av.open(path, mode='w')", False),
        ("av.open(path, 'w', format='mp4')", False),
        ("cv2.VideoCapture(path)", True),
        ("open_container(path)", False),
    ],
)
def test_the_rule_knows_how_files_are_opened(line, opens):
    assert opens_a_video(ast.parse(line).body[0].value) is opens


def test_av_is_imported_by_its_name_alone():
    """The rule above reads `av.open`: no module may hide it behind another name."""
    hidden = re.compile(r"^\s*(from av\b.*\bopen\b|import av as|from av import)", re.MULTILINE)
    assert [path for path in product_files() if hidden.search(path.read_text())] == []
