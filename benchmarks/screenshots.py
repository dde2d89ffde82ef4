"""Make the pictures of README and docs from the product as it is: `make screenshots` (docs/pages.md).

The product is started on a folder of its own with the samples measured, so that no picture shows old numbers. Each
is taken at a fixed size in the light theme and kept as a PNG of 256 colours, less than half as large as with all.
Letters are what the product sends elsewhere: the digest as a mail, the comment that the client writes.
``--folder DIR`` keeps what was measured for the next time, ``--into DIR`` writes elsewhere.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from markdown_it import MarkdownIt
from PIL import Image
from playwright.sync_api import BrowserContext, Page

from benchmarks.product import (
    BASE,
    HISTORY,
    NEW,
    RANKING,
    ROOT,
    SCREENS_READY,
    SIZE,
    Product,
    running_product,
    until,
)

FOLDER = ROOT / "docs" / "images"
COLOURS = 256
STILL, BETWEEN_MS, MOST_SHOTS = 4, 1000, 60  # so many alike, so far apart; then it is taken as it is


@dataclass(frozen=True)
class Picture:
    """A file, the page that it shows, its height in px, and what is true in the page once all is drawn.

    ``follow`` is the words of a link on that page which leads to the one that is shown, asked for with ``more``.
    """

    name: str
    path: str
    height: int = SIZE["height"]
    ready: str = "true"
    follow: str = ""
    more: str = ""


@dataclass(frozen=True)
class Letter:
    """A file, and the HTML that it shows: what the product sends to other programs, which show it their own way."""

    name: str
    html: Callable[[BrowserContext], str]


def digest_mail(context: BrowserContext) -> str:
    """Return the weekly digest as a mail program has it: the HTML of its preview."""
    page = context.new_page()
    page.goto("/account/notices/digest/", wait_until="networkidle")
    mail = page.locator("section[aria-labelledby=html-title] > div").evaluate("node => node.outerHTML")
    page.close()
    return PAPER.format(body=mail)


def pull_request_comment(context: BrowserContext) -> str:
    """Return what `upreg comment --print` writes for the samples, as a forge renders Markdown, on plain paper."""
    page = context.new_page()
    page.goto("/account/tokens/")
    page.fill("main [name=name]", "build server")
    page.check("main [name=scopes][value=read]")
    page.get_by_role("button", name="Make the token").click()
    token, address = page.locator("#token-text").input_value(), page.url
    page.close()
    server = {"UPREG_SERVER": address.partition("/account/")[0], "UPREG_TOKEN": token}
    command = [sys.executable, "-m", "upreg_client", "comment", BASE, NEW, "--print"]
    said = subprocess.run(command, cwd=ROOT, env=os.environ | server, capture_output=True, text=True, check=True)
    return PAPER.format(body=COMMENT.format(text=MarkdownIt("commonmark").enable("table").render(said.stdout)))


# What stands around a letter: nothing that belongs to a mail program or a forge.
PAPER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>letter</title>
<body style="margin:0;padding:16px;width:688px;background:#f4f5f5">{body}</body></html>"""
COMMENT = """<style>
.comment {{ background:#fff; color:#16191c; border:1px solid #e1e4e6; border-radius:4px }}
.comment {{ font:15px/22px Helvetica,Arial,sans-serif }}
.comment header {{ padding:8px 16px; border-bottom:1px solid #e1e4e6; color:#565f67; font-size:13px }}
.comment div {{ padding:0 16px 8px }}
.comment h3 {{ margin:16px 0 8px; font-size:18px; line-height:26px }}
.comment table {{ border-collapse:collapse }}
.comment :is(th, td) {{ padding:4px 12px; border:1px solid #e1e4e6; text-align:left }}
.comment a {{ color:#5a4bb0 }}
.comment code {{ font-size:13px; background:#f4f5f5; padding:1px 4px }}
</style><article class="comment"><header>Comment on a pull request</header><div>{text}</div></article>"""
LETTERS = (Letter("digest.png", digest_mail), Letter("comment.png", pull_request_comment))
PICTURES = (
    Picture("ranking.png", RANKING, height=800),
    # Both sides in the middle of the same movement: 420 ms after the action one panel is open, the other is not.
    Picture("drilldown.png", f"{RANKING}io.framework7.kitchensink/open%20side%20panel/?t=420", ready=SCREENS_READY),
    Picture("history.png", HISTORY, height=900),
    Picture(
        "course.png",
        f"{HISTORY}&q=open+form&metric=response_time_ms",
        height=700,
        follow="open form",
        more="&runs=on",
    ),
    Picture("releases.png", HISTORY.replace("/?", "/releases/?"), height=620),
)


def take(context: BrowserContext, picture: Picture) -> bytes:
    """Open the page, wait until it stands still, return it as a PNG of all colours."""
    page = context.new_page()
    page.set_viewport_size({"width": SIZE["width"], "height": picture.height})
    page.goto(picture.path, wait_until="networkidle")
    if picture.follow:
        link = page.get_by_role("main").get_by_role("link", name=picture.follow).first
        page.goto(f"{link.get_attribute('href')}{picture.more}", wait_until="networkidle")
    until(page, picture.ready)
    until(page, "document.fonts.status === 'loaded'")
    shot = _still(page)
    page.close()
    return shot


def take_letter(context: BrowserContext, letter: Letter) -> bytes:
    """Return what a letter looks like, from its first line to its last."""
    html = letter.html(context)
    page = context.new_page()
    page.set_content(html)
    shot = page.locator("body").screenshot(animations="disabled")
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
        shots = {picture.name: take(context, picture) for picture in PICTURES}
        shots |= {letter.name: take_letter(context, letter) for letter in LETTERS}
    for name, shot in shots.items():
        (folder / name).write_bytes(with_few_colours(shot))
        written.append(folder / name)
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
