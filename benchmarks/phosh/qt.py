"""What is done with apps of two other phones: of Plasma Mobile, by Kirigami, and of Ubuntu Touch, by Lomiri."""

from __future__ import annotations

from benchmarks.flutter.app.scenes import Gesture, swipe, tap
from benchmarks.phosh.interactions import Interaction, turn

BY_PROCESSOR = "env QT_QUICK_BACKEND=software "  # 60 pictures a second; Lomiri's shapes need shaders: 20 to 60
KIRIGAMI, ITINERARY, KTRIP, SETTINGS, KONGRESS = (
    BY_PROCESSOR + name for name in ("kirigami2gallery", "itinerary", "ktrip", "plasma-settings", "kongress")
)
LOMIRI = (
    "qmlscene /usr/lib/x86_64-linux-gnu/qt5/examples/lomiri-ui-toolkit/examples/lomiri-ui-toolkit-gallery/"
    "lomiri-ui-toolkit-gallery.qml"
)
CALCULATOR, FILES, GALLERY = "lomiri-calculator-app", "lomiri-filemanager-app", "lomiri-gallery-app"
LEFT, RIGHT, CENTRE, ASIDE = tap(20, 52), tap(338, 52), tap(180, 400), tap(6, 400)
BUTTONS, CHIPS, SELECTION = tap(180, 200), tap(180, 370), tap(180, 540)
TO_END = turn(100, 400, 20)
WELCOMED = (tap(302, 520),)


def _down(notches: int, page: Gesture) -> tuple[Gesture, ...]:
    """Return what leads to a page of Kirigami's below; a first tap after a scroll may be taken for its end."""
    return turn(180, 400, notches), ASIDE, page


INTERACTIONS = (
    # Plasma Mobile
    Interaction("kirigami-drawer", KIRIGAMI, LEFT),
    Interaction("kirigami-drawer_closes", KIRIGAMI, tap(310, 400), (LEFT,)),
    Interaction("kirigami-drawer_opens_menu", KIRIGAMI, tap(80, 110), (LEFT,)),
    Interaction("kirigami-actions", KIRIGAMI, RIGHT),
    Interaction("kirigami-actions_close", KIRIGAMI, tap(30, 400), (RIGHT,)),
    Interaction("kirigami-page", KIRIGAMI, BUTTONS),
    Interaction("kirigami-page_back", KIRIGAMI, tap(70, 52), (BUTTONS,)),
    Interaction("kirigami-bottom_drawer", KIRIGAMI, tap(180, 128), (BUTTONS,)),
    Interaction("kirigami-bottom_drawer_closes", KIRIGAMI, tap(180, 200), (BUTTONS, tap(180, 128))),
    Interaction("kirigami-sheet", KIRIGAMI, tap(180, 157), (BUTTONS,)),
    Interaction("kirigami-notice", KIRIGAMI, tap(180, 215), (BUTTONS,), 3.5),
    Interaction("kirigami-notice_goes", KIRIGAMI, tap(180, 215), (BUTTONS,), 10.0),
    Interaction("kirigami-choices", KIRIGAMI, tap(180, 101), (BUTTONS,)),
    Interaction("kirigami-choice", KIRIGAMI, tap(180, 160), (BUTTONS, tap(180, 101))),
    Interaction("kirigami-chip_closes", KIRIGAMI, tap(67, 147), (CHIPS,)),
    Interaction("kirigami-chip_is_checked", KIRIGAMI, tap(55, 401), (CHIPS,)),
    Interaction("kirigami-box", KIRIGAMI, tap(125, 165), (SELECTION,)),
    Interaction("kirigami-radio", KIRIGAMI, tap(125, 291), (SELECTION,)),
    Interaction("kirigami-switch", KIRIGAMI, tap(125, 408), (SELECTION,)),
    Interaction("kirigami-scroll", KIRIGAMI, turn(180, 400, 10)),
    Interaction("kirigami-scroll_back", KIRIGAMI, turn(180, 400, -6), (turn(180, 400, 12),)),
    Interaction("kirigami-left_drawer", KIRIGAMI, tap(180, 99), _down(10, tap(180, 150))),
    Interaction("kirigami-right_drawer", KIRIGAMI, tap(180, 128), _down(10, tap(180, 150))),
    Interaction("kirigami-top_drawer", KIRIGAMI, tap(180, 216), _down(10, tap(180, 150))),
    Interaction("kirigami-inline_bottom", KIRIGAMI, tap(180, 188), _down(10, tap(180, 150))),
    Interaction("kirigami-inline_top", KIRIGAMI, tap(180, 247), _down(10, tap(180, 150))),
    Interaction("kirigami-tab", KIRIGAMI, tap(94, 86), _down(20, tap(180, 330))),
    Interaction("kirigami-slider", KIRIGAMI, swipe(67, 131, 200, 131, 300), _down(20, tap(180, 150))),
    Interaction("kirigami-field", KIRIGAMI, tap(240, 103), _down(20, tap(180, 500))),
    Interaction("kirigami-search", KIRIGAMI, tap(180, 90)),
    Interaction("kirigami-columns", KIRIGAMI, tap(180, 267), _down(40, CENTRE)),
    Interaction("kirigami-cards", KIRIGAMI, turn(180, 400, 8), _down(30, CENTRE)),
    Interaction("settings-energy", SETTINGS, tap(100, 276)),
    Interaction("settings-back", SETTINGS, tap(24, 52), (tap(100, 276),)),
    Interaction("settings-time", SETTINGS, tap(100, 454)),
    Interaction("settings-hours", SETTINGS, tap(305, 164), (tap(100, 454),)),
    Interaction("settings-by_itself", SETTINGS, tap(299, 395), (tap(100, 454),)),
    Interaction("itinerary-welcomed", ITINERARY, *WELCOMED),
    Interaction("itinerary-drawer", ITINERARY, tap(24, 52), WELCOMED),
    Interaction("itinerary-settings", ITINERARY, tap(100, 372), (*WELCOMED, tap(24, 52))),
    Interaction("itinerary-statistics", ITINERARY, tap(100, 295), (*WELCOMED, tap(24, 52))),
    Interaction("itinerary-scroll", ITINERARY, turn(180, 400, 8), (*WELCOMED, tap(24, 52), tap(100, 372))),
    Interaction("itinerary-years", ITINERARY, tap(173, 112), (*WELCOMED, tap(24, 52), tap(100, 295))),
    Interaction("ktrip-scroll", KTRIP, turn(180, 400, 8)),
    Interaction("ktrip-provider", KTRIP, tap(330, 165)),
    Interaction("ktrip-done", KTRIP, tap(180, 645)),
    Interaction("ktrip-drawer", KTRIP, tap(24, 52), (tap(180, 645),)),
    Interaction("ktrip-about", KTRIP, tap(55, 193), (tap(180, 645), tap(24, 52))),
    Interaction("ktrip-start", KTRIP, tap(180, 122), (tap(180, 645),)),
    Interaction("ktrip-date", KTRIP, tap(180, 225), (tap(180, 645),)),
    Interaction("kongress-drawer", KONGRESS, tap(24, 52)),
    Interaction("kongress-conferences", KONGRESS, tap(100, 131), (tap(24, 52),)),
    # Ubuntu Touch
    Interaction("lomiri-page", LOMIRI, tap(100, 106)),
    Interaction("lomiri-page_back", LOMIRI, tap(24, 57), (tap(100, 106),)),
    Interaction("lomiri-fling", LOMIRI, swipe(100, 600, 100, 200, 150)),
    Interaction("lomiri-wheel", LOMIRI, turn(100, 400, 5)),
    Interaction("lomiri-colors_fling", LOMIRI, swipe(100, 600, 100, 250, 150), (tap(100, 319),)),
    Interaction("lomiri-animations", LOMIRI, tap(100, 160), settles=False),
    Interaction("lomiri-dialog", LOMIRI, tap(180, 148), (tap(100, 425),)),
    Interaction("lomiri-dialog_goes", LOMIRI, tap(117, 419), (tap(100, 425), tap(180, 148))),
    Interaction("lomiri-combo", LOMIRI, tap(330, 560), (tap(100, 266),)),
    Interaction("lomiri-combo_closes", LOMIRI, tap(330, 560), (tap(100, 266), tap(330, 560))),
    Interaction("lomiri-leading", LOMIRI, swipe(80, 246, 240, 246, 150), (tap(100, 584),)),
    Interaction("lomiri-trailing", LOMIRI, swipe(250, 298, 80, 298, 150), (tap(100, 584),)),
    Interaction("lomiri-popover", LOMIRI, tap(180, 148), (TO_END, tap(100, 70))),
    Interaction("lomiri-progress", LOMIRI, tap(100, 123), (TO_END,), settles=False),
    Interaction("lomiri-section", LOMIRI, tap(78, 96), (TO_END, tap(100, 229))),
    Interaction("lomiri-slider", LOMIRI, swipe(130, 170, 280, 170, 300), (TO_END, tap(100, 335))),
    Interaction("lomiri-box", LOMIRI, tap(119, 141), (TO_END, tap(100, 493))),
    Interaction("lomiri-switch", LOMIRI, tap(129, 588), (TO_END, tap(100, 493))),
    Interaction("sums-digit", CALCULATOR, tap(135, 511)),
    Interaction("sums-second", CALCULATOR, tap(40, 511), (tap(135, 511),)),
    Interaction("sums-result", CALCULATOR, tap(270, 620), (tap(135, 511), tap(315, 567), tap(40, 511))),
    Interaction("folders-open", FILES, tap(100, 165)),
    Interaction("folders-places", FILES, LEFT),
    Interaction("folders-place", FILES, tap(100, 220), (LEFT,)),
    Interaction("folders-menu", FILES, RIGHT),
    Interaction("folders-fling", FILES, swipe(100, 560, 100, 200, 150), (tap(100, 165),)),
    Interaction("photos-menu", GALLERY, LEFT),
    Interaction("photos-choice", GALLERY, tap(60, 170), (LEFT,)),
)  # fmt: skip
