"""What is done with the phone's shell and apps. Places are in px that apps lay out by, 360 × 720."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.flutter.app.scenes import Gesture, swipe, tap


@dataclass(frozen=True)
class Interaction:
    """One thing that a user does, `before` it what led there; `app` is the command of what is open, if any is."""

    name: str
    app: str
    gesture: Gesture
    before: tuple[Gesture, ...] = ()
    seconds: float = 3.0
    settles: bool = True

    @property
    def kind(self) -> str:
        """Return its type, as a manifest has it."""
        if self.name.startswith("launch"):
            return "launch"
        return {"turn": "scroll"}.get(self.gesture[0], self.gesture[0])


def turn(x: float, y: float, notches: int) -> Gesture:
    """Return so many notches of a wheel, down if above 0."""
    return "turn", x, y, notches


HOME, KEYBOARD, BAR, BACK, MENU = tap(180, 702), tap(340, 702), tap(180, 18), tap(24, 55), tap(338, 55)
SHOW_ALL = tap(180, 460)
PANEL_DOWN, FROM_BELOW = swipe(180, 8, 180, 520, 250), swipe(180, 712, 180, 300, 250)
SUM = (KEYBOARD, tap(112, 502), tap(248, 645), tap(180, 502))
ADWAITA = "adwaita-1-demo"
ROWS = {
    "leaflet": 141, "lists": 217, "switcher": 255, "carousel": 293, "avatar": 331, "flap": 369, "tabs": 407,
    "buttons": 445, "styles": 483, "toasts": 521, "motion": 559, "dialogs": 597, "about": 635,
}  # fmt: skip


def _page(name: str) -> tuple[Gesture, ...]:
    """Return what leads to a page of the widgets' demo."""
    return BACK, tap(100, ROWS[name])


INTERACTIONS = (
    # the shell
    Interaction("home-search", "", tap(180, 97)),
    Interaction("home-show_all", "", SHOW_ALL),
    Interaction("home-type", "", tap(54, 537), (tap(180, 97),)),
    Interaction("panel-tap", "", BAR),
    Interaction("panel-pull", "", PANEL_DOWN),
    Interaction("panel-close", "", tap(180, 18), (BAR,)),
    Interaction("panel-push", "", swipe(180, 700, 180, 150, 250), (BAR,)),
    Interaction("panel-silent", "", tap(137, 185), (BAR,)),
    Interaction("panel-volume", "", swipe(50, 263, 240, 263, 300), (BAR,)),
    Interaction("panel-power", "", tap(338, 36), (BAR,)),
    Interaction("panel-over_app", "gnome-clocks", PANEL_DOWN),
    Interaction("lock-screen", "", tap(36, 36), (BAR,), 4.0, settles=False),
    Interaction("overview-tap", "gnome-clocks", HOME),
    Interaction("overview-swipe", "gnome-control-center", FROM_BELOW),
    Interaction("overview-back", "gnome-clocks", tap(180, 300), (HOME,)),
    Interaction("overview-throw", "gnome-clocks", swipe(180, 300, 180, 60, 120), (HOME,)),
    Interaction("launch-calculator", "", tap(135, 262), (), 8.0),
    Interaction("launch-clocks", "", tap(225, 262), (), 8.0),
    Interaction("launch-settings", "", tap(315, 262), (), 8.0),
    Interaction("launch-weather", "", tap(45, 360), (), 8.0),
    Interaction("launch-calls", "", tap(45, 165), (), 8.0),
    Interaction("launch-chats", "", tap(135, 165), (), 8.0),
    Interaction("launch-contacts", "", tap(225, 165), (), 8.0),
    # its keyboard
    Interaction("keys-hide", "gnome-text-editor", KEYBOARD),
    Interaction("keys-show", "gnome-text-editor", KEYBOARD, (KEYBOARD,)),
    Interaction("keys-letter", "gnome-text-editor", tap(150, 510)),
    Interaction("keys-second", "gnome-text-editor", tap(40, 548), (tap(150, 510),)),
    Interaction("keys-shift", "gnome-text-editor", tap(26, 602)),
    Interaction("keys-numbers", "gnome-text-editor", tap(30, 655)),
    Interaction("keys-delete", "gnome-text-editor", tap(332, 602), (tap(150, 510), tap(40, 548))),
    # apps
    Interaction("calculator-digit", "gnome-calculator", tap(180, 502), (KEYBOARD,)),
    Interaction("calculator-result", "gnome-calculator", tap(317, 622), SUM),
    Interaction("calculator-modes", "gnome-calculator", tap(180, 55), (KEYBOARD,)),
    Interaction("calculator-menu", "gnome-calculator", MENU),
    Interaction("calculator-advanced", "gnome-calculator", tap(180, 139), (KEYBOARD, tap(180, 55))),
    Interaction("clocks-alarms", "gnome-clocks", tap(138, 656)),
    Interaction("clocks-stopwatch", "gnome-clocks", tap(220, 656)),
    Interaction("clocks-timer", "gnome-clocks", tap(302, 656)),
    Interaction("clocks-start", "gnome-clocks", tap(80, 390), (tap(220, 656),), settles=False),
    Interaction("clocks-minute", "gnome-clocks", tap(56, 230), (tap(302, 656),)),
    Interaction("clocks-plus", "gnome-clocks", tap(180, 348), (tap(302, 656),)),
    Interaction("clocks-menu", "gnome-clocks", MENU),
    Interaction("clocks-world", "gnome-clocks", tap(180, 438)),
    Interaction("clocks-add_alarm", "gnome-clocks", tap(180, 438), (tap(138, 656),)),
    Interaction("calendar-next", "gnome-calendar", tap(338, 102)),
    Interaction("calendar-day", "gnome-calendar", tap(160, 214)),
    Interaction("calendar-event", "gnome-calendar", tap(346, 656)),
    Interaction("calendar-calendars", "gnome-calendar", tap(180, 55)),
    Interaction("calendar-search", "gnome-calendar", tap(306, 656)),
    Interaction("weather-city", "gnome-weather", tap(180, 510)),
    Interaction("files-open", "nautilus", tap(96, 150), (tap(320, 656),)),
    Interaction("files-list", "nautilus", tap(314, 656)),
    Interaction("files-side", "nautilus", tap(24, 55)),
    Interaction("files-side_closes", "nautilus", tap(320, 500), (tap(24, 55),)),
    Interaction("files-menu", "nautilus", tap(338, 55)),
    Interaction("files-search", "nautilus", tap(298, 55)),
    Interaction("editor-menu", "gnome-text-editor", MENU),
    Interaction("editor-dark", "gnome-text-editor", tap(316, 122), (MENU,)),
    Interaction("editor-larger", "gnome-text-editor", tap(318, 185), (MENU,)),
    Interaction("editor-open", "gnome-text-editor", tap(40, 55)),
    Interaction("editor-new", "gnome-text-editor", tap(103, 55), (tap(150, 510),)),
    Interaction("settings-scroll", "gnome-control-center", turn(180, 400, 10)),
    Interaction("settings-back_up", "gnome-control-center", turn(180, 400, -6), (turn(180, 400, 12),)),
    Interaction("settings-appearance", "gnome-control-center", tap(90, 207)),
    Interaction("settings-notices", "gnome-control-center", tap(90, 251)),
    Interaction("settings-power", "gnome-control-center", tap(90, 629)),
    Interaction("settings-apps", "gnome-control-center", tap(90, 396)),
    Interaction("settings-privacy", "gnome-control-center", tap(90, 440)),
    Interaction("settings-back", "gnome-control-center", BACK, (tap(90, 207),)),
    Interaction("settings-search", "gnome-control-center", BACK),
    Interaction("settings-menu", "gnome-control-center", MENU),
    Interaction("calls-pad", "gnome-calls", tap(278, 656)),
    Interaction("calls-contacts", "gnome-calls", tap(180, 656)),
    Interaction("calls-menu", "gnome-calls", MENU),
    Interaction("chats-menu", "chatty", MENU),
    Interaction("numbers-right", "gnome-2048", swipe(100, 400, 300, 400, 120)),
    Interaction("numbers-up", "gnome-2048", swipe(180, 500, 180, 250, 120)),
    Interaction("numbers-menu", "gnome-2048", MENU),
    Interaction("mines-board", "gnome-mines", tap(100, 230)),
    Interaction("mines-first", "gnome-mines", tap(100, 330), (tap(100, 230),)),
    # widgets
    Interaction("widgets-back", ADWAITA, BACK),
    Interaction("widgets-page", ADWAITA, tap(100, ROWS["leaflet"]), (BACK,)),
    Interaction("widgets-next_leaf", ADWAITA, tap(180, 580), _page("leaflet")),
    Interaction("widgets-choice", ADWAITA, tap(330, 510), _page("leaflet")),
    Interaction("widgets-carousel", ADWAITA, swipe(280, 400, 70, 400, 150), _page("carousel")),
    Interaction("widgets-avatar_size", ADWAITA, tap(318, 570), _page("avatar")),
    Interaction("widgets-initials", ADWAITA, tap(302, 455), _page("avatar")),
    Interaction("widgets-flap", ADWAITA, tap(180, 518), _page("flap")),
    Interaction("widgets-lists_scroll", ADWAITA, turn(180, 400, 8), _page("lists")),
    Interaction("widgets-radio", ADWAITA, tap(28, 584), _page("lists")),
    Interaction("widgets-tabs", ADWAITA, tap(180, 498), _page("tabs")),
    Interaction("widgets-toast", ADWAITA, tap(294, 456), _page("toasts"), 3.5),
    Interaction("widgets-toast_goes", ADWAITA, tap(294, 456), _page("toasts"), 8.0),
    Interaction("widgets-long_toast", ADWAITA, tap(294, 564), _page("toasts"), 3.5),
    Interaction("widgets-play", ADWAITA, tap(180, 297), _page("motion")),
    Interaction("widgets-spring", ADWAITA, tap(245, 368), _page("motion")),
    Interaction("widgets-spring_play", ADWAITA, tap(180, 297), (*_page("motion"), tap(245, 368))),
    Interaction("widgets-reverse", ADWAITA, tap(306, 608), _page("motion")),
    Interaction("widgets-dialog", ADWAITA, tap(180, 510), _page("dialogs")),
    Interaction("widgets-buttons", ADWAITA, tap(100, ROWS["buttons"]), (BACK,)),
    Interaction("widgets-switcher", ADWAITA, tap(180, 498), _page("switcher")),
    Interaction("widgets-styles", ADWAITA, tap(180, 498), _page("styles")),
    Interaction("widgets-about", ADWAITA, tap(180, 498), _page("about")),
    Interaction("widgets-menu", ADWAITA, MENU, (BACK,)),
)  # fmt: skip
