from django.template import Context
from django.test import RequestFactory

from reports.templatetags.addresses import sort_head, with_query


def _context(query, **more):
    return Context({"request": RequestFactory().get("/?" + query), **more})


def test_with_query_changes_some_keys_and_keeps_the_others():
    assert with_query(_context("q=a+b&page=3"), page=None, sort="delta") == "?q=a+b&sort=delta"


def test_sort_head_turns_round_at_the_second_click():
    first, second = sort_head(_context(""), "p", "Confidence"), sort_head(_context("", sort="p"), "p", "Confidence")

    assert (first["href"], first["order"]) == ("?sort=p", "")
    assert (second["href"], second["order"]) == ("?sort=-p", "ascending")


def test_sort_head_that_begins_with_the_largest_sorts_up_at_the_second_click():
    first, second = sort_head(_context(""), "-delta", "Δ"), sort_head(_context("", sort="-delta"), "-delta", "Δ")

    assert (first["href"], second["href"], second["order"]) == ("?sort=-delta", "?sort=delta", "descending")
