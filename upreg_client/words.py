"""What the gate says, for a terminal and as the comment of a pull request."""

from __future__ import annotations

import unicodedata
from typing import Any

from upreg_client.server import part

WORDS = {"pass": "GO", "fail": "NO-GO", "not_enough_data": "NOT ENOUGH DATA"}
SIGNS = {"pass": "✓", "fail": "✕", "not_enough_data": "?"}
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # show nothing, or turn what stands around them
_KEPT = "\n\u200c\u200d"  # the joiners of Persian words and of emoji

Report = dict[str, Any]


def gate_text(report: Report) -> str:
    """Return the decision with every reason and every interaction that regressed, for a terminal."""
    limits = [name for name in (report["device"], report["scope"]) if name]
    pair = f"{report['base']} → {report['new']}" + (f" ({', '.join(limits)})" if limits else "")
    lines = [f"{pair}: {WORDS.get(report['decision'], report['decision'])}", f"  {report['sentence']}"]
    lines += [f"  {_sign(reason)} {reason['text']}" for reason in report["reasons"]]
    worst: dict[tuple[str, str], Report] = {}  # of each interaction: they come worst first
    for row in report["regressions"]:
        worst.setdefault((row["app"], row["interaction"]), row)
    if worst:
        lines += ["", *(f"  {_regression(row)}" for row in worst.values())]
    drifted: dict[tuple[str, str], Report] = {}
    for row in drift_of(report).get("regressions", []):
        drifted.setdefault((row["app"], row["interaction"]), row)
    if drifted:
        lines += ["", f"  against the pinned {drift_of(report)['pinned']}:"]
        lines += [f"  {_regression(row)}" for row in drifted.values()]
    return "\n".join([*lines, f"  {report['page']}"])


def marker(scope: str) -> str:
    """Return what a comment begins with, unseen, so that the next job finds it; one for each scope."""
    return f"<!-- upreg gate{f' {part(scope)}' if scope else ''} -->"


def is_quiet(report: Report) -> bool:
    """Tell whether there is nothing to tell: the gate passes and nothing regressed."""
    drifted = drift_of(report).get("regressions")
    return bool(report["decision"] == "pass" and not report["regressions"] and not drifted)


def drift_of(report: Report) -> Report:
    """Return how the new version stands against the pinned one; nothing where the policy does not ask.

    A server that is older than this client does not know of it.
    """
    return report.get("drift") or {}


def comment(report: Report, scope: str) -> str:
    """Return the comment: the server's short Markdown, without a date, so that it stays the same."""
    return f"{marker(scope)}\n{report['markdown'].strip()}\n"


def harmless(text: str) -> str:
    """Return a text with a sign in the place of what hides or moves other characters, or steers a terminal."""
    return "".join("\ufffd" if _hides(sign) else sign for sign in text)


def _hides(sign: str) -> bool:
    return unicodedata.category(sign) in _UNSEEN and sign not in _KEPT


def _sign(reason: Report) -> str:
    """Return the sign of a reason; a waiver that does not hold decides nothing and is a warning."""
    return "!" if reason["rule"].startswith("waiver") else SIGNS.get(reason["decides"], "?")


def _regression(row: Report) -> str:
    marks = [row["severity"], *["critical app"] * bool(row["critical"]), *["waived"] * bool(row["waiver"])]
    return f"{row['app_name']} · {row['interaction']}: {', '.join(filter(None, marks))}"
