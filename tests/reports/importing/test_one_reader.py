"""A manifest says the same at both doors: to who imports it and to who measures it without a database."""

import pytest
from django.utils.text import slugify
from hypothesis import example, given
from hypothesis import strategies as st

from analysis.batch import read_jobs
from analysis.manifest.columns import identifier
from analysis.options import INTERACTION_TYPES
from reports.importing.services import import_manifest
from reports.media.options import measure_options
from reports.models import InteractionType, Run
from tests.intake import ROW, fake_video, write_manifest

LF, CRLF = "\n", "\r\n"


@pytest.fixture
def doors(db, tmp_path):
    """Return what each door says of a manifest: its refusals in words, and the options of what it takes."""
    fake_video(tmp_path)

    def imported(path):
        refused = [problem.text for problem in import_manifest(path=path, dry_run=True).lines]
        import_manifest(path=path, queue=False)
        runs = Run.objects.select_related("interaction__app", "device").order_by("pk")
        return refused, [measure_options(run) for run in runs]

    def measured(path):
        jobs = read_jobs(path)
        return [job.problem for job in jobs if job.problem], [job.options for job in jobs if job.options]

    return lambda path: (imported(path), measured(path))


@pytest.mark.parametrize(
    ("column", "cell", "taken"),
    [
        *[("refresh_hz", cell, False) for cell in ("0", "-1", "nan", "1e9", "inf", "60 Hz", "1_20")],
        *[("refresh_hz", cell, True) for cell in ("", "1", "1000", " 59.94 ", "1.2e2")],
        *[("show_touches", cell, False) for cell in ("maybe", "2", "on")],
        *[("show_touches", cell, True) for cell in ("YES", "true", "1", "0", "No", "")],
        *[("action_ms", cell, False) for cell in (",5", "-1", "nan", "soon", "1 000", "٣")],
        *[("action_ms", cell, True) for cell in ("1e3", " 5 ", "0", ".5", "+7")],
        *[("interaction_type", cell, False) for cell in ("pinch", "tap tap")],
        *[("interaction_type", cell, True) for cell in ("TAP", " Launch ")],
        *[("capture", cell, False) for cell in ("xfr", "cfr-60", "cfr" + "6" * 30)],
        *[("capture", cell, True) for cell in ("CFR60", "vfr", "cfr", "")],
        *[("x", cell, False) for cell in ("7", "left", "nan")],
        *[("video", cell, False) for cell in ("", "v" * 501)],
        *[("repetition", cell, False) for cell in ("-1", "3.5", "two")],
        ("os_version", "a/b", False),
        ("recorded_at", "yesterday", False),
        ("operator", "a\x00b", False),
    ],
)
def test_a_cell_is_taken_or_refused_alike_with_the_same_words(doors, tmp_path, column, cell, taken):
    imported, measured = doors(write_manifest(tmp_path, [{column: cell}]))
    assert imported == measured
    assert (imported[0] == [], len(imported[1])) == (taken, int(taken))


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ending", [LF, CRLF])
def test_a_file_is_read_alike_however_it_was_saved(doors, tmp_path, start, delimiter, ending):
    cells = ROW | {"capture": "vfr", "x": "3", "y": "4", "show_touches": "yes", "refresh_hz": "120"}
    lines = [cells, cells.values(), (cells | {"repetition": "2", "action_ms": ",5"}).values()]
    quoted = (delimiter.join(f'"{cell}"' for cell in line) for line in lines)
    path = tmp_path / "runs.csv"
    path.write_bytes(start + ending.join(quoted).encode())
    imported, measured = doors(path)
    assert imported == measured
    assert imported[0] == ["line 3, action_ms: ',5' has a decimal comma: write a point"]
    assert [(options.refresh_hz, options.touch_xy, options.capture) for options in imported[1]] == [
        (120.0, (3.0, 4.0), "vfr")
    ]


@pytest.mark.parametrize("line", ["too,few", '1,"Mail,tap', "1,\xff"])
def test_a_broken_line_is_refused_alike(doors, tmp_path, line):
    path = write_manifest(tmp_path, [{}])
    path.write_bytes(path.read_bytes() + line.encode("latin-1") + b"\r\n")
    imported, measured = doors(path)
    assert imported == measured
    assert (len(imported[0]), len(imported[1])) == (1, 1)


@given(st.text())
@example("Google Maps!")
@example("ﷺ ⅷ İ")
@example("_-a - b-_")
def test_an_app_is_identified_as_django_would(text):
    assert identifier(text) == slugify(text, allow_unicode=True)


def test_what_is_stored_and_what_is_measured_are_the_same_types_of_interaction():
    assert tuple(InteractionType.values) == (
        *INTERACTION_TYPES,
        InteractionType.BENCHMARK,
    )  # that one is not filmed
