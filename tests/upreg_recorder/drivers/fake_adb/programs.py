"""The programs of a model phone. Their words follow dumps that others published; none was recorded for this."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatch
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

if TYPE_CHECKING:
    from .phone import Phone

Said = tuple[int, bytes]
MOTION_HEAD = "source=TOUCHSCREEN, displayId=0, action="
POLICY = "/sys/devices/system/cpu/cpufreq/policy0"


def run(phone: Phone, name: str, rest: list[str]) -> Said:
    """Run a program of the system."""
    known: dict[str, Callable[[Phone, list[str]], Said]] = {
        "getprop": lambda phone, rest: ok(phone.props.get(rest[0], "") if rest else str(phone.props)),
        "wm": _wm,
        "settings": _settings,
        "input": _input,
        "dumpsys": _dumpsys,
        "logcat": _logcat,
        "pm": _pm,
        "cmd": _cmd,
        "am": _am,
        "monkey": _monkey,
        "uiautomator": _uiautomator,
        "screencap": lambda phone, rest: (0, phone.screenshot()),
        "rm": _rm,
        "cat": _cat,
        "ls": _ls,
        "df": _df,
        "id": lambda phone, rest: ok("uid=0(root) gid=0(root)"),
        "chown": lambda phone, rest: ok(""),
        "restorecon": lambda phone, rest: ok(""),
    }
    if name not in known:
        return 127, f"/system/bin/sh: {name}: inaccessible or not found\n".encode()
    return known[name](phone, rest)


def ok(text: str) -> Said:
    return 0, f"{text}\n".encode() if text else b""


def _wm(phone: Phone, rest: list[str]) -> Said:
    return ok(f"Physical size: {phone.size[0]}x{phone.size[1]}" if rest == ["size"] else "")


def _settings(phone: Phone, rest: list[str]) -> Said:
    what, where = rest[0], (rest[1], rest[2])
    if what == "get":
        return ok(phone.settings.get(where, "null"))
    if what == "put":
        phone.settings[where] = rest[3]
    else:
        phone.settings.pop(where, None)
    return ok("")


def _input(phone: Phone, rest: list[str]) -> Said:
    """Take 300 ms to start, then inject; ends when the last event was taken."""
    if not rest:
        return ok("Usage: input [<source>] <command>\n      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y>")
    phone.wait_ms(300.0)
    what, places = rest[0], rest[1:]
    if what == "tap":
        phone.taps.append((float(places[0]), float(places[1])))
        phone.inject("Motion", [("DOWN", 0.0), ("UP", 0.0)])
        _close_dialog(phone)
    elif what == "swipe":
        ms = float(places[4])
        moves = [("MOVE", after * 8.0) for after in range(1, int(ms / 8) + 1)]
        phone.inject("Motion", [("DOWN", 0.0), *moves, ("UP", ms + 4)])
    elif what == "motionevent":
        first = phone.events[-1].action if phone.events else "UP"
        phone.inject("Motion", [(places[0], 0.0)])
        if first != "UP":  # the same gesture goes on
            phone.touches_ms.pop()
    elif what == "text":
        phone.typed.append(places[0])
        phone.inject("Key", [(action, 5.0 * n) for n in range(len(places[0])) for action in ("DOWN", "UP")])
    elif what == "keyevent" and places[0] != "KEYCODE_WAKEUP":
        phone.inject("Key", [("DOWN", 0.0), ("UP", 0.0)])
    phone.wait_ms(20.0)
    return ok("")


def _close_dialog(phone: Phone) -> None:
    """A tap on a button of a dialog closes it."""
    x, y = phone.taps[-1]
    for _, name, _, (left, top, right, bottom) in phone.elements:
        if ("aerr" in name or "permission_deny" in name) and left <= x <= right and top <= y <= bottom:
            phone.elements = [each for each in phone.elements if each[1] != name]
            phone.focus = "com.google.android.apps.nexuslauncher/.NexusLauncherActivity"


def _dumpsys(phone: Phone, rest: list[str]) -> Said:
    phone.wait_ms(30.0)
    dumps: dict[str, Callable[[], str]] = {
        "battery": lambda: (
            "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n"
            f"  level: {phone.battery_pct}\n  scale: 100\n  temperature: 314\n  technology: Li-ion"
        ),
        "thermalservice": lambda: (
            "IsStatusOverride: false\nCached temperatures:\n"
            "\tTemperature{mValue=99.0, mType=3, mName=skin, mStatus=0}\nCurrent temperatures from HAL:\n"
            "\tTemperature{mValue=45.1, mType=0, mName=CPU0, mStatus=0}\n"
            "\tTemperature{mValue=33.7, mType=3, mName=skin, mStatus=0}\n"
            "Current cooling devices from HAL:\n"
        ),
        "display": lambda: (
            f'  mActiveModeId=2\n  DisplayDeviceInfo{{"Built-in Screen": 270 x 600, modeId 2, '
            f"supportedModes [{{id=1, width=270, height=600, fps=30.0, alternativeRefreshRates=[]}}, "
            f"{{id=2, width=270, height=600, fps={phone.hz:.6f}, alternativeRefreshRates=[]}}]}}"
        ),
        "gfxinfo": lambda: (
            f"Applications Graphics Acceleration Info:\nUptime: {int(phone.monotonic_ms)} "
            f"Realtime: {int(phone.boot_ms)}\n\n** Graphics info for pid 1234 [com.android.systemui] **\n"
        ),
        "window": lambda: f"  mCurrentFocus=Window{{89af2c1 u0 {phone.focus}}}\n  mFocusedApp=null",
        "package": lambda: _package(phone, rest[1]),
        "input": lambda: _recent(phone),
    }
    said = ok(dumps[rest[0]]()) if rest and rest[0] in dumps else (1, b"Can't find service\n")
    phone.wait_ms(4.0)
    return said


def _package(phone: Phone, package: str) -> str:
    if package not in phone.apps:
        return f"Unable to find package: {package}"
    return f"Packages:\n  Package [{package}] (4d2f1c):\n    userId=10123\n    versionName={phone.apps[package]}"


def _recent(phone: Phone) -> str:
    """The dispatcher's last ten events, as builds that can be debugged tell them, and as others do."""
    lines = []
    for event in phone.events[-10:]:
        told = f"(deviceId=-1, eventTime={int(event.at_ms)}000000, {MOTION_HEAD}{event.action}, actionButton=0x0)"
        policy = ", policyFlags=0x62000000" if phone.tells_events else ""
        age = int(phone.monotonic_ms - event.at_ms)
        lines.append(f"    {event.kind}Event{told if phone.tells_events else ''}{policy}, age={age}ms")
    queue = f"length={len(lines)}\n" + "\n".join(lines) if lines else "<empty>"
    return f"Input Dispatcher State:\n  RecentQueue: {queue}\n  PendingEvent: <none>\n  InboundQueue: <empty>"


def _logcat(phone: Phone, rest: list[str]) -> Said:
    wanted = rest[rest.index("-b") + 1].split(",") if "-b" in rest else ["main", "system", "crash"]
    since = float(rest[rest.index("-T") + 1]) * 1000 if "-T" in rest else 0.0
    lines = [
        f"{at / 1000:17.6f}  1500  1620 {text}"
        for buffer, at, text in phone.log
        if buffer in wanted and at >= since
    ]
    return ok("\n".join(["--------- beginning of main", *lines]))


def _pm(phone: Phone, rest: list[str]) -> Said:
    what = rest[0]
    if what == "uninstall":
        gone = phone.apps.pop(rest[1], None)
        return ok("Success") if gone else (1, b"Failure [DELETE_FAILED_INTERNAL_ERROR]\n")
    if what == "install-create":
        phone.sessions["77"] = []
        return ok("Success: created install session [77]")
    if what == "install-write":
        data = phone.files.get(rest[-1], b"")
        if not data.startswith(b"PK"):
            return 1, b"Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk]\n"
        phone.sessions["77"].append(len(data))
        return ok(f"Success: streamed {len(data)} bytes")
    if what == "install-commit":
        phone.apps["com.example.mail"] = f"2.{len(phone.sessions['77'])}"
        return ok("Success")
    if what == "install-abandon":
        return ok("Success")
    if what == "clear":
        return ok("Success") if rest[1] in phone.apps else (1, b"Failed\n")
    if what == "grant":
        if "NOSUCH" in rest[2]:
            return 255, f"java.lang.IllegalArgumentException: Unknown permission: {rest[2]}\n".encode()
        phone.granted.append((rest[1], rest[2]))
    return ok("")


def _cmd(phone: Phone, rest: list[str]) -> Said:
    if rest[:2] == ["notification", "set_dnd"]:
        phone.settings["global", "zen_mode"] = {"none": "2", "priority": "1", "alarms": "3"}.get(rest[2], "0")
        return ok("")
    if rest[:2] == ["package", "resolve-activity"]:
        there = rest[-1] in phone.apps
        return ok(f"priority=0 preferredOrder=0\n{rest[-1]}/.MainActivity" if there else "No activity found")
    return 1, b"cmd: Can't find service\n"


def _am(phone: Phone, rest: list[str]) -> Said:
    phone.wait_ms(120.0)
    if rest[0] == "start":
        component = rest[rest.index("-n") + 1]
        if component.partition("/")[0] not in phone.apps:
            return ok(
                f"Starting: Intent {{ cmp={component} }}\nError: Activity class {{{component}}} does not exist."
            )
        phone.start_app(component)
        phone.wait_ms(60.0)
        return ok(f"Starting: Intent {{ act=android.intent.action.MAIN cmp={component} }}")
    return ok("")


def _monkey(phone: Phone, rest: list[str]) -> Said:
    phone.wait_ms(500.0)
    phone.start_app(f"{rest[1]}/.MainActivity")
    phone.wait_ms(60.0)
    return ok("Events injected: 1")


def _uiautomator(phone: Phone, rest: list[str]) -> Said:
    phone.wait_ms(900.0)
    nodes = "".join(
        f'<node index="0" text={quoteattr(text)} resource-id={quoteattr(name)} class="android.widget.Button" '
        f'package="com.example.mail" content-desc={quoteattr(words)} '
        f'bounds="[{box[0]},{box[1]}][{box[2]},{box[3]}]" />'
        for text, name, words, box in phone.elements
    )
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    phone.files[rest[1]] = f'{head}<hierarchy rotation="0">{nodes}</hierarchy>'.encode()
    return ok(f"UI hierchary dumped to: {rest[1]}")


def _rm(phone: Phone, rest: list[str]) -> Said:
    for path in list(phone.files):
        if any(fnmatch(path, pattern) for pattern in rest):
            del phone.files[path]
    return ok("")


def _cat(phone: Phone, rest: list[str]) -> Said:
    if rest[0].endswith("cpu[0-9]*/cpufreq/scaling_cur_freq"):
        return ok("1804800\n2400000")
    missing = [path for path in rest if path not in phone.files]
    if missing:
        return 1, f"cat: {missing[0]}: No such file or directory\n".encode()
    return 0, b"".join(phone.files[path] for path in rest)


def _ls(phone: Phone, rest: list[str]) -> Said:
    there = any("policy" in word for word in rest) and f"{POLICY}/scaling_governor" in phone.files
    return ok(POLICY) if there else (1, b"")


def _df(phone: Phone, rest: list[str]) -> Said:
    free = 1000 if phone.full else 40_000_000
    return ok(
        f"Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/block/dm-9 110000000 70000000 {free} 64% /data"
    )


def begin_trace(phone: Phone, config: str, file: str) -> bytes:
    """Trace until it is ended: the file tells its configuration, and the input events where that asks for them."""
    from .phone import Process

    pid, before = 9000 + len(phone.commands), len(phone.events)

    def finish() -> None:
        said = config
        if re.search(r'atrace_categories: "view"', config):
            for event in phone.events[before:]:
                source = "1002" if event.kind == "Motion" else "101"
                when = f"eventTimeNano={int(event.at_ms)}000000 id=0x5524c741"
                said += f"B|4711|deliverInputEvent src=0x{source} {when}\n"
        phone.files[file] = said.encode()

    phone.processes[pid] = Process(finish)
    return f"{pid}\n".encode()
