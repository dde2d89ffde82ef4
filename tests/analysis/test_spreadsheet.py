"""Truth: the signs that OWASP's page on CSV injection names, and the csv module of the standard library."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.spreadsheet import csv_line, plain_cell, safe_cell

SIGNS = "=+-@\t\r"


@pytest.mark.parametrize("sign", SIGNS)
def test_no_cell_begins_with_a_sign_that_makes_a_formula(sign):
    [cells] = csv.reader(io.StringIO(csv_line([f"{sign}1+1", "name", f"{sign}cmd|' /C calc'!A0"]), newline=""))

    assert all(cell[0] not in SIGNS for cell in cells)
    assert list(map(plain_cell, cells)) == [f"{sign}1+1", "name", f"{sign}cmd|' /C calc'!A0"]


@pytest.mark.parametrize("number", [-4, -1.5, 0, 1e-9, "-12.5", "+3", "-1e-05", None])
def test_numbers_stay_numbers(number):
    assert safe_cell(number) == number


@given(st.text(alphabet=st.sampled_from("'=+-@\t\r1e.aＡ＝ "), max_size=8))
def test_every_text_comes_back_as_it_was(text):
    assert plain_cell(str(safe_cell(text))) == text
