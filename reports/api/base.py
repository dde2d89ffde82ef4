"""What every view of the API is made of: see the top of reports/api/urls.py for how to add one."""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from reports.api.problems import wrong

METHODS = ["get", "head", "post", "put", "patch", "delete"]


class BoundedJSONParser(JSONParser):
    """JSON, whose size Django bounds as that of a form; nesting that Python gives up on is told as what it is."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """Return what was sent."""
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("JSON parse error: nested too deeply") from None


class ApiViewSet(GenericViewSet):
    """A resource. Lists come in pages (reports/api/paging.py), narrowed by ``filterset_class``.

    ``selector`` turns the rows of a page into what the serializer shows, by the selector of the pages.
    """

    http_method_names = METHODS
    ordering: ClassVar[tuple[str, ...]] = ("-id",)
    parser_classes: Sequence[Any] = [BoundedJSONParser]

    def loaded(self, rows: list[Any]) -> Sequence[Any]:
        """Return what is shown of the rows of a page; as they are unless overridden."""
        return rows

    def list(self, request: Request) -> Response:
        """Answer with a page of the list."""
        rows = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        shown: BaseSerializer = self.get_serializer(self.loaded(rows), many=True)
        return self.get_paginated_response(shown.data)

    def sent(self, request: Request, serializer: type[serializers.Serializer], **context: Any) -> dict[str, Any]:
        """Return what was sent, checked; a field that the serializer does not know is refused by its name.

        ``context`` is what the serializer has to know besides.
        """
        data: Any = request.data
        if not isinstance(data, dict):
            raise wrong("", "Send a JSON object.")
        form = serializer(data=data, context={**self.get_serializer_context(), **context})
        for name in data:
            if name not in form.fields:
                raise wrong(str(name)[:80], f"There is no such field here; known are {', '.join(form.fields)}.")
        form.is_valid(raise_exception=True)
        checked: dict[str, Any] = form.validated_data
        return checked


def with_etag(request: Request, parts: Iterable[Any], make: Callable[[], Any]) -> HttpResponseBase:
    """Answer with what ``make`` returns, or 304 if the client has it: for answers that cost much.

    ``parts`` are what the answer is made of, cheaply told: ids, numbers of revisions, instants. Whatever changes
    the answer must change one of them.
    """
    said = json.dumps([settings.VERSION, *parts], default=str)
    etag = quote_etag(hashlib.sha256(said.encode()).hexdigest()[:32])
    response: HttpResponseBase | None = get_conditional_response(request._request, etag=etag)
    if response is None:
        response = Response(make())
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache"  # kept, and asked about each time
    return response
