"""Scenes of Cupertino, the look of iOS."""

from __future__ import annotations

from typing import Any

import flet as ft

from benchmarks.flutter.app.pages import COLOURS, WIDE, WORDS, tiles
from benchmarks.flutter.app.scenes import Interaction, scene, swipe, tap


def _button(text: str, on_click: Any = None) -> ft.CupertinoFilledButton:
    return ft.CupertinoFilledButton(text, width=WIDE, on_click=on_click)


@scene(Interaction("open", tap(180, 76)), Interaction("cancel", tap(180, 745), (tap(180, 76),)))
def actions(page: Any, wait: Any) -> None:
    """Lay out a sheet of actions."""

    def close(event: Any) -> None:
        page.pop_dialog()

    def show(event: Any) -> None:
        several = [ft.CupertinoActionSheetAction(content=ft.Text(word.title())) for word in WORDS[:3]]
        cancel = ft.CupertinoActionSheetAction(content=ft.Text("Cancel"), on_click=close)
        sheet = ft.CupertinoActionSheet(title=ft.Text("Photo"), cancel=cancel, actions=several)
        page.show_dialog(ft.CupertinoBottomSheet(sheet))

    page.add(ft.Container(height=30), _button("Share", show), tiles(6))


@scene(Interaction("open", tap(180, 76)), Interaction("no", tap(120, 455), (tap(180, 76),)))
def alert(page: Any, wait: Any) -> None:
    """Lay out a question in the middle."""

    def close(event: Any) -> None:
        page.pop_dialog()

    asked = ft.CupertinoAlertDialog(
        title=ft.Text("Location"),
        content=ft.Text("May Trees see where you are?"),
        actions=[ft.CupertinoDialogAction(content=word, on_click=close) for word in ("No", "Yes")],
    )
    page.add(ft.Container(height=30), _button("Locate", lambda event: page.show_dialog(asked)), tiles(6))


@scene(Interaction("spin", swipe(180, 650, 180, 590, 90)), Interaction("open", tap(180, 339)))
def wheel(page: Any, wait: Any) -> None:
    """Lay out a wheel of words, in the page and in a sheet."""

    def words(**kwargs: Any) -> ft.CupertinoPicker:
        return ft.CupertinoPicker(item_extent=32, controls=[ft.Text(word) for word in WORDS], **kwargs)

    def show(event: Any) -> None:
        page.show_dialog(ft.CupertinoBottomSheet(words(), height=220))

    page.add(ft.Container(height=288), _button("Open", show), ft.Container(height=120), words(height=200))


@scene(Interaction("there", tap(198, 86)), Interaction("back", tap(45, 86), (tap(198, 86),)))
def sliding(page: Any, wait: Any) -> None:
    """Lay out one of three, under which a thumb slides."""
    three = [ft.Text(word) for word in ("Calendar", "Trips", "Places")]
    page.add(
        ft.Container(height=50), ft.CupertinoSlidingSegmentedButton(selected_index=0, controls=three), tiles(6)
    )


@scene(
    Interaction("switch", tap(322, 90)),
    Interaction("drag", swipe(80, 170, 220, 170, 400)),
    Interaction("press", tap(180, 229)),
)
def controls(page: Any, wait: Any) -> None:
    """Lay out a switch, a slider and a button."""
    page.add(ft.Container(height=50), ft.Row([ft.Text("Wi-Fi", expand=True), ft.CupertinoSwitch()]))
    page.add(ft.CupertinoCheckbox(label="Remember"), ft.CupertinoSlider(min=0, max=100, value=20, width=330))
    page.add(_button("Press"))


@scene(Interaction("next", swipe(300, 300, 60, 305, 120)), Interaction("too_short", swipe(250, 300, 190, 305, 300)))
def turning(page: Any, wait: Any) -> None:
    """Lay out pages that are turned."""
    shown = [
        ft.Container(bgcolor=colour + "200", content=ft.Text(word.title(), size=40), padding=60)
        for colour, word in zip(COLOURS, WORDS, strict=False)
    ]
    page.add(ft.PageView(expand=True, controls=shown[:5]))
