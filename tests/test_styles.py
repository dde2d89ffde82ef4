"""What is seen follows one scale: sizes, colours and times of movement come from static/css/tokens.css alone."""

import re
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"
TOKENS = (STATIC / "css/tokens.css").read_text()
STYLES = [path for path in (STATIC / "css").glob("*.css") if path.name != "tokens.css"]
ALLOWED_SIZE = re.compile(r"var\(--text-(s|m|l|xl|xxl)\)|inherit|0\.\d+em")
COLOUR = re.compile(r"#[0-9a-f]{3,8}\b(?![^{]*\{)|\brgba?\((?!0 0 0 / |22 25 28 / )|\bhsl", re.IGNORECASE)
LONGEST_MS = 180


def _declared(name):
    for path in STYLES:
        for found in re.finditer(rf"(?<![-\w]){name}\s*:\s*([^;}}]+)", path.read_text()):
            yield path.name, found.group(1).strip()


def test_sizes_of_type_are_the_five_of_the_scale():
    assert [(name, size) for name, size in _declared("font-size") if not ALLOWED_SIZE.fullmatch(size)] == []


def test_type_is_never_smaller_than_thirteen_pixels():
    sizes = sorted(int(size) for size in re.findall(r"--text-\w+: (\d+)px", TOKENS))

    assert len(sizes) == 5
    assert sizes[0] >= 13


def test_colours_are_those_of_the_tokens():
    faults = [(path.name, found) for path in STYLES for found in COLOUR.findall(path.read_text())]
    assert faults == []


def test_movement_is_short_and_written_once():
    assert int(re.search(r"--quick: (\d+)ms", TOKENS).group(1)) <= LONGEST_MS
    assert [(name, value) for name, value in _declared("transition") if re.search(r"\d+m?s\b", value)] == []


def test_the_font_is_shipped_with_its_licence():
    assert (STATIC / "fonts/inter.woff2").stat().st_size < 100_000
    assert "SIL OPEN FONT LICENSE" in (STATIC / "fonts/OFL.txt").read_text()
