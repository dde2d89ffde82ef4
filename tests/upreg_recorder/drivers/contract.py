"""What every driver is held to: the same tests for the made-up device and for each real one.

A test module of a driver has a class of these tests and a fixture `case` that says how its device is opened:

    class TestChromium(ContractOfDrivers):
        @pytest.fixture
        def case(self, …): return DriverCase(…)
"""

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import av
import pytest

from upreg_recorder import films
from upreg_recorder.drivers.contract import Driver, Take
from upreg_recorder.failures import DeviceGoneError, TrialError
from upreg_recorder.plans.model import App, Interaction, Step

NEAR_MS = 1.0  # what arithmetic loses


@dataclass
class DriverCase:
    """How a driver is tried.

    Parameters
    ----------
    open_device : opens the device anew; the test closes it.
    app, interaction : an interaction that works, with the steps that prepare it.
    steps : one step of each kind that the driver can do, in an order that works after `make_ready`.
    missing : a step that aims at something that is not on the screen; `line` is that of the plan.
    truth_ms : the instant of the action after the first frame, found in a film by other means than the driver's.
    vanish : makes the open device vanish.
    file, version : what is installed and the version that must be told; None: it is there already, any version.

    """

    open_device: Callable[[], Driver]
    app: App
    interaction: Interaction
    steps: Sequence[Step]
    missing: Step
    truth_ms: Callable[[Take], float]
    vanish: Callable[[], None]
    file: Path | None = None
    version: str | None = None


@contextmanager
def open_driver(case):
    driver = case.open_device()
    try:
        yield driver
    finally:
        driver.close()


def prepared(driver, case):
    """Bring a device to where the action is done."""
    driver.install(case.app, case.file)
    driver.make_ready(case.app, case.interaction)
    for step in case.interaction.prepare:
        driver.do(step, case.app)


def times_ms(path):
    """Return the presentation times of all frames, ms after the first."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        times = [float(frame.pts * stream.time_base * 1000) for frame in container.decode(stream)]
    return [time - times[0] for time in times]


class ContractOfDrivers:
    @pytest.fixture
    def driver(self, case):
        with open_driver(case) as driver:
            yield driver

    def test_open_device_says_what_it_is(self, driver):
        facts = driver.facts

        assert facts.model.strip()
        assert facts.os_build.strip()
        assert 1.0 <= facts.refresh_hz <= 1000.0
        assert min(facts.size) > 0
        assert all(isinstance(word, str) for pair in facts.more.items() for word in pair)

    def test_open_device_says_how_it_is(self, driver):
        vitals = driver.vitals()

        assert vitals.battery_pct is None or 0.0 <= vitals.battery_pct <= 100.0
        assert vitals.temperature_c is None or -40.0 < vitals.temperature_c < 120.0
        assert all(clock > 0 for clock in vitals.clocks_mhz)

    def test_install_tells_the_version(self, driver, case):
        version = driver.install(case.app, case.file)

        assert version.strip() if case.version is None else version == case.version

    def test_device_is_made_ready_as_often_as_wanted(self, driver, case):
        driver.install(case.app, case.file)

        driver.make_ready(case.app, case.interaction)
        driver.make_ready(case.app, case.interaction)

    def test_each_kind_of_step_is_done(self, driver, case):
        driver.install(case.app, case.file)
        driver.make_ready(case.app, case.interaction)

        for step in case.steps:
            driver.do(step, case.app)

    def test_element_that_is_not_found_is_named_with_its_line(self, driver, case):
        prepared(driver, case)

        with pytest.raises(TrialError) as raised:
            driver.do(case.missing, case.app)

        said = str(raised.value)
        named = case.missing.target
        assert (named.text or named.id or named.description) in said
        assert f"line {case.missing.line}" in said

    def test_element_that_the_action_does_not_find_is_named_with_its_line(self, driver, case, tmp_path):
        prepared(driver, case)

        with pytest.raises(TrialError, match=f"line {case.missing.line}"):
            driver.film(case.app, replace(case.interaction, action=case.missing), tmp_path / "film")

    def test_device_goes_on_after_an_element_that_was_not_found(self, driver, case, tmp_path):
        prepared(driver, case)
        with pytest.raises(TrialError):
            driver.do(case.missing, case.app)

        prepared(driver, case)
        assert films.look_at(driver.film(case.app, case.interaction, tmp_path / "film").video).frames

    def test_screen_before_the_action_is_a_picture(self, driver, case):
        prepared(driver, case)

        picture = driver.picture()

        assert picture.startswith(b"\x89PNG\r\n\x1a\n")
        assert len(films.cells(picture)) == films.WIDTH * films.HEIGHT

    def test_same_screen_twice_is_no_other_screen(self, driver, case):
        pictures = []
        for _ in range(2):
            prepared(driver, case)
            pictures.append(films.cells(driver.picture()))

        assert not films.difference(*pictures).other

    def test_film_begins_before_the_action_and_goes_on_after_it(self, driver, case, tmp_path):
        prepared(driver, case)

        take = driver.film(case.app, case.interaction, tmp_path / "film")

        assert take.video.parent == tmp_path
        assert take.video.name.startswith("film")
        film, times = films.look_at(take.video), times_ms(take.video)
        assert film.frames == len(times) > 1
        assert times == sorted(times)
        if take.action_ms is None:
            assert take.action_from in ("dot", "flash", "key", "any")
        films.long_enough(
            film,
            take.action_ms,
            lead_ms=case.interaction.lead_ms,
            takes_ms=0.0,
            watch_ms=case.interaction.watch_ms,
        )

    def test_action_is_as_near_the_truth_as_is_said(self, driver, case, tmp_path):
        prepared(driver, case)

        take = driver.film(case.app, case.interaction, tmp_path / "film")

        assert take.uncertain_ms >= 0.0
        assert take.clock.strip()
        if take.action_ms is not None:
            assert abs(take.action_ms - case.truth_ms(take)) <= take.uncertain_ms + NEAR_MS

    def test_manifest_takes_what_a_film_says_of_itself(self, driver, case, tmp_path):
        prepared(driver, case)

        take = driver.film(case.app, case.interaction, tmp_path / "film")

        assert take.capture in ("vfr", "cfr") or take.capture.removeprefix("cfr").isdecimal()
        assert (take.x is None) == (take.y is None)
        with av.open(str(take.video)) as container:
            screen = container.streams.video[0]
            assert take.x is None or (0 <= take.x <= screen.width and 0 <= take.y <= screen.height)
        assert not (take.action_from and take.action_ms is not None)

    def test_what_lies_beside_a_film_is_there(self, driver, case, tmp_path):
        prepared(driver, case)
        driver.film(case.app, case.interaction, tmp_path / "film")

        beside = driver.gather(tmp_path / "film")

        for path in filter(None, (beside.log, beside.trace)):
            assert path.parent == tmp_path
            assert path.name.startswith("film")
            assert path.stat().st_size

    def test_several_films_in_one_session_are_several_files(self, driver, case, tmp_path):
        sizes = []
        for name in ("one", "two"):
            prepared(driver, case)
            take = driver.film(case.app, case.interaction, tmp_path / name)
            driver.gather(tmp_path / name)
            sizes.append(take.video.stat().st_size)

        assert all(sizes)
        assert {path.name[:3] for path in tmp_path.iterdir()} == {"one", "two"}

    def test_device_is_closed_as_often_as_wanted_and_can_be_opened_again(self, case):
        driver = case.open_device()
        driver.close()
        driver.close()

        with open_driver(case) as again:
            assert again.facts.model == driver.facts.model

    def test_device_is_a_context_that_closes_it(self, case):
        with case.open_device() as driver:
            assert driver.facts
        driver.close()

    def test_device_that_vanishes_is_told_as_gone(self, driver, case, tmp_path):
        prepared(driver, case)
        case.vanish()

        with pytest.raises(DeviceGoneError):
            driver.vitals()
        with pytest.raises(DeviceGoneError):
            driver.film(case.app, case.interaction, tmp_path / "film")
        driver.close()
