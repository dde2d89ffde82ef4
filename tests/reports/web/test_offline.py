import base64
import re

from reports.web.offline import file_name, page_styles, static_bytes


def test_file_name_keeps_plain_letters_and_leaves_out_what_is_empty():
    assert file_name("report", "13.0.12", "", "a/b: ../c", "版本", ending=".html") == "report-13.0.12-a-b-c.html"


def test_file_name_shortens_each_part():
    assert file_name("x" * 300, "y" * 300, ending=".zip") == f"{'x' * 48}-{'y' * 48}.zip"


def test_styles_of_a_page_carry_colours_chips_and_its_own():
    styles = page_styles("bugreport/report.css")

    assert "--base: light-dark(" in styles
    assert ".chip-base" in styles
    assert "@page" not in styles
    assert "@font-face" not in styles


def test_styles_with_the_font_carry_the_whole_of_it():
    [carried] = re.findall(r"data:font/woff2;base64,([^\"]+)", page_styles("bugreport/report.css", font=True))

    assert base64.b64decode(carried) == static_bytes("fonts/inter.woff2")
