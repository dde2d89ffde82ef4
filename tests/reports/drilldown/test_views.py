import json

import pytest
from django.urls import reverse

from reports.models import Run, RunStatus
from tests import factories
from tests.reports.drilldown.rows import add_series, compared


def address(interaction="open inbox", new="13.0.13", **query):
    return reverse("drilldown", args=["13.0.12", new, "org.example.mail", interaction], query=query)


def state(response):
    text = response.content.decode()
    return json.loads(text.split('id="drilldown-state" type="application/json">')[1].split("</script>")[0])


def test_page_says_in_a_sentence_what_moved(db, signed_in):
    compared()

    response = signed_in.get(address())

    assert "<strong>Updated responds 200 ms later</strong>: 110 → 310 ms" in response.content.decode()


def test_page_starts_with_the_runs_nearest_their_medians(db, signed_in):
    _, base, new = compared(values=((100, 180, 110), (290, 310, 600)))

    shown = state(signed_in.get(address()))

    assert (shown["base"]["run"], shown["new"]["run"]) == (base[2].pk, new[1].pk)


def test_address_chooses_the_runs(db, signed_in):
    _, base, new = compared()

    shown = state(signed_in.get(address(base_run=base[0].pk, new_run=new[2].pk)))

    assert (shown["base"]["run"], shown["new"]["run"]) == (base[0].pk, new[2].pk)


@pytest.mark.parametrize("wanted", ["999999", "x", "", "-3", "9" * 30])
def test_a_run_that_does_not_fit_is_passed_over(db, signed_in, wanted):
    _, base, _ = compared()

    assert state(signed_in.get(address(base_run=wanted)))["base"]["run"] == base[1].pk


def test_runs_that_do_not_count_are_shown_with_their_reason(db, signed_in):
    compared()
    version, of = factories.os_version("13.0.13"), factories.interaction()
    factories.run(version=version, of=of, status=RunStatus.FAILED, error="unreadable: it ends in the middle")
    factories.run(version=version, of=of, outcome="never_settles")
    factories.run(version=version, of=of, excluded=True, excluded_reason="a call came in")

    text = signed_in.get(address()).content.decode()

    assert "failed: unreadable: it ends in the middle" in text
    assert "no answer: the screen never came to rest" in text
    assert "excluded: a call came in" in text


def test_page_is_pictures_and_numbers_without_a_script(db, signed_in):
    _, base, new = compared()
    for run in (base[1], new[1]):
        add_series(run, [0, 500, 600, 700], changed=[2, 3])

    text = signed_in.get(address()).content.decode()

    assert text.count("<video controls") == 2
    assert text.count('class="curve worst') == 2
    assert reverse("run-video", args=[base[1].pk]) in text


def test_versions_that_were_not_compared_still_show_their_runs(db, signed_in):
    of = factories.interaction()
    run = factories.run(version=factories.os_version("13.0.12"), of=of)
    factories.os_version("13.0.13")

    response = signed_in.get(address())

    assert "have not been compared yet" in response.content.decode()
    assert state(response)["base"]["run"] == run.pk
    assert "No run of this interaction on 13.0.13" in response.content.decode()


def test_neighbours_follow_severity(db, signed_in):
    compared(times_threshold=9.0)
    compared(of=factories.interaction("send mail"), times_threshold=5.0)
    compared(
        of=factories.interaction("read mail"), times_threshold=0.5, verdict="imperceptible", severity="", place=2
    )

    response = signed_in.get(address("send mail"))

    assert state(response)["previous"] == address("open inbox")
    assert state(response)["next"] == address("read mail")
    assert '2 of 2<span class="place-what"> regressed</span>' in response.content.decode()


def test_neighbours_are_looked_at_as_this_interaction_is(db, signed_in):
    compared(times_threshold=9.0)
    compared(of=factories.interaction("send mail"), times_threshold=5.0)

    response = signed_in.get(address(view="wipe", film="500", t="100.0", base_run="7"))

    assert state(response)["next"] == address("send mail", view="wipe", film="500")


@pytest.mark.parametrize(
    ("interaction", "new", "words"), [("nothing", "13.0.13", b"open inbox"), ("open inbox", "9", b"")]
)
def test_unknown_names_are_not_found(db, signed_in, interaction, new, words):
    compared()

    response = signed_in.get(address(interaction, new))

    assert response.status_code == 404
    assert words in response.content


def test_page_is_for_people_who_are_logged_in(db, client):
    assert client.get(address()).status_code == 302


def test_query_count_does_not_grow_with_runs(db, signed_in, django_assert_num_queries):
    many = tuple(range(100, 130))
    _, base, new = compared(values=(many, many))
    compared(of=factories.interaction("send mail"))
    for run in (*base, *new):
        add_series(run, [0, 500, 600], changed=[1, 2])

    with django_assert_num_queries(29):  # one of them counts the runs by the revision that measured them
        signed_in.get(address())


def test_page_says_that_runs_of_the_interaction_were_measured_by_an_earlier_revision(db, signed_in):
    _, base, _ = compared()
    compared(of=factories.interaction("send mail"))
    assert "measuring code" not in signed_in.get(address()).content.decode()
    Run.objects.filter(pk=base[0].pk).update(revision=0)

    page = signed_in.get(address()).content.decode()

    assert "1 of 6 runs of this interaction was measured by an earlier revision of the measuring code" in page
    assert "Measure 1 run again" in page
    assert "measuring code" not in signed_in.get(address("send mail")).content.decode()
