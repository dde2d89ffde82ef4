"""Find the Chromium that browser tests drive: the system's, else Playwright's own (downloaded when missing).

``python -m tests.find_browser`` says which one, or fails and says what to do. No test is skipped for want of it.
"""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# The shell first: the same engine without windows, menus and profiles, for a third less of the processor's time.
SHELL = ("chromium-headless-shell",)
WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
CURE = (
    "Browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell, or chromium) or let "
    "Playwright download its own."
)


def system_browser(names: Sequence[str] = (*SHELL, *WHOLE)) -> str | None:
    """Return the path of an installed Chromium or Chrome, or None."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    return found or (str(MAC) if MAC.exists() else None)


def playwright_browser() -> str | None:
    """Return the path of the Chromium that Playwright downloaded, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def find_browser() -> str | None:
    """Return the Chromium to drive, or None."""
    return system_browser() or playwright_browser()


def main() -> int:
    """Make sure there is one; return the exit code."""
    path = find_browser()
    if path is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
        path = playwright_browser()
    print(f"Browser tests drive {path}" if path else CURE)
    return 0 if path else 1


if __name__ == "__main__":
    sys.exit(main())
