"""Make the pictures of README and docs from the product as it is: `make screenshots` (docs/pages.md).

The product is started on a folder of its own with the samples measured, so that no picture shows old numbers. Each
is taken at a fixed size in the light theme and kept as a PNG of 256 colours, less than half as large as with all.
``--folder DIR`` keeps what was measured for the next time, ``--into DIR`` writes elsewhere.
"""

import argparse
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import BrowserContext, Page

from benchmarks.product import RANKING, ROOT, SCREENS_READY, SIZE, Product, running_product, until

FOLDER = ROOT / "docs" / "images"
COLOURS = 256
STILL, BETWEEN_MS, MOST_SHOTS = 4, 1000, 60  # so many alike, so far apart; then it is taken as it is


@dataclass(frozen=True)
class Picture:
    """A file, the page that it shows, its height in px, and what is true in the page once all is drawn."""

    name: str
    path: str
    height: int = SIZE["height"]
    ready: str = "true"


PICTURES = (
    Picture("ranking.png", RANKING, height=800),
    # Both sides in the middle of the same movement: 420 ms after the action one panel is open, the other is not.
    Picture("drilldown.png", f"{RANKING}io.framework7.kitchensink/open%20side%20panel/?t=420", ready=SCREENS_READY),
)


def take(context: BrowserContext, picture: Picture) -> bytes:
    """Open the page, wait until it stands still, return it as a PNG of all colours."""
    page = context.new_page()
    page.set_viewport_size({"width": SIZE["width"], "height": picture.height})
    page.goto(picture.path, wait_until="networkidle")
    until(page, picture.ready)
    until(page, "document.fonts.status === 'loaded'")
    shot = _still(page)
    page.close()
    return shot


def _still(page: Page) -> bytes:
    """Return what the page shows once it has not changed for a while: a film strip fills frame by frame."""
    shots: list[bytes] = []
    while len(shots) < MOST_SHOTS and (len(shots) < STILL or len(set(shots[-STILL:])) > 1):
        page.wait_for_timeout(BETWEEN_MS)
        shots.append(page.screenshot(caret="hide", animations="disabled"))
    return shots[-1]


def with_few_colours(png: bytes) -> bytes:
    """Return the same picture with a palette: flat areas and text keep their colours, gradients get steps."""
    picture = Image.open(BytesIO(png)).convert("RGB")
    few = picture.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    out = BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def make_pictures(product: Product, folder: Path) -> list[Path]:
    """Write every picture; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with product.visitor() as context:
        for picture in PICTURES:
            file = folder / picture.name
            file.write_bytes(with_few_colours(take(context, picture)))
            written.append(file)
    return written


def main() -> None:
    """Start the product, take all pictures, say what was written."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="keep database and screencasts here")
    parser.add_argument("--into", type=Path, default=FOLDER, help="where the pictures go (docs/images)")
    asked = parser.parse_args()
    with running_product(asked.folder) as product:
        for file in make_pictures(product, asked.into):
            print(f"{file}  {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
