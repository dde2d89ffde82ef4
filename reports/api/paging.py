"""Lists in pages that begin behind a row, not at a number: rows that come in meanwhile move nothing."""

from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from reports.api.problems import CONFLICT, Problem, wrong

MOST, USUAL = 200, 50
BAD_CURSOR = "This cursor leads nowhere."


class Pages(CursorPagination):
    """``?limit=`` rows (50, at most 200) from ``?cursor=`` on, with links to the next and the previous page."""

    page_size, max_page_size, page_size_query_param = USUAL, MOST, "limit"
    page_size_query_description = "Rows of a page."
    cursor_query_description = "Where the page begins: as `next` and `previous` of another page name it."
    template = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return the rows of the page asked for; a cursor that was made up is refused."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, TypeError, OverflowError, ValidationError):
            if self.cursor_query_param not in request.query_params:
                raise
            raise wrong("cursor", BAD_CURSOR, cure="Follow next and previous as they are.") from None

    def decode_cursor(self, request: Request) -> Any:
        """Read the cursor; raises ValueError for one that no page of ours has named."""
        try:
            cursor = super().decode_cursor(request)
        except Exception as error:
            raise ValueError(BAD_CURSOR) from error
        if cursor is not None and "\0" in str(cursor.position):
            raise ValueError(BAD_CURSOR)
        return cursor

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: Any) -> tuple[str, ...]:
        """Return the order of the view's rows."""
        return tuple(view.ordering)

    def get_page_size(self, request: Request) -> int:
        """Return how many rows are asked for."""
        asked = request.query_params.get("limit")
        if asked is None:
            return USUAL
        if not (asked.isascii() and asked.isdigit() and len(asked) < 5 and 1 <= int(asked) <= MOST):
            raise wrong("limit", f"Give a whole number from 1 to {MOST}.")
        return int(asked)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Describe both parameters."""
        number = {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL}
        return [
            {"name": "limit", "in": "query", "description": self.page_size_query_description, "schema": number},
            {
                "name": "cursor",
                "in": "query",
                "description": self.cursor_query_description,
                "schema": {"type": "string", "maxLength": 2000},
            },
        ]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe a page of rows."""
        link = {"type": "string", "format": "uri", "nullable": True}
        return {
            "type": "object",
            "required": ["results", "next", "previous"],
            "properties": {"results": schema, "next": link, "previous": link},
        }


class Steps(Pages):
    """The same for a list in an order that no row alone tells, such as that of a ranking: a cursor counts its rows.

    It names, too, what it counted in (``mark``): when that is another one by now, the cursor is refused, so that
    nobody misses a row or reads it twice.
    """

    offset_cutoff = 1_000_000  # more rows than any list here has, and no more than a database counts

    def steps(self, rows: Any, request: Request, *, mark: str = "") -> Any:
        """Return the rows of the page that is asked for, of a QuerySet or a list."""
        size, counted = self.get_page_size(request), cast(Any, mark)
        try:
            cursor = self.decode_cursor(request) or Cursor(0, False, counted)
        except ValueError:
            raise wrong("cursor", BAD_CURSOR, cure="Follow next and previous as they are.") from None
        if str(cursor.position or "") != mark:
            cure = "Begin again without a cursor."
            raise Problem(CONFLICT, "This list has changed since its first page was read.", cure=cure)
        self.base_url, start = request.build_absolute_uri(), cursor.offset
        more = bool(rows[start + size : start + size + 1])
        self._links = [
            self.encode_cursor(Cursor(start + size, False, counted)) if more else None,
            self.encode_cursor(Cursor(max(0, start - size), False, counted)) if start else None,
        ]
        return rows[start : start + size]

    def get_next_link(self) -> str | None:
        """Return the address of the next page."""
        return self._links[0]

    def get_previous_link(self) -> str | None:
        """Return the address of the page before."""
        return self._links[1]
