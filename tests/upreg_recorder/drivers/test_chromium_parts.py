import json
import os
import sys
import tarfile
from http.client import HTTPConnection
from importlib.resources import files
from urllib.parse import urlsplit

import jsonschema
import pytest

from upreg_recorder.drivers.chromium import host, npm
from upreg_recorder.drivers.chromium.driver import _unpack
from upreg_recorder.drivers.chromium.hand import along, stroke
from upreg_recorder.drivers.chromium.options import Phone, Web
from upreg_recorder.drivers.chromium.serving import Sites
from upreg_recorder.failures import RecorderError, SettledTrialError

SCHEMA = json.loads(files("upreg_recorder.drivers.chromium").joinpath("settings.schema.json").read_text())
NPM = """#!{python}
import sys, tarfile, io
print(*sys.argv[1:], file=open({asked!r}, "a"))
if "none" in sys.argv[-1]:
    sys.exit("E404 no such package")
with tarfile.open("pack.tgz", "w:gz") as archive:
    told = tarfile.TarInfo("package/package.json")
    told.size = 2
    archive.addfile(told, io.BytesIO(b"{{}}"))
print("pack.tgz")
"""


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Put an npm of our own first; give the file that lists what it was asked for."""
    asked, folder = tmp_path / "asked", tmp_path / "bin"
    folder.mkdir()
    (folder / "npm").write_text(NPM.format(python=sys.executable, asked=str(asked)))
    (folder / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return asked


def test_package_is_fetched_once_and_kept(tmp_path, asked):
    folders = {npm.fetch("@scope/app@1.2.3", tmp_path / "cache") for _ in range(2)}
    (folder,) = folders
    assert (folder / "package.json").read_text() == "{}"
    assert asked.read_text() == "pack --silent @scope/app@1.2.3\n"
    assert [entry.name for entry in folder.parent.iterdir()] == ["@scope_app@1.2.3"]


def test_package_that_is_not_there_is_told_and_leaves_nothing(tmp_path, asked):
    with pytest.raises(RecorderError, match="E404 no such package"):
        npm.fetch("none@1.0.0", tmp_path / "cache")
    assert list((tmp_path / "cache" / "npm").iterdir()) == []


@pytest.mark.parametrize(
    "package", ["app", "app@latest", "app@^1.0.0", "../app@1.0.0", "app@1.0.0 --global", "-g@1.0.0"]
)
def test_package_without_an_exact_version_is_refused(tmp_path, package, asked):
    with pytest.raises(RecorderError, match="exact version"):
        npm.fetch(package, tmp_path)
    assert not asked.exists()


def test_npm_that_is_not_installed_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RecorderError, match=r"npm is not installed: install Node\.js"):
        npm.fetch("app@1.0.0", tmp_path / "cache")


def test_archive_that_leaves_its_folder_is_refused(tmp_path):

    with tarfile.open(tmp_path / "app.tgz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("../outside"))
    (tmp_path / "into").mkdir()
    with pytest.raises(SettledTrialError, match=r"app\.tgz cannot be unpacked"):
        _unpack(tmp_path / "app.tgz", tmp_path / "into")
    assert not (tmp_path / "outside").exists()


def test_defaults_are_those_of_the_schema():
    for part, plain in (("device", Phone()), ("app", Web())):
        for name, said in SCHEMA[part]["properties"].items():
            value = getattr(plain, name)
            default = said.get("default", "fail" if name == "page_errors" else None)
            assert (list(value) if isinstance(value, tuple) and value else value or None) == default, name


@pytest.mark.parametrize("script", ["nowhere.js", "."])
def test_script_of_a_device_that_cannot_be_read_is_told(tmp_path, script):
    with pytest.raises(RecorderError, match=r"script .* cannot be read.*name a file of JavaScript"):
        Phone.of({"script": str(tmp_path / script)})


def test_site_is_served_with_other_names_of_its_folders(tmp_path):
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "app.js").write_text("built")
    (tmp_path / "index.html").write_text("page")
    sites = Sites()
    try:
        for aliases, found in (({"build": "dist"}, "built"), ({}, "")):
            address = sites.add("org.mail", tmp_path, aliases)
            assert _get(f"{address}/index.html") == "page"
            assert _get(f"{address}/dist/app.js") == "built"
            assert _get(f"{address}/build/app.js") == found
    finally:
        sites.close()
    assert (tmp_path / "dist" / "app.js").is_file()


@pytest.mark.parametrize(
    ("aliases", "said"),
    [({"build": "out"}, "has no folder 'out': name one of dist"), ({"dist": "dist"}, "has 'dist' already")],
)
def test_alias_that_cannot_be_is_told(tmp_path, aliases, said):
    (tmp_path / "dist").mkdir()
    sites = Sites()
    try:
        with pytest.raises(SettledTrialError, match=said):
            sites.add("org.mail", tmp_path, aliases)
    finally:
        sites.close()


def _get(address):
    """Return what an address of a server on this host answers; nothing if it is not there."""
    where = urlsplit(address)
    connection = HTTPConnection("127.0.0.1", where.port)
    connection.request("GET", where.path, headers={"Host": where.netloc})
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return said if answer.status == 200 else ""


def test_schema_takes_what_the_documentation_shows_and_nothing_else():
    jsonschema.Draft202012Validator.check_schema(SCHEMA["device"])
    jsonschema.Draft202012Validator.check_schema(SCHEMA["app"])
    jsonschema.validate({"browser": "system", "size": [412, 892], "slowdown": 4}, SCHEMA["device"])
    for wrong in ({"slowdown": 0.5}, {"size": [412]}, {"speed": 1}, {"preset": "placebo"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA["device"])
    for wrong in ({"build": "../other"}, {"build": "/etc"}, {"../build": "dist"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"aliases": wrong}, SCHEMA["app"])


def test_host_tells_its_hottest_zone_and_each_core(tmp_path):
    for zone, milli in ((0, "41000"), (1, "58500"), (2, "not now")):
        file = tmp_path / f"sys/class/thermal/thermal_zone{zone}/temp"
        file.parent.mkdir(parents=True)
        file.write_text(milli)
    for core, khz in ((0, 1_800_000), (2, 600_000), (10, 2_400_000)):
        file = tmp_path / f"sys/devices/system/cpu/cpu{core}/cpufreq/scaling_cur_freq"
        file.parent.mkdir(parents=True)
        file.write_text(str(khz))

    vitals = host.vitals(tmp_path, tmp_path)

    assert (vitals.temperature_c, vitals.clocks_mhz) == (58.5, (1800, 600, 2400))
    assert vitals.free_mb > 0


def test_host_that_tells_nothing_has_no_temperature(tmp_path):
    vitals = host.vitals(tmp_path, tmp_path)
    assert (vitals.temperature_c, vitals.clocks_mhz, host.facts(tmp_path).keys()) == (
        None,
        (),
        {"host_cores", "host_system"},
    )


def test_finger_goes_evenly_along_a_bent_way():
    way = [(0.0, 0.0), (30.0, 0.0), (30.0, 0.0), (30.0, 10.0)]
    assert [along(way, share) for share in (0, 0.375, 0.75, 0.875, 1)] == [
        (0, 0),
        (15, 0),
        (30, 0),
        (30, 5),
        (30, 10),
    ]


@pytest.mark.parametrize("by", [(0, -600), (0, 600), (-300, 0), (80, -20)])
def test_finger_stays_on_the_screen_wherever_it_scrolls(by):
    size = (400, 800)
    for at in ((5, 5), (200, 400), (395, 795)):
        x, y = stroke(at, by, size)
        for there in ((x, y), (x + by[0], y + by[1])):
            assert 0 <= there[0] <= size[0]
            assert 0 <= there[1] <= size[1]
