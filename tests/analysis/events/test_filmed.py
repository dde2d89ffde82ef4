"""Every scene that people film is measured right, and wrong without each rule that it needs."""

import pytest

from analysis.measure import measure_screencast
from benchmarks.ablation import ALL, KEYS, measured_without
from tests.analysis.filmed import filmed
from tests.analysis.scenes import SCENES as PLAIN
from tests.analysis.test_scenes import check

SCENES = filmed()


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_measured_right_and_wrong_without_the_rules_it_needs(name, tmp_path):
    scene = SCENES[name]
    found = dict(measured_without(scene.film(tmp_path), scene.options, scene.needs))
    right = {key: scene.is_right(said.outcome, said.settles, said.metrics) for key, said in found.items()}
    assert right == {ALL: True} | dict.fromkeys(scene.needs, False)
    if name in PLAIN:
        check(PLAIN[name], scene.clip, found[ALL])


def test_a_scene_needs_only_rules_that_there_are():
    assert {key for scene in SCENES.values() for keys in scene.needs for key in keys.split("+")} <= set(KEYS)


def test_without_rules_is_what_is_measured_with_all(tmp_path):
    scene = SCENES["caret"]
    path = scene.film(tmp_path)
    (_, said), *_ = measured_without(path, scene.options, ())
    assert said.metrics == measure_screencast(path, scene.options).metrics


def test_evidence_says_how_a_glide_ended_and_where(tmp_path):
    scene = SCENES["thumb_glides"]
    said = measure_screencast(scene.film(tmp_path), scene.options).evidence
    assert "glides by parts of a pixel" in said["finish"]["found_by"]
    x0, y0, x1, y1 = said["finish"]["changed_rect"]
    assert 84 - 16 <= x0 < x1 <= 184 + 16
    assert 262 - 16 <= y0 < y1 <= 292 + 16
    assert [event["decides"] for event in said["events"]] == [["response", "finish"]]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("window_alone", "a desktop's window"),
        ("located_alone", "Pointer location"),
        ("ring_spreads_alone", "a mark"),
    ],
)
def test_where_nothing_answers_it_says_what_moved(name, words, tmp_path):
    scene = SCENES[name]
    said = measure_screencast(scene.film(tmp_path), scene.options)
    assert said.outcome == "no_response"
    assert words in said.message
    assert name == "ring_spreads_alone" or any(words in note for note in said.evidence["notes"])
