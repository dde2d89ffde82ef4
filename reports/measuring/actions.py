"""When the user acted, of runs of which nobody said it: what was found, for a person to confirm."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from analysis.verdicts.text import count_text
from reports.measuring.evidence import FoundAction, found_actions
from reports.measuring.forms import ConfirmForm, RunsForm
from reports.measuring.selectors import active_filters, filtered_runs, runs_options
from reports.measuring.services import confirm_actions
from reports.models import FrameSeriesRecord, Run
from reports.web.forms import problem
from reports.web.requests import back_to, clean_address, page_context, signed_in_user


@dataclass(frozen=True)
class Waiting:
    """A run that needs an action, and what was found of it, the surest first."""

    run: Run
    found: tuple[FoundAction, ...]

    @property
    def best(self) -> FoundAction | None:
        """The surest proposal, if there is any."""
        return self.found[0] if self.found else None

    @property
    def alone(self) -> bool:
        """Whether one proposal is beyond doubt, and no other is."""
        return sum(one.certain for one in self.found) == 1


def load_waiting(ids: Iterable[int]) -> list[Waiting]:
    """Load runs with what was found of their action, in the order of the ids; two queries."""
    wanted = list(ids)
    runs = Run.objects.for_list().in_bulk(wanted)
    told = dict(FrameSeriesRecord.objects.filter(run__in=wanted).values_list("run_id", "evidence"))
    return [Waiting(runs[pk], found_actions(told.get(pk) or {})) for pk in wanted if pk in runs]


@require_GET
@clean_address
def actions(request: HttpRequest) -> HttpResponse:
    """List the runs that need an action, filtered as the list of runs, with the picture of what was found."""
    wanted = RunsForm(request.GET).wanted()
    rows = filtered_runs(wanted).needing_action().order_by("id")
    paging = page_context(request, rows.values_list("pk", flat=True))
    waiting = load_waiting(paging["page"].object_list)
    context = {
        **paging,
        "waiting": waiting,
        "proposed": sum(one.best is not None for one in waiting),
        "filters": active_filters(wanted, runs_options()),
        "here": request.get_full_path(),
    }
    return render(request, "measuring/actions_list.html", context)


@require_POST
def actions_confirm(request: HttpRequest) -> HttpResponse:
    """Let the actions count that a person has ticked, and measure their runs."""
    form = ConfirmForm(request.POST)
    if not form.is_valid():
        messages.error(request, problem(form))
        return redirect(back_to(request, "runs-actions"))
    done, hindered = confirm_actions(proposals=form.proposals(), user=signed_in_user(request))
    for words in hindered:
        messages.error(request, words)
    if done or not hindered:
        words = "its action counts and it is measured" if done == 1 else "their actions count and they are measured"
        said = f"{count_text(done, 'run')}: {words}." if done else "They are settled already: nothing was changed."
        messages.success(request, said)
    return redirect(back_to(request, "runs-actions"))
