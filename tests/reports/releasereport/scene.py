"""A computed comparison whose chosen runs were filmed: what release reports are made of in tests."""

import base64
import re
from pathlib import Path

import cv2
import numpy as np
from django.conf import settings

from reports.comparing.services import compute_comparison, open_comparison
from reports.drilldown.runs import typical_run
from reports.models import Run
from tests import factories
from tests.numbered import read_number, render_numbered
from tests.reports.drilldown.rows import add_series

BASE, NEW = "13.0.9", "13.0.13"
NAMES = [BASE, NEW]
SLOW, FAST = [350.0 + step for step in range(8)], [100.0 + step for step in range(8)]
TIMES_MS = [0, 500, 600, 650, 700, 900, 1000]  # the action is at 500
SIZE = (160, 240)
ANSWERS = {"base": [2, 3], "new": [4, 6]}  # frames that change: the first is the response, the last the finish


def compute():
    """Compute what was recorded so far."""
    base, new = factories.os_version(BASE), factories.os_version(NEW)
    return compute_comparison(comparison_id=open_comparison(base=base, new=new).pk)


def release_scene(*, metric="response_time_ms", name="open inbox", answers=ANSWERS, **clip):
    """Compare an interaction of a critical app that regressed with one that did not; film the runs shown."""
    mail = factories.app("Mail", critical=True)
    regressed = factories.interaction(name, of=mail)
    for version, values, others in ((BASE, FAST, FAST), (NEW, SLOW, FAST)):
        version = factories.os_version(version)
        factories.runs(values, metric=metric, version=version, of=regressed)
        factories.runs(others, version=version, of=factories.interaction("like", of=factories.app("Feed")))
    comparison = compute()
    for run, key in shown_runs(comparison).items():
        film(run, answers[key], **clip)
    return comparison


def shown_runs(comparison):
    """Return {run: side} of the runs that stand for the regression."""
    result = comparison.results.get(verdict="regression")
    return {Run.objects.get(pk=typical_run(key, [result])): key for key in ("base", "new")}


def film(run, changed, **clip):
    """Store a clip with numbered frames for a run, and its frame series."""
    (Path(settings.MEDIA_ROOT) / "screencasts").mkdir(parents=True, exist_ok=True)
    run.width_px, run.height_px = SIZE
    run.save()
    render_numbered(stored(run), TIMES_MS, **{"size": SIZE, "bf": 0, **clip})
    add_series(run, TIMES_MS, changed=changed)


def stored(run):
    """Return where the run's screencast lies."""
    return Path(settings.MEDIA_ROOT) / run.file_name


def number_of(picture):
    """Read the number of the frame in a picture that stands in a page."""
    data = base64.b64decode(picture.removeprefix("data:image/webp;base64,"))
    return read_number(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


def text_of(html):
    """Return what a page says, without markup and with plain spaces."""
    said = re.sub(r"<style>.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", said.replace("&#x27;", "'"))
