"""Waivers: regressions that someone has accepted until a day."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from reports.forms.waiver import WaiverForm
from reports.models import Interaction, Waiver
from reports.policies.selectors import waiver_rows
from reports.services.waivers import WaiverError, add_waiver, withdraw_waiver
from reports.web.requests import signed_in_user


@require_GET
def waivers(request: HttpRequest) -> HttpResponse:
    """List all waivers; the query presets the form for a new one."""
    user = signed_in_user(request)
    form = WaiverForm(initial={"approver": user.get_username(), **request.GET.dict()})
    return _page(request, form)


@require_POST
def waiver_add(request: HttpRequest) -> HttpResponse:
    """Save a waiver, or show the form again with what is wrong."""
    form = WaiverForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        waiver = add_waiver(**form.cleaned_data, user=signed_in_user(request))
    except WaiverError as error:
        form.add_error(None, str(error))
        return _page(request, form, status=422)
    messages.success(request, f"Waived: {waiver}, until {waiver.expires.isoformat()}.")
    return redirect("waivers")


@require_POST
def waiver_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a waiver back. It stays in the list: old decisions name it."""
    waiver = get_object_or_404(Waiver, pk=pk)
    if withdraw_waiver(waiver_id=waiver.pk, user=signed_in_user(request)):
        messages.success(request, f"The waiver for {waiver} is withdrawn.")
    return redirect("waivers")


def _page(request: HttpRequest, form: WaiverForm, *, status: int = 200) -> HttpResponse:
    app = form["app"].value()
    names = Interaction.objects.filter(app__package=app).order_by("name").values_list("name", flat=True)
    context = {
        "rows": waiver_rows(today=timezone.localdate()),
        "form": form,
        "names": list(names) if app else [],
        "today": timezone.localdate(),
    }
    return render(request, "reports/gate/waivers.html", context, status=status)
