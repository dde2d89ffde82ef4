"""The rules as a whole, and the finger, on events made by hand; the other rules have modules of their own."""

from analysis.events.rules import RULES
from tests.analysis.events.acted import OPTIONS, opens
from tests.analysis.events.handmade import film_blocks, nothing_ignored, ruled, slots


def test_every_rule_has_its_own_key_and_a_reason_for_a_person():
    assert len({rule.key for rule in RULES}) == len(RULES)
    assert all(rule.reason and (rule.area or rule.holds or rule.accounts) and rule.of for rule in RULES)


def test_the_finger_on_the_screen_is_no_response():
    def paint(board, time):
        if 1000 <= time < 1100:
            board[20:23, 20:23] = 120
        opens(board, time)

    recording, changes = film_blocks(paint, slots(3))
    finger = nothing_ignored()
    finger[19:24, 19:24] = True
    rules = [event.why_not("response") for event in ruled(recording, changes, OPTIONS, finger)]
    assert [rule and rule.key for rule in rules] == ["finger", None]
