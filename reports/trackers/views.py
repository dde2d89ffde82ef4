"""Issue trackers for administrators, and the issue of a finding before it is made."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from reports.bugreport.selectors import load_finding
from reports.drilldown.selectors import known_names
from reports.drilldown.views import wanted_runs
from reports.models import Issue, Tracker
from reports.trackers.forms import IssueForm, TrackerForm
from reports.trackers.selectors import active_trackers, free_tracker, written
from reports.trackers.services import FIELDS, ask_again, ask_issue, remove_tracker, save_tracker
from reports.web.requests import back_to, signed_in_user

UNPROCESSABLE = 422


@require_GET
def trackers(request: HttpRequest) -> HttpResponse:
    """List the trackers with what was made in them and why the last request failed."""
    rows = active_trackers().annotate(made=Count("issues"))
    return render(request, "trackers/list.html", {"rows": rows})


@never_cache
@sensitive_post_parameters("token")
@require_http_methods(["GET", "POST"])
def tracker_add(request: HttpRequest) -> HttpResponse:
    """Set a tracker up."""
    return _tracker_page(request, Tracker())


@never_cache
@sensitive_post_parameters("token")
@require_http_methods(["GET", "POST"])
def tracker_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a tracker, or give it another token."""
    return _tracker_page(request, get_object_or_404(Tracker, pk=pk, active=True))


def _tracker_page(request: HttpRequest, tracker: Tracker) -> HttpResponse:
    initial = {name: getattr(tracker, name) for name in FIELDS}
    form = TrackerForm(request.POST or None, initial=initial, tracker=tracker)
    if form.is_valid():
        values = {name: form.cleaned_data[name] for name in FIELDS}
        save_tracker(tracker=tracker, values=values, token=form.cleaned_data["token"], user=signed_in_user(request))
        messages.success(request, f"{tracker} is kept. Findings offer it from now on.")
        return redirect("trackers")
    context = {"form": form, "tracker": tracker}
    return render(request, "trackers/tracker.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_POST
def tracker_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a tracker and its token."""
    tracker = get_object_or_404(Tracker, pk=pk, active=True)
    remove_tracker(tracker=tracker, user=signed_in_user(request))
    messages.success(request, f"{tracker} is removed, and its token forgotten.")
    return redirect("trackers")


@require_http_methods(["GET", "POST"])
def issue_new(request: HttpRequest, base: str, new: str, app: str, interaction: str) -> HttpResponse:
    """Show the issue of a finding as it would be made, to be changed before; then have it made."""
    try:
        finding = load_finding(base, new, app, interaction, wanted_runs(request))
    except ObjectDoesNotExist as error:
        raise Http404(f"{error} {known_names(app)}") from error
    back = reverse("drilldown", args=[base, new, app, interaction])
    page = finding.page
    offered = written(finding, request.build_absolute_uri(back)) | {"tracker": free_tracker(page)}
    form = IssueForm(request.POST or None, initial=offered)
    if form.is_valid():
        issue, is_new = ask_issue(
            **form.cleaned_data,
            base=page.base_version,
            new=page.new_version,
            interaction=page.interaction,
            user=signed_in_user(request),
        )
        if is_new:
            messages.success(
                request, f"The issue is on its way to {issue.tracker}; the triage box says when it is there."
            )
        else:
            messages.info(
                request, f"{issue.tracker} has an issue of this finding already: there is never a second."
            )
        return redirect(back)
    context: dict[str, Any] = {"form": form, "page": page, "back": back}
    context["trackers"] = active_trackers()
    return render(request, "trackers/issue.html", context, status=UNPROCESSABLE if form.is_bound else 200)


@require_POST
def issue_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Try once more what could not be made."""
    issue = get_object_or_404(Issue.objects.select_related("tracker", "base", "new", "interaction__app"), pk=pk)
    if ask_again(issue=issue, user=signed_in_user(request)):
        messages.success(request, f"The issue is on its way to {issue.tracker} again.")
    else:
        messages.info(request, "Nothing was to be tried again.")
    return redirect(back_to(request, "home"))
