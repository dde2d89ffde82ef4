from xml.etree import ElementTree

import numpy as np

from benchmarks.history_figure import figure

SVG = "{http://www.w3.org/2000/svg}"


def test_series_with_a_regression_or_an_alarm_are_drawn_and_no_others():
    runs = [np.array([100.0, 101.0, 99.0])] * 3 + [np.array([130.0, 131.0, 129.0])] * 3
    drawn = ElementTree.fromstring(figure([(None, runs, [4]), (3, runs, [3]), (None, runs, [])]))

    panels = drawn.findall(f"{SVG}g")
    true, alarm = ([child.tag.removeprefix(SVG) for child in panel] for panel in panels)
    assert (true.count("circle"), true.count("path")) == (1, 1)
    assert (alarm.count("circle"), alarm.count("path")) == (0, 1)
    ring, arrow = (panels[0].find(f"{SVG}{tag}") for tag in ("circle", "path"))
    assert ring.get("cx") == f"{float(arrow.get('d')[1:].split()[0]) + 5:.1f}"
