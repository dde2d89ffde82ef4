"""What a cursor did that nothing showed to be its own, on steps written down block by block."""

from itertools import pairwise

import numpy as np
import pytest

from analysis.events.cursor.paths import Path
from analysis.events.cursor.unseen_moves import (
    follows_on,
    goes_out,
    joins,
    moves_at_once,
    moves_between,
    sets_out,
    since_answered,
    since_rested,
    unseen_moves,
)
from tests.analysis.events.handmade import changes_of

SHAPE = (40, 30)
REST_MS = 150.0
TIMES = np.arange(40) * 100.0  # a picture each 100 ms
LAST, GOES_ON = 5, 20  # the path before ends in the one, the next path begins in the other
PLACES = [(2, 3), (9, 5), (16, 8), (22, 14)]  # where it was last, and where it goes from there, row and column


def path(pictures, begin, end):
    spots = [(row, column, row + 2, column + 2) for row, column in (begin, end)]
    return Path(pictures, np.array([begin, end], float), *spots)


KNOWN = [path([3, 4, LAST], (20, 20), PLACES[0]), path([GOES_ON, GOES_ON + 1], PLACES[2], (30, 20))]


def blocks(*places, high=3):
    found = np.zeros(SHAPE, dtype=bool)
    for row, column in places:
        found[row : row + high, column : column + 3] = True
    return found


def moves(without=(), **steps):
    """It leaves its last place in picture 18, goes on in 19, and from there the path goes on in 20."""
    own = {LAST: blocks((20, 20), PLACES[0])}
    own |= {18: blocks(*PLACES[:2]), 19: blocks(*PLACES[1:3]), GOES_ON: blocks(*PLACES[2:])}
    own |= {int(name[1:]): changed for name, changed in steps.items()}
    return {picture: changed for picture, changed in own.items() if picture not in without}


def found(own, known=KNOWN, told=frozenset()):
    return unseen_moves(own, known, TIMES, REST_MS, told)


def test_pictures_that_lead_from_its_last_place_to_where_it_goes_on_are_its_own():
    assert found(moves()) == {18, 19}


def test_what_changes_under_a_cursor_that_sets_out_from_where_it_rested_is_an_answer():
    ticked = {LAST: blocks((20, 20), PLACES[0]), 19: blocks(PLACES[0]), GOES_ON: blocks(*PLACES[:2])}
    assert found(ticked) == set()


@pytest.mark.parametrize(
    "own",
    [
        moves(without=[18]),  # nothing left its place
        moves(without=[18, 19]) | {16: blocks(*PLACES[:2]), 17: blocks(*PLACES[1:3])},  # 300 ms before it goes on
        moves(_19=blocks(*PLACES[1:3], (35, 2))),  # off the way
        moves(_19=blocks((9, 5), (12, 6), (16, 8), (9, 8), (12, 9), high=4)),  # larger than it is
        moves(_19=blocks((16, 12))),  # that does not come from there
    ],
    ids=["stays", "rests", "aside", "large", "elsewhere"],
)
def test_what_does_not_lead_there_is_not_its_own(own):
    assert found(own) == set()


def test_a_hand_that_has_not_rested_is_seen_all_the_way():
    soon = [KNOWN[0], path([8, 9], PLACES[2], (30, 20))]
    own = {LAST: blocks((20, 20), PLACES[0]), 6: blocks(*PLACES[:2]), 7: blocks(*PLACES[1:3])}
    own |= {8: blocks(*PLACES[2:])}
    assert found(own, soon) == set()


def test_what_is_told_already_and_what_another_path_is_on_is_left_to_them():
    assert found(moves(), told=frozenset({19})) == set()
    along = path([LAST + 1, GOES_ON + 5], (2, 3), (30, 20))
    assert found(moves(), [KNOWN[0], along, KNOWN[1]]) == set()


WAY = [(4 + 2 * step, 3 + step) for step in range(8)]  # where it is, picture after picture
SOON_MS = np.arange(40) * 20.0


ANSWER = ((0, 0), (18, 24), (36, 10))  # something changes all over the screen


def led(ways, known=(1, 6), times_ms=SOON_MS, elsewhere=None, action_ms=0.0):
    """Return the pictures between `known` steps that are taken for the cursor's; `ways` is what each changes."""
    changes = changes_of([blocks(*places) if places else np.zeros(SHAPE, bool) for places in ways])
    steps = {picture: changes.blocks(picture) for picture in known}
    nothing = np.zeros(SHAPE, bool)
    steady = nothing if elsewhere is None else elsewhere
    since = since_answered(changes, steady, times_ms, action_ms)
    return sorted(moves_between(steps, since, times_ms, REST_MS))


def along(**others):
    """Return what changes in each picture as it goes its way, but for `others`."""
    ways = [ANSWER, *pairwise(WAY)]
    return [others.get(f"_{picture}", places) for picture, places in enumerate(ways)]


def test_what_leads_from_one_known_step_to_the_next_is_the_cursors():
    assert led(along()) == [2, 3, 4, 5]


def test_a_leap_across_the_screen_is_a_step_as_well():
    """At ten pictures a second a hand gets that far; it changes two places, where it was and where it is."""
    far = (34, 22)
    assert led(along(_3=(WAY[2], far), _4=(far, WAY[4]))) == [2, 3, 4, 5]


def test_what_goes_on_by_itself_does_not_part_them():
    assert led(along(_3=(*along()[3], (35, 24))), elsewhere=blocks((34, 24), high=6)) == [2, 3, 4, 5]


def test_a_known_step_beside_which_something_else_changes_is_not_known_whole():
    changes = changes_of([blocks(*places) if places else np.zeros(SHAPE, bool) for places in along()])
    steps = {1: changes.blocks(1), 4: blocks(WAY[3]), 6: changes.blocks(6)}
    since = since_answered(changes, np.zeros(SHAPE, bool), SOON_MS, 0.0)
    found = moves_between(steps, since, SOON_MS, REST_MS)
    assert (found[4] == changes.blocks(4)).all()


@pytest.mark.parametrize(
    ("ways", "known", "times_ms"),
    [
        ([(), *along()[1:]], (1, 6), SOON_MS),  # it may drag something
        (along(_7=ANSWER), (1, 6), SOON_MS),
        (along(), (1, 6), SOON_MS - 10),  # the large change came before the action
        (along(), (1,), SOON_MS),  # it may be an answer that begins where the cursor rests
        (along(_3=((30, 22), (32, 22))), (1, 6), SOON_MS),  # elsewhere
        (along(_3=(*along()[3], (30, 22))), (1, 6), SOON_MS),  # besides
        (along(), (1, 6), SOON_MS * 10),
        ([ANSWER, WAY[:2], (WAY[1],), (WAY[1],), WAY[1:3]], (1, 4), SOON_MS),  # a tick under a cursor
    ],
    ids=[
        "no answer",
        "answers later",
        "answered before",
        "to no step",
        "elsewhere",
        "besides",
        "after a rest",
        "where it rests",
    ],
)
def test_what_does_not_lead_from_one_to_the_next_may_be_an_answer(ways, known, times_ms):
    assert led(ways, known, times_ms) == []


OUT = [(12, 20), (9, 21), (6, 22), (3, 23), (0, 24)]  # to the upper edge, and over it


def gone_out(places=OUT, known=(1, 2), times_ms=SOON_MS, ways=None, turned=0):
    """Return the pictures in which it goes out after `known` steps; `turned` says over which edge."""
    ways = ways or [ANSWER, *pairwise(places), places[-1:]]
    changes = changes_of([np.rot90(blocks(*way), turned) for way in ways])
    steps = {picture: changes.blocks(picture) for picture in known}
    since = since_answered(changes, np.zeros(changes.shape, bool), times_ms, 0.0)
    return sorted(goes_out(steps, since, times_ms, REST_MS))


@pytest.mark.parametrize("turned", range(4))
def test_what_leads_on_over_an_edge_of_the_screen_is_the_cursors(turned):
    assert gone_out(turned=turned) == [3, 4, 5]


@pytest.mark.parametrize(
    "case",
    [
        {"known": (1,)},
        {"known": (1, 3)},
        {"known": (1, 2, 3, 4, 5)},
        {"places": OUT[:4]},  # it stops before the edge
        {"places": [(12, 24), (9, 23), (6, 22), (8, 23), (0, 24)]},  # it turned back on the way
        {"times_ms": SOON_MS * 10},
        {"ways": [(), *pairwise(OUT), OUT[-1:]]},  # nothing had answered
        {"ways": [ANSWER, *pairwise(OUT), OUT[-1:], ANSWER]},
        {"ways": [ANSWER, *list(pairwise(OUT))[:2], ((4, 3),), ((0, 3),)]},  # elsewhere
    ],
    ids=["once", "not in a row", "all", "stops", "turns", "rests", "no answer", "answers later", "elsewhere"],
)
def test_what_does_not_lead_over_an_edge_may_be_an_answer(case):
    assert gone_out(**case) == []


SECOND = [(25, 5), (21, 9), (17, 13), (13, 17)]  # where it is, step after step, in a movement that no path tells of
PAUSE = [()] * 12


def set_out(ways, known=(1,), times_ms=SOON_MS):
    """Return the pictures that are taken for a movement of the cursor with `known` steps."""
    changes = changes_of([blocks(*places) if places else np.zeros(SHAPE, bool) for places in ways])
    steps = {picture: changes.blocks(picture) for picture in known}
    since = since_answered(changes, np.zeros(SHAPE, bool), times_ms, 0.0)
    return sorted(sets_out(steps, since, times_ms, REST_MS))


def leaving(*way):
    """Return what changes as it comes to the first place of a way by a known step, rests, and goes on."""
    return [ANSWER, ((30, 2), way[0]), *PAUSE, *pairwise(way)]


def arriving(*way):
    """Return what changes as it goes its way, rests, and leaves by a known step."""
    return [ANSWER, *pairwise(way), *PAUSE, (way[-1], (30, 20))]


def test_a_movement_from_where_it_was_seen_last_is_the_cursors():
    assert set_out(leaving(*SECOND)) == [14, 15, 16]


def test_a_movement_to_where_it_is_seen_next_is_the_cursors():
    assert set_out(arriving(*SECOND), known=(16,)) == [1, 2, 3]


def test_what_goes_on_from_a_known_step_at_once_is_the_cursors_however_little_further():
    ways = [ANSWER, *pairwise(SECOND[:3]), (SECOND[2],)]
    assert set_out(ways, known=(1, 2)) == [3]
    assert set_out([*ways[:3], *PAUSE, ways[3]], known=(1, 2)) == []


def test_a_step_that_is_known_in_part_is_the_cursors_whole():
    changes = changes_of([blocks(*places) if places else np.zeros(SHAPE, bool) for places in leaving(*SECOND)])
    steps = {1: changes.blocks(1), 15: blocks(SECOND[1])}
    since = since_answered(changes, np.zeros(SHAPE, bool), SOON_MS, 0.0)
    assert (sets_out(steps, since, SOON_MS, REST_MS)[15] == changes.blocks(15)).all()


@pytest.mark.parametrize(
    "case",
    [
        {"ways": leaving(SECOND[0], (25, 6), (25, 5), (25, 6))},  # something changes under it
        {"ways": [*leaving(SECOND[0], (24, 5))[:-1], ((20, 5), (30, 5), (25, 0), (25, 10))]},  # and around it
        {"ways": [*leaving(SECOND[0]), *pairwise([(4, 20), (8, 18), (12, 16)])]},  # elsewhere
        {"ways": [*leaving(SECOND[0]), *pairwise([(25, 6), (25, 7), (25, 8)])]},  # a button that it lies on
        {"ways": leaving(*SECOND), "known": ()},
        {"ways": [(), *leaving(*SECOND)[1:]]},  # nothing had answered
        {"ways": [*leaving(*SECOND), ANSWER]},
    ],
    ids=["under it", "around it", "elsewhere", "beside it", "not known", "no answer", "answers later"],
)
def test_what_does_not_lead_away_from_it_may_be_an_answer(case):
    assert set_out(**case) == []


def test_what_changes_elsewhere_after_it_has_set_out_is_no_part_of_its_movement():
    assert set_out([*leaving(*SECOND[:3]), *pairwise([(34, 24), (30, 22), (26, 20)])]) == [14, 15]


def test_a_movement_that_rests_on_its_way_is_known_as_far_as_the_rest():
    ways = leaving(*SECOND)
    assert set_out([*ways[:-1], *PAUSE, ways[-1]]) == [14, 15]


def at_once(ways, known=(1, 4), slot_ms=20.0, parts=(2, 3)):
    """Return the pictures between `known` steps in which it goes on without a rest; of `parts` a part is known."""
    changes = changes_of([blocks(*places) if places else np.zeros(SHAPE, bool) for places in ways])
    steps = {picture: changes.blocks(picture) for picture in known} | dict.fromkeys(parts, blocks((9, 6), high=1))
    since = since_answered(changes, np.zeros(SHAPE, bool), SOON_MS, 0.0)
    return sorted(moves_at_once(steps, since, SOON_MS, slot_ms))


def test_what_comes_at_once_between_two_known_steps_is_the_cursors_however_little_further():
    """It did not rest meanwhile, so it clicked nothing."""
    near = [ANSWER, WAY[:2], (WAY[1], (9, 6)), ((9, 6), (9, 7)), ((9, 7), WAY[2])]
    assert at_once(near) == [2, 3]
    assert at_once(near, known=(1,)) == []
    assert at_once(near, parts=(2,)) == []
    assert at_once(near, slot_ms=10.0) == []
    assert at_once([*near[:2], (), *near[2:]], known=(1, 5), parts=(3, 4)) == []
    assert at_once([*near[:2], (*near[2], (30, 22)), *near[3:]]) == []  # elsewhere besides


ROUND = [(10, 10), (13, 11), (14, 13), (13, 11), (10, 10), (7, 9)]


@pytest.mark.parametrize(
    ("way", "known", "rests", "joined"),
    [
        (SECOND, (1, 3), False, [2]),
        (SECOND, (1,), False, []),
        (SECOND, (1, 3), True, []),
        (ROUND, (1, 5), False, []),
    ],
    ids=["from one to the next", "seen no more", "after a rest", "around a place"],
)
def test_what_is_blurred_on_the_way_from_a_known_step_to_the_next_is_a_discs(way, known, rests, joined):
    ways = [ANSWER, *pairwise(way)]
    changes = changes_of([blocks(*places) for places in ways])
    times = np.cumsum([100.0 if not rests or at != 2 else 500.0 for at in range(len(ways))])
    steps = {picture: changes.blocks(picture) for picture in known}
    since = since_answered(changes, np.zeros(SHAPE, bool), times, 0.0)
    assert sorted(joins(steps, since, times, REST_MS)) == joined


LONG = [(36, 26), (35, 23), (33, 20), (31, 17), (29, 14), (27, 10), (26, 7), (25, 5)]  # to where it rests
STIRS = [(25, 5), (25, 6)] * 4


def followed(ways, known, times_ms=SOON_MS, steps=None, rests_ms=0.0):
    """Return the pictures that are taken for a cursor's with `known` steps, where an encoder hid the others."""
    changes = changes_of([blocks(*places) if places else np.zeros(SHAPE, bool) for places in ways])
    own = {picture: changes.blocks(picture) for picture in known} | (steps or {})
    since = since_answered(changes, np.zeros(SHAPE, bool), times_ms, 0.0)
    end_ms = float(times_ms[-1]) + rests_ms
    return sorted(follows_on(own, since, times_ms, REST_MS, float(times_ms[0]), slot_ms=20.0, end_ms=end_ms))


def late(*places):
    """Return the answer, a rest, and what changes as the cursor goes from place to place."""
    return [ANSWER, *PAUSE, *pairwise(places)]


def test_a_step_in_the_picture_before_a_known_one_is_the_cursors():
    assert followed(late(*SECOND), known=(14, 15)) == [13]


def test_a_step_in_the_picture_after_a_known_one_is_the_cursors():
    assert followed([*late(*SECOND[:2]), *PAUSE[:8], *pairwise(SECOND[1:])], known=(22,)) == [23]


def test_a_long_movement_to_where_it_is_seen_next_is_the_cursors_and_what_leads_to_that_as_well():
    ways = [*late(*LONG), *PAUSE, *pairwise(SECOND)]
    assert followed(ways, known=(33, 34)) == [*range(13, 20), 32]


@pytest.mark.parametrize(
    ("known", "parts", "own"),
    [((13, 15), [14], [14]), ((13, 14), [15], []), ((14, 15), [13], []), ((15,), [13, 14], [13, 14])],
    ids=["between", "as it comes", "as it sets out", "two"],
)
def test_a_single_step_that_is_known_in_part_must_lie_between_known_ones(known, parts, own):
    """A button may go pale beside a cursor as it sets out, and as it comes."""
    assert followed(late(*SECOND), known, steps={part: blocks(SECOND[part - 13]) for part in parts}) == own


@pytest.mark.parametrize(
    "case",
    [
        {"ways": [ANSWER, *pairwise(SECOND)], "known": (2, 3)},
        {"ways": [ANSWER, *PAUSE[:6], *pairwise(SECOND)], "known": (8, 9)},
        {"ways": [ANSWER, *pairwise((*LONG, *SECOND[1:]))], "known": (*range(1, 9), 10)},
        {"ways": [ANSWER, *PAUSE[:11], ((2, 2),), *pairwise(SECOND)], "known": (14, 15)},
        {"ways": [*late(*SECOND[:2]), *PAUSE[:3], *pairwise(SECOND[1:])], "known": (17, 18)},
        {"ways": [*late((30, 24), (30, 20)), *pairwise(SECOND)], "known": (14, 15)},
        {"ways": [*late(*LONG[2:]), *PAUSE, *pairwise(SECOND)], "known": (30, 31, 32)},
        {"ways": [*late(*STIRS), *PAUSE, *pairwise(SECOND)], "known": (32, 33, 34)},
        {"ways": late(*SECOND), "known": ()},
        {"ways": late(*SECOND, *LONG[:2]), "known": (15,), "steps": dict.fromkeys((13, 14), blocks((2, 2)))},
    ],
    ids=[
        "with the answer",
        "soon after it",
        "on and on since",
        "with something else",
        "after a pause",
        "elsewhere",
        "short",
        "in its place",
        "none known",
        "apart",
    ],
)
def test_what_does_not_lead_to_a_known_step_so_may_be_an_answer(case):
    assert 13 not in followed(**case)
    assert not set(followed(**case)) & set(range(1, 13))


def rested(ways, known=(), rest_ms=REST_MS):
    """Return the pictures since all had rested after something small answered."""
    changes = changes_of([blocks(*places) if places else np.zeros(SHAPE, bool) for places in ways])
    steps = {picture: changes.blocks(picture) for picture in known}
    return list(since_rested(changes, np.zeros(SHAPE, bool), SOON_MS, 0.0, 6, steps, rest_ms))


TICK, CROSS = ((2, 2),), ((4, 4),)


def test_what_changes_since_all_had_rested_counts_where_something_as_small_answered():
    assert rested([TICK, CROSS, *PAUSE, *pairwise(SECOND)]) == [14, 15, 16]
    assert rested([*pairwise(SECOND), *PAUSE, TICK, *PAUSE, CROSS], known=(0, 1, 2)) == [28]


@pytest.mark.parametrize(
    "case",
    [
        {"ways": [*pairwise(SECOND), *PAUSE, TICK], "known": (0, 1, 2)},
        {"ways": [TICK, *PAUSE[:6], *pairwise(SECOND)]},
        {"ways": [TICK, *PAUSE, *pairwise(SECOND)], "rest_ms": 300.0},
        {"ways": [TICK, *PAUSE, *pairwise(SECOND), ANSWER]},
        {"ways": [ANSWER, *PAUSE, *pairwise(SECOND)]},
    ],
    ids=["the cursor's own rest", "soon", "longer rests", "more answers later", "more has answered"],
)
def test_nothing_counts_so_before_a_rest_or_where_more_answers(case):
    assert rested(**case) == []


CUT = [*late(*SECOND), *PAUSE[:8], *pairwise([(13, 17), (15, 18), (17, 18)])]


def cut(ways=CUT, rests_ms=0.0):
    return followed(ways, known=(13, 14, 15), times_ms=SOON_MS[: len(ways)], rests_ms=rests_ms)


def test_what_goes_on_from_its_last_place_until_the_film_is_cut_is_the_cursors():
    assert cut() == [24, 25]
    assert cut([*CUT, *pairwise([(17, 18), (18, 18), (19, 18), (20, 18), (21, 19)])]) == [*range(24, 30)]
    assert cut(rests_ms=100.0) == []
    assert followed(CUT, known=(13, 14, 15)) == []  # more pictures come


@pytest.mark.parametrize(
    "ways",
    [
        CUT[:-1],
        [*CUT[:-2], *pairwise([(27, 2), (24, 5), (21, 8)])],
        [*CUT[:-2], *[((13, 17), (12, 26))] * 2],
        [*CUT[:-2], *[((13, 17),)] * 6],
    ],
    ids=["one step", "elsewhere", "larger", "in its place for long"],
)
def test_what_the_film_is_cut_in_may_be_an_answer(ways):
    assert cut(ways) == []


def test_a_movement_soon_after_one_that_is_the_cursors_needs_no_rest():
    on, apart = [*SECOND, (9, 20), (5, 23)], ((30, 24), (30, 20))
    assert followed(late(*on), known=(14, 15, 16)) == [13, 17]
    assert followed([*late(*on[:1]), apart, *pairwise(on[1:])], known=(14, 15, 16)) == []
