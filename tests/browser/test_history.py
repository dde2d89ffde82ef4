"""The chart of a course: drawn once more by the script, with the part that is shown in the address."""

import pytest

from tests import factories
from tests.browser.conftest import until
from tests.reports.history.lines import bring_up_to_date, line

pytestmark = pytest.mark.browser
DRAWN = "document.querySelector('trend-chart').dataset.drawn === 'true'"
POINTS = "document.querySelector('[data-plot]').data[4].x.length"
# Two presses sooner than that are a double click to Plotly.
CALM = "(({_mouseDownTime: last, _context}) => Date.now() - last > _context.doubleClickDelay)(%s)"
FIRST = "document.getElementById('f-first').value"


@pytest.fixture
def chart(visitor):
    """Open the chart of six versions, of which the fourth is slower."""
    line(200.0, 200.0, 200.0, 300.0, 300.0, 300.0)
    bring_up_to_date()
    page = visitor.open(f"/history/{factories.interaction().pk}/")
    until(page, DRAWN)
    return page


def place(page, number):
    """Return where the point of a version is seen, in pixels of the window."""
    return page.evaluate(
        """(number) => {
          const plot = document.querySelector("[data-plot]"), box = plot.getBoundingClientRect();
          const { xaxis, yaxis } = plot._fullLayout, trace = plot.data[4];
          const x = box.left + xaxis._offset + xaxis.d2p(trace.x[number]);
          return [x, box.top + yaxis._offset + yaxis.d2p(trace.y[number])];
        }""",
        number,
    )


def test_a_part_is_chosen_by_dragging_and_stands_in_the_address(chart):
    height = chart.locator(".trend-box").bounding_box()["height"]
    (left, top), (right, _) = place(chart, 2), place(chart, 4)

    chart.mouse.move(left - 20, top - 30)
    chart.mouse.down()
    chart.mouse.move(right, top - 30)
    chart.mouse.move(right + 20, top - 30)
    chart.mouse.up()
    until(chart, f"{POINTS} === 3 && {FIRST} === '14.0.2'")

    assert chart.url.endswith("?first=14.0.2&last=14.0.4")
    assert chart.locator("a.trend-point").count() == 3
    assert chart.locator(".levels tbody tr").count() == 3
    assert chart.locator(".trend-box").bounding_box()["height"] == height

    chart.go_back()
    until(chart, f"{POINTS} === 6 && {FIRST} === '14.0.0'")
    chart.go_forward()
    until(chart, f"{POINTS} === 3")
    chart.mouse.dblclick(*place(chart, 1))  # on a point: no press
    until(chart, f"{POINTS} === 6")
    assert chart.url.endswith(f"/history/{factories.interaction().pk}/")


def press(page, number):
    """Point at a version, and press when the chart says which it is."""
    page.mouse.move(*place(page, number))
    until(page, f"document.querySelector('[data-plot]')._hoverdata?.[0]?.pointNumber === {number}")
    page.mouse.click(*place(page, number))


def test_two_versions_are_pressed_to_compare_them(chart):
    press(chart, 2)
    until(chart, "document.querySelector('[data-plot]').data[4].marker.line.width[2] === 3")
    assert chart.url.endswith("?picked=14.0.2")
    assert "14.0.2 is chosen" in chart.locator("figcaption").text_content()
    until(chart, CALM % "document.querySelector('[data-plot]')")

    with chart.expect_navigation():
        press(chart, 3)

    assert chart.url.endswith("/compare/14.0.2/14.0.3/?q=open+inbox")


def test_what_has_the_focus_is_told_with_numbers_and_units(chart):
    chart.locator("a.trend-point").nth(3).focus()

    until(chart, "document.querySelector('.hoverlayer')?.textContent.includes('14.0.2 → 14.0.3')")
    told = chart.locator(".hoverlayer").text_content().replace("\N{NO-BREAK SPACE}", " ")
    assert "slower, +100 ms to 300 ms, 8 runs" in told
