"""Runs, apps and the catalogue speak to people: no name of a metric, no coordinate, no path of the storage."""

import re
from html.parser import HTMLParser

import pytest
from django.core.files.storage import default_storage
from django.urls import reverse
from django.utils import timezone

from analysis.metrics import METRICS
from analysis.verdicts.outcomes import OUTCOME_METRIC
from analysis.video.masks import Mask
from reports.catalogue.services import pin_version
from reports.comparing.services import compute_comparison, open_comparison
from reports.measuring.areas import add_area, set_type
from reports.measuring.extraction import extract_run
from reports.measuring.services import set_action
from reports.models import OsVersion, Run, RunStatus
from tests import factories
from tests.intake import render_tap

SPOKEN = ("alt", "title", "aria-label", "placeholder")
KEYS = (*METRICS, OUTCOME_METRIC, "response_time_ms", "finish_time_ms", "launch_time_ms", "dropped_frames")
FIELDS = (
    "action_ms",
    "sorts_as",
    "released_on",
    "is_active",
    "changed_pct",
    "ssim_mean",
    "refresh_hz",
    "vfr",
    "cfr",
)
INTERNAL = re.compile(
    rf"\b({'|'.join({*KEYS, *FIELDS})})\b|\brect\b|\bx[01]\b|sha256|screencasts/|\b[0-9a-f]{{32,}}\b"
)


class Spoken(HTMLParser):
    """Collects what a page says: its text and the attributes that are read aloud or shown."""

    def __init__(self):
        super().__init__()
        self.said, self.silent = [], 0

    def handle_starttag(self, tag, attrs):
        self.silent += tag in ("script", "style")
        self.said += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag):
        self.silent -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.silent:
            self.said.append(data)


NOTE = re.compile(r"<span popover .*?</a></span>", re.DOTALL)  # the glossary explains such words


def internals(page):
    reader = Spoken()
    reader.feed(NOTE.sub("", page))
    return [text.strip() for text in reader.said if INTERNAL.search(text)]


@pytest.fixture
def everything(compared, tmp_path, django_user_model):
    """Return the addresses of pages about runs measured for good, failed, waiting, corrected, masked and waived."""
    boss = django_user_model.objects.create_superuser(username="boss", password="only-for-tests")
    interaction = compared.results.first().interaction
    video = render_tap(tmp_path / "tap.mp4", response_frame=40)
    with video.open("rb") as stream:
        name = default_storage.save("screencasts/tap.mp4", stream)
    measured = factories.run(of=interaction, version=compared.new, status=RunStatus.PENDING, file_name=name)
    extract_run(run_id=measured.pk)
    assert Run.objects.get(pk=measured.pk).outcome == "ok"
    states = [
        factories.run(of=interaction, version=compared.new, status=RunStatus.FAILED, outcome="unreadable"),
        factories.run(of=interaction, version=compared.new, status=RunStatus.PENDING, capture="vfr"),
        factories.run(of=interaction, version=compared.new, outcome="never_settles", capture="cfr60"),
    ]
    add_area(owner=interaction.app, mask=Mask("clock", 0, 0, 100, 40, "px"), again=False, user=boss)
    set_type(interaction=interaction, type="swipe", again=False, user=boss)
    set_action(run=states[0], action_ms=1.0, user=boss)
    pin_version(version=compared.base, reason="shipped", user=boss)
    values = {"reason": "known", "approver": "boss", "ceilings": {"response_time_ms": 300.0}}
    factories.accepted_waiver(app=interaction.app, expires=timezone.localdate(), **values)
    compute_comparison(comparison_id=open_comparison(base=compared.base, new=compared.new).pk)
    return [
        *(reverse("run-detail", args=[run.pk]) for run in (measured, *states)),
        *(reverse("app", args=[app.package]) for app in {interaction.app}),
        *(reverse(name) for name in ("versions", "apps", "devices", "interactions", "people", "runs")),
        *(reverse("version", args=[version.name]) for version in OsVersion.objects.all()),
        reverse("app-edit", args=[interaction.app.package]),
        reverse("catalogue-device", args=[measured.device_id]),
        reverse("catalogue-interaction", args=[interaction.pk]),
    ]


def test_pages_speak_plain_words_to_everybody(everything, client, django_user_model, engineer):
    for user in (engineer, django_user_model.objects.get(username="boss")):
        client.force_login(user)
        found = {address: internals(client.get(address).content.decode()) for address in everything}

        assert found == {address: [] for address in everything}


def test_the_reader_hears_what_is_shown():
    assert internals('<p title="rect 72; 192">ok</p>') == ["rect 72; 192"]
    assert internals("<p>response_time_ms</p>") == ["response_time_ms"]
    assert internals('<a href="?metric=response_time_ms">Response</a>') == []
    assert internals("<script>rect()</script><p>a rectangle</p>") == []
