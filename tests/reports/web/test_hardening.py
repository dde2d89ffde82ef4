"""What answers tell the browser, on pages, static files, recordings, probes and refusals alike."""

import json
import logging.config
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings as project_settings
from django.urls import reverse

from reports.web.logs import logging_config

ROOT = Path(__file__).parents[3]
# Named by OWASP's guide to HTTP headers, with the values that it recommends for a site that nobody embeds.
EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
}
POLICY = (
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "default-src 'self'",
    "form-action 'self'",
)


@pytest.fixture
def by_https(settings):
    """Set what UPREG_HTTPS=1 sets."""
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = 31_536_000, True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


@pytest.mark.parametrize(
    "path", ["/login/", "/runs/", "/api/queue/", "/no-such-page/", "/healthz", "/metrics", "/help/"]
)
def test_every_answer_says_who_may_use_it_and_what_it_may_load(signed_in, path):
    answer = signed_in.get(path)

    assert {name: answer.headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert "camera=()" in answer.headers["Permissions-Policy"]
    policy = answer.headers["Content-Security-Policy"]
    assert [part for part in POLICY if part not in policy] == []
    assert "unsafe-inline" not in policy.replace("style-src-attr 'unsafe-inline'", "")


@pytest.mark.parametrize("path", ["/", "/runs/", "/account/", "/labels.csv", "/api/queue/", "/no-such-page/"])
def test_what_one_must_log_in_for_is_not_kept(signed_in, path):
    answer = signed_in.get(path)
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/login/", "/healthz", "/static/img/favicon.svg"])
def test_by_https_browsers_stay_there_for_a_year_with_all_names_below(client, by_https, path, db, settings):
    settings.WHITENOISE_USE_FINDERS = True
    answer = client.get(path, secure=True)
    answer.close()
    assert answer.status_code == 200
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.django_db
def test_people_are_led_to_https_and_scripts_are_told(client, by_https):
    assert client.get("/runs/").url == "https://testserver/runs/"
    answer = client.get("/api/queue/")
    assert (answer.status_code, "https" in answer.json()["detail"]) == (403, True)
    assert client.get("/healthz").status_code == 200


def test_whoever_logs_out_leaves_no_copies_in_the_browser(signed_in):
    answer = signed_in.post("/logout/")
    assert answer.headers["Clear-Site-Data"] == '"cache", "storage"'
    assert signed_in.get("/runs/").status_code == 302


def test_no_method_is_answered_that_is_not_meant(signed_in):
    for method in ("TRACE", "PUT", "DELETE", "PATCH"):
        assert signed_in.generic(method, "/runs/").status_code == 405


def test_whoever_is_refused_stands_in_the_security_log(signed_in, caplog):
    caplog.set_level(logging.WARNING, "upreg.security")
    signed_in.post(reverse("person-add"), {})
    assert "'engineer' is refused: POST '/people/add/' takes people, from 127.0.0.1" in caplog.text


@pytest.mark.django_db
def test_no_log_says_the_address_that_sets_a_password(client, caplog):
    caplog.set_level(logging.INFO, "upreg.requests")
    client.get("/account/reset/MQ/c0ffee-0123456789abcdef/")
    assert "/account/reset/…/" in caplog.text
    assert "c0ffee" not in caplog.text


def test_with_https_django_finds_nothing_to_say_and_cookies_are_bound_to_the_host(tmp_path):
    script = (
        "import json, django; django.setup();"
        "from django.core.management import call_command; from django.conf import settings;"
        "call_command('check', deploy=True, fail_level='WARNING', tags=['security', 'urls', 'files']);"
        "print(json.dumps({n: getattr(settings, n) for n in dir(settings) if 'COOKIE' in n or 'HSTS' in n}))"
    )
    settings = {"UPREG_HTTPS": "1", "UPREG_ALLOWED_HOSTS": "upreg.example", "UPREG_VAR_DIR": str(tmp_path)}
    env = os.environ | settings | {"DJANGO_SETTINGS_MODULE": "upreg_site.settings"}
    done = subprocess.run([sys.executable, "-c", script], env=env, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    for kind in ("SESSION", "CSRF"):
        assert said[f"{kind}_COOKIE_NAME"].startswith("__Host-")
        assert (said[f"{kind}_COOKIE_SECURE"], said[f"{kind}_COOKIE_HTTPONLY"]) == (True, True)
        assert (said[f"{kind}_COOKIE_PATH"], said[f"{kind}_COOKIE_DOMAIN"]) == ("/", None)
        assert said[f"{kind}_COOKIE_SAMESITE"] == "Lax"


def test_debug_pages_are_off_unless_somebody_wants_them():
    assert project_settings.DEBUG is False


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/login/", "/healthz", "/metrics", "/static/css/base.css", "/static/js/base.js", "/static/img/favicon.svg"],
)
def test_every_text_says_how_its_letters_are_written(client, path, settings):
    settings.WHITENOISE_USE_FINDERS = True
    answer = client.get(path)
    answer.close()
    assert (answer.status_code, answer.headers["Content-Type"].replace('"', "").endswith("charset=utf-8")) == (
        200,
        True,
    )


@pytest.mark.parametrize("style", ["text", "json"])
def test_log_lines_say_the_time_in_utc_wherever_the_server_stands(style, monkeypatch):
    config = logging_config(style=style, level="INFO")
    formatter = logging.config.DictConfigurator(config).configure_formatter(config["formatters"]["line"])
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    line = formatter.format(logging.makeLogRecord({"msg": "hello", "created": 1_000_000_000.25, "msecs": 250.0}))
    monkeypatch.undo()
    time.tzset()
    assert "2001-09-09T01:46:40.250Z" in line
