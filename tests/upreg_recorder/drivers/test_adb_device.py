"""Opening, conditioning and giving back a model phone, and what it says of itself."""

import json
import socket
import subprocess
import tarfile
from dataclasses import replace
from io import BytesIO

import pytest
from google.protobuf import text_format
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import TraceConfig

from upreg_recorder.drivers.adb import facts, tracing
from upreg_recorder.drivers.adb.settings import DeviceSettings, settings_of
from upreg_recorder.failures import DeviceGoneError, PlanError, SettledTrialError, TrialError

from .adb_desk import TAP, Desk, a_desk, an_app
from .fake_adb import FakeAdb, Phone
from .fake_adb.phone import PACKAGE
from .fake_adb.programs import POLICY


@pytest.fixture
def desk(tmp_path):
    with a_desk(tmp_path / "cache") as desk:
        yield desk


@pytest.fixture
def phone(desk):
    return desk.phone


class TestOpening:
    def test_only_device_needs_no_serial(self, desk, phone):
        with desk.open() as driver:
            assert driver.facts.more["serial"] == phone.serial
            assert driver.facts.size == (270, 600)
            assert driver.facts.os_build == phone.props["ro.build.fingerprint"]
            assert driver.facts.more["device_clock"] == "700 ± 3 ms ahead of the host's"

    def test_several_devices_need_one(self, desk, phone):
        desk.server.phones.append(Phone("OTHER", phone.clock))

        with pytest.raises(DeviceGoneError, match=r"say which with `serial`; there is 4A101FDJH001, OTHER"):
            desk.open()
        with desk.open(serial="OTHER") as driver:
            assert driver.facts.more["serial"] == "OTHER"

    def test_no_device_is_said(self, desk):
        desk.server.phones.clear()

        with pytest.raises(DeviceGoneError, match="plug one in"):
            desk.open()

    def test_unknown_serial_is_said_with_what_there_is(self, desk, phone):
        with pytest.raises(DeviceGoneError, match=rf"no device X: .*there is {phone.serial}"):
            desk.open(serial="X")

    @pytest.mark.parametrize(
        ("state", "cure"), [("offline", "plug it in again"), ("unauthorized", "allow USB debugging")]
    )
    def test_device_that_cannot_be_used_is_said_with_the_cure(self, desk, phone, state, cure):
        phone.state = state

        with pytest.raises(DeviceGoneError, match=f"is {state}: .*{cure}"):
            desk.open()

    def test_device_that_goes_offline_later_is_said_with_the_cure(self, desk, phone):
        with desk.open() as driver:
            phone.state = "offline"
            with pytest.raises(DeviceGoneError, match="plug it in again, or restart it"):
                driver.vitals()

    def test_no_server_is_said(self, desk, tmp_path):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]

        with pytest.raises(DeviceGoneError, match=f"no adb server at 127.0.0.1:{port}: start it"):
            desk.open(port=port)

    def test_something_else_at_its_port_is_said(self, desk):
        class Mute(FakeAdb):
            def _host(self, client):
                client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        with Mute(desk.phone) as other, pytest.raises(DeviceGoneError, match="does not answer as one"):
            Desk(desk.phone, other, desk.cache).open()

    def test_empty_battery_is_said(self, desk, phone):
        phone.battery_pct = 19

        with pytest.raises(DeviceGoneError, match=r"battery at 19 %, below 20 %: charge it"):
            desk.open()
        with desk.open(battery_min_pct=10) as driver:
            assert driver.vitals().battery_pct == 19

    def test_battery_that_ends_between_trials_is_said(self, desk, phone):
        with desk.ready() as driver:
            phone.battery_pct = 5
            with pytest.raises(DeviceGoneError, match="battery at 5 %"):
                driver.make_ready(an_app(), TAP)

    def test_full_device_is_said(self, desk, phone):
        phone.full = True

        with pytest.raises(DeviceGoneError, match="is full: 1 MB free"):
            desk.open()

    def test_missing_scrcpy_is_said_with_the_cure(self, desk, monkeypatch, tmp_path):
        monkeypatch.setenv("PATH", str(tmp_path))

        with pytest.raises(DeviceGoneError, match=r"no scrcpy: install scrcpy .*or set `recorder: screenrecord`"):
            desk.open(recorder="scrcpy")

    def test_unknown_setting_is_a_fault_of_the_plan(self):
        with pytest.raises(PlanError, match="no setting serail; it has serial, host"):
            settings_of(DeviceSettings, {"serail": "x"})


class TestCommands:
    def test_command_that_hangs_is_given_up(self, desk):
        with desk.open() as driver, pytest.raises(TrialError, match=r"`hang.*took too long: restart the device"):
            driver.link.sh("hang", timeout_s=0.2)

    def test_command_that_has_to_succeed_says_what_did_not(self, desk):
        with desk.open() as driver, pytest.raises(TrialError, match=r"it is not read: cat: /no: No such file"):
            driver.link.need("cat /no", "it is not read")

    def test_file_that_is_not_there_is_named(self, desk, tmp_path):
        with desk.open() as driver:
            with pytest.raises(TrialError, match=r"/no cannot be copied: .*No such file"):
                driver.link.pull("/no", tmp_path / "no")
            with pytest.raises(TrialError, match=r"/no cannot be read: .*No such file"):
                driver.link.read("/no")

    def test_file_for_which_there_is_no_room_is_named(self, desk, phone, tmp_path):
        (tmp_path / "a.apk").write_bytes(b"PK")
        with desk.open() as driver:
            phone.full = True
            with pytest.raises(TrialError, match=r"a\.apk cannot be copied to .*is its storage full\?"):
                driver.link.push(tmp_path / "a.apk", "/data/local/tmp/a.apk")

    def test_screen_without_a_picture_is_said(self, desk, phone):
        phone.fails["screencap"] = "Capturing failed."

        with desk.open() as driver, pytest.raises(TrialError, match="is the screen on"):
            driver.picture()


class TestConditioning:
    def test_everything_changed_is_given_back(self, desk, phone):
        before = dict(phone.settings)
        with desk.open(show_touches=True):
            assert phone.settings["system", "show_touches"] == "1"
            assert phone.settings["system", "accelerometer_rotation"] == "0"
            assert phone.settings["global", "zen_mode"] == "2"
            assert phone.settings["global", "stay_on_while_plugged_in"] == "7"

        assert phone.settings == before
        assert not list(desk.cache.iterdir())

    def test_animations_are_left_alone(self, desk, phone):
        with desk.open():
            assert not any("animat" in said for said in phone.commands)

    def test_what_a_cut_left_is_given_back_by_the_next_opening(self, desk, phone):
        before = dict(phone.settings)
        driver = desk.open()
        assert phone.settings != before
        del driver  # as a host that lost its power: nothing is closed

        with desk.open():
            pass

        assert phone.settings == before

    def test_what_a_vanished_device_keeps_is_given_back_when_it_comes_again(self, desk, phone):
        before = dict(phone.settings)
        driver = desk.open()
        phone.state = "absent"
        driver.close()
        phone.state = "device"
        assert phone.settings != before

        desk.open().close()

        assert phone.settings == before

    def test_note_of_what_to_give_back_that_was_cut_is_no_obstacle(self, desk, phone):
        desk.cache.mkdir()
        (desk.cache / f"android-{phone.serial}-restore.json").write_text('["settings pu')

        with desk.open() as driver:
            assert driver.facts.model == "Model 7"

    def test_clocks_are_fixed_where_rooted_and_given_back(self, desk, phone):
        before = {
            f"{POLICY}/scaling_governor": b"schedutil\n",
            f"{POLICY}/scaling_min_freq": b"300000\n",
            f"{POLICY}/scaling_max_freq": b"2800000\n",
            f"{POLICY}/scaling_available_frequencies": b"300000 1200000 1900000 2800000\n",
        }
        phone.files.update(before)
        phone.rooted = True

        with desk.open(root=True) as driver:
            assert driver.facts.more["conditioning"] == "clocks fixed at 1900 MHz"
            assert phone.files[f"{POLICY}/scaling_min_freq"] == phone.files[f"{POLICY}/scaling_max_freq"]
            assert phone.files[f"{POLICY}/scaling_governor"] == b"performance\n"

        assert {name: phone.files[name] for name in before} == before

    @pytest.mark.parametrize(("rooted", "said"), [(False, "su gives no root"), (True, "does not offer")])
    def test_clocks_that_cannot_be_fixed_are_said(self, desk, phone, rooted, said):
        phone.rooted = rooted

        with desk.open(root=True) as driver:
            assert said in driver.facts.more["conditioning"]


class TestApps:
    @pytest.fixture
    def apk(self, tmp_path):
        (tmp_path / "base.apk").write_bytes(b"PK base")
        (tmp_path / "config.arm64_v8a.apk").write_bytes(b"PK split")
        return tmp_path / "base.apk"

    def test_splits_are_installed_in_one_session(self, desk, phone, apk):
        with desk.open() as driver:
            version = driver.install(an_app(splits=["config.arm64_v8a.apk"]), apk)

        assert version == "2.2"
        assert phone.sessions["77"] == [len(b"PK base"), len(b"PK split")]
        assert not [name for name in phone.files if name.endswith(".apk")]

    def test_app_is_installed_anew(self, desk, phone, apk):
        with desk.open() as driver:
            driver.install(an_app(), apk)

        uninstalls = [said for said in phone.commands if said.startswith("pm uninstall")]
        assert len(uninstalls) == 1

    def test_missing_split_is_said(self, desk, apk):
        with desk.open() as driver, pytest.raises(SettledTrialError, match=r"no\.apk is not there"):
            driver.install(an_app(splits=["no.apk"]), apk)

    def test_file_that_is_no_apk_settles_the_trial(self, desk, phone, apk):
        apk.write_bytes(b"<html>")

        with desk.open() as driver, pytest.raises(SettledTrialError, match="the file is no APK: correct `install`"):
            driver.install(an_app(), apk)
        assert not [name for name in phone.files if name.endswith(".apk")]

    def test_app_that_is_not_there_is_said(self, desk, phone):
        app = replace(an_app(), package="com.example.none")

        with desk.open() as driver, pytest.raises(SettledTrialError, match=r"has no app com\.example\.none"):
            driver.install(app, None)

    def test_permissions_are_granted_after_the_data_is_cleared(self, desk, phone):
        desk.ready(app=an_app(permissions=["android.permission.CAMERA"])).close()

        assert phone.granted == [(PACKAGE, "android.permission.CAMERA")]
        order = [
            next(n for n, said in enumerate(phone.commands) if said.startswith(word))
            for word in ("pm clear", "pm grant")
        ]
        assert order == sorted(order)

    def test_unknown_permission_settles_the_trial(self, desk):
        with pytest.raises(SettledTrialError, match=r"NOSUCH .*Unknown permission.*correct `permissions`"):
            desk.ready(app=an_app(permissions=["android.permission.NOSUCH"]))

    def test_data_is_kept_where_asked(self, desk, phone):
        desk.ready(app=an_app(data="keep")).close()

        assert not any(said.startswith("pm clear") for said in phone.commands)

    @pytest.fixture
    def snapshot(self, tmp_path):
        with tarfile.open(tmp_path / "mail.tar", "w") as tar:
            entry = tarfile.TarInfo("shared_prefs/account.xml")
            entry.size = 4
            tar.addfile(entry, BytesIO(b"<a/>"))
        return tmp_path / "mail.tar"

    @pytest.mark.parametrize("way", ["run-as", "root"])
    def test_snapshot_is_restored(self, desk, phone, snapshot, way):
        phone.debuggable_app, phone.rooted = way == "run-as", way == "root"

        desk.ready(app=an_app(snapshot=str(snapshot)), root=way == "root").close()

        assert phone.files["/data/data/app/shared_prefs/account.xml"] == b"<a/>"
        assert not [name for name in phone.files if name.endswith(".tar")]

    def test_snapshot_that_cannot_be_restored_is_said(self, desk, phone, snapshot):
        with pytest.raises(SettledTrialError, match=r"cannot be restored .*not debuggable.*`root: true`"):
            desk.ready(app=an_app(snapshot=str(snapshot)))

    def test_missing_snapshot_is_said(self, desk, tmp_path):
        with pytest.raises(SettledTrialError, match=r"no\.tar is not there: correct `snapshot`"):
            desk.ready(app=an_app(snapshot=str(tmp_path / "no.tar")))


class TestDialogs:
    CRASHED = ("Close app", "android:id/aerr_close", "", (20, 300, 250, 340))

    def test_of_a_crash_is_closed_before_a_trial(self, desk, phone):
        phone.focus, phone.elements = "Application Error: com.example.other", [*phone.elements, self.CRASHED]

        desk.ready().close()

        assert phone.taps == [(135.0, 320.0)]
        assert self.CRASHED not in phone.elements

    def test_asking_for_a_permission_is_refused_before_a_trial(self, desk, phone):
        deny = (
            "Don't allow",
            "com.android.permissioncontroller:id/permission_deny_button",
            "",
            (20, 400, 250, 440),
        )
        phone.focus = (
            "com.google.android.permissioncontroller/com.android.permissioncontroller.GrantPermissionsActivity"
        )
        phone.elements = [deny]

        desk.ready().close()

        assert phone.taps == [(135.0, 420.0)]

    def test_without_a_button_is_said(self, desk, phone):
        phone.focus = "Application Not Responding: com.example.other"

        with pytest.raises(TrialError, match=r"com\.example\.other does not respond, and its dialog has no button"):
            desk.ready()


class TestWordsOfADevice:
    def test_override_of_the_size_counts(self):
        assert facts.screen_size("Physical size: 1440x3120\nOverride size: 1080x2340\n") == (1080, 2340)
        assert facts.screen_size("Can't find service: window") is None

    @pytest.mark.parametrize(
        ("said", "hz"),
        [
            (
                "mActiveModeId=2 {id=1, width=1, height=2, fps=60.000004}{id=2, width=1, height=2, fps=120.00001}",
                120.0,
            ),
            ("modeId 1, defaultModeId 1, supportedModes [{id=1, width=1080, height=2400, fps=90.0}]", 90.0),
            ("DisplayInfo{renderFrameRate 59.94}", 59.94),
            ("1080 x 2400, 60.0 fps, density 420", 60.0),
            ("nothing", None),
        ],
    )
    def test_refresh_rate(self, said, hz):
        assert facts.refresh_hz(said) == hz

    def test_battery_on_another_scale(self):
        assert facts.battery("  level: 50\n  scale: 200\n  temperature: -55\n") == (25.0, -5.5)
        assert facts.battery("Can't find service: battery") == (None, None)

    def test_skin_is_taken_of_what_the_hardware_tells_now(self):
        said = (
            "Cached temperatures:\n Temperature{mValue=50.0, mType=3, mName=skin}\n"
            "Current temperatures from HAL:\n Temperature{mValue=31.5, mType=3, mName=skin}\n"
            " Temperature{mValue=80.0, mType=0, mName=cpu}\nCurrent cooling devices from HAL:\n"
        )
        assert facts.skin_temperature(said) == 31.5
        assert facts.skin_temperature("Can't find service: thermalservice") is None


class TestTraceConfiguration:
    @pytest.mark.parametrize("with_input", [True, False])
    def test_is_what_perfetto_itself_reads(self, with_input):
        config = text_format.Parse(tracing.config(PACKAGE, 12.5, with_input=with_input), TraceConfig())

        names = [source.config.name for source in config.data_sources]
        assert names[:2] == ["linux.process_stats", "linux.sys_stats"]
        assert ("linux.ftrace" in names) is with_input
        assert config.duration_ms == 12_500
        assert "sched" not in str(config)


def test_every_command_is_one_that_a_shell_can_parse(desk, phone, tmp_path):
    with desk.ready(app=an_app(permissions=["android.permission.CAMERA"]), root=True) as driver:
        driver.film(an_app(), TAP, tmp_path / "film")
        driver.gather(tmp_path / "film")

    for command in phone.commands:
        parsed = subprocess.run(["sh", "-n", "-c", command], capture_output=True, text=True, check=False)
        assert parsed.returncode == 0, (command, parsed.stderr)


def test_schema_and_settings_name_the_same(desk):
    from importlib.resources import files

    from upreg_recorder.drivers.adb.settings import AppSettings

    schema = json.loads(files("upreg_recorder.drivers.adb").joinpath("settings.schema.json").read_text())
    for name, kind in (("device", DeviceSettings), ("app", AppSettings)):
        told, known = schema[name]["properties"], vars(kind())
        assert set(told) == set(known)
        assert all(told[key].get("default", known[key]) == known[key] for key in told)
