"""What pages are filled with."""

from __future__ import annotations

from typing import Any

import flet as ft

WORDS = ("alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel", "iris", "juniper", "larch", "oak")
ICONS = (ft.Icons.HOME, ft.Icons.STAR, ft.Icons.EMAIL, ft.Icons.PHONE, ft.Icons.MAP, ft.Icons.MUSIC_NOTE)
COLOURS = ("red", "teal", "indigo", "amber", "purple", "green", "blue", "orange", "pink", "cyan")
WIDE = 340  # CSS px of a button from side to side


def tile(number: int) -> ft.ListTile:
    """Return a line of a list."""
    word = WORDS[number % len(WORDS)]
    return ft.ListTile(
        leading=ft.CircleAvatar(content=ft.Text(word[0].upper()), bgcolor=COLOURS[number % 10] + "300"),
        title=ft.Text(word.title()),
        subtitle=ft.Text(f"{number * 37 % 60} minutes ago, {number * 13 % 97} items"),
    )


def tiles(count: int) -> ft.ListView:
    """Return a list."""
    return ft.ListView(controls=[tile(number) for number in range(count)], expand=True)


def bar(title: str, **kwargs: Any) -> ft.AppBar:
    """Return the bar above a page."""
    return ft.AppBar(title=ft.Text(title), bgcolor=ft.Colors.SURFACE_CONTAINER_HIGHEST, **kwargs)


def wide(text: str, on_click: Any = None) -> ft.FilledButton:
    """Return a button from side to side."""
    return ft.FilledButton(text, width=WIDE, on_click=on_click)
