"""The nastiest strings and numbers in every path, query and form: never a server error, on either database.

Addresses come from the table of who may do what, so that a new one is tried by itself. The names of parameters
and fields are those that a view asks of its request: they are noted while it answers.
"""

import json
import re
from http.cookies import SimpleCookie
from random import Random
from urllib.parse import quote, urlencode

import pytest
from django import forms
from django.apps import apps as django_apps
from django.db import connection, transaction
from django.http import QueryDict
from django.urls import resolve
from django.utils import timezone

from reports.access.addresses import all_addresses
from reports.access.table import methods_of
from reports.gate.services import add_waiver, decide_gate
from reports.models import TriageEntry, TriageState
from reports.policies.services import save_scope
from tests import factories

SEED = 11
TRIES = 1  # nasty values for each name at each address; which ones is drawn with the seed
NASTY = (
    "\0",
    "a\0b",
    "9" * 5000,
    "-" + "9" * 5000,
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "9" * 18,
    "1e999",
    "1e308",
    "nan",
    "-inf",
    "0.0000000000000000000000000000001",
    "٣",
    "²",
    "１２",
    "0000-00-00",
    "0001-01-01",
    "9999-12-31",
    "99999-01-01",
    "2026-02-30T25:61:61Z",
    "\ud800".encode("utf-8", "surrogatepass"),
    b"\xff\xfe\x00",
    "[" * 100_000,
    '"\\ud800"',
    '{"name": "\\u0000", "x0": 1e999}',
    json.dumps({"name": "a", "x0": 0, "y0": 0, "x1": 1, "y1": 10**400}),
    '{"name": ' + "9" * 5000 + "}",
    "NaN",
    "x" * 200_000,
    "\u202egnp.exe",
    "\u2066a\u2069\u200b\u200d\ufeff",
    "a" + "\u0301" * 2000,
    "👩\u200d👩\u200d👧\u200d👦",
    "مرحبا",
    "../../etc/passwd",
    "..",
    ".",
    "%",
    "%00",
    "%s{0}{{x}}{% now %}",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "http://[::1",
    "//evil.example",
    "https://" + "a" * 5000,
    "\r\nSet-Cookie: a=b",
    "00000000-0000-0000-0000-000000000000",
    "",
    " ",
    "-",
    "\\",
    "1a" * 40,
)  # fmt: skip
HEADERS = (
    {"range": "bytes=" + "9" * 5000 + "-"},
    {"range": "bytes=-" + "9" * 5000},
    {"range": "bytes=٣-٤"},
    {"range": "bytes=5-2"},
    {"if-range": "\x00\xff", "range": "bytes=0-1"},
    {"if-none-match": '"' * 999},
    {"if-modified-since": "Fri, 99 Nov 99999 99:99:99 GMT"},
    {"accept": "text/html"},
    {"accept": "application/json"},
    {"accept": ";;q=nan,/*" * 200},
    {"accept-language": "-" * 5000},
    {"cookie": "sessionid=" + "9" * 5000},
    {"cookie": "sessionid=a\x00b"},
    {"cookie": "csrftoken=\x00;=;;sessionid=\xff"},
    {"x-request-id": "a" * 9999},
    {"referer": "http://[::1"},
    {"user-agent": "\x00" * 500},
    {"x-requested-with": "\xff"},
    {"content-length": "9" * 30},
    {"x-forwarded-for": ",".join(["9" * 99] * 50)},
    {"authorization": "Bearer \xff"},
    {"host": "a" * 5000},
)
BODIES = (
    ("application/json", b"[" * 100_000),
    ("application/json", b'{"height": ' + b"9" * 5000 + b"}"),
    ("application/json", b'"\\ud800"'),
    ("application/json", b"\xff"),
    ("application/json; charset=nonsense", b"{}"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=\xff\r\n\r\n"),
    ("multipart/form-data; boundary=" + "x" * 500, b"--x"),
    ("multipart/form-data", b"--x--"),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a"; filename="\0"\r\n\r\n\0\r\n--x--',
    ),
    ("application/x-www-form-urlencoded", b"a=%00&%ff=%fe&" + b"a=1&" * 20_000),
    ("application/x-www-form-urlencoded; charset=utf-7", b"note=+AAA-"),
    ("application/x-www-form-urlencoded", b"note=" + b"x" * 3_000_000),
    ("text/plain", b"\x00"),
)  # fmt: skip
_PART = re.compile(r"<(?:(\w+):)?(\w+)>")
_OF_ADMIN = re.compile(r"admin:(reports|auth|django_q)_([a-z]+)_(?:change|delete|history)")
_FORM = re.compile(r'<form\b[^>]*?\baction="([^"?#]*)[^>]*>(.*?)</form>', re.DOTALL)
_ELSEWHERE = re.compile(r'\bformaction="([^"?#]*)')
_INPUT = re.compile(r'<(?:input|select|textarea|button)\b[^>]*?\bname="([^"]+)"')


@pytest.fixture
def scene(compared, admin_user):
    """Return what is stored under a path parameter of a name, and {field: what may be sent for it}."""
    mail = factories.app("Mail")
    inbox = factories.interaction("open inbox", of=mail)
    factories.runs([100.0], version=compared.base, of=inbox)
    run = inbox.runs.first()
    save_scope(name="taps", interaction_types=["tap"])
    entry = TriageEntry.objects.create(
        base=compared.base,
        new=compared.new,
        interaction=inbox,
        state=TriageState.INVESTIGATING,
        batch="00000000-0000-0000-0000-000000000001",
        made_by=admin_user,
    )
    numbers = _numbers(compared, run, admin_user)
    stored = _stored(compared, run) | {"batch": entry.batch}

    def values(name, parameter):
        if model := _OF_ADMIN.fullmatch(name):
            row = django_apps.get_model(*model.groups()).objects.first()
            return row.pk if row else 1
        if parameter == "name":
            return compared.new.name if name.startswith("version") else "x.png"
        if parameter == "kind":
            return "text" if name == "gate-file" else "interaction"
        if parameter == "pk":
            return admin_user.pk if name.startswith("person") else numbers.get(name, run.pk)
        return stored.get(parameter, "1")

    return values, _good_fields(compared, run)


def _numbers(compared, run, person):
    """Return {name of an address: the number of what it shows}."""
    app = run.interaction.app
    waiver = add_waiver(
        app=app, interaction=run.interaction, expires=timezone.localdate(), reason="known", approver="somebody"
    )
    record = decide_gate(comparison=compared)
    of_interaction = ("interaction-save", "catalogue-interaction", "catalogue-area-add", "catalogue-area-remove")
    return {
        **dict.fromkeys(("gate-record", "gate-file", "recorded-report"), record.pk),
        **dict.fromkeys(("app-save", "app-critical"), app.pk),
        **dict.fromkeys((*of_interaction, "catalogue-again"), run.interaction_id),
        "waiver-withdraw": waiver.pk,
        "catalogue-device": run.device_id,
    }


def _stored(compared, run):
    """Return {path parameter: what is stored under it}."""
    return {
        "base": compared.base.name,
        "new": compared.new.name,
        "app": run.interaction.app.package,
        "package": run.interaction.app.package,
        "interaction": run.interaction.name,
        "run_id": run.pk,
        "base_run": run.pk,
        "new_run": run.pk,
        "time_us": 0,
        "slug": "metrics",
        "uidb64": "MQ",
        "token": "set-password",
    }


def _good_fields(compared, run):
    """Return {field: what may be sent for it}, wherever it is one."""
    return {
        "interaction": [str(run.interaction_id)],
        "run": [str(run.pk)],
        "state": ["investigating"],
        "type": ["tap"],
        "owner": ["interaction"],
        "name": ["taps"],
        "app": [run.interaction.app.package],
        "base": [compared.base.name],
        "new": [compared.new.name],
        "moment": ["response"],
        "value_ms": ["20"],
        "action_ms": ["20"],
        "reason": ["because"],
        "expires": ["2026-12-01"],
        "approver": ["somebody"],
        "left": ["1"],
        "top": ["1"],
        "width": ["5"],
        "height": ["5"],
        "username": ["newcomer"],
        "role": ["viewer"],
        "password1": ["a-long-enough-secret"],
        "password2": ["a-long-enough-secret"],
        "mask": ['{"name": "bar", "x0": 0, "y0": 0, "x1": 1, "y1": 0.1}'],
    }


def cases():
    """Return [(name, route, method)] of every address that the table names, the admin's among them."""
    return [
        (name, route, method)
        for name, routes in all_addresses().items()
        for route in routes
        if "(?P" not in route
        for method in methods_of(name)
    ]


def text_of(value):
    return quote(value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass"), safe="")


def filled(name, route, values, /, **instead):
    """Return an address with what is stored in its path, but for what is to be there instead."""
    return _PART.sub(lambda part: text_of(instead.get(part[2], str(values(name, part[2])))), route)


class Asker:
    """An administrator whose every request is undone, and who notes what the views ask for."""

    def __init__(self, client, monkeypatch):
        client.raise_request_exception = False
        self.client, self.asked, self.failed, self.whole = client, set(), [], False
        self.session = client.cookies["sessionid"].value
        whole, made = QueryDict.dict, forms.Form.__init__

        def noting_all(query):
            self.whole = True
            return whole(query)

        def noting_fields(form, *args, **kwargs):
            made(form, *args, **kwargs)
            if self.whole:  # it may have been given all that was sent
                self.asked |= form.fields.keys()

        monkeypatch.setattr(QueryDict, "dict", noting_all)
        monkeypatch.setattr(forms.Form, "__init__", noting_fields)
        for method in ("get", "getlist", "__getitem__", "__contains__", "pop"):
            monkeypatch.setattr(QueryDict, method, self._noting(getattr(QueryDict, method)), raising=False)

    def _noting(self, original):
        def noting(query, key, *args, **kwargs):
            if isinstance(key, str):
                self.asked.add(key)
            return original(query, key, *args, **kwargs)

        return noting

    def ask(self, method, address, *, body=b"", kind="application/x-www-form-urlencoded", headers=None, what=""):
        self.asked, self.whole = set(), False
        self.client.cookies = SimpleCookie({"sessionid": self.session})  # logging out was undone, too
        with transaction.atomic():
            answer = self.client.generic(method, address, body, content_type=kind, headers=headers)
            if answer.streaming:
                b"".join(answer.streaming_content)
            transaction.set_rollback(True)
        if answer.status_code >= 500:
            error = getattr(answer, "exc_info", None)
            self.failed.append(f"{method} {address[:80]} {what} → {answer.status_code} {error and error[1]!r:.200}")
        return answer


@pytest.fixture
def asker(admin_client, monkeypatch, caplog):
    caplog.set_level("CRITICAL", logger="django.request")
    caplog.set_level("CRITICAL", logger="django.security")
    return Asker(admin_client, monkeypatch)


def fields_of_forms(asker, values):
    """Return {name of an address: the names of the fields that forms on our pages send there}.

    And {route: the names that a view asks of a request for it that has none}.
    """
    found, asked = {}, {}
    for name, route, method in cases():
        if method == "GET" and not name.startswith("admin:"):
            answer = asker.ask("GET", filled(name, route, values))
            asked[route] = asker.asked
            if not answer.streaming and answer["Content-Type"].startswith("text/html"):
                for action, inner in _FORM.findall(answer.content.decode()):
                    for target in (action, *_ELSEWHERE.findall(inner)):
                        sent_to = resolve(target).view_name if target else name
                        found.setdefault(sent_to, set()).update(_INPUT.findall(inner))
    return found, asked


def said(value):
    return ascii(value[:40]) if len(value) <= 40 else f"{value[:40]!a}… ({len(value)})"


def test_paths(asker, scene):
    values, _ = scene
    draw = Random(SEED)
    for name, route, method in cases():
        for _, parameter in _PART.findall(route):
            for value in draw.sample(NASTY, TRIES):
                address = filled(name, route, values, **{parameter: value})
                asker.ask(method, address, what=f"{parameter}={said(value)}")

    assert asker.failed == []


@pytest.mark.long
def test_queries_and_forms(asker, scene):
    values, good = scene
    draw = Random(SEED)
    shown, asked = fields_of_forms(asker, values)
    tried = set()
    for name, route, method in cases():
        if name.startswith(("admin:auth_", "admin:django_q_")):
            continue  # answered by the same code of Django's as those of the catalogue
        address = filled(name, route, values)
        # what the view reads of an empty request, then of one that is filled with what it had asked for
        names = set(shown.get(name, ())) | (asked.get(route, set()) if method == "GET" else set())
        for _ in range(2):
            if method == "GET" and route in asked and not names:
                break
            filled_in = {key: good.get(key, ["1"]) for key in names}
            text = urlencode(filled_in, doseq=True)
            asker.ask(method, address if method == "POST" else f"{address}?{text}", body=text.encode())
            if asker.asked <= names:
                break
            names |= asker.asked
        for field in sorted(names):
            if method == "GET" and connection.vendor != "sqlite":
                reader = name if name.startswith("admin:") else resolve(address).func.__module__
                if (reader, field) in tried:
                    continue  # read by the same code, and any address is tried on SQLite
                tried.add((reader, field))
            for value in draw.sample(NASTY, TRIES):
                sent = {**{key: good.get(key, ["1"]) for key in names}, field: [value]}
                text = "&".join(f"{text_of(key)}={text_of(item)}" for key, items in sent.items() for item in items)
                what = f"{field}={said(value)}"
                if method == "POST":
                    asker.ask(method, address, body=text.encode(), what=what)
                else:
                    asker.ask(method, f"{address}?{text_of(field)}={text_of(value)}", what=what)

    assert asker.failed == []


@pytest.mark.long
def test_headers(asker, scene):
    values, _ = scene
    draw = Random(SEED)
    for name, route, method in cases():
        if connection.vendor == "sqlite":
            chosen = draw.sample(HEADERS, TRIES)
        else:  # what becomes of a header in the database is the same at every address
            chosen = HEADERS if name in ("login", "home") else ()
        for headers in chosen:
            asker.ask(method, filled(name, route, values), headers=headers, what=str(headers)[:80])

    assert asker.failed == []


def test_bodies(asker, scene):
    values, _ = scene
    draw = Random(SEED)
    for name, route, method in cases():
        if method == "POST":
            for kind, body in draw.sample(BODIES, TRIES):
                asker.ask(method, filled(name, route, values), kind=kind, body=body, what=f"{kind} {body[:40]!r}")

    assert asker.failed == []
