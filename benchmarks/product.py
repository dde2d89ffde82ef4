"""The product itself, started for a benchmark: samples measured and compared, a real Chromium logged in.

With a folder it is kept and used again, so that the samples are measured once.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from reports.launch.login import USER
from tests.find_browser import CURE, find_browser

ROOT = Path(__file__).resolve().parent.parent
BASE, NEW = "sample-1.0", "sample-1.1"
RANKING = f"/compare/{BASE}/{NEW}/"
HISTORY = "/history/?channel=chromium"  # of the builds in samples/history.csv
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
SIZE = {"width": 1440, "height": 900}
STATES = (f"{RANKING}state.json", "/history/state.json", HISTORY.replace("/?", "/state.json?"))
START_S, MEASURE_S = 180, 1800  # what has not come by then will not come
PATIENCE_MS = 60_000
SCREENS_READY = "document.querySelectorAll('.screen[data-state=ready]').length === 2"  # of the drill-down


@dataclass(frozen=True)
class Product:
    """A running product. ``session`` is what a logged-in browser keeps, ``password`` how it was got."""

    address: str
    browser: Browser
    session: dict[str, object]
    password: str

    @contextmanager
    def visitor(self, *, logged_in: bool = True) -> Iterator[BrowserContext]:
        """Open a browser profile with an empty cache, in the light theme."""
        context = self.browser.new_context(
            base_url=self.address,
            viewport=SIZE,
            color_scheme="light",
            reduced_motion="reduce",
            storage_state=self.session if logged_in else None,
        )
        context.set_default_timeout(PATIENCE_MS)
        try:
            yield context
        finally:
            context.close()


@contextmanager
def running_product(folder: Path | None = None, *, samples: bool = True) -> Iterator[Product]:
    """Start the product on ``folder``, or on one that is taken away again; stop it at the end.

    With ``samples`` it is given once they are measured and compared, else empty.
    """
    browser_path = find_browser()
    if browser_path is None:
        raise SystemExit(CURE)
    with ExitStack() as stack:
        var = folder or Path(stack.enter_context(TemporaryDirectory()))
        address = stack.enter_context(serving(var.resolve(), *([] if samples else ["--no-samples"])))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        stack.callback(browser.close)
        password = _password(var)
        product = Product(address, browser, _log_in(browser, address, password), password)
        if samples:
            _wait_for_samples(product)
        yield product


def until(page: Page, expression: str, *, patience_s: float = PATIENCE_MS / 1000) -> None:
    """Wait until it is true in the page; Playwright's own waiting evaluates text, which every page forbids."""
    end = time.monotonic() + patience_s
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise SystemExit(f"{page.url}: never came true: {expression}")
        page.wait_for_timeout(25)


@contextmanager
def serving(var: Path, *options: str, **settings: str) -> Iterator[str]:
    """Start web server and worker as `make run` does, whatever the environment says of another installation.

    ``settings`` are variables of the environment.
    """
    var.mkdir(parents=True, exist_ok=True)
    port = _free_port()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("UPREG_")}
    command = [sys.executable, str(ROOT / "manage.py"), "start", "--port", str(port), *options]
    with (var / "start.log").open("w") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment | {"UPREG_VAR_DIR": str(var)} | settings,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_for_port(process, port, var / "start.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for_port(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + START_S
    while "is ready" not in log.read_text():
        if process.poll() is not None or time.monotonic() > end:
            raise SystemExit(f"The product did not start on port {port}:\n{log.read_text()}")
        time.sleep(0.2)


def _password(var: Path) -> str:
    lines = (var / "login.txt").read_text().splitlines()
    return next(line.partition(":")[2].strip() for line in lines if line.startswith("password:"))


def _log_in(browser: Browser, address: str, password: str) -> dict[str, object]:
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto("/login/")
    page.fill("[name=username]", USER)
    page.fill("[name=password]", password)
    page.press("[name=password]", "Enter")
    page.wait_for_url(lambda url: "/login/" not in url)
    session = dict(context.storage_state())
    context.close()
    return session


def _wait_for_samples(product: Product) -> None:
    """Wait until all samples are measured, the pair compared and the history computed; say how far they are."""
    end = time.monotonic() + MEASURE_S
    said = ""
    with product.visitor() as context:
        while True:
            queue = context.request.get("/api/queue/").json()
            if queue["finished"] == queue["total"]:  # a line is there once something of it is measured
                pair, *lines = (context.request.get(address).json() for address in STATES)
                if (
                    pair["status"] == "done"
                    and not pair["stale"]
                    and all(line["status"] == "done" for line in lines)
                ):
                    return
                if pair["status"] == "failed":
                    raise SystemExit(f"The samples were not compared: {pair}")
            if time.monotonic() > end:
                raise SystemExit(f"The samples were not measured and compared: {queue['sentence']}")
            far = f"{queue['finished']} of {queue['total']} samples measured"
            if far != said:
                print(far, file=sys.stderr, flush=True)
                said = far
            time.sleep(2)
