"""Single sign-on through OpenID Connect, where the environment names a provider; without one nothing of this runs.

Authlib does the protocol: discovery, state that counts once, nonce, PKCE (S256), signature, issuer, audience and
times of the ID token. What is decided here: which algorithms are believed, who the person is, and with which role.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, login
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from reports.access.guard import RoleBackend
from reports.access.roles import ORDER
from reports.access.services import LastAdministratorError, set_role
from reports.accounts.forms import ConfirmForm
from reports.accounts.provider import Oidc
from reports.audit.services import keep_change, record
from reports.models import Action, Role, SignOn, Subject
from reports.web.requests import signed_in_user

logger = logging.getLogger(__name__)
NEXT = "sign_on_next"
LINK = "sign_on_link"  # in the session, when somebody has said with the password that the next sign-on is theirs
LINK_HOLDS_S = 600
# Signed with a key that the provider alone has: never unsigned, never with a shared secret. The library takes an
# unsigned token, with a warning, from a provider whose metadata name "none".
BELIEVED = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
LEEWAY_S = 60  # between the clocks of two servers
LONGEST_NAME = 140  # of a user name, so that a number fits behind it
PATIENCE_S = 10.0


class SignOnBackend(RoleBackend):
    """Keeps people in who came by single sign-on; takes no password."""

    def authenticate(self, request: HttpRequest | None, **_: Any) -> None:  # type: ignore[override]
        """Let nobody in: the provider does."""


@never_cache
@login_not_required
@require_GET
def sign_on(request: HttpRequest) -> HttpResponseBase:
    """Lead to the provider; ``next`` is where one wanted to go, ``link`` adds the sign-on to one's own account."""
    client = _client(_provider())
    if "link" not in request.GET:
        request.session.pop(LINK, None)
    request.session[NEXT] = request.GET.get("next", "")
    try:
        _check_metadata(client)
        return client.authorize_redirect(request, request.build_absolute_uri(reverse("sign-on-back")))
    except Exception:
        logger.exception("the provider of single sign-on cannot be reached")
        return _failed(request, "the provider cannot be reached")


@never_cache
@login_not_required
@require_GET
def sign_on_back(request: HttpRequest) -> HttpResponseBase:
    """Take what the provider sends back: log the person in, or say that it failed."""
    client = _client(_provider())
    since = request.session.pop(LINK, None)
    try:
        _check_metadata(client)
        wanted = {
            "iss": {"essential": True, "value": _provider().issuer},
            "aud": {"essential": True, "value": _provider().client_id},
            "sub": {"essential": True},
        }
        token = client.authorize_access_token(request, claims_options=wanted, leeway=LEEWAY_S)
        claims = token["userinfo"]  # of the ID token, and only if it was checked
    except Exception as error:  # whatever is wrong with an answer from outside, nobody gets in
        logger.warning("single sign-on failed: %s", type(error).__name__)
        return _failed(request, f"the answer of the provider was refused ({type(error).__name__})")
    if since is not None:
        return _link(request, claims, since)
    person = person_of(claims)
    if not person.is_active:
        return _failed(request, f"{person.get_username()} is locked out")
    wanted_next = request.session.pop(NEXT, "")
    login(request, person, backend="reports.accounts.signon.SignOnBackend")
    ours = url_has_allowed_host_and_scheme(wanted_next, {request.get_host()}, require_https=request.is_secure())
    return redirect(wanted_next if ours else settings.LOGIN_REDIRECT_URL)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def own_sign_on(request: HttpRequest) -> HttpResponse:
    """Ask for the password, then lead to the provider by a link: browsers let no form lead to another site."""
    provider, user = _provider(), signed_in_user(request)
    form = ConfirmForm(user, request.POST or None)
    about = f"You log in there once. From then on {provider.name} leads to this account as well."
    if provider.roles:
        about += " Each such log-in sets your role by your groups there."
    words = {"title": f"Log in with {provider.name}", "button": "Go on", "form": form, "about": about}
    if not form.is_valid():
        return render(request, "accounts/confirm.html", words, status=422 if form.is_bound else 200)
    request.session[LINK] = int(time.time())
    there = f"{reverse('sign-on')}?link"
    return render(request, "accounts/confirm.html", words | {"form": None, "there": there})


@require_POST
def own_sign_on_end(request: HttpRequest) -> HttpResponse:
    """Take the sign-on away from one's own account, whose password still lets one in."""
    provider, user = _provider(), signed_in_user(request)
    with transaction.atomic():
        mine = SignOn.objects.filter(user=user.pk, issuer=provider.issuer)
        gone = mine.delete()[0] if user.has_usable_password() else 0
        if gone:
            keep_change(of=user, field="sign_on", before=provider.name, after=None, user=user)
    messages.success(
        request, f"{provider.name} no longer leads to this account." if gone else "Nothing was changed."
    )
    return redirect("account")


def own_sign_on_state(user: Any) -> dict[str, Any]:
    """Return what the account page says: the provider's name, and whether it leads here; nothing without one."""
    if not settings.OIDC or not user.has_usable_password():
        return {}
    linked = SignOn.objects.filter(user=user.pk, issuer=settings.OIDC.issuer).exists()
    return {"sign_on": settings.OIDC.name, "linked": linked}


@transaction.atomic
def _link(request: HttpRequest, claims: Mapping[str, Any], since: int) -> HttpResponse:
    """Add a sign-on to the account of whoever is logged in and has said so; never to another than it leads to."""
    provider, user = _provider(), request.user
    if not user.is_authenticated or time.time() - since > LINK_HOLDS_S:
        return _failed(request, "the password was given too long ago")
    facts = {"issuer": provider.issuer, "subject": str(claims["sub"])[:255]}
    found, is_new = SignOn.objects.get_or_create(**facts, defaults={"user_id": user.pk})
    if found.user_id != user.pk:
        messages.error(request, "This sign-on leads to another account already. Ask an administrator.")
        return redirect("account")
    if is_new:
        keep_change(of=user, field="sign_on", before=None, after=provider.name, user=user)
    name = str(claims.get("preferred_username") or claims.get("name") or "")[:LONGEST_NAME]
    messages.success(request, f"{provider.name} leads to this account now{f', as {name}' if name else ''}.")
    return redirect("account")


@transaction.atomic
def person_of(claims: Mapping[str, Any]) -> Any:
    """Return the person whom issuer and subject name, with the role of the groups; make one who is new.

    Nobody is found by name or mail address, which a provider may let people choose.
    """
    issuer, subject = _provider().issuer, str(claims["sub"])[:255]
    known = SignOn.objects.select_for_update().filter(issuer=issuer, subject=subject).first()
    person: Any = known.user if known else _new_person(claims, issuer, subject)
    if _provider().roles:
        role = role_for(claims.get(_provider().groups_claim))
        try:
            set_role(person=person, role=role, by=None)
        except LastAdministratorError as error:
            logger.warning("the role that single sign-on brings is not given: %s", error)
    return get_user_model()._default_manager.select_related("grant").get(pk=person.pk)


def role_for(groups: object) -> Role:
    """Return the highest role that one of the groups brings; a viewer's if none does."""
    names: Collection[object] = groups if isinstance(groups, list) else [groups]
    found = [Role(role) for group, role in _provider().roles.items() if group in names]
    return max(found, key=ORDER.index, default=Role.VIEWER)


def _new_person(claims: Mapping[str, Any], issuer: str, subject: str) -> Any:
    users: Any = get_user_model()._default_manager
    wanted = str(claims.get("preferred_username") or claims.get("name") or "person").strip()
    plain = "".join(sign for sign in wanted if sign.isalnum() or sign in "@.+-_")[:LONGEST_NAME] or "person"
    name, number = plain, 1
    while users.filter(username__iexact=name).exists():
        number += 1
        name = f"{plain}-{number}"
    facts = {"first_name": "given_name", "last_name": "family_name", "email": "email"}
    values = {field: str(claims.get(claim) or "").replace("\0", "")[:150] for field, claim in facts.items()}
    person = users.create_user(username=name, password=None, **values)
    SignOn.objects.create(user=person, issuer=issuer, subject=subject)
    record(Action.ADDED, of=person, user=person, note="by single sign-on")
    return person


@lru_cache(maxsize=1)
def _client(oidc: Oidc) -> Any:
    from authlib.integrations.django_client import OAuth  # only where a provider is named

    oauth = OAuth()
    return oauth.register(
        "sign_on",
        client_id=oidc.client_id,
        client_secret=oidc.client_secret,
        server_metadata_url=f"{oidc.issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={"scope": oidc.scopes, "code_challenge_method": "S256", "default_timeout": PATIENCE_S},
    )


def _provider() -> Oidc:
    provider: Oidc | None = settings.OIDC or None
    if provider is None:
        raise Http404("There is no single sign-on here.")
    return provider


def _check_metadata(client: Any) -> None:
    """Refuse the metadata of another issuer, and believe no algorithm without a key of the provider's own."""
    metadata = client.load_server_metadata()
    if metadata.get("issuer") != _provider().issuer:
        raise ValueError(f"the provider calls itself {metadata.get('issuer')!r}: set UPREG_OIDC_ISSUER to that")
    named = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
    metadata["id_token_signing_alg_values_supported"] = [name for name in named if name in BELIEVED] or ["RS256"]


def _failed(request: HttpRequest, why: str) -> HttpResponse:
    request.session.pop(NEXT, None)
    record(Action.LOGIN_FAILED, who="single sign-on", kind=Subject.PERSON, note=why)
    messages.error(request, "Single sign-on failed. Try again, or ask an administrator.")
    return redirect("login")
