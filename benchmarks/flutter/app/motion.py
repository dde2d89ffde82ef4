"""Scenes of what apps move by themselves, and of what comes later."""

from __future__ import annotations

from typing import Any

import flet as ft

from benchmarks.flutter.app.pages import COLOURS, WIDE, WORDS, bar, tile, wide
from benchmarks.flutter.app.scenes import Interaction, scene, tap

LOW = tap(180, 600)  # where the button is below what moves
CURVE = ft.AnimationCurve


def _over_a_button(page: Any, box: Any, at: tuple[float, float], word: str, change: Any) -> None:
    """Lay out something that changes once the button below it is tapped."""

    def go(event: Any) -> None:
        change()
        page.update()

    page.appbar = bar("Card")
    page.add(ft.Container(box, height=480, alignment=ft.Alignment(*at)))
    page.add(ft.FilledButton(word, width=WIDE, height=60, on_click=go))


@scene(Interaction("grow", LOW))
def grows(page: Any, wait: Any) -> None:
    """Lay out a card that grows and changes its colour."""
    box = ft.Container(width=120, height=120, bgcolor="amber300", border_radius=20)
    box.animate = ft.Animation(500, CURVE.EASE_IN_OUT)

    def change() -> None:
        box.width, box.height, box.bgcolor = 300, 260, "teal400"

    _over_a_button(page, box, (-0.8, -0.8), "Grow", change)


@scene(Interaction("throw", LOW))
def bounces(page: Any, wait: Any) -> None:
    """Lay out a ball that is thrown and bounces."""
    box = ft.Container(width=90, height=90, bgcolor="indigo300", border_radius=45, offset=ft.Offset(0, 0))
    box.animate_offset = ft.Animation(800, CURVE.BOUNCE_OUT)

    def change() -> None:
        box.offset = ft.Offset(2.2, 3)

    _over_a_button(page, box, (-0.8, -0.8), "Throw", change)


@scene(Interaction("pop", LOW))
def springs(page: Any, wait: Any) -> None:
    """Lay out a card that springs to another size."""
    box = ft.Container(width=120, height=120, bgcolor="pink300", border_radius=20, scale=1)
    box.animate_scale = ft.Animation(1000, CURVE.ELASTIC_OUT)

    def change() -> None:
        box.scale = 1.6

    _over_a_button(page, box, (0, 0), "Pop", change)


@scene(Interaction("show", LOW))
def fades(page: Any, wait: Any) -> None:
    """Lay out a picture that fades in."""
    light = ft.LinearGradient(["teal200", "indigo400"])
    box = ft.Container(width=320, height=320, gradient=light, border_radius=20, opacity=0, animate_opacity=700)

    def change() -> None:
        box.opacity = 1

    _over_a_button(page, box, (-0.8, -0.8), "Show", change)


@scene(Interaction("open", tap(90, 150)))
def hero(page: Any, wait: Any) -> None:
    """Lay out a picture that grows into the next page."""

    def go(event: Any) -> None:
        large = ft.Hero(tag="picture", content=ft.Container(width=WIDE, height=300, bgcolor="orange300"))
        page.views.append(ft.View(route="/picture", controls=[large, ft.Text("Orange", size=30)]))
        page.update()

    small = ft.Container(width=160, height=160, bgcolor="orange300", on_click=go)
    others = [ft.Container(width=160, height=160, bgcolor=colour + "300") for colour in COLOURS[:5]]
    page.appbar = bar("Gallery")
    page.add(ft.Row(wrap=True, controls=[ft.Hero(tag="picture", content=small), *others]))


@scene(Interaction("theme", tap(334, 28)))
def theme(page: Any, wait: Any) -> None:
    """Lay out a page that turns dark, or light."""

    def turn(event: Any) -> None:
        dark = page.theme_mode == ft.ThemeMode.DARK
        page.theme_mode = ft.ThemeMode.LIGHT if dark else ft.ThemeMode.DARK
        page.update()

    page.appbar = bar("Settings", actions=[ft.IconButton(ft.Icons.DARK_MODE, on_click=turn)])
    for at, word in enumerate(WORDS[:6]):
        page.add(ft.Row([ft.Text(word.title(), expand=True), ft.Switch(value=at % 2 == 0)]))


@scene(Interaction("like", tap(317, 275)), Interaction("count", tap(180, 700)))
def counts(page: Any, wait: Any) -> None:
    """Lay out a heart that fills, and a number that goes up."""
    heart, likes, number = (
        ft.IconButton(ft.Icons.FAVORITE_BORDER),
        ft.Text("12 likes", size=20),
        ft.Text("0", size=30),
    )

    def like(event: Any) -> None:
        heart.icon, heart.icon_color, likes.value = ft.Icons.FAVORITE, "red", "13 likes"
        page.update()

    def more(event: Any) -> None:
        number.value = str(int(number.value) + 1)
        page.update()

    heart.on_click = like
    page.appbar = bar("Post")
    page.add(ft.Container(height=180, bgcolor="green200", border_radius=8))
    page.add(ft.Row([likes, heart], alignment=ft.MainAxisAlignment.SPACE_BETWEEN), ft.Container(height=300))
    page.add(number, ft.OutlinedButton("Count", width=WIDE, height=60, on_click=more))


@scene(Interaction("plus", tap(180, 80)))
def scales(page: Any, wait: Any) -> None:
    """Lay out a number that shrinks away as the next one grows."""
    grows = ft.AnimatedSwitcherTransition.SCALE
    number = ft.AnimatedSwitcher(ft.Text("0", size=50, key="0"), duration=400, transition=grows)

    def more(event: Any) -> None:
        number.content = ft.Text("1", size=50, key="1")
        page.update()

    page.appbar = bar("Cart")
    page.add(wide("Plus", more), number)


@scene(Interaction("search", tap(180, 84), seconds=3.2))
def loads(page: Any, wait: Any) -> None:
    """Lay out a turning ring, until what was asked for comes."""
    out = ft.Column()

    async def go(event: Any) -> None:
        out.controls = [ft.ProgressRing()]
        page.update()
        await wait(900)
        out.controls = [tile(number) for number in range(5)]
        page.update()

    page.appbar = bar("Search")
    page.add(wide("Search", go), out)


@scene(Interaction("start", tap(180, 84), seconds=3.2))
def progresses(page: Any, wait: Any) -> None:
    """Lay out a bar that fills in five steps."""
    line, said = ft.ProgressBar(value=0.0), ft.Text("Not started")

    async def go(event: Any) -> None:
        for step in range(1, 6):
            line.value, said.value = step / 5, f"{step * 20} %"
            page.update()
            await wait(180)
        said.value = "Done"
        page.update()

    page.appbar = bar("Update")
    page.add(wide("Start", go), line, said)


@scene(Interaction("load", tap(180, 84), seconds=3.2))
def shimmers(page: Any, wait: Any) -> None:
    """Lay out grey places that shimmer, until the news come."""
    out = ft.Column()

    async def go(event: Any) -> None:
        places = [ft.Container(height=60, width=WIDE, bgcolor="grey300", border_radius=8) for _ in range(4)]
        out.controls = [
            ft.Shimmer(base_color="grey300", highlight_color="grey100", content=ft.Column(controls=places))
        ]
        page.update()
        await wait(800)
        out.controls = [ft.Card(content=ft.ListTile(title=ft.Text(word.title()))) for word in WORDS[:4]]
        page.update()

    page.appbar = bar("News")
    page.add(wide("Load", go), out)


@scene(Interaction("add", tap(180, 84)))
def later(page: Any, wait: Any) -> None:
    """Lay out a line that changes twice, the second time while nothing else does."""
    total = ft.Text("Total 0.00", size=24)

    async def go(event: Any) -> None:
        await wait(300)
        total.value = "Total 12.50"
        page.update()
        await wait(400)
        total.value = "Total 12.50, free delivery"
        page.update()

    page.appbar = bar("Cart")
    page.add(wide("Add", go), total)
