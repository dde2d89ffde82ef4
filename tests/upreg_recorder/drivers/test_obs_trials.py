"""What ends one trial of the driver for OBS, and what becomes of OBS then."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.upreg_recorder.drivers.fake_hands import FakeHands
from tests.upreg_recorder.drivers.fake_obs import FakeObs
from tests.upreg_recorder.drivers.obs_desk import APP, PERIOD_MS, TAP, Opener
from upreg_recorder.drivers.obs import connection, films, recording
from upreg_recorder.failures import DeviceGoneError, SettledTrialError, TrialError


class TestTrials:
    def test_black_source(self, opened: Opener, hands: FakeHands) -> None:
        driver = opened()
        hands.asleep = True
        with pytest.raises(TrialError, match="'Phone' is black: wake the phone"):
            driver.make_ready(APP, TAP)

    @pytest.mark.parametrize("skips", [(2, 0), (0, 1)])
    def test_frames_that_obs_skipped_are_counted(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path, skips: tuple[int, int]
    ) -> None:
        hands.on_touch = lambda: fake.skip(*skips)
        words = rf"{skips[0]} composed too late .*, {skips[1]} not encoded"
        with pytest.raises(TrialError, match=words):
            opened().film(APP, TAP, tmp_path / "x")
        assert not list(fake.world.folder.iterdir())
        assert not list(tmp_path.glob("x*"))

    def test_frames_skipped_as_allowed_are_noted(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path
    ) -> None:
        hands.on_touch = lambda: fake.skip(2, 1)
        take = opened(skipped_frames=3, accept_ms=100).film(APP, TAP, tmp_path / "x")
        assert take.uncertain_ms > 2 * PERIOD_MS
        assert take.notes == (
            "OBS skipped pictures: 2 composed too late (OBS repeats the one before), 1 not encoded",
        )

    def test_an_action_whose_instant_is_not_known_well_enough(
        self, opened: Opener, hands: FakeHands, tmp_path: Path
    ) -> None:
        hands.uncertain_ms = 150
        with pytest.raises(TrialError, match=r"known to ± 1\d\d ms only, ± 17 is wanted: by the phone ± 150"):
            opened().film(APP, TAP, tmp_path / "x")
        assert opened(accept_ms=400).film(APP, TAP, tmp_path / "x").uncertain_ms > 150

    def test_recording_that_a_person_began_since(self, opened: Opener, fake: FakeObs, tmp_path: Path) -> None:
        driver = opened()
        driver.film(APP, TAP, tmp_path / "x")
        fake.asked.clear()
        fake.starts_s.clear()  # OBS may be set to name each film alike
        theirs = fake.person_records()
        with pytest.raises(TrialError, match="somebody else uses it"):
            driver.film(APP, TAP, tmp_path / "y")
        driver.close()
        assert theirs.exists()
        assert fake.active
        assert "StopRecord" not in fake.asked

    def test_recording_that_a_person_stopped_and_began_anew(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path
    ) -> None:
        def meddle() -> None:
            fake.person_stops()
            fake.person_records()

        hands.on_touch = meddle
        driver = opened()
        with pytest.raises(TrialError, match="ended the recording before its time"):
            driver.film(APP, TAP, tmp_path / "x")
        driver.close()
        assert fake.active
        assert "StopRecord" not in fake.asked

    def test_recording_that_a_person_paused(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path
    ) -> None:
        hands.on_touch = fake.person_pauses
        driver = opened()
        with pytest.raises(TrialError, match="was paused in OBS"):
            driver.film(APP, TAP, tmp_path / "x")
        assert not fake.active
        assert not list(fake.world.folder.iterdir())
        hands.on_touch = lambda: None
        assert driver.film(APP, TAP, tmp_path / "x").video.is_file()

    def test_disk_that_fills_up(self, opened: Opener, fake: FakeObs, tmp_path: Path) -> None:
        driver = opened()
        fake.world.ends_after_s = 0.05
        fake.world.free_mb = 1200
        with pytest.raises(TrialError, match="before its time: its disk has 1200 MB left"):
            driver.film(APP, TAP, tmp_path / "x")

    def test_disk_that_is_full(self, opened: Opener, fake: FakeObs, tmp_path: Path) -> None:
        driver = opened()
        fake.world.free_mb = 12
        with pytest.raises(DeviceGoneError, match="has 12 MB left"):
            driver.film(APP, TAP, tmp_path / "x")
        assert "StartRecord" not in fake.asked

    def test_recording_that_does_not_begin(
        self, opened: Opener, fake: FakeObs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(recording, "START_S", 0.2)
        fake.world.starts = False
        with pytest.raises(TrialError, match=r"did not begin to record .* Recording Path"):
            opened().film(APP, TAP, tmp_path / "x")

    def test_obs_that_answers_no_more(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connection, "ANSWER_S", 0.3)
        hands.on_touch = fake.hang
        with pytest.raises(DeviceGoneError, match="does not answer GetStats any more"):
            opened().film(APP, TAP, tmp_path / "x")

    def test_app_that_crashed(self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path) -> None:
        hands.crashed = True
        with pytest.raises(TrialError, match="Mail crashed"):
            opened().film(APP, TAP, tmp_path / "x")
        assert not list(fake.world.folder.iterdir())

    def test_film_that_lost_its_end(self, opened: Opener, fake: FakeObs, tmp_path: Path) -> None:
        fake.world.cut_ms = 300
        with pytest.raises(TrialError, match=r"ms long and should be .*: OBS lost its end"):
            opened().film(APP, TAP, tmp_path / "x")

    def test_film_without_the_marker(self, opened: Opener, fake: FakeObs, tmp_path: Path) -> None:
        fake.world.covers_marker = True
        with pytest.raises(TrialError, match="shows 0 changes of OBS's marker"):
            opened().film(APP, TAP, tmp_path / "x")

    def test_file_that_stays_empty(
        self, opened: Opener, fake: FakeObs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(films, "WRITTEN_S", 0.3)
        fake.world.writes = False
        with pytest.raises(TrialError, match="is empty"):
            opened().film(APP, TAP, tmp_path / "x")

    def test_file_of_another_computer_is_found_in_its_folder(
        self, opened: Opener, fake: FakeObs, tmp_path: Path
    ) -> None:
        fake.world.said_path = lambda path: "D:\\Videos\\" + path.name
        take = opened(folder=str(fake.world.folder)).film(APP, TAP, tmp_path / "x")
        assert take.video.is_file()
        words = r"OBS wrote D:\\Videos\\film 2.mkv, .* as the device's `folder`"
        with pytest.raises(SettledTrialError, match=words):
            opened().film(APP, TAP, tmp_path / "y")

    def test_marker_is_taken_out_of_the_scene(self, opened: Opener, fake: FakeObs, tmp_path: Path) -> None:
        opened().film(APP, TAP, tmp_path / "x")
        assert [item.name for item in fake.scenes["Lab"] if item.gone_s == math.inf] == ["Phone"]

    def test_marker_that_a_cut_left_behind_is_replaced(self, opened: Opener, fake: FakeObs, tmp_path: Path) -> None:
        fake.ask_create_input(
            {"sceneName": "Lab", "inputName": "UPReg marker", "inputKind": "x", "sceneItemEnabled": False}
        )
        assert opened().film(APP, TAP, tmp_path / "x").action_ms is not None

    def test_after_a_failed_trial_the_next_one_succeeds(
        self, opened: Opener, fake: FakeObs, hands: FakeHands, tmp_path: Path
    ) -> None:
        driver = opened()
        hands.crashed = True
        with pytest.raises(TrialError):
            driver.film(APP, TAP, tmp_path / "x")
        hands.crashed = False
        assert driver.film(APP, TAP, tmp_path / "x").video.is_file()
