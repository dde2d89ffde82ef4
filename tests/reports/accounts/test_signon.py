"""Single sign-on against a provider that really answers over HTTP: what is believed, and everything that is not."""

import base64
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from joserfc import jws, jwt
from joserfc.jwk import OctKey, RSAKey

from reports.access.roles import stored_role
from reports.access.services import set_active
from reports.accounts import signon
from reports.accounts.provider import Oidc, group_roles
from reports.models import AuditEntry, Role, SignOn

pytestmark = pytest.mark.django_db
CLIENT_ID, SECRET = "upreg", "between-us"


class Provider(ThreadingHTTPServer):
    """A provider of OpenID Connect with discovery, keys and tokens; ``spoil`` changes what it answers."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Answers)
        self.issuer = f"http://127.0.0.1:{self.server_address[1]}"
        self.key, self.codes, self.spoil, self.metadata = RSAKey.generate_key(2048, {"kid": "one"}), {}, {}, {}
        self.claims = {"sub": "248289761001", "preferred_username": "ann", "email": "boss@example.org"}

    def grant(self, address):
        """Do what the log-in page of a provider does: remember what was asked under a code; return both."""
        asked = {key: values[0] for key, values in parse_qs(urlsplit(address).query).items()}
        assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
        self.codes["the-code"] = asked
        return {"code": "the-code", "state": asked["state"]}

    def token(self, sent):
        asked = self.codes.pop(sent.get("code"), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(sent.get("code_verifier", "").encode()).digest())
        if asked is None or challenge.rstrip(b"=").decode() != asked["code_challenge"]:
            return {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        claims |= self.claims | self.spoil.get("claims", {})
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"alg": "RS256", "kid": "one"} | self.spoil.get("header", {})
        key = self.spoil.get("key", self.key)
        if header["alg"] == "none":
            parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (header, claims)]
            signed = b".".join(parts).decode() + "."
        else:
            signed = jwt.encode(header, claims, key, registry=jws.JWSRegistry(algorithms=[header["alg"]]))
        return {"access_token": "a", "token_type": "Bearer"} | (
            {} if self.spoil.get("no id") else {"id_token": signed}
        )


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        provider = self.server
        if self.path == "/.well-known/openid-configuration":
            self._send({
                "issuer": provider.issuer, "authorization_endpoint": f"{provider.issuer}/authorize",
                "token_endpoint": f"{provider.issuer}/token", "jwks_uri": f"{provider.issuer}/keys",
                "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
            } | provider.metadata)  # fmt: skip
        else:
            self._send({"keys": [provider.key.as_dict(private=False)]})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        answer = self.server.token({key: values[0] for key, values in parse_qs(body).items()})
        self._send(answer, 400 if "error" in answer else 200)

    def _send(self, answer, status=200):
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


def _oidc(**values):
    facts = {"client_id": CLIENT_ID, "client_secret": SECRET, "name": "Lab log-in", "scopes": "openid"}
    return Oidc(**facts | {"groups_claim": "groups", "roles": {}} | values)


@pytest.fixture(scope="module")
def running():
    server = Provider()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def provider(running, settings, monkeypatch):
    """Return the provider, known to the site and behaving well."""
    running.codes, running.spoil, running.metadata = {}, {}, {}
    roles = {"lab-admins": "administrator", "lab": "triager"}
    settings.OIDC = _oidc(issuer=running.issuer, roles=roles)
    settings.AUTHENTICATION_BACKENDS = [
        *settings.AUTHENTICATION_BACKENDS, "reports.accounts.signon.SignOnBackend",
    ]  # fmt: skip
    return running


def _sign_on(provider, client=None, *, ask="/login/sso/"):
    client = client or Client()
    back = provider.grant(client.get(ask).url)
    return client, back, client.get("/login/sso/back/", back)


def test_person_comes_in_with_name_role_and_session_of_its_own(provider):
    provider.claims = provider.claims | {"groups": ["lab", "kitchen"]}
    client, _, answer = _sign_on(provider, ask="/login/sso/?next=/runs/")

    assert answer.url == "/runs/"
    person = get_user_model().objects.get()
    assert (person.get_username(), person.has_usable_password(), stored_role(person)) == (
        "ann",
        False,
        Role.TRIAGER,
    )
    assert client.get("/account/").status_code == 200
    assert list(AuditEntry.objects.filter(action="logged_in").values_list("who", flat=True)) == ["ann"]

    provider.claims = provider.claims | {"groups": []}
    _sign_on(provider)  # the same person again, with what the provider says now
    assert stored_role(get_user_model().objects.get()) == Role.VIEWER


def test_nobody_becomes_another_by_name_or_mail(provider, django_user_model):
    boss = django_user_model.objects.create_superuser(username="ann", email="boss@example.org", password="x")
    provider.claims = provider.claims | {"groups": None, "email_verified": True}

    _sign_on(provider)

    other = SignOn.objects.get().user
    assert (other.get_username(), other.pk != boss.pk, stored_role(other)) == ("ann-2", True, Role.VIEWER)


def test_person_who_is_locked_out_stays_out(provider):
    _sign_on(provider)
    set_active(person=get_user_model().objects.get(), active=False, by=None)

    client, _, answer = _sign_on(provider)

    assert answer.url == "/login/"
    assert client.get("/account/").status_code == 302


def _sign_on_as_well(provider, client, password="only-for-tests"):
    page = client.post("/account/sign-on/", {"password": password})
    if page.status_code == 422:
        return page
    assert 'href="/login/sso/?link"' in page.content.decode()
    return _sign_on(provider, client, ask="/login/sso/?link")[2]


@pytest.fixture
def local(client, engineer):
    """Return a client whose person has logged in with the password."""
    client.post("/login/", {"username": "engineer", "password": "only-for-tests"})
    return client


def test_sign_on_is_added_to_ones_own_account_with_the_password_and_taken_away(provider, local, engineer):
    assert "This is not your password" in _sign_on_as_well(provider, local, "wrong").content.decode()
    assert not SignOn.objects.exists()

    page = local.get(_sign_on_as_well(provider, local).url).content.decode()

    assert "Lab log-in leads to this account now, as ann." in page
    assert SignOn.objects.get().user == engineer
    assert _sign_on(provider)[0].get("/account/").context["user"] == engineer
    assert get_user_model().objects.count() == 1
    local.post("/account/sign-on/end/")
    assert not SignOn.objects.exists()
    told = AuditEntry.objects.filter(field="sign_on").values_list("who", "before", "after")
    assert list(told) == [("engineer", "Lab log-in", None), ("engineer", None, "Lab log-in")]


def test_sign_on_of_another_account_is_not_moved(provider, local, engineer):
    _sign_on(provider)
    other = SignOn.objects.get().user

    page = local.get(_sign_on_as_well(provider, local).url).content.decode()

    assert "leads to another account already" in page
    assert SignOn.objects.get().user == other != engineer


@pytest.mark.parametrize("way", ["late", "without the password", "a plain log-in in between"])
def test_sign_on_is_added_to_nothing_unless_one_has_just_said_so(provider, local, engineer, way, monkeypatch):
    if way != "without the password":
        local.post("/account/sign-on/", {"password": "only-for-tests"})
    if way == "late":
        later = time.time() + signon.LINK_HOLDS_S + 1
        monkeypatch.setattr(signon.time, "time", lambda: later)
    _sign_on(provider, local, ask="/login/sso/" if way.startswith("a plain") else "/login/sso/?link")

    assert not SignOn.objects.filter(user=engineer).exists()


def test_who_has_no_password_keeps_the_only_way_in(provider):
    client, _, _ = _sign_on(provider)

    client.post("/account/sign-on/end/")

    assert SignOn.objects.count() == 1
    assert "/account/sign-on/" not in client.get("/account/").content.decode()


NOW = int(time.time())


@pytest.mark.parametrize(
    "spoil",
    [
        {"claims": {"nonce": "another"}},
        {"claims": {"nonce": None}},
        {"claims": {"aud": "another-client"}},
        {"claims": {"aud": ["another-client"], "azp": CLIENT_ID}},
        {"claims": {"iss": "https://evil.example"}},
        {"claims": {"exp": NOW - 3600}},
        {"claims": {"exp": None}},
        {"claims": {"sub": None}},
        {"header": {"alg": "none"}},
        {"header": {"alg": "HS256"}, "key": OctKey.import_key(SECRET * 4)},
        {"key": RSAKey.generate_key(2048, {"kid": "one"})},
        {"no id": True},
    ],
    ids=["nonce", "no nonce", "audience", "audience of another, azp ours", "issuer", "expired", "never expires",
         "nobody", "unsigned", "shared secret", "another key", "no ID token"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")  # as in production: it refuses nothing there
def test_answer_that_is_wrong_lets_nobody_in(provider, spoil):
    provider.spoil = spoil

    client, _, answer = _sign_on(provider)

    assert answer.url == "/login/"
    assert "Single sign-on failed." in client.get("/login/").content.decode()
    assert client.get("/account/").status_code == 302
    assert not get_user_model().objects.exists()
    assert AuditEntry.objects.get(action="login_failed").who == "single sign-on"


def test_state_counts_once_and_only_in_the_browser_that_asked(provider):
    client, back, _ = _sign_on(provider)
    provider.codes["the-code"] = {"code_challenge": "x", "nonce": "y"}
    for other in (client, Client()):
        assert other.get("/login/sso/back/", back).url == "/login/"
    assert Client().get("/login/sso/back/", {"error": "access_denied", "state": "x"}).url == "/login/"


def test_code_is_of_no_use_without_the_verifier(provider):
    client = Client()
    back = provider.grant(client.get("/login/sso/").url)
    provider.codes["the-code"]["code_challenge"] = "of-another-browser"

    assert client.get("/login/sso/back/", back).url == "/login/"


def test_provider_that_calls_itself_otherwise_is_refused(provider):
    provider.metadata = {"issuer": "https://evil.example"}

    assert Client().get("/login/sso/").url == "/login/"


@pytest.mark.parametrize("away", ["https://evil.example/", "//evil.example"])
def test_one_is_led_to_no_address_of_others(provider, away):
    assert _sign_on(provider, ask=f"/login/sso/?next={away}")[2].url == "/"


def test_without_a_provider_nothing_of_it_is_there(client, settings):
    settings.OIDC = None

    assert "/login/sso/" not in client.get("/login/").content.decode()
    assert client.get("/login/sso/").status_code == client.get("/login/sso/back/").status_code == 404


def test_log_in_page_names_the_provider_and_may_show_it_alone(provider, client, settings):
    page = client.get("/login/?next=/runs/").content.decode()
    assert "/login/sso/?next=/runs/" in page.replace("%2F", "/")
    assert "Lab log-in" in page
    assert 'name="password"' in page

    settings.LOCAL_LOGIN = False

    assert 'name="password"' not in client.get("/login/").content.decode()


def test_no_password_lets_anybody_in_where_the_local_log_in_is_off(provider, client, engineer, settings):
    settings.LOCAL_LOGIN = False
    settings.AUTHENTICATION_BACKENDS = [
        "axes.backends.AxesStandaloneBackend", "reports.accounts.signon.SignOnBackend",
    ]  # fmt: skip

    client.post("/login/", {"username": "engineer", "password": "only-for-tests"})

    assert client.get("/account/").status_code == 302


def test_half_of_a_provider_and_wrong_roles_are_refused():
    with pytest.raises(ImproperlyConfigured, match="UPREG_OIDC_CLIENT_ID"):
        _oidc(issuer="https://id.example", client_secret="")
    with pytest.raises(ImproperlyConfigured, match="is not group=role"):
        group_roles(["lab=emperor"])
    assert group_roles(["lab=triager", "cn=lab leads=administrator"]) == {
        "lab": "triager", "cn=lab leads": "administrator",
    }  # fmt: skip
    assert SECRET not in repr(_oidc(issuer="https://id.example"))
