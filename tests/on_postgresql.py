"""Run the tests that ask the database once more, on PostgreSQL: `python -m tests.on_postgresql [pytest's options]`.

On the server that UPREG_TEST_DATABASE_URL names, else on one of our own if PostgreSQL is installed. Where there is
neither it says so: nothing is left out in silence. What is tried on SQLite alone stands below, with what asks
PostgreSQL the same questions.
"""

import os
import signal
import subprocess
import sys
from contextlib import nullcontext

from benchmarks.postgres import CURE, find_binaries, own_postgres

COMMAND = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", "--database-only", "tests/reports"]
LEFT_OUT = {
    "access/test_buttons.py": "what pages offer to roles; the tests of each page load it here",
    "access/test_every_address.py": "a stand-in answers for views; each test of a view loads people and roles here",
    "api/test_described.py": "answers against their description; web/test_nasty_values.py asks every address here",
    "bugreport/test_log.py": "lines that are written for people; test_services.py writes a whole report here",
    "bugreport/test_page.py": "marks and words of a page; test_services.py and test_views.py load its finding here",
    "bugreport/test_video.py": "containers and codecs; test_services.py puts screencasts into reports here",
    "drilldown/test_crowds.py": "bytes of a page with 600 runs; test_selectors.py and test_views.py load it here",
    "gate/test_one_answer.py": "that faces agree, which is reckoned in Python; the tests of each face load it here",
    "help/test_views.py": "pages that are files",
    "importing/test_one_reader.py": "two readers of one cell; test_services.py and test_upload.py store rows here",
    "management/test_bisect.py": "words and exit codes of a command; bisecting/test_views.py searches here",
    "management/test_compare.py": "words of a command; comparing/test_services.py computes here",
    "management/test_gate.py": "words and exit codes of a command; gate/test_services.py decides here",
    "management/test_release_report.py": "names and folders of a file; releasereport/test_views.py makes it here",
    "media/test_delivery.py": "who sends the bytes; test_views.py finds the recordings here",
    "media/test_objectstore.py": "answers of an object store; test_files.py and test_screencasts.py keep rows here",
    "media/test_options.py": "what a decoder is asked for; measuring/test_extraction.py keeps its answers here",
    "notify/test_webhooks.py": "what is sent, and forms; test_deliveries.py keeps and claims rows here",
    "releasereport/test_page.py": "words of a page; test_views.py loads standing and recorded reports here",
    "releasereport/test_stories.py": "which pictures are chosen; test_views.py loads them here",
    "trackers/test_adapters.py": "recorded exchanges; test_services.py keeps issues here",
    "triage/test_box.py": "what a page says of a state; test_services.py and test_views.py keep states here",
    "web/test_hardening.py": "headers of answers; the tests of each page load it here",
    "web/test_login.py": "who is led to the log-in; accounts/test_account.py logs in and out here",
}


def main(options: list[str]) -> int:
    """Return pytest's exit code, or 0 after saying why there was nothing to run."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the server of our own ends as well
    named = os.environ.get("UPREG_TEST_DATABASE_URL", "")
    if not named and find_binaries() is None:
        print(f"PostgreSQL NOT TESTED, SQLite alone: there is none here: {CURE}.")
        return 0
    with nullcontext() if named else own_postgres() as server:
        print(f"Tests of the database once more, on {'the server that is named' if named else 'our own server'}.")
        where = {"UPREG_DATABASE_URL": named or server.url}
        without = [f"--ignore=tests/reports/{path}" for path in LEFT_OUT]
        return subprocess.run([*COMMAND, *without, *options], env={**os.environ, **where}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
