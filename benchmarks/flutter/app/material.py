"""Scenes of Material, the look of Android."""

from __future__ import annotations

import datetime
from typing import Any

import flet as ft

from benchmarks.flutter.app.pages import COLOURS, ICONS, WIDE, WORDS, bar, tile, tiles, wide
from benchmarks.flutter.app.scenes import Interaction, scene, swipe, tap


@scene(
    Interaction("open", tap(180, 157)),
    Interaction("ok", tap(262, 462), (tap(180, 157),)),
    Interaction("beside", tap(180, 60), (tap(180, 157),)),
)
def dialog(page: Any, wait: Any) -> None:
    """Lay out a dialog over a list."""

    def close(event: Any) -> None:
        page.pop_dialog()

    asked = ft.AlertDialog(
        title=ft.Text("Delete 3 trees?"),
        content=ft.Text("They cannot be brought back, and the birds will not like it."),
        actions=[ft.TextButton(word, on_click=close) for word in ("Keep", "Delete")],
    )
    listed = tiles(3)
    listed.controls[1].on_click = lambda event: page.show_dialog(asked)
    page.appbar = bar("Trees")
    page.add(listed)


@scene(Interaction("push", tap(180, 200)), Interaction("pop", tap(28, 28), (tap(180, 200),)))
def pages(page: Any, wait: Any) -> None:
    """Lay out a page that opens over a list."""

    def back(event: Any = None) -> None:
        page.views.pop()
        page.update()

    def go(event: Any) -> None:
        shown = [
            ft.Container(height=180, bgcolor="teal200"),
            ft.Text("Birch is a thin-leaved deciduous hardwood tree. " * 6),
            ft.Row([ft.FilledButton("Water"), ft.OutlinedButton("Share")]),
        ]
        page.views.append(ft.View(route="/birch", appbar=bar("Birch"), controls=shown))
        page.update()

    page.on_view_pop = back
    listed = tiles(8)
    for line in listed.controls:
        line.on_click = go
    page.appbar = bar("Trees")
    page.add(listed)


@scene(Interaction("on", tap(322, 100)), Interaction("off", tap(322, 100), (tap(322, 100),)))
def switches(page: Any, wait: Any) -> None:
    """Lay out settings, each with a switch."""
    page.appbar = bar("Settings")
    for at, word in enumerate(WORDS[:7]):
        page.add(ft.Row([ft.Text(word.title(), expand=True), ft.Switch(value=at == 2)]))


@scene(Interaction("check", tap(27, 96)), Interaction("radio", tap(27, 374)))
def checks(page: Any, wait: Any) -> None:
    """Lay out boxes to tick, and a choice of one."""
    page.appbar = bar("Filters")
    page.add(*(ft.Checkbox(label=word, value=word == "cedar") for word in WORDS[:5]))
    page.add(ft.RadioGroup(value="a", content=ft.Column([ft.Radio(value=one, label=one) for one in "abcd"])))


@scene(Interaction("drag", swipe(62, 88, 260, 90, 400)), Interaction("jump", tap(250, 147)))
def sliders(page: Any, wait: Any) -> None:
    """Lay out a slider that moves freely, and one with steps."""
    page.appbar = bar("Sound")
    page.add(ft.Slider(min=0, max=100, value=15))
    page.add(ft.Slider(min=0, max=100, divisions=10, value=30, label="{value}"), ft.Text("Volume"))


@scene(Interaction("open", tap(180, 112)), Interaction("pick", tap(100, 200), (tap(180, 112),)))
def dropdown(page: Any, wait: Any) -> None:
    """Lay out a choice that unfolds."""
    options = [ft.DropdownOption(key=word, text=word) for word in WORDS[:6]]
    page.appbar = bar("Form")
    page.add(ft.Dropdown(label="Tree", width=330, options=options), ft.Text("Choose a tree"))


@scene(
    Interaction("open", tap(180, 640)),
    Interaction("beside", tap(180, 80), (tap(180, 640),)),
    Interaction("drag", swipe(180, 453, 180, 720, 160), (tap(180, 640),)),
)
def sheet(page: Any, wait: Any) -> None:
    """Lay out a sheet that comes up from below."""
    more = ft.BottomSheet(
        show_drag_handle=True, content=ft.Column([tile(number) for number in range(4)], height=300)
    )
    button = ft.FilledButton("More", width=WIDE, height=48, on_click=lambda event: page.show_dialog(more))
    page.appbar = bar("Map")
    page.add(ft.Container(height=520, bgcolor="blue100", border_radius=12), button)


@scene(Interaction("show", tap(180, 84)))
def snackbar(page: Any, wait: Any) -> None:
    """Lay out a word at the lower edge."""

    def archive(event: Any) -> None:
        page.show_dialog(ft.SnackBar(content=ft.Text("Archived one note"), action="Undo", duration=9000))

    page.appbar = bar("Notes")
    page.add(wide("Archive", archive), tiles(6))


@scene(
    Interaction("open", tap(28, 28)),
    Interaction("close", tap(340, 500), (tap(28, 28),)),
    Interaction("select", tap(140, 150), (tap(28, 28),)),
)
def drawer(page: Any, wait: Any) -> None:
    """Lay out a drawer at the left."""

    async def go(event: Any) -> None:
        await page.show_drawer()

    page.drawer = ft.NavigationDrawer(
        controls=[
            ft.NavigationDrawerDestination(icon=icon, label=word.title())
            for icon, word in zip(ICONS, WORDS, strict=False)
        ]
    )
    page.appbar = bar("Mail", leading=ft.IconButton(ft.Icons.MENU, on_click=go))
    page.add(tiles(9))


@scene(Interaction("second", tap(180, 740)), Interaction("third", tap(290, 740)))
def below(page: Any, wait: Any) -> None:
    """Lay out a bar below, whose pages fade into each other."""
    fades = ft.AnimatedSwitcherTransition.FADE
    body = ft.AnimatedSwitcher(ft.Container(tiles(6), key="0", height=560), duration=300, transition=fades)

    def go(event: Any) -> None:
        at = event.control.selected_index
        squares = [ft.Container(bgcolor=colour + "200") for colour in COLOURS[:9]]
        shown = ft.GridView(controls=squares, runs_count=3, spacing=6) if at == 1 else tiles(4 + at)
        body.content = ft.Container(shown, key=str(at), height=560)
        page.update()

    kinds = [ft.NavigationBarDestination(icon=ICONS[at], label=WORDS[at].title()) for at in range(3)]
    page.navigation_bar = ft.NavigationBar(destinations=kinds, on_change=go)
    page.appbar = bar("Home")
    page.add(body)


@scene(Interaction("tap", tap(199, 89)), Interaction("swipe", swipe(300, 400, 60, 410, 140)))
def tabs(page: Any, wait: Any) -> None:
    """Lay out three pages beside each other."""
    squares = ft.GridView(controls=[ft.Container(bgcolor=colour + "200") for colour in COLOURS], runs_count=3)
    shown = ft.TabBarView(expand=True, controls=[tiles(8), squares, ft.Column([ft.Text("None yet", size=26)])])
    names = ft.TabBar(tabs=[ft.Tab(label=word) for word in ("Songs", "Albums", "Artists")])
    page.appbar = bar("Library")
    page.add(ft.Tabs(length=3, expand=True, content=ft.Column(expand=True, controls=[names, shown])))


@scene(Interaction("open", tap(180, 96)), Interaction("close", tap(180, 96), (tap(180, 96),)))
def expansion(page: Any, wait: Any) -> None:
    """Lay out questions that open."""
    page.appbar = bar("Help")
    for word in WORDS[:5]:
        answer = ft.ListTile(title=ft.Text("Put it into the ground and wait."))
        page.add(ft.ExpansionTile(title=ft.Text(f"How do I grow {word}?"), controls=[answer]))


@scene(
    Interaction("fling", swipe(180, 600, 180, 250, 110)),
    Interaction("slow", swipe(180, 600, 180, 420, 500)),
    Interaction("far", swipe(180, 600, 180, 100, 60)),
)
def scroll(page: Any, wait: Any) -> None:
    """Lay out a list longer than the screen."""
    page.appbar = bar("Feed")
    page.add(tiles(24))


@scene(
    Interaction("focus", tap(180, 110), caret=True),
    Interaction("type", ("key", "h"), (tap(180, 110),), caret=True),
)
def fields(page: Any, wait: Any) -> None:
    """Lay out two fields to fill in."""
    page.appbar = bar("Sign in")
    page.add(ft.TextField(label="Name"), ft.TextField(label="Password", password=True), ft.FilledButton("Sign in"))


@scene(
    Interaction("open", tap(180, 84)),
    Interaction("next", tap(314, 253), (tap(180, 84),)),
    Interaction("day", tap(176, 445), (tap(180, 84),)),
    Interaction("cancel", tap(232, 648), (tap(180, 84),)),
)
def calendar(page: Any, wait: Any) -> None:
    """Lay out a month to pick a day from."""
    days = ft.DatePicker(value=datetime.datetime(2026, 3, 11), current_date=datetime.datetime(2026, 3, 1))
    page.appbar = bar("Trip")
    page.add(wide("Pick a day", lambda event: page.show_dialog(days)), tiles(4))


@scene(Interaction("open", tap(180, 84)), Interaction("hour", tap(260, 440), (tap(180, 84),)))
def clock(page: Any, wait: Any) -> None:
    """Lay out a clock's face to pick a time from."""
    face = ft.TimePicker(value=datetime.time(7, 30))
    page.appbar = bar("Alarm")
    page.add(wide("Set a time", lambda event: page.show_dialog(face)), tiles(4))


@scene(
    Interaction("open", tap(334, 28)),
    Interaction("pick", tap(280, 80), (tap(334, 28),)),
    Interaction("beside", tap(100, 500), (tap(334, 28),)),
)
def menu(page: Any, wait: Any) -> None:
    """Lay out a menu in the upper corner."""
    items = [ft.PopupMenuItem(content=word.title(), icon=icon) for word, icon in zip(WORDS, ICONS, strict=False)]
    page.appbar = bar("Files", actions=[ft.PopupMenuButton(items=items)])
    page.add(tiles(8))


@scene(Interaction("select", tap(60, 95)), Interaction("delete", tap(107, 125)))
def chips(page: Any, wait: Any) -> None:
    """Lay out words that are chosen, and words that are taken away."""
    left = ft.Row(wrap=True)

    def take_away(event: Any) -> None:
        left.controls.remove(event.control)
        page.update()

    left.controls = [ft.Chip(label=ft.Text(word), on_delete=take_away) for word in WORDS[3:9]]
    chosen = [ft.Chip(label=ft.Text(word), show_checkmark=True, on_select=print) for word in WORDS[:3]]
    page.appbar = bar("Tags")
    page.add(ft.Row(wrap=True, controls=chosen), left)


@scene(Interaction("third", tap(180, 84)))
def segments(page: Any, wait: Any) -> None:
    """Lay out one of three."""
    three = [ft.Segment(value=word, label=ft.Text(word)) for word in ("Day", "Week", "Month")]
    page.appbar = bar("Calendar")
    page.add(ft.SegmentedButton(segments=three, selected=["Day"]), tiles(5))


@scene(Interaction("add", tap(320, 720)), Interaction("add_again", tap(320, 720), (tap(320, 720),)))
def adding(page: Any, wait: Any) -> None:
    """Lay out a round button that adds a line."""
    listed = tiles(4)

    def add(event: Any) -> None:
        listed.controls.insert(0, tile(len(listed.controls) + 6))
        page.update()

    page.appbar = bar("Shopping")
    page.floating_action_button = ft.FloatingActionButton(icon=ft.Icons.ADD, on_click=add)
    page.add(listed)


@scene(Interaction("away", swipe(60, 150, 330, 152, 150)), Interaction("back", swipe(60, 150, 130, 152, 250)))
def dismissing(page: Any, wait: Any) -> None:
    """Lay out lines that are swiped away."""
    left = ft.Column(spacing=0)

    def gone(event: Any) -> None:
        left.controls.remove(event.control)
        page.update()

    for number in range(7):
        behind = ft.Container(bgcolor="green400")
        way = ft.DismissDirection.START_TO_END
        left.controls.append(
            ft.Dismissible(content=tile(number), background=behind, dismiss_direction=way, on_dismiss=gone)
        )
    page.appbar = bar("Mail")
    page.add(left)


@scene(Interaction("sort", tap(88, 95)), Interaction("row", tap(30, 210)))
def table(page: Any, wait: Any) -> None:
    """Lay out a table that is sorted, and whose rows are chosen."""

    def choose(event: Any) -> None:
        event.control.selected = not event.control.selected
        page.update()

    def sort(event: Any) -> None:
        listed.rows.reverse()
        listed.sort_column_index, listed.sort_ascending = 0, False
        page.update()

    rows = [
        ft.DataRow(
            on_select_change=choose,
            cells=[ft.DataCell(ft.Text(cell)) for cell in (word, str(at * 7), f"{at * 3}.50")],
        )
        for at, word in enumerate(WORDS[:9])
    ]
    columns = [ft.DataColumn(label=ft.Text(word), on_sort=sort) for word in ("Tree", "n", "Price")]
    listed = ft.DataTable(columns=columns, rows=rows, show_checkbox_column=True)
    page.appbar = bar("Stock")
    page.add(listed)


@scene(Interaction("open", tap(330, 90)))
def panels(page: Any, wait: Any) -> None:
    """Lay out cards that part as one of them opens."""
    listed = [
        ft.ExpansionPanel(
            header=ft.ListTile(title=ft.Text(word.title())),
            content=ft.ListTile(title=ft.Text("Details"), subtitle=ft.Text("Three of them")),
            can_tap_header=True,
        )
        for word in WORDS[:4]
    ]
    page.appbar = bar("Order")
    page.add(ft.ExpansionPanelList(controls=listed))


@scene(Interaction("show", tap(180, 751)))
def banner(page: Any, wait: Any) -> None:
    """Lay out a word at the upper edge."""

    def offline(event: Any) -> None:
        page.show_dialog(
            ft.Banner(
                content=ft.Text("There is no connection to the internet."),
                leading=ft.Icon(ft.Icons.CLOUD_OFF),
                actions=[ft.TextButton("Retry"), ft.TextButton("Dismiss")],
            )
        )

    page.appbar = bar("Mail")
    page.add(tiles(3), wide("Offline", offline))


@scene(Interaction("search", tap(180, 40), caret=True))
def search(page: Any, wait: Any) -> None:
    """Lay out a field that opens into a list."""

    async def open_view(event: Any) -> None:
        await event.control.open_view()

    found = [ft.ListTile(title=ft.Text(word)) for word in WORDS[:6]]
    page.add(ft.SearchBar(bar_hint_text="Search", full_screen=False, controls=found, on_tap=open_view), tiles(8))
