"""What the screen shows: elements of a `uiautomator dump`, and the dialogs that stand in the way of an app."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from xml.parsers import expat

from upreg_recorder.drivers.adb.link import Link
from upreg_recorder.failures import TrialError
from upreg_recorder.plans.model import Target

MOST_BYTES = 16_000_000
TRIES = 3  # `uiautomator` gives up while something on the screen keeps moving
AGAIN_S = 0.5
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_FOCUS = re.compile(r"mCurrentFocus=Window\{\w+ u\d+ (.+?)\}?$", re.MULTILINE)
_STOPPED = re.compile(r"^(?:Application Error|Application Not Responding): (\S+)$")
_ASKING = re.compile(r"permissioncontroller|packageinstaller\S*/\S*GrantPermissions")
# The buttons that close a dialog, what changes least first: keep waiting, close, refuse.
BUTTONS = (
    "android:id/aerr_wait",
    "android:id/aerr_close",
    "permission_deny_button",
    "permission_deny_and_dont_ask",
)


@dataclass(frozen=True)
class Element:
    """An element on the screen: `box` is left, top, right, bottom in px."""

    text: str
    id: str
    description: str
    package: str
    box: tuple[int, int, int, int]

    @property
    def middle(self) -> tuple[float, float]:
        """Where a finger goes down on it, px."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


def elements(xml: bytes) -> list[Element]:
    """Return the elements of a dump in its order; raises TrialError if it is none, or defines entities."""
    if len(xml) > MOST_BYTES:
        raise TrialError("the screen has more elements than can be read: choose another screen")
    found: list[Element] = []
    parser = expat.ParserCreate()

    def begin(kind: str, said: dict[str, str]) -> None:
        box = _BOUNDS.fullmatch(said.get("bounds", "")) if kind == "node" else None
        if box is None:
            return
        left, top, right, bottom = map(int, box.groups())
        if right > left and bottom > top:
            text, name, words = (said.get(key, "") for key in ("text", "resource-id", "content-desc"))
            found.append(Element(text, name, words, said.get("package", ""), (left, top, right, bottom)))

    def refuse(*said: object) -> None:
        raise TrialError("the list of what the screen shows defines a document type: it is not read")

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise TrialError(f"the list of what the screen shows cannot be read ({error}): try again") from error
    return found


def look(link: Link) -> list[Element]:
    """Return what the screen shows now; raises TrialError where `uiautomator` cannot say it."""
    there, said = f"/data/local/tmp/upreg-{uuid.uuid4().hex[:12]}.xml", ""
    for turn in range(TRIES):
        if turn:
            link.pace.sleep(AGAIN_S)
        said, code = link.run(f"uiautomator dump {there}")
        if not code and "ERROR" not in said and "dumped to" in said:
            try:
                return elements(link.read(there))
            finally:
                link.remove(there)
    why = "something on it keeps moving" if "idle" in said else said or "uiautomator says nothing"
    raise TrialError(f"{link.serial}: what the screen shows cannot be listed: {why}; aim at a place (`at`) instead")


def matching(shown: list[Element], target: Target) -> Element | None:
    """Return the first element that a target names: what it says exactly, or an id without its package."""
    for element in shown:
        if target.text and element.text == target.text:
            return element
        if target.id and target.id in (element.id, element.id.rpartition("/")[2]):
            return element
        if target.description and element.description == target.description:
            return element
    return None


def in_the_way(link: Link) -> str:
    """Return what dialog has the focus: of an app that crashed, hangs, or asks for a permission; else empty."""
    for title in _FOCUS.findall(link.sh("dumpsys window | grep mCurrentFocus")):
        stopped = _STOPPED.match(title)
        if stopped:
            hangs = "Not Responding" in title
            return f"{stopped[1]} {'does not respond' if hangs else 'crashed'}"
        if _ASKING.search(title):
            return "an app asks for a permission: grant it by `permissions` in the app's settings"
    return ""


def dismiss_dialogs(link: Link) -> Iterator[tuple[float, float]]:
    """Return where to tap, one dialog after the other, until none is in the way; raises TrialError if one stays."""
    for _ in range(TRIES):
        what = in_the_way(link)
        if not what:
            return
        shown = look(link)
        button = next((found for name in BUTTONS for found in shown if name in found.id), None)
        if button is None:
            raise TrialError(f"{link.serial}: {what}, and its dialog has no button that is known: close it by hand")
        yield button.middle
    if in_the_way(link):
        raise TrialError(f"{link.serial}: {in_the_way(link)}, and its dialog does not go away: restart the device")
