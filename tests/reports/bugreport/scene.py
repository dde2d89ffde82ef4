"""A finding with real clips: what bug reports are made of in tests."""

import zipfile
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from django.conf import settings

from reports.bugreport.selectors import load_finding
from reports.bugreport.services import write_bug_report
from reports.drilldown.selectors import Wanted
from tests.numbered import read_number, render_numbered
from tests.reports.drilldown.rows import add_series, compared

TIMES_MS = [0, 500, 600, 650, 700, 1200]
CHANGED = [2, 3, 4]
NAMES = ["13.0.12", "13.0.13", "org.example.mail", "open inbox"]
SIZE = (160, 240)
ANY = Wanted()


def bug_scene(**clip):
    """Store a compared interaction with one measured run on each side; the action is at 500 ms. Returns both."""
    _, *sides = compared(values=((100.0,), (310.0,)))
    (Path(settings.MEDIA_ROOT) / "screencasts").mkdir(parents=True, exist_ok=True)
    for [run] in sides:
        run.width_px, run.height_px = SIZE
        run.save()
        render(run, **clip)
        add_series(run, TIMES_MS, changed=CHANGED)
    return sides[0][0], sides[1][0]


def render(run, suffix=".mp4", **clip):
    """Write the run's clip, each frame with its number in it."""
    run.file_name = str(Path(run.file_name).with_suffix(suffix))
    run.save()
    render_numbered(stored(run), TIMES_MS, **{"size": SIZE, "bf": 0, **clip})


def stored(run):
    """Return where the run's screencast lies."""
    return Path(settings.MEDIA_ROOT) / run.file_name


def written(*, wanted=ANY, new=NAMES[1], **options):
    """Write the scene's report and open it."""
    file = BytesIO()
    write_bug_report(load_finding(NAMES[0], new, *NAMES[2:], wanted), file, **options)
    return zipfile.ZipFile(file)


def number_in(opened, name):
    """Read the frame number that a picture of the report shows."""
    return read_number(cv2.imdecode(np.frombuffer(opened.read(name), np.uint8), cv2.IMREAD_COLOR))
