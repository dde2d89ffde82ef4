"""Cut rows into pages. A page that does not exist shows the nearest that does."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

from reports.forms.lenient import PAGE_SIZES, page_size


def page_context(request: HttpRequest, rows: Any) -> dict[str, Any]:
    """Return the context that partials/pages.html needs."""
    page: Page[Any] = Paginator(rows, page_size(request.GET)).get_page(request.GET.get("page"))
    numbers = page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
    return {"page": page, "page_numbers": list(numbers), "page_sizes": PAGE_SIZES}
