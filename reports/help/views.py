"""The docs of the repository as pages, with their contents and pictures."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from reports.help.library import all_terms, help_images, help_page, help_pages

PICTURE_TYPES = {".png": "image/png", ".svg": "image/svg+xml", ".webp": "image/webp"}


@require_GET
def help_index(request: HttpRequest) -> HttpResponse:
    """List the pages by what people want, and every term."""
    return render(request, "help/index.html", {"pages": help_pages(), "terms": all_terms()})


@require_GET
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one page of docs/ beside the list of all and its own contents."""
    found = help_page(slug)
    if found is None:
        raise Http404("There is no help page of this name.")
    return render(request, "help/page.html", {"page": found, "pages": help_pages()})


@require_GET
@cache_control(private=True, max_age=3600)
def image(request: HttpRequest, name: str) -> FileResponse:
    """Send a picture of the docs."""
    file = help_images().get(name)
    if file is None:
        raise Http404("There is no picture of this name.")
    return FileResponse(file.open("rb"), content_type=PICTURE_TYPES[file.suffix])
