"""Pages of the catalogue besides the list of versions: one version, and apps, devices and interactions."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from analysis.verdicts.text import count_text
from reports.audit.words import ChangedMeanwhileError
from reports.catalogue.bars import bars_of
from reports.catalogue.forms import AppForm, FindForm, InteractionForm, PinForm, VersionForm
from reports.catalogue.services import (
    LineIsPinnedError,
    pin_version,
    save_app,
    save_interaction,
    save_version,
    unpin_version,
)
from reports.catalogue.subjects import categories, found_subjects, load_subject, model_of, subject_rows
from reports.catalogue.versions import apps_with_runs, load_version, runs_by_app
from reports.measuring.areas import WrongTypeError, add_area, measure_again, remove_area
from reports.measuring.forms import AgainForm, AreaForm, RemoveAreaForm
from reports.measuring.runpage import outcome_sentence
from reports.models import App, Device, Interaction, InteractionType, OsVersion
from reports.web.requests import back_to, number_of, page_context, signed_in_user

CONFLICT = 409
LISTS: dict[str, Any] = {"apps": App, "devices": Device, "interactions": Interaction}


@require_GET
def version(request: HttpRequest, name: str) -> HttpResponse:
    """Show one version: its runs by app, what failed, its comparisons, its place and pin."""
    return _version_page(request, name)


@require_POST
def version_save(request: HttpRequest, name: str) -> HttpResponse:
    """Save place, day and note of a version."""
    row, form = get_object_or_404(OsVersion, name=name), VersionForm(request.POST)
    if not form.is_valid():
        return _version_page(request, name, version_form=form, status=422)
    try:
        changed = save_version(version=row, **_who(request), **form.cleaned_data)
    except ChangedMeanwhileError as error:
        messages.error(request, str(error))
        return _version_page(request, name, version_form=form, status=CONFLICT)
    except LineIsPinnedError as error:
        form.add_error("channel", str(error))
        return _version_page(request, name, version_form=form, status=422)
    messages.success(request, f"{name} is saved." if changed else "Nothing was changed.")
    return redirect("version", name)


@require_POST
def version_pin(request: HttpRequest, name: str) -> HttpResponse:
    """Pin a version as the baseline; the one that was pinned is no longer."""
    row, form = get_object_or_404(OsVersion, name=name), PinForm(request.POST)
    if not form.is_valid():
        return _version_page(request, name, pin_form=form, status=422)
    before = pin_version(version=row, reason=form.cleaned_data["reason"], user=signed_in_user(request))
    messages.success(request, f"{name} is the pinned baseline" + (f" instead of {before}." if before else "."))
    return redirect("version", name)


@require_POST
def version_unpin(request: HttpRequest, name: str) -> HttpResponse:
    """Let no version be pinned."""
    unpin_version(version=get_object_or_404(OsVersion, name=name), user=signed_in_user(request))
    messages.success(request, f"{name} is no longer pinned.")
    return redirect("version", name)


def _version_page(request: HttpRequest, name: str, *, status: int = 200, **bound: Any) -> HttpResponse:
    detail, words = load_version(name), FindForm(request.GET).values()["q"]
    row = detail.version
    paging = page_context(request, apps_with_runs(row, words))
    initial = {name: getattr(row, name) for name in VersionForm.base_fields}
    context = {
        **paging,
        "detail": detail,
        "words": words,
        "apps": runs_by_app(row, list(paging["page"].object_list)),
        "version_form": VersionForm(initial=initial),
        "pin_form": PinForm(initial={"reason": row.pinned_reason}),
        "section": "versions",
    }
    return render(request, "catalogue/version.html", context | bound, status=status)


@require_GET
def subject_list(request: HttpRequest, section: str) -> HttpResponse:
    """List apps, devices or interactions, narrowed by words and filters."""
    model, wanted = LISTS[section], FindForm(request.GET).values()
    paging = page_context(request, found_subjects(model, wanted))
    context = {
        **paging,
        "rows": subject_rows(model, list(paging["page"].object_list)),
        "wanted": wanted,
        "narrowed": any(wanted.values()),
        "categories": categories() if model is App else [],
        "types": InteractionType.values,
        "section": section,
        "here": request.get_full_path(),
    }
    return render(request, f"catalogue/{section}.html", context)


@require_GET
def app_edit(request: HttpRequest, package: str) -> HttpResponse:
    """Show what is known of an app, to be changed."""
    return _subject_page(request, "app", package=package)


@require_GET
def device(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a device, its rate and its areas."""
    return _subject_page(request, "device", pk=pk)


@require_GET
def interaction(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an interaction: scenario, type, areas."""
    return _subject_page(request, "interaction", pk=pk)


@require_POST
def app_save(request: HttpRequest, pk: int) -> HttpResponse:
    """Save name, category and critical of an app."""
    row = get_object_or_404(App, pk=pk)
    form = AppForm(request.POST, instance=App.objects.get(pk=pk))
    if not form.is_valid():
        return _subject_page(request, "app", status=422, pk=pk, facts_form=form)
    try:
        changed = save_app(app=row, **_who(request), **form.save_values())
    except ChangedMeanwhileError as error:
        messages.error(request, str(error))
        return _subject_page(request, "app", status=CONFLICT, pk=pk, facts_form=form)
    messages.success(request, f"{form.cleaned_data['name']} is saved." if changed else "Nothing was changed.")
    return redirect("app-edit", row.package)


@require_POST
def app_critical(request: HttpRequest, pk: int) -> HttpResponse:
    """Mark an app as critical, or no longer, from the list."""
    row, critical = get_object_or_404(App, pk=pk), request.POST.get("critical") == "1"
    save_app(app=row, user=signed_in_user(request), critical=critical)
    words = "is critical: no regression of it passes the gate" if critical else "is no longer critical"
    messages.success(request, f"{row} {words}.")
    return redirect(back_to(request, "apps"))


@require_POST
def interaction_save(request: HttpRequest, pk: int) -> HttpResponse:
    """Save scenario and type of an interaction."""
    row, form = get_object_or_404(Interaction.objects.select_related("app"), pk=pk), InteractionForm(request.POST)
    if not form.is_valid():
        return _subject_page(request, "interaction", status=422, pk=pk, facts_form=form)
    try:
        outcome = save_interaction(interaction=row, **_who(request), **form.cleaned_data)
    except WrongTypeError as error:
        form.add_error("type", f"{str(error).capitalize()}.")
        return _subject_page(request, "interaction", status=422, pk=pk, facts_form=form)
    except ChangedMeanwhileError as error:
        messages.error(request, str(error))
        return _subject_page(request, "interaction", status=CONFLICT, pk=pk, facts_form=form)
    written = outcome.changed and not outcome.concerned
    messages.success(request, f"{row} is saved." if written else outcome_sentence(outcome, f"{row} is saved"))
    return redirect("catalogue-interaction", pk)


@require_POST
def subject_area_add(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Never judge an area any more on all runs of an app, device or interaction."""
    form = AreaForm({**request.POST.dict(), "owner": kind})
    if not form.is_valid():
        return _subject_page(request, kind, status=422, pk=pk, area_form=form)
    row, user = _row(kind, pk), signed_in_user(request)
    outcome = add_area(owner=row, mask=form.mask(), again=form.cleaned_data["again"], user=user)
    messages.success(request, outcome_sentence(outcome, f"{form.cleaned_data['name']} is no longer judged"))
    return redirect(subject_address(kind, row))


@require_POST
def subject_area_remove(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Judge an area again on all runs of an app, device or interaction."""
    row, form = _row(kind, pk), RemoveAreaForm({**request.POST.dict(), "owner": kind})
    if form.is_valid():
        user, again = signed_in_user(request), form.cleaned_data["again"]
        outcome = remove_area(owner=row, mask=form.cleaned_data["mask"], again=again, user=user)
        messages.success(request, outcome_sentence(outcome, "The area is judged again"))
    else:
        messages.error(request, "That area is not known: load the page again.")
    return redirect(subject_address(kind, row))


@require_POST
def subject_again(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Measure all runs of an app, device or interaction again."""
    row = _row(kind, pk)
    count = measure_again(owner=row, user=signed_in_user(request))
    messages.success(request, f"{count_text(count, 'run')} will be measured again.")
    return redirect(subject_address(kind, row))


def subject_address(kind: str, row: Any) -> str:
    """Return the address of the page of an app, device or interaction in the catalogue."""
    return reverse("app-edit", args=[row.package]) if kind == "app" else reverse(f"catalogue-{kind}", args=[row.pk])


def _who(request: HttpRequest) -> dict[str, Any]:
    """Return who saves a form, and the newest change that its page had shown."""
    return {"user": signed_in_user(request), "seen": number_of(request.POST.get("seen"))}


def _row(kind: str, pk: int) -> Any:
    return get_object_or_404(model_of(kind), pk=pk)


def _subject_page(
    request: HttpRequest,
    kind: str,
    *,
    status: int = 200,
    facts_form: Any = None,
    area_form: Any = None,
    **wanted: Any,
) -> HttpResponse:
    found = load_subject(kind, **wanted)
    context = {
        "found": found,
        "facts_form": facts_form or _facts_form(kind, found.row),
        "area_form": area_form or AreaForm(initial={"owner": kind, "again": True}),
        "again_form": AgainForm(initial={"again": True}),
        "section": f"{kind}s",
        "offer": bars_of(found.row, found.areas) if kind == "device" else None,
    }
    return render(request, f"catalogue/{kind}.html", context, status=status)


def _facts_form(kind: str, row: Any) -> Any:
    if kind == "app":
        return AppForm(instance=row)
    initial = {"scenario": row.scenario, "type": row.type, "again": True} if kind == "interaction" else {}
    return InteractionForm(initial=initial) if initial else None
