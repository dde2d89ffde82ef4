"""Apps on a device: installing, the state in which each trial begins, starting, and crashes."""

from __future__ import annotations

import re
import shlex
import uuid
from pathlib import Path

from upreg_recorder.drivers.adb.link import INSTALL_S, Link
from upreg_recorder.drivers.adb.settings import AppSettings
from upreg_recorder.failures import SettledTrialError, TrialError
from upreg_recorder.plans.model import App

FOLDER = "/data/local/tmp"
# What another try would not change, by the first word of the failure.
CURES = {
    "INSTALL_FAILED_INSUFFICIENT_STORAGE": "free space on the device",
    "INSTALL_FAILED_NO_MATCHING_ABIS": "use the APK for this device's processor",
    "INSTALL_FAILED_OLDER_SDK": "the app needs a newer Android: use an older APK",
    "INSTALL_FAILED_MISSING_SPLIT": "name the further APKs in `splits`",
    "INSTALL_FAILED_TEST_ONLY": "build the app for release",
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": "it is a part of the system, signed otherwise: leave `install` out",
    "INSTALL_PARSE_FAILED_NOT_APK": "the file is no APK: correct `install`",
    "INSTALL_PARSE_FAILED_NO_CERTIFICATES": "the APK is not signed: sign it",
}


def install(link: Link, app: App, settings: AppSettings, file: Path | None) -> str:
    """Install an app anew, or take it as it is if there is no file; return its version.

    Raises SettledTrialError where another try would end the same way.
    """
    if file is not None:
        files = [file, *(file.parent / name for name in settings.splits)]
        missing = [str(path) for path in files if not path.is_file()]
        if missing:
            raise SettledTrialError(f"{app.name}: {', '.join(missing)} is not there: correct `install` or `splits`")
        link.sh(
            f"pm uninstall {shlex.quote(app.package)}", timeout_s=INSTALL_S
        )  # one that is not there is no matter
        _install_files(link, app, files)
    version = version_of(link, app.package)
    if version is None:
        cure = "correct `package`, or name the APK in `install`"
        raise SettledTrialError(f"{app.name}: {link.serial} has no app {app.package}: {cure}")
    return version


def _install_files(link: Link, app: App, files: list[Path]) -> None:
    """Install APKs in one session, with all permissions that it asks for; nothing stays in the device's folder."""
    there = [f"{FOLDER}/upreg-{uuid.uuid4().hex[:12]}.apk" for _ in files]
    try:
        for file, path in zip(files, there, strict=True):
            link.push(file, path)
        said, code = link.run(f"pm install-create -r -g -S {sum(file.stat().st_size for file in files)}")
        session = re.search(r"\[(\d+)\]", said)
        if code or session is None:
            raise _refused(app, said)
        for n, (file, path) in enumerate(zip(files, there, strict=True)):
            write = f"pm install-write -S {file.stat().st_size} {session[1]} {n}.apk {path}"
            said, code = link.run(write, timeout_s=INSTALL_S)
            if code or "Success" not in said:
                link.sh(f"pm install-abandon {session[1]}")
                raise _refused(app, said)
        said, code = link.run(f"pm install-commit {session[1]}", timeout_s=INSTALL_S)
        if code or "Success" not in said:
            raise _refused(app, said)
    finally:
        link.remove(*there)


def _refused(app: App, said: str) -> TrialError:
    reason = re.search(r"(INSTALL_\w+)", said)
    cure = CURES.get(reason[1]) if reason else None
    why = said.strip().splitlines()[-1][:200] if said.strip() else "no reason given"
    text = f"{app.name} cannot be installed: {why}"
    return SettledTrialError(f"{text}: {cure}") if cure else TrialError(text)


def version_of(link: Link, package: str) -> str | None:
    """Return the version of an app as `dumpsys package` says it; None if it is not installed."""
    said = link.sh(f"dumpsys package {shlex.quote(package)}")
    known = re.search(rf"^\s*Package \[{re.escape(package)}\].*?^\s*versionName=(\S+)", said, re.S | re.M)
    return known[1] if known else None


def make_fresh(link: Link, app: App, settings: AppSettings, *, root: bool) -> None:
    """Stop an app and bring its data into the state in which each trial begins."""
    package = shlex.quote(app.package)
    link.need(f"am force-stop {package}", f"{app.name} cannot be stopped")
    if settings.data == "clear" or settings.snapshot:
        said = link.need(f"pm clear {package}", f"the data of {app.name} cannot be cleared")
        if "Success" not in said:
            raise SettledTrialError(f"the data of {app.name} cannot be cleared: is {app.package} installed?")
    if settings.snapshot:
        _restore(link, app, Path(settings.snapshot), root=root)
    for permission in settings.permissions:
        said, code = link.run(f"pm grant {package} {permission}")
        if code or "Exception" in said:
            why = said.splitlines()[0][:200] if said else f"exit code {code}"
            raise SettledTrialError(f"{app.name} cannot be granted {permission} ({why}): correct `permissions`")


def _restore(link: Link, app: App, file: Path, *, root: bool) -> None:
    """Unpack a tar of an app's data folder: through run-as if the app can be debugged, else through root."""
    if not file.is_file():
        raise SettledTrialError(f"{app.name}: the snapshot {file} is not there: correct `snapshot`")
    package, there = app.package, f"{FOLDER}/upreg-{uuid.uuid4().hex[:12]}.tar"
    try:
        link.push(file, there)
        as_app = f"cat {there} | run-as {package} tar -x -f -"
        said, code = link.run(as_app)
        if code and root:
            folder = f"/data/data/{package}"
            owner = f"$(stat -c %u:%g {folder})"
            said, code = link.run(
                f"su -c 'tar -x -f {there} -C {folder} && chown -R {owner} {folder} && restorecon -R {folder}'"
            )
        if code:
            cure = "use a build of the app that can be debugged, or a rooted device with `root: true`"
            raise SettledTrialError(f"the snapshot of {app.name} cannot be restored ({said[-200:]}): {cure}")
    finally:
        link.remove(there)


def launch_command(link: Link, app: App, settings: AppSettings) -> str:
    """Return the command that starts an app; raises SettledTrialError if it has nothing that can be started."""
    package = app.package
    if settings.launch_with == "monkey":
        return f"monkey -p {shlex.quote(package)} -c android.intent.category.LAUNCHER 1"
    activity = settings.activity
    if not activity:
        said = link.sh(
            f"cmd package resolve-activity --brief -c android.intent.category.LAUNCHER {shlex.quote(package)}"
        )
        last = said.strip().splitlines()[-1] if said.strip() else ""
        if not last.startswith(f"{package}/"):
            cure = "name one in `activity`, or correct `package`"
            raise SettledTrialError(f"{app.name}: {package} has no activity for the launcher: {cure}")
        activity = last.partition("/")[2]
    launcher = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER"
    return f"am start {launcher} -n {shlex.quote(f'{package}/{activity}')}"


def fell_over(link: Link, package: str, since_s: float) -> str:
    """Return what the log says of an app that crashed or hung since then (s of the device's day); else empty."""
    said = link.sh(f"logcat -d -b events -v epoch -T {since_s:.3f}")
    for what, name in (("crashed", "am_crash"), ("does not respond", "am_anr")):
        found = re.search(rf"\b{name}\s*: \[(?:[^\]]*,)?{re.escape(package)}[,:\]]([^\n]*)", said)
        if found:
            return f"{package} {what} ({found[1].rstrip(']')[:160]})"
    return ""
