"""Schemathesis tries every operation of the API against the running product.

``python -m benchmarks.api`` starts the product with its samples, makes a token that may do everything and lets
schemathesis ask, mostly about what is there: the two versions of the samples and one of their interactions. It
sends what the description allows and what it forbids at each field, and tells of every answer that is an error of
the server or not described, by status, content type, headers or body; and of every address that is open without the
token. ``--examples`` says how many random cases each operation is tried with, beside those that follow from the
description; ``--seed`` which. Prints schemathesis' own summary, and ends with its exit code. ``--folder DIR`` keeps
the measured samples for the next time, with what the run has changed.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from benchmarks.product import BASE, MEASURE_S, NEW, ROOT, serving
from reports.launch.login import USER

API = "/api/v1/"
CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance"),
    *("response_schema_conformance", "ignored_auth"),
)
PLACES = ("path", "query", "body")
LIMITS = ("UPREG_API_PER_MINUTE", "UPREG_UPLOADS_PER_MINUTE")
PER_MINUTE = dict.fromkeys(LIMITS, "1000000")  # else most answers are that there were too many requests
# Parts of files are sent as they are; schemathesis knows that kind of content by another name.
HOOKS = """
import schemathesis

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
"""
MAKE_TOKEN = f"""
from django.contrib.auth import get_user_model
from reports.tokens.services import make_token

person = get_user_model().objects.get(username={USER!r})
print(make_token(user=person, name="schemathesis", scopes=["upload", "triage", "admin"], days=1)[1])
"""


def main() -> int:
    """Start the product, run schemathesis, print what it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="keep the measured samples here")
    parser.add_argument("--examples", type=int, default=50, help="random cases of each operation (default: 50)")
    parser.add_argument("--seed", type=int, default=12)
    options = parser.parse_args()
    with TemporaryDirectory() as spare:
        var = (options.folder or Path(spare) / "var").resolve()
        with serving(var, **PER_MINUTE) as address:
            token = _token(var)
            config, hooks = Path(spare) / "schemathesis.toml", Path(spare) / "hooks.py"
            hooks.write_text(HOOKS)
            config.write_text(_config(_what_is_there(address, token)))
            command = [Path(sys.executable).with_name("schemathesis"), "--config-file", config, "run"]
            command += [f"{address}{API}schema/", "--header", f"Authorization: Bearer {token}"]
            command += ["--checks", ",".join(CHECKS), "--seed", str(options.seed), "--workers", "1"]
            command += ["--max-examples", str(options.examples), "--continue-on-failure"]
            return subprocess.run(command, cwd=spare).returncode


def _token(var: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("UPREG_")}
    command = [sys.executable, str(ROOT / "manage.py"), "shell", "--no-imports", "--command", MAKE_TOKEN]
    said = subprocess.run(
        command, cwd=ROOT, env=environment | {"UPREG_VAR_DIR": str(var)}, check=True, capture_output=True, text=True
    )
    return said.stdout.split()[-1]


def _what_is_there(address: str, token: str) -> dict[str, list[str | int]]:
    """Wait until the samples are compared; return the values of parameters and fields that find something."""
    end = time.monotonic() + MEASURE_S
    pair = {"base": BASE, "new": NEW}
    with httpx.Client(base_url=f"{address}{API}", headers={"Authorization": f"Bearer {token}"}) as client:
        while (state := client.get(f"comparisons/{BASE}/{NEW}/").json())["status"] != "done" or state.get("stale"):
            if time.monotonic() > end:
                raise SystemExit(f"The samples were not compared: {state}")
            time.sleep(2)
        worst = client.get(f"comparisons/{BASE}/{NEW}/results/").json()["results"][0]
        waiver = {"app": worst["package"], "expires": "2999-12-31", "reason": "to be answered"}
        number = client.post("waivers/", json=waiver).json()["id"]
        device = client.get("devices/").json()["results"][0]["id"]
    known: dict[str, list[str | int]] = {name: [value] for name, value in pair.items()}
    known |= {"package": [worst["package"]], "app": [worst["package"]], "interaction": [worst["interaction"]]}
    known |= {"name": ["default", BASE], "id": [number], "device": [device]}
    return known | {"scope": [""], "cursor": [""]}  # everything, and its first page


def _config(known: dict[str, list[str | int]]) -> str:
    """Return the configuration in which most cases ask about what is there."""
    lines = ['hooks = "hooks.py"']
    for name, values in known.items():
        lines += [f"[dictionaries.{name}]", f"values = {json.dumps(values)}"]
    lines.append("[parameters]")
    for name in known:
        lines += [f'"{place}.{name}" = {{dictionary = "{name}", probability = 0.8}}' for place in PLACES]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    raise SystemExit(main())
