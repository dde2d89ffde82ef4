import pytest

from tests import factories

PAGE_QUERIES, LIVE_QUERIES = 10, 9


def test_search_finds_every_word_in_any_order_and_shows_the_last_verdict(signed_in, compared):
    answer = signed_in.get("/search/", {"q": "i e"})

    page = answer.content.decode()
    (interactions,) = (group for group in answer.context["finding"].groups if group.name == "Interactions")
    assert {hit.label for hit in interactions.hits} == {"Feed · fling", "Feed · like", "Mail · open inbox"}
    assert "Severe" in page
    assert "/compare/13.0.9/13.0.13/org.example.mail/open%20inbox/" in page


def test_search_opens_the_only_hit_at_once(signed_in, compared):
    answer = signed_in.get("/search/", {"q": "INBOX open"})

    assert answer.url == "/compare/13.0.9/13.0.13/org.example.mail/open%20inbox/"


def test_search_before_any_comparison_leads_to_the_runs(signed_in):
    factories.run()

    assert signed_in.get("/search/", {"q": "inbox"}).url == "/runs/?app=org.example.mail&interaction=open+inbox"


def test_search_for_nothing_lists_the_pages_and_for_nonsense_says_so(signed_in):
    assert "choose two versions" in signed_in.get("/search/").content.decode()
    assert "Nothing has all these words" in signed_in.get("/search/", {"q": "zz%"}).content.decode()


def test_search_marks_the_words(signed_in, compared):
    assert "<mark>fl</mark>ing" in signed_in.get("/search/", {"q": "fl"}).content.decode()


def test_live_search_has_the_same_hits_as_the_page(signed_in, compared):
    page = signed_in.get("/search/", {"q": "e"}).context["finding"]
    live = signed_in.get("/search/live/", {"q": "e"}).json()

    assert live["words"] == page.words
    assert [group["name"] for group in live["groups"]] == [group.name for group in page.groups]
    for one, other in zip(live["groups"], page.groups, strict=True):
        assert [hit["address"] for hit in one["hits"]] == [hit.address for hit in other.hits[:6]]


def test_live_search_splits_labels_where_the_words_stand(signed_in, compared):
    hit = signed_in.get("/search/live/", {"q": "inb"}).json()["groups"][0]["hits"][0]

    assert hit["parts"] == [["Mail · open ", False], ["inb", True], ["ox", False]]
    assert hit["note"] == "tap, critical app, response time +250\u00a0ms, severe"


def test_live_search_is_not_kept_by_anybody(signed_in):
    assert "no-store" in signed_in.get("/search/live/")["Cache-Control"]


@pytest.mark.parametrize(("address", "queries"), [("/search/", PAGE_QUERIES), ("/search/live/", LIVE_QUERIES)])
def test_search_takes_a_constant_number_of_queries(
    signed_in, compared, django_assert_num_queries, address, queries
):
    for number in range(30):
        factories.interaction(f"list {number}", of=factories.app(f"Irc {number}"))
    with django_assert_num_queries(queries):
        signed_in.get(address, {"q": "i"})
