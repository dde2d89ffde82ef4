"""The page of doubtful responses and finishes: one is shown with both candidates, the others wait in a list."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from reports.measuring.doubtful import (
    doubtful,
    doubts_filters,
    doubts_options,
    last_answers,
    load_doubts,
    next_doubt,
)
from reports.measuring.forms import DoubtsForm
from reports.measuring.runpage import FARTHEST_US
from reports.web.requests import clean_address, number_of, page_context, signed_in_user


@require_GET
@clean_address
def doubts(request: HttpRequest) -> HttpResponse:
    """Show what is to be settled. ``?at=`` is the doubt, ``?t=`` its frame; a script that steps gets that part.

    A form leads back to the doubt that it settled, in whose place the next one stands then.
    """
    wanted = DoubtsForm(request.GET).wanted()
    rows = doubtful(wanted)
    asked = number_of(request.GET.get("t"))
    doubt = next_doubt(rows, number_of(request.GET.get("at")), None if asked is None else min(asked, FARTHEST_US))
    here = {**wanted.query(), **({"at": doubt.measurement.pk} if doubt else {})}
    context: dict[str, Any] = {"doubt": doubt, "here": f"{request.path}?{urlencode(here)}"}
    if request.headers.get("X-Requested-With") == "fetch":
        return render(request, "measuring/doubt_steps.html", context)
    options, paging = doubts_options(), page_context(request, rows.values_list("pk", flat=True))
    context |= {
        **paging,
        "rows": load_doubts(paging["page"].object_list),
        "wanted": wanted,
        "options": options,
        "filters": doubts_filters(wanted, options),
        "answers": last_answers(signed_in_user(request)),
        "keys_template": "measuring/doubt_keys.html",
    }
    return render(request, "measuring/doubtful.html", context)
