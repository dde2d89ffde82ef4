"""A phone that runs on this machine: a compositor without a screen, the shell Phosh, its keyboard, and apps."""

from __future__ import annotations

import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from benchmarks.phosh.wayland import Hand

SIZE, SCALE = (720, 1440), 2  # px, and px for each that an app lays out by
PACKAGES = (  # of Debian 12
    "phosh phoc squeekboard phosh-mobile-tweaks dbus dbus-x11 libxkbcommon-tools dconf-gsettings-backend "
    "adwaita-icon-theme fonts-cantarell gnome-calculator gnome-clocks gnome-calendar gnome-weather gnome-contacts "
    "nautilus gnome-text-editor gnome-control-center gnome-calls chatty gnome-2048 gnome-mines "
    "libadwaita-1-examples"
)
PACKAGES_OF_QT = (  # besides
    "kirigami-gallery plasma-settings itinerary ktrip kongress lomiri-ui-toolkit-examples lomiri-ui-toolkit-theme "
    "lomiri-calculator-app lomiri-filemanager-app lomiri-gallery-app qml-module-qtquick-localstorage qmlscene "
    "qml-module-org-kde-qqc2desktopstyle qtwayland5 breeze-icon-theme suru-icon-theme fonts-noto-core"
)
QT = {  # what Plasma Mobile and Lomiri tell programs of Qt on a phone
    "GRID_UNIT_PX": "8",
    "KDE_KIRIGAMI_TABLET_MODE": "1",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "PLASMA_PLATFORM": "phone:handset",
    "QT_QPA_PLATFORM": "wayland",
    "QT_QUICK_CONTROLS_MOBILE": "1",
    "QT_WAYLAND_DISABLE_WINDOWDECORATION": "1",
}
SHELL = "/usr/libexec/phosh"
NEEDED = ("phoc", "dbus-daemon", "xkbcli", "gsettings")
CONFIG = """[core]
xwayland = false
[output:HEADLESS-1]
mode = {}x{}@60Hz
scale = {}
"""
FOLDERS = ("Documents", "Downloads", "Music", "Pictures")
STARTS_S, LOOKS_S, ENDS_S = 20.0, 0.1, 5.0
CURSORS = Path("/usr/share/icons/Adwaita/cursors")
ICONS, THEMES = Path("/usr/share/icons/hicolor/index.theme"), "suru,breeze"  # where programs of Qt find theirs
MENU, OF_QT = Path("/usr/share/applications"), ("org.kde.*.desktop", "lomiri-*.desktop")
PICTURES_OF_CURSORS, SIDES_PX = 0xFFFD0002, (24, 48)  # Xcursor(3)


class MissingError(Exception):
    """The shell cannot run on this machine."""


class Phone:
    """A shell that runs, and a hand to use it; apps are started as by the shell."""

    def __init__(self, hand: Hand, display: Path, environment: dict[str, str], stack: ExitStack) -> None:
        self.hand, self.display = hand, display
        self._environment, self._stack = environment, stack

    def start(self, *command: str) -> None:
        """Start a program, `env` and what it is told before it or not; raises MissingError if it is not there."""
        _check(next(word for word in command if word != "env" and "=" not in word), self._environment["PATH"])
        self._stack.enter_context(_running(command, self._environment))


@contextmanager
def phone(cursor: bool, dark: bool) -> Iterator[Phone]:
    """Run a phone of its own, with a cursor where the pointer is or none; raises MissingError if it cannot be."""
    for name in NEEDED:
        _check(name)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        environment = _environment(Path(folder), cursor, dark)
        bus = stack.enter_context(_bus(environment))
        for kind in ("SESSION", "SYSTEM"):  # nothing is asked of the machine's own
            environment[f"DBUS_{kind}_BUS_ADDRESS"] = bus
        settings = {
            "interface cursor-theme": environment["XCURSOR_THEME"],
            "interface color-scheme": "prefer-dark" if dark else "default",
            "a11y.applications screen-keyboard-enabled": "true",
        }
        for key, value in settings.items():
            words = ["gsettings", "set", *f"org.gnome.desktop.{key}".split(), value]
            subprocess.run(words, env=environment, check=True, capture_output=True)
        config = Path(folder) / "phoc.ini"
        config.write_text(CONFIG.format(*SIZE, SCALE))
        stack.enter_context(_running(["phoc", "-C", str(config)], environment))
        display = _awaited(Path(environment["XDG_RUNTIME_DIR"]) / environment["WAYLAND_DISPLAY"])
        keymap = subprocess.run(
            ["xkbcli", "compile-keymap", "--layout", "us"], check=True, capture_output=True
        ).stdout
        hand = stack.enter_context(closing(Hand(display, SIZE, keymap + b"\0")))
        running = Phone(hand, display, environment, stack)
        running.start("squeekboard")
        running.start(SHELL, "--unlocked")
        yield running


def _check(program: str, path: str | None = None) -> None:
    if not shutil.which(program, path=path):
        what = f"{PACKAGES}, and with --apps qt {PACKAGES_OF_QT}"
        raise MissingError(f"there is no {program}: apt-get install --no-install-recommends {what}")


def _environment(folder: Path, cursor: bool, dark: bool) -> dict[str, str]:
    """Return what the phone's programs are told, with a home of its own in which a few files are."""
    home, run = folder / "home", folder / "run"
    run.mkdir(mode=0o700)
    for name in FOLDERS:
        (home / name).mkdir(parents=True)
    for number in range(1, 15):
        (home / FOLDERS[0] / f"note {number}.txt").write_text(f"note {number}")
    if dark:
        _write(home / ".config/lomiri-ui-toolkit/theme.ini", "[General]\ntheme=Lomiri.Components.Themes.SuruDark\n")
    _write_menu(home / ".local/share/applications")
    _write_icons(home / ".local/share/icons/hicolor")
    _write_no_cursors(home / ".icons" / "none")
    theme = "Adwaita" if cursor else "none"
    (home / ".icons" / "default").symlink_to("none" if not cursor else "/usr/share/icons/Adwaita")
    return {
        "PATH": f"{os.environ['PATH']}:/usr/bin:/usr/games",
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(run),
        "WAYLAND_DISPLAY": "wayland-0",  # of what the bus starts, too
        "XDG_CURRENT_DESKTOP": "Phosh:GNOME",
        "XDG_SESSION_TYPE": "wayland",
        "GDK_BACKEND": "wayland",
        "GSK_RENDERER": "cairo",
        "LANG": "C.UTF-8",
        "NO_AT_BRIDGE": "1",
        "GTK_A11Y": "none",
        "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1",
        "WLR_RENDERER": "pixman",
        "XCURSOR_PATH": f"{home}/.icons:/usr/share/icons",
        "XCURSOR_THEME": theme,
        "XCURSOR_SIZE": str(SIDES_PX[0]),
        **QT,
    }


def _write_menu(folder: Path) -> None:
    """Leave apps of Qt out of the home screen: what lies where does not hang on what is installed besides."""
    for file in (file for pattern in OF_QT for file in MENU.glob(pattern)):
        _write(folder / file.name, "[Desktop Entry]\nType=Application\nName=hidden\nNoDisplay=true\n")


def _write_icons(theme: Path) -> None:
    """Write the icons' last theme anew, so that programs which name none find those of two phones' systems."""
    text = ICONS.read_text() if ICONS.is_file() else "[Icon Theme]\nName=Hicolor\nDirectories=\n"
    _write(theme / ICONS.name, text.replace("[Icon Theme]", f"[Icon Theme]\nInherits={THEMES}", 1))


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def _write_no_cursors(theme: Path) -> None:
    """Write a theme whose cursors are all transparent: a finger has none."""
    sides, at = b"", 16 + 12 * len(SIDES_PX)
    pictures = b""
    for side in SIDES_PX:
        sides += struct.pack("<3I", PICTURES_OF_CURSORS, side, at + len(pictures))
        pictures += struct.pack("<9I", 36, PICTURES_OF_CURSORS, side, 1, side, side, 0, 0, 0) + bytes(4 * side**2)
    data = b"Xcur" + struct.pack("<3I", 16, 1 << 16, len(SIDES_PX)) + sides + pictures
    (theme / "cursors").mkdir(parents=True)
    for name in {"left_ptr", *(file.name for file in CURSORS.glob("*"))}:
        (theme / "cursors" / name).write_bytes(data)
    (theme / "index.theme").write_text("[Icon Theme]\nName=none\n")


@contextmanager
def _bus(environment: dict[str, str]) -> Iterator[str]:
    """Run a bus of the session's own, and return its address."""
    command = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    with _running(command, environment, subprocess.PIPE) as process:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()


@contextmanager
def _running(
    command: Sequence[str], environment: dict[str, str], output: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, and end it with all that it started."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdout=output, stderr=quiet, start_new_session=True)
    try:
        yield process
    finally:
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, sign)
                process.wait(ENDS_S)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        if process.stdout:
            process.stdout.close()


def _awaited(file: Path) -> Path:
    for _ in range(round(STARTS_S / LOOKS_S)):
        if file.exists():
            return file
        time.sleep(LOOKS_S)
    raise MissingError("phoc does not start; `phoc` in a terminal says why")
