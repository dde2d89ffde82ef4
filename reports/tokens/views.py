"""The page of API tokens: one's own, or everybody's for an administrator."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from reports.access.roles import RefusedError, may
from reports.models import ApiToken
from reports.tokens.forms import TokenForm
from reports.tokens.services import TooManyTokensError, make_token, revoke_token
from reports.web.requests import page_context, signed_in_user

ALL = "all"  # in the address: everybody's


@dataclass(frozen=True)
class TokenRow:
    """A token as the list shows it."""

    token: ApiToken

    @property
    def may(self) -> str:
        """What it may do, in words."""
        return ", ".join(self.token.scopes)

    @property
    def state(self) -> str:
        """Why it lets nobody in any more; empty while it does."""
        if self.token.revoked_at:
            return "revoked"
        return "expired" if self.token.expires_at <= timezone.now() else ""


@never_cache
@sensitive_variables()
@require_http_methods(["GET", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List tokens, newest first, and make one, whose text is shown this once."""
    user = signed_in_user(request)
    form = TokenForm(user, request.POST or None)
    if not form.is_valid():
        return _page(request, form, status=422 if form.is_bound else 200)
    try:
        token, text = make_token(user=user, **form.cleaned_data)
    except TooManyTokensError as error:
        form.add_error(None, str(error))
        return _page(request, form, status=422)
    return _page(request, TokenForm(user), made=token, text=text)


@require_POST
def token_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End a token at once; an administrator anybody's."""
    user = signed_in_user(request)
    token = ApiToken.objects.select_related("user").filter(pk=pk).first()
    if token is None or (token.user_id != user.pk and not may(user, "people")):
        raise Http404("You have no such token.")
    done = revoke_token(token=token, by=user)
    messages.success(request, f"{token} is revoked." if done else f"{token} was revoked already.")
    everybody = f"?{ALL}" if request.POST.get(ALL) else ""
    return redirect(reverse("tokens") + everybody)


def _page(request: HttpRequest, form: TokenForm, *, status: int = 200, **made: Any) -> HttpResponse:
    everybody = ALL in request.GET
    rows: QuerySet[ApiToken] = ApiToken.objects.select_related("user")
    if not everybody:
        rows = rows.filter(user=request.user.pk)
    elif not may(request.user, "people"):
        raise RefusedError("people")
    paging = page_context(request, rows)
    context = {
        **paging,
        "rows": [TokenRow(token) for token in paging["page"].object_list],
        "form": form,
        "everybody": everybody,
        **made,
    }
    return render(request, "tokens/tokens.html", context, status=status)
