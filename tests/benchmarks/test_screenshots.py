"""The pictures of README and docs: each is made by the script, small, and looks as it did."""

import re
from io import BytesIO

import numpy as np
from PIL import Image

from benchmarks.product import ROOT
from benchmarks.screenshots import LETTERS, PICTURES, with_few_colours


def test_every_picture_that_readme_and_docs_show_is_made_by_the_script_and_no_other():
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {name for text in texts for name in re.findall(r"\(\S*images/(\S+\.png)\)", text.read_text())}

    assert {picture.name for picture in (*PICTURES, *LETTERS)} == shown


def test_few_colours_make_a_smaller_png_of_the_same_picture():
    noise = np.random.default_rng(1).integers(0, 40, (120, 160, 3), dtype=np.uint8)
    noise[:, 80:] = (200, 30, 60)  # an area of one colour keeps it
    whole = BytesIO()
    Image.fromarray(noise).save(whole, "PNG")

    few = with_few_colours(whole.getvalue())

    assert few.startswith(b"\x89PNG")
    assert len(few) < len(whole.getvalue()) / 2
    picture = Image.open(BytesIO(few))
    assert (picture.mode, picture.size) == ("P", (160, 120))
    assert picture.convert("RGB").getpixel((120, 60)) == (200, 30, 60)
