import os
import signal
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import av
import pytest
from PIL import Image

from tests.find_browser import CURE, find_browser
from tests.upreg_recorder.drivers.chromium_scene import SIZE, frames_of, served
from tests.upreg_recorder.drivers.contract import ContractOfDrivers, DriverCase
from upreg_recorder.drivers.chromium import finding, open_device
from upreg_recorder.drivers.chromium.starting import joined
from upreg_recorder.failures import DeviceGoneError, SettledTrialError, TrialError
from upreg_recorder.plans.model import App, Device, Interaction, Step, Target
from upreg_recorder.traces.procfs import tree

PATIENCE_S = 30  # ends a test that hangs; nothing is measured against it

pytestmark = pytest.mark.browser
LAUNCH = Step("launch")
TAP = Interaction("tap go", "tap", Step("tap", Target(text="Go on")), (LAUNCH,), lead_ms=100, watch_ms=400)


@pytest.fixture(scope="module", autouse=True)
def _look_for_a_short_time():
    """An element that is not there is looked for as long as a test has patience."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "WITHIN_MS", 400.0)
        yield


@pytest.fixture(scope="module")
def scene():
    with served() as scene:
        yield scene


class Phones:
    """Opens browsers, and keeps one for all tests that do it no harm."""

    def __init__(self, cache):
        self._cache, self._kept = cache, None

    def open(self, **settings):
        path = find_browser()
        assert path, CURE
        device = Device(
            "phone", "chromium", "1", settings={"browser": path, "size": list(SIZE), "settle_ms": 0} | settings
        )
        return open_device(device, self._cache)

    def kept(self):
        if self._kept is None:
            self._kept = self.open()
        return self._kept

    def kill(self):
        os.kill(self.kept()._pid, signal.SIGKILL)

    def close(self):
        if self._kept:
            self._kept.close()
        self._kept = None


@pytest.fixture(scope="module")
def phones(tmp_path_factory):
    phones = Phones(tmp_path_factory.mktemp("cache"))
    yield phones
    phones.close()


def app_of(scene, path="/", **settings):
    return App(
        "Scene",
        f"org.scene{path}{sorted(settings)}",
        (),
        version="1",
        settings={"url": scene.address + path} | settings,
    )


def ready(driver, app, interaction=TAP):
    driver.make_ready(app, interaction)
    for step in interaction.prepare:
        driver.do(step, app)
    return driver


class TestChromium(ContractOfDrivers):
    @pytest.fixture
    def case(self, phones, scene):
        def truth_ms(take):
            return scene.last("input") - first_picture_ms(take)

        steps = [
            LAUNCH,
            Step("wait", Target(text="Go on")),
            Step("tap", Target(text="Go on")),
            Step("tap", Target(id="go")),
            Step("tap", Target(description="Close it")),
            Step("tap", Target(at=(0.9, 0.9))),
            Step("type", Target(text="Your name"), text="Ada\n"),
            Step("swipe", path=((0.5, 0.8), (0.5, 0.6)), ms=30),
            Step("scroll", by=(0, -0.2), ms=30),
            Step("draw", path=((0.2, 0.2), (0.5, 0.3), (0.2, 0.4)), ms=30),
            Step("wait", ms=1),
            Step("back"),
            Step("home"),
        ]
        missing = Step("tap", Target(text="Nowhere"), line=12)
        return DriverCase(phones.open, app_of(scene), TAP, steps, missing, truth_ms, phones.kill, version="1")

    @pytest.fixture
    def driver(self, phones):
        return phones.kept()

    @pytest.fixture(autouse=True)
    def _open_again(self, request, phones):
        yield
        if "vanishes" in request.node.name:
            phones.close()


def first_picture_ms(take):
    return float(frames_of(take.video)[1].rpartition(":")[2]) * 1000


@pytest.mark.parametrize(
    "action",
    [
        Step("tap", Target(at=(0.5, 0.9))),
        Step("swipe", path=((0.5, 0.7), (0.5, 0.9)), ms=50),
        Step("type", Target(text="Your name"), text="a"),
    ],
    ids=lambda step: step.kind,
)
def test_pictures_follow_the_input_in_the_order_in_which_the_page_drew_them(phones, scene, tmp_path, action):
    driver = ready(phones.kept(), app_of(scene))

    take = driver.film(app_of(scene), replace(TAP, action=action, watch_ms=1500), tmp_path / "film")

    shown, _ = frames_of(take.video)
    began, drawn = first_picture_ms(take), scene.last("drawn")
    numbers = [number for _, number in shown]
    before = [number for at, number in shown if at < take.action_ms]
    rest = before[0]  # a tap into the field that is typed into makes the page draw as well
    assert set(before) == {rest}
    assert numbers == sorted(numbers)
    assert rest < numbers[-1] <= rest + len(drawn)
    for (
        at,
        number,
    ) in shown:  # nothing is shown before it was drawn; the page's and the host's clock differ by a tick
        assert number == rest or began + at > drawn[number - rest - 1] - 2
    assert take.action_ms + 150 < min(at for at, number in shown if number > rest)


def test_launch_is_filmed_from_the_home_screen_until_the_app_is_there(phones, scene, tmp_path):
    app, driver = app_of(scene), phones.kept()
    driver.make_ready(app, TAP)
    home = pixels_of(driver.picture()).getpixel((200, 400))

    take = driver.film(app, replace(TAP, action=LAUNCH, prepare=()), tmp_path / "film")

    with av.open(str(take.video)) as container:
        levels = [frame.to_rgb().to_ndarray()[400, 200] for frame in container.decode(video=0)]
    assert abs(levels[0].astype(int) - home).max() < 6
    assert levels[-1].min() > 250
    assert 0 < take.x < SIZE[0]
    assert 0 < take.y < SIZE[1]


def test_screen_has_the_pixels_that_the_plan_says(phones, scene, tmp_path):
    with phones.open(size=[360, 640], scale=1.5, user_agent="Phone/1") as driver:
        take = ready(driver, app_of(scene)).film(app_of(scene), TAP, tmp_path / "film")
        picture = pixels_of(driver.picture())

        with av.open(str(take.video)) as container:
            assert (container.streams.video[0].width, container.streams.video[0].height) == (540, 960)
        assert driver.facts.size == picture.size == (540, 960)
        assert "Phone/1" in scene.agents


def test_odd_number_of_pixels_is_refused_before_anything_starts(phones):
    with pytest.raises(DeviceGoneError, match="411 × 892 px"):
        phones.open(size=[411, 892])


def test_each_trial_begins_with_the_same_storage_and_the_same_numbers(phones, scene):
    app = app_of(scene, storage={"who": "Ada"}, random_seed=7)
    said = Step("wait", Target(text=f"tapped Ada {7 * 16807 * 10**9 // 2147483647}"))
    for _ in range(2):
        driver = ready(phones.kept(), app)
        driver.do(TAP.action, app)
        driver.do(said, app)


def test_script_of_a_device_comes_before_those_of_pages_and_stands_in_its_facts(phones, scene, tmp_path):
    (tmp_path / "slower.js").write_text("const at = 1\nMath.random = () => 0.25")
    app = app_of(scene, script="const at = 2\nconst before = Math.random\nMath.random = () => before() * 2")
    with phones.open(script=str(tmp_path / "slower.js")) as driver:
        ready(driver, app).do(TAP.action, app)
        driver.do(Step("wait", Target(text="tapped null 500000000")), app)
        assert driver.facts.more["script"].startswith("slower.js ")


def test_app_is_served_from_a_folder_or_an_archive(phones, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>a</title><p>Served")
    with ZipFile(tmp_path / "app.zip", "w") as archive:
        archive.write(tmp_path / "site" / "index.html", "index.html")
    folder = App("Mail", "org.mail", (), settings={"site": str(tmp_path / "site")})
    seen = Step("wait", Target(text="Served"))

    versions = [phones.kept().install(folder, None)]
    ready(phones.kept(), folder).do(seen, folder)
    versions.append(phones.kept().install(replace(folder, settings={}), tmp_path / "app.zip"))
    ready(phones.kept(), folder).do(seen, folder)

    assert versions[0] == versions[1] != ""


def test_what_a_page_does_by_itself_is_answered_noted_and_logged(phones, scene, tmp_path):
    app = app_of(scene, "/?do=log&do=alert&do=ask&do=throw", page_errors="note")
    driver = ready(phones.kept(), app)
    driver.do(Step("wait", Target(text="denied")), app)

    notes = driver.film(app, TAP, tmp_path / "film").notes
    log = driver.gather(tmp_path / "film").log.read_text()

    for said in ("Rate this app", "geolocation", "no such thing"):
        assert [note for note in notes if said in note], said
    assert "console.warning low on fuel" in log
    assert log.index("low on fuel") < log.index("action: tap") < log.index("the film ends")


def test_script_that_fails_makes_the_trial_worthless_unless_the_plan_lives_with_it(phones, scene):
    with pytest.raises(TrialError, match=r"no such thing.*page_errors"):
        ready(phones.kept(), app_of(scene, "/?do=throw"))


def test_page_that_is_not_there_is_told(phones, scene):
    with pytest.raises(TrialError, match="answers 404"):
        ready(phones.kept(), app_of(scene, "/lost"))


def test_host_that_is_not_there_is_told(phones):
    nowhere = App("Gone", "gone", (), version="1", settings={"url": "http://nowhere.invalid/"})
    with pytest.raises(TrialError, match=r"nowhere\.invalid.*did not load"):
        ready(phones.kept(), nowhere)


def test_page_that_crashes_while_it_is_filmed_is_told_and_the_next_trial_is_done(phones, scene, tmp_path):
    app = app_of(scene)
    crash = replace(TAP, action=Step("tap", Target(at=(0.5, 0.9))), watch_ms=1500)
    driver = ready(phones.kept(), app, crash)
    renderers = _renderers(driver._pid)

    def crashes():
        for pid in renderers:
            with suppress(ProcessLookupError):  # a spare one that went by itself
                os.kill(pid, signal.SIGKILL)

    with _later(scene, crashes), pytest.raises(TrialError, match="crashed"):
        driver.film(app, crash, tmp_path / "film")
    assert ready(driver, app).film(app, TAP, tmp_path / "next").video.is_file()


def test_element_beside_the_screen_is_told(phones, scene):
    driver = ready(phones.kept(), app_of(scene))
    driver.do(Step("scroll", by=(0, -0.9), ms=30), app_of(scene))
    _until_scrolled(driver, by=400)
    with pytest.raises(TrialError, match=r"line 3 of the plan.*is not on the screen: scroll"):
        driver.do(Step("tap", Target(text="Go on"), line=3), app_of(scene))


def test_scroll_moves_the_content_so_far_and_does_not_fling(phones, scene):
    driver = ready(phones.kept(), app_of(scene))
    driver.do(Step("scroll", by=(0, -0.5), ms=300), app_of(scene))
    _until_scrolled(driver, by=240 - 16)
    moved = driver._call(driver._trial._page.evaluate("scrollY"))
    assert abs(moved - 240) <= 16  # 15 px tell a scroll from a tap


def test_fast_scroll_ends_where_the_finger_does(phones, scene):
    driver = ready(phones.kept(), app_of(scene))
    driver.do(Step("scroll", by=(0, -0.5), ms=30), app_of(scene))
    driver.do(Step("scroll", by=(0, -0.5), ms=30), app_of(scene))
    _until_scrolled(driver, by=2 * (240 - 16))
    assert driver._call(driver._trial._page.evaluate("scrollY")) <= 2 * 240


def test_browser_heeds_all_features_that_are_off(phones, scene):
    driver = ready(phones.open(flags=["--disable-features=LazyFrameLoading"]), app_of(scene))
    try:
        switches = Path(f"/proc/{_renderers(driver._pid)[0]}/cmdline").read_bytes()
    finally:
        driver.close()
    for feature in (b"LazyFrameLoading", b"ResamplingScrollEvents", b"HttpsUpgrades"):  # the last one by Playwright
        assert feature in switches


def test_lists_of_features_are_joined():
    given = ["/bin/browser", "--mute-audio", "--disable-features=One,Two", "--enable-features=Three"]
    ours = ["--disable-gpu", "--disable-features=Two,Four", "--disable-features="]
    assert joined(given, ours) == ["--disable-gpu", "--disable-features=One,Two,Four", "--enable-features=Three"]
    assert joined([], ["--disable-gpu"]) == ["--disable-gpu"]


def test_what_no_film_can_show_is_told(phones, scene, tmp_path):
    driver = ready(phones.kept(), app_of(scene))
    with pytest.raises(SettledTrialError, match="wait is nothing that a film shows"):
        driver.film(app_of(scene), replace(TAP, action=Step("wait", ms=1)), tmp_path / "film")
    assert not driver._browser.contexts  # its page does not go on while another device films


def test_app_that_is_nowhere_is_told(phones):
    with pytest.raises(SettledTrialError, match=r"url.*site.*install"):
        phones.kept().install(App("Mail", "org.mail", ()), None)


@pytest.mark.parametrize(
    ("browser", "said"),
    [
        ("/nowhere/chromium", "there is no Chromium at /nowhere/chromium"),
        ("npm:@sparticuz/chromium@latest", "exact version"),
        ("npm:left-pad@1.0.0", "holds no browser"),
        ("/bin/true", "does not start"),
    ],
)
def test_browser_that_cannot_be_started_is_told(tmp_path, browser, said):
    with pytest.raises(DeviceGoneError, match=said):
        open_device(Device("phone", "chromium", "1", settings={"browser": browser}), tmp_path)


def pixels_of(png):
    with Image.open(BytesIO(png)) as picture:
        return picture.convert("RGB")


def _until_scrolled(driver, by):
    """Wait until the page itself knows how far the screen has moved: under a finger that is later than seen."""
    ends = time.monotonic() + PATIENCE_S
    while driver._call(driver._trial._page.evaluate("scrollY")) < by:
        assert time.monotonic() < ends
        time.sleep(0.02)


def _renderers(pid):
    return [each for each in tree(pid) if b"--type=renderer" in Path(f"/proc/{each}/cmdline").read_bytes()]


def _later(scene, do):
    """Do something once the page has told of its next input."""

    @contextmanager
    def waiting():
        told = len(scene.told)

        def wait():
            while len(scene.told) == told:
                time.sleep(0.01)
            do()

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        yield
        thread.join(10)

    return waiting()
