"""The release gate: its decisions with every reason, what another budget would say, and the waivers."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from reports.comparing.selectors import find_pair, recent_comparisons
from reports.gate.formats import FORMATS
from reports.gate.forms import DecideForm, GateForm, WaiverForm
from reports.gate.selectors import (
    earlier_records,
    latest_record,
    load_record,
    recent_records,
    standing_report,
    what_if,
)
from reports.gate.services import WaiverError, add_waiver, decide_gate, withdraw_waiver
from reports.models import Interaction, Scope, Waiver
from reports.policies.selectors import EVERYTHING, all_parts, find_part, policy_for, waiver_rows
from reports.web.requests import clean_address, signed_in_user

TYPES = {"markdown": "text/markdown", "junit": "application/xml", "text": "text/plain"}


@require_GET
def gate(request: HttpRequest) -> HttpResponse:
    """List the last decisions, and the comparisons that can be decided on."""
    context = {"records": recent_records(), "comparisons": recent_comparisons()}
    return render(request, "gate/index.html", context)


@require_GET
@clean_address
def gate_pair(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Show the last decision on a comparison, before the first one what the gate says as things stand."""
    wanted, parts = GateForm(request.GET).values(), all_parts()
    pair = find_pair(base, new, wanted["device"])
    part = next((part for part in parts if part.name == wanted["scope"]), EVERYTHING)
    context: dict[str, Any] = {"pair": pair, "comparison": pair.comparison, "scope": part.name, "parts": parts}
    if pair.comparison and pair.comparison.summary:
        record = latest_record(pair.comparison, part.name)
        report = record.report if record else standing_report(pair.comparison, policy_for(pair.comparison), part)
        context |= {"report": report, "what_if": what_if(report, wanted["budget"]), "record": record}
        context["earlier"] = earlier_records(record) if record else []
    return render(request, "gate/pair.html", context)


@require_GET
def gate_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one kept decision with what it was made from."""
    record = load_record(pk)
    context = {
        "record": record,
        "report": record.report,
        "what_if": what_if(record.report, GateForm(request.GET).values()["budget"]),
        "earlier": earlier_records(record),
    }
    return render(request, "gate/record.html", context)


@require_GET
def gate_file(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Send a kept decision as Markdown, JUnit XML or text, as the command writes it."""
    if kind not in TYPES:
        raise Http404(f"A decision has no format {kind}; there are {', '.join(TYPES)}.")
    site = request.build_absolute_uri("/")
    return HttpResponse(FORMATS[kind](load_record(pk).report, site), content_type=f"{TYPES[kind]}; charset=utf-8")


@require_POST
def gate_decide(request: HttpRequest) -> HttpResponse:
    """Decide now, keep the decision with its inputs, and show it."""
    form = DecideForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose two versions to decide on.")
        return redirect("gate")
    asked = form.cleaned_data
    pair = find_pair(asked["base"], asked["new"], asked["device"])
    if pair.comparison is None or not pair.comparison.summary:
        messages.error(request, f"{pair.base} and {pair.new} have not been compared yet.")
        return redirect("ranking", asked["base"], asked["new"])
    try:
        decide_gate(comparison=pair.comparison, part=find_part(asked["scope"]), user=signed_in_user(request))
    except Scope.DoesNotExist as error:
        raise Http404(str(error)) from error
    kept = {key: asked[key] for key in ("scope", "device") if asked[key]}
    address = reverse("gate-pair", args=[asked["base"], asked["new"]])
    return redirect(f"{address}?{urlencode(kept)}" if kept else address)


@require_GET
def waivers(request: HttpRequest) -> HttpResponse:
    """List all waivers; the query presets the form for a new one."""
    user = signed_in_user(request)
    form = WaiverForm(initial={"approver": user.get_username(), **request.GET.dict()})
    return _waivers_page(request, form)


@require_POST
def waiver_add(request: HttpRequest) -> HttpResponse:
    """Save a waiver, or show the form again with what is wrong."""
    form = WaiverForm(request.POST)
    if not form.is_valid():
        return _waivers_page(request, form, status=422)
    try:
        waiver = add_waiver(**form.cleaned_data, user=signed_in_user(request))
    except WaiverError as error:
        form.add_error(None, str(error))
        return _waivers_page(request, form, status=422)
    messages.success(request, f"Waived: {waiver}, until {waiver.expires.isoformat()}.")
    return redirect("waivers")


@require_POST
def waiver_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a waiver back. It stays in the list: old decisions name it."""
    waiver = get_object_or_404(Waiver, pk=pk)
    if withdraw_waiver(waiver_id=waiver.pk, user=signed_in_user(request)):
        messages.success(request, f"The waiver for {waiver} is withdrawn.")
    return redirect("waivers")


def _waivers_page(request: HttpRequest, form: WaiverForm, *, status: int = 200) -> HttpResponse:
    app = form["app"].value()
    names = Interaction.objects.filter(app__package=app).order_by("name").values_list("name", flat=True)
    context = {
        "rows": waiver_rows(today=timezone.localdate()),
        "form": form,
        "names": list(names) if app else [],
        "today": timezone.localdate(),
    }
    return render(request, "gate/waivers.html", context, status=status)
