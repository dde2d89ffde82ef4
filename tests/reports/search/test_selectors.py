from reports.models import Role, Scope
from reports.search import selectors
from tests import factories


def find(text, most, role=Role.ADMINISTRATOR):
    return selectors.find(text, most=most, role=role)


def _found(text, most=6):
    return {group.name: [hit.label for hit in group.hits] for group in find(text, most=most).groups}


def test_find_looks_at_everything_that_has_a_name(compared):
    Scope.objects.create(name="Mail and feed")
    found = _found("mail")

    assert found["Interactions"] == ["Mail · open inbox"]
    assert found["Apps"] == ["Mail"]
    assert found["Scopes"] == ["Mail and feed"]


def test_find_puts_beginnings_before_middles_within_and_among_groups(db):
    for name in ("Emailer", "Mail", "Old mail"):
        factories.interaction("open", of=factories.app(name))

    finding = find("mail", most=6)

    apps = next(group for group in finding.groups if group.name == "Apps")
    assert [hit.label for hit in apps.hits] == ["Mail", "Old mail", "Emailer"]
    assert find("gate", most=6).groups[0].name == "Pages"


def test_find_takes_both_versions_of_a_comparison(compared):
    finding = find("13.0.9 13.0.13", most=6)

    assert [(group.name, group.hits[0].address) for group in finding.groups] == [
        ("Comparisons", "/compare/13.0.9/13.0.13/")
    ]


def test_find_opens_a_run_by_its_number(db):
    run = factories.run()

    for text in (f"{run.pk}", f"#{run.pk}", f"run {run.pk}"):
        assert f"Run {run.pk}" in _found(text)["Runs"]
    assert "Runs" not in _found("999999999999999999")


def test_find_knows_the_pages_by_other_words_and_the_words_of_the_help(db):
    assert "Policy" in _found("budget")["Pages"]
    assert "Budget" in _found("budget")["Help"]
    assert "Threshold" in _found("θ")["Help"]


def test_find_leaves_out_the_pages_that_a_role_may_not_open(db):
    def pages(role, text=""):
        return {hit.label for group in find(text, most=6, role=role).groups for hit in group.hits}

    assert pages(Role.TRIAGER) - pages(Role.VIEWER) == {"Import"}
    assert pages(Role.ADMINISTRATOR) - pages(Role.POLICY_OWNER) == {
        "Webhooks",
        "Issue trackers",
        "Audit log",
        "Administration",
    }
    assert {"Import log", "Batches", "API tokens", "API"} < pages(Role.VIEWER)
    assert "Import" in pages(Role.TRIAGER, "upload")
    assert "Import" not in pages(Role.VIEWER, "upload")


def test_find_shows_the_package_where_only_that_has_the_word(compared):
    (apps,) = (group for group in find("example.mail", most=6).groups if group.name == "Apps")

    assert apps.hits[0].note == "org.example.mail, communication, critical"


def test_find_says_how_the_worst_metric_moved(compared):
    hit = find("inbox", most=6).groups[0].hits[0]

    assert hit.note == "tap, critical app, response time +250\u00a0ms"
    assert hit.verdict == "Severe"


def test_find_without_words_lists_the_pages(db):
    assert list(_found("")) == ["Pages"]
    assert _found(" · ")["Pages"][0] == "Compare"


def test_find_says_when_there_are_more_of_a_kind(db):
    for number in range(4):
        factories.interaction(f"open {number}")

    (interactions,) = (group for group in find("open", most=3).groups if group.name == "Interactions")

    assert (len(interactions.hits), interactions.more) == (3, True)
