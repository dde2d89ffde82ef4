"""The files that containers are made of speak of what there is."""

import re
from pathlib import Path

import pytest
import yaml

from reports.media.delivery import FOLDER, STORE

ROOT = Path(__file__).parent.parent
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
SETTINGS = (ROOT / "docs" / "operations.md").read_text()
OURS = [service for service in COMPOSE["services"].values() if service.get("image") == "upreg"]


def test_every_setting_of_the_containers_is_one_that_there_is():
    told = set(re.findall(r"`(UPREG_\w+)`", SETTINGS))
    given = set(re.findall(r"\b(UPREG_\w+)=", DOCKERFILE)).union(*(service["environment"] for service in OURS))
    assert given - told == set()


def test_the_image_has_every_folder_that_the_product_needs_and_neither_tests_nor_data():
    copied = set(re.findall(r"^COPY (?:--\S+ )?(\w+) \w+$", DOCKERFILE, re.MULTILINE))
    elsewhere = {"tests", "benchmarks", "upreg_client", "upreg_recorder"}
    needed = {path.parent.name for path in ROOT.glob("*/__init__.py")} - elsewhere
    assert copied == needed | {"docs", "samples", "static", "templates"}


def test_nothing_runs_as_root_or_writes_outside_its_volumes():
    assert re.search(r"^USER upreg$", DOCKERFILE, re.MULTILINE)
    assert [service.get("read_only") for service in [*OURS, COMPOSE["services"]["proxy"]]] == [True] * 3
    assert COMPOSE["services"]["proxy"]["user"].split(":")[0] != "0"


def test_no_password_stands_in_the_file_and_none_may_be_left_out():
    database = COMPOSE["services"]["database"]["environment"]["POSTGRES_PASSWORD"]
    assert database.startswith("${POSTGRES_PASSWORD:?")
    assert OURS[0]["environment"]["UPREG_SECRET_KEY"].startswith("${UPREG_SECRET_KEY:?")


@pytest.mark.parametrize("place", [FOLDER, STORE])
def test_the_proxy_sends_from_the_places_that_the_pages_name_and_to_nobody_else(place):
    proxy = (ROOT / "deploy" / "upreg.conf").read_text()
    [block] = re.findall(rf"^location (?:~ \^)?{re.escape(place)}.*?^}}", proxy, re.MULTILINE | re.DOTALL)
    assert "    internal;" in block
    for said in ("X-Content-Type-Options nosniff", "frame-ancestors 'none'", "Strict-Transport-Security $hsts"):
        assert said in block  # nginx drops what the pages said


def test_the_proxy_says_where_a_request_comes_from_and_lets_nobody_else_say_it():
    proxy = (ROOT / "deploy" / "upreg.conf").read_text()
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in proxy
    assert "proxy_set_header X-Forwarded-Proto $scheme;" in proxy


def test_the_proxy_writes_down_no_address_that_lets_somebody_in():
    proxy = (ROOT / "deploy" / "nginx.conf").read_text()
    [unlogged] = re.findall(r"~(\S+) 0;", proxy)
    for path in ("/account/reset/MQ/c0ffee-0123456789/", "/login/sso/back/"):
        assert re.match(unlogged, path)
    assert not re.match(unlogged, "/account/")
    assert "if=$is_logged" in proxy
