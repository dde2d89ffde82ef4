from tests import factories

SEARCH_QUERIES = 6


def test_search_finds_every_word_in_any_order_and_shows_the_last_verdict(signed_in, compared):
    answer = signed_in.get("/search/", {"q": "i e"})

    page = answer.content.decode()
    assert [item.interaction.name for item in answer.context["result"].found] == ["fling", "like", "open inbox"]
    assert "Severe" in page
    assert "/compare/13.0.9/13.0.13/org.example.mail/open%20inbox/" in page


def test_search_opens_the_only_interaction_at_once(signed_in, compared):
    answer = signed_in.get("/search/", {"q": "INBOX open"})

    assert answer.url == "/compare/13.0.9/13.0.13/org.example.mail/open%20inbox/"


def test_search_before_any_comparison_leads_to_the_runs(signed_in):
    factories.run()

    page = signed_in.get("/search/", {"q": "inbox"}).content.decode()

    assert "/runs/?app=org.example.mail&amp;interaction=open%20inbox" in page


def test_search_for_nothing_and_for_nonsense_says_so(signed_in):
    assert "Type a part" in signed_in.get("/search/").content.decode()
    assert "No interaction has all these words" in signed_in.get("/search/", {"q": "\x00zz%"}).content.decode()


def test_search_takes_a_constant_number_of_queries(signed_in, compared, django_assert_num_queries):
    with django_assert_num_queries(SEARCH_QUERIES):
        signed_in.get("/search/", {"q": "i"})
