"""The release gate: its decisions with every reason, what another budget would say, and the waivers."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from analysis.gate.waivers import ceilings_text
from reports.audit.services import record_export
from reports.comparing.selectors import find_pair
from reports.gate.changes import recorded_beside
from reports.gate.formats import FORMATS, drift_rows
from reports.gate.forms import DecideForm, GateForm, WaiverForm
from reports.gate.selectors import (
    earlier_records,
    latest_record,
    listed_comparisons,
    listed_waivers,
    load_record,
    load_stand,
    recent_records,
    regression_lines,
    what_if,
)
from reports.gate.services import (
    WaiverError,
    add_waiver,
    decide_gate,
    refuse_waiver,
    second_waiver,
    withdraw_waiver,
)
from reports.models import Interaction, Scope, Waiver
from reports.policies.selectors import EVERYTHING, all_parts, current_policy, find_part, policy_for
from reports.web.requests import back_to, clean_address, signed_in_user

TYPES = {"markdown": "text/markdown", "junit": "application/xml", "text": "text/plain"}


@require_GET
def gate(request: HttpRequest) -> HttpResponse:
    """List how the last comparisons stand, and the last decisions."""
    context = {"records": recent_records(), "comparisons": listed_comparisons()}
    return render(request, "gate/index.html", context)


@require_GET
@clean_address
def gate_pair(request: HttpRequest, base: str, new: str) -> HttpResponse:
    """Show what the gate says as things stand, and beside it the recorded decision with what changed since."""
    wanted, parts = GateForm(request.GET).values(), all_parts()
    pair = find_pair(base, new, wanted["device"])
    part = next((part for part in parts if part.name == wanted["scope"]), EVERYTHING)
    context: dict[str, Any] = {"pair": pair, "comparison": pair.comparison, "part": part, "parts": parts}
    context["scope"] = part.name
    if pair.comparison and pair.comparison.summary:
        stand = load_stand(pair.comparison, policy_for(pair.comparison), part)
        record = latest_record(pair.comparison, part.name)
        context |= {
            "report": stand.report,
            "lines": regression_lines(stand.report["regressions"], back=request.get_full_path()),
            "drift_lines": regression_lines(drift_rows(stand.report), back=request.get_full_path()),
            "what_if": what_if(stand.report, wanted["budget"]),
            "recorded": recorded_beside(record, stand, pair.comparison) if record else None,
            "earlier": earlier_records(record) if record else [],
        }
    return render(request, "gate/pair.html", context)


@require_GET
def gate_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one kept decision with what it was made from."""
    record = load_record(pk)
    context = {
        "record": record,
        "report": record.report,
        "lines": record.report["regressions"],
        "drift_lines": drift_rows(record.report),
        "what_if": what_if(record.report, GateForm(request.GET).values()["budget"]),
        "earlier": earlier_records(record),
    }
    return render(request, "gate/record.html", context)


@require_GET
def gate_file(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    """Send a kept decision as Markdown, JUnit XML or text, as the command writes it."""
    if kind not in TYPES:
        raise Http404(f"A decision has no format {kind}; there are {', '.join(TYPES)}.")
    site, record = request.build_absolute_uri("/"), load_record(pk)
    record_export(f"decision {pk} as {kind}")
    return HttpResponse(FORMATS[kind](record.report, site), content_type=f"{TYPES[kind]}; charset=utf-8")


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
    form = WaiverForm(initial=request.GET.dict())
    return _waivers_page(request, form, back=request.GET.get("back", ""))


@require_POST
def waiver_add(request: HttpRequest) -> HttpResponse:
    """Save a waiver and lead back to where it was asked for, or show the form again with what is wrong."""
    form, back = WaiverForm(request.POST), request.POST.get("back", "")
    if not form.is_valid():
        return _waivers_page(request, form, back=back, status=422)
    try:
        waiver = add_waiver(**form.cleaned_data, user=signed_in_user(request))
    except WaiverError as error:
        form.add_error(error.field if error.field in form.fields else None, error.words)
        return _waivers_page(request, form, back=back, status=422)
    accepted = ceilings_text(waiver.ceilings)
    messages.success(request, f"Waived: {waiver}, {accepted}, until {waiver.expires.isoformat()}.")
    return redirect(back_to(request, "waivers"))


@require_POST
def waiver_second(request: HttpRequest, pk: int) -> HttpResponse:
    """Approve a waiver as the second person."""
    return _answered(request, pk, second_waiver, "approved")


@require_POST
def waiver_refuse(request: HttpRequest, pk: int) -> HttpResponse:
    """Refuse a waiver that waits for a second person."""
    return _answered(request, pk, refuse_waiver, "refused")


def _answered(request: HttpRequest, pk: int, answer: Callable[..., bool], how: str) -> HttpResponse:
    waiver = get_object_or_404(Waiver, pk=pk)
    try:
        done = answer(waiver_id=pk, user=signed_in_user(request))
    except WaiverError as error:
        messages.error(request, f"The waiver for {waiver}: {error.words}.")
    else:
        words = f"is {how}" if done else "was approved by somebody else meanwhile"
        messages.success(request, f"The waiver for {waiver} {words}.")
    return redirect(back_to(request, "waivers"))


@require_POST
def waiver_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a waiver back. It stays in the list: old decisions name it."""
    waiver = get_object_or_404(Waiver, pk=pk)
    if withdraw_waiver(waiver_id=waiver.pk, user=signed_in_user(request)):
        messages.success(request, f"The waiver for {waiver} is withdrawn.")
    return redirect(back_to(request, "waivers"))


def _waivers_page(request: HttpRequest, form: WaiverForm, *, back: str, status: int = 200) -> HttpResponse:
    app = form["app"].value()
    names = Interaction.objects.filter(app__package=app).order_by("name").values_list("name", flat=True)
    context = {
        "lines": listed_waivers(),
        "back": back,
        "form": form,
        "names": list(names) if app else [],
        "second_from": current_policy().gate.second_approver_from,
    }
    return render(request, "gate/waivers.html", context, status=status)
