"""Bisections over builds whose culprit is known, because it was built in."""

import numpy as np
import pytest

from analysis.history.bisection import (
    BAD,
    CONFIRM,
    DOUBT,
    END,
    FIRST,
    FOUND,
    GOOD,
    LOOKS,
    OPEN,
    RANGE,
    REFUSED,
    UNDECIDABLE,
    standing,
)
from analysis.history.changes import Subject
from analysis.policy.policy import DEFAULT_POLICY

TAP = Subject("mail", "tap", "response_time_ms")  # θ is 50 ms, or 20 % of the median


class Lab:
    """Films builds of these levels as it is asked to, each run at its place on a fixed bell around the level."""

    def __init__(self, *levels, spread=4.0, broken=()):
        self.levels = {f"b{number}": level for number, level in enumerate(levels)}
        self.builds = tuple(self.levels)
        self.spread, self.broken = spread, set(broken)
        self.runs = {name: [] for name in self.builds}
        self.skipped = set()
        self.asked = []
        self.rng = np.random.default_rng(11)

    def film(self, name, runs, level=None):
        level = self.levels[name] if level is None else level
        self.runs[name] += (level + self.spread * self.rng.standard_normal(runs)).tolist()

    def stands(self):
        return standing(self.builds, self.runs, TAP, DEFAULT_POLICY, skipped=self.skipped)

    def until_done(self, most=300):
        for _ in range(most):
            stands = self.stands()
            if stands.state != OPEN:
                return stands
            for asked in stands.asked:
                self.asked.append(asked)
                if asked.build in self.broken:
                    self.skipped.add(asked.build)
                else:
                    self.film(asked.build, asked.runs)
        raise AssertionError("it never ends")


@pytest.mark.parametrize("culprit", [1, 2, 7, 14, 15])
def test_the_first_bad_build_is_found_wherever_it_is(culprit):
    lab = Lab(*[200] * culprit, *[300] * (16 - culprit))

    stands = lab.until_done()

    assert (stands.state, stands.suspects) == (FOUND, (f"b{culprit}",))
    assert stands.step.felt
    assert stands.own.delta == pytest.approx(100, abs=10)
    assert stands.rest is None or not stands.rest.felt
    tested = {asked.build for asked in lab.asked} - {"b0", "b15"}
    assert len(tested) <= 4  # log₂ 16


def test_the_ends_are_measured_first_then_the_middle():
    lab = Lab(*[200] * 5, *[300] * 4)
    nothing = lab.stands()
    assert [(asked.build, asked.why) for asked in nothing.asked] == [("b0", END), ("b8", END)]

    lab.until_done()

    others = [asked for asked in lab.asked if asked.why != END]
    assert (others[0].build, others[0].why) == ("b4", FIRST)
    assert {asked.why for asked in others} == {FIRST, CONFIRM}  # nothing is in doubt where noise is small


def test_a_small_step_in_much_noise_takes_more_runs():
    small, large = Lab(200, 200, 270, 270, spread=40.0), Lab(200, 200, 400, 400, spread=10.0)
    for lab in (small, large):
        lab.film("b0", 60)
        lab.film("b3", 60)

    # Noether (1987) for 80 % power at α = 5 %, one-sided: 5 where nothing overlaps
    assert large.stands().runs_each == 5
    assert small.stands().runs_each > 5


def test_runs_that_came_in_unasked_count():
    lab = Lab(*[200] * 5, *[300] * 4)
    for name in lab.builds:
        lab.film(name, 20)

    stands = lab.stands()

    assert (stands.state, stands.suspects) == (FOUND, ("b5",))
    assert set(stands.judged.values()) == {GOOD, BAD}


def test_untestable_builds_beside_the_culprit_leave_a_range_that_holds_it():
    lab = Lab(*[200] * 6, *[300] * 6, broken={"b5", "b6"})

    stands = lab.until_done()

    assert (stands.state, stands.suspects) == (RANGE, ("b5", "b6", "b7"))


def test_untestable_builds_elsewhere_do_not_matter():
    lab = Lab(*[200] * 6, *[300] * 6, broken={"b1", "b4", "b8", "b10"})

    assert lab.until_done().suspects == ("b6",)


def test_of_two_steps_the_first_that_is_felt_is_told_and_that_there_is_another():
    lab = Lab(*[200] * 4, *[300] * 6, *[420] * 6)

    stands = lab.until_done()

    assert (stands.state, stands.suspects) == (FOUND, ("b4",))
    assert stands.rest.felt
    assert stands.rest.delta == pytest.approx(120, abs=10)


def test_a_step_below_theta_is_passed_over_for_the_one_that_makes_it_felt():
    lab = Lab(*[200] * 4, *[225] * 6, *[300] * 6)

    assert lab.until_done().suspects == ("b10",)


def test_where_many_small_steps_add_up_the_step_itself_is_not_felt():
    lab = Lab(*[200 + 15 * number for number in range(12)])

    stands = lab.until_done()

    assert stands.step.felt  # against the good build …
    assert stands.own is None or not stands.own.felt  # … and not against the one before
    assert stands.rest.felt


def test_builds_that_are_good_again_later_are_named():
    lab = Lab(*[200] * 4, *[300] * 4, *[200] * 4, *[300] * 4)
    for name in lab.builds:
        lab.film(name, 20)

    stands = lab.stands()

    assert stands.suspects == ("b4",)
    assert stands.good_again == ("b8", "b9", "b10", "b11")


def test_one_wild_run_changes_nothing():
    lab = Lab(*[200] * 5, *[300] * 4)
    lab.film("b4", 9)
    lab.film("b4", 1, level=5_000)

    assert lab.until_done().suspects == ("b5",)


def test_a_wrong_first_look_is_put_right_by_the_confirmation():
    lab = Lab(*[200] * 9, *[300] * 7)
    lab.film("b7", 5, level=260)  # the five runs of the first look at the middle, on a hot device

    stands = lab.until_done()

    assert stands.suspects == ("b9",)
    assert {asked.build for asked in lab.asked if asked.why in (CONFIRM, DOUBT)} >= {"b7"}


def test_a_good_build_that_is_as_slow_is_refused_with_the_numbers():
    lab = Lab(200, 200, 200, 220)

    stands = lab.until_done()

    assert stands.state == REFUSED
    assert stands.whole.delta == pytest.approx(20, abs=8)
    assert stands.whole.threshold == 50


def test_a_good_build_that_is_the_slower_one_is_refused():
    assert Lab(300, 300, 200).until_done().state == REFUSED


def test_all_equal_is_refused():
    assert Lab(200, 200, 200, spread=0.0).until_done().state == REFUSED


def test_neighbours_need_nothing_between_them():
    stands = Lab(200, 300).until_done()

    assert (stands.state, stands.suspects) == (FOUND, ("b1",))


def test_a_build_on_the_edge_is_given_a_bounded_number_of_runs():
    lab = Lab(200, 227, 254)  # 54 ms in all, in two halves: neither is felt
    lab.film("b0", 40)
    lab.film("b2", 40)
    lab.spread = 30.0

    stands = lab.until_done()

    assert len(lab.runs["b1"]) <= LOOKS * stands.runs_each
    assert stands.judged["b1"] in (GOOD, BAD, UNDECIDABLE)


def test_where_it_stands_follows_from_the_runs_alone_in_whatever_order_they_came():
    lab = Lab(*[200] * 6, *[300] * 6, broken={"b5"})
    end = lab.until_done()
    shuffled = {name: values[::-1] for name, values in reversed(lab.runs.items())}

    assert standing(lab.builds, shuffled, TAP, DEFAULT_POLICY, skipped=lab.skipped) == end


@pytest.mark.parametrize(
    ("builds", "skipped", "words"),
    [
        (["a"], [], "a good build and a later bad one"),
        (["a", "b", "a"], [], "a stands in the line twice"),
        (["a", "b", "c"], ["c"], "c is an end"),
    ],
)
def test_what_is_no_line_is_refused(builds, skipped, words):
    with pytest.raises(ValueError, match=words):
        standing(builds, {}, TAP, DEFAULT_POLICY, skipped=skipped)
