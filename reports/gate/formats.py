"""A report of the gate as text, Markdown and JUnit XML. Each takes the JSON that the record keeps."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote
from xml.etree import ElementTree

from analysis.gate.drift import COUNTED, DRIFT, DRIFT_COVERAGE, DRIFT_CRITICAL, DRIFT_UNKNOWN
from analysis.gate.reasons import FAIL, NOT_ENOUGH_DATA, PASS, WARNINGS
from analysis.gate.sentences import gate_sentence
from analysis.names import harmless
from analysis.verdicts.risk import LAUNCH_METRIC
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import count_text, number_text, signed_text
from reports.web.shown import markdown_line

WORDS = {PASS: "GO", FAIL: "NO-GO", NOT_ENOUGH_DATA: "NOT ENOUGH DATA"}
SIGNS = {PASS: "✓", FAIL: "✕", NOT_ENOUGH_DATA: "?"}
WARNING = "!"
TOP = 5

Report = dict[str, Any]
Row = TypeVar("Row", bound=Mapping[str, Any])


def as_text(report: Report, site: str = "") -> str:
    """Return every reason and regression for a terminal."""
    lines = [f"{_title(report)}: {WORDS[report['decision']]}", f"  {report_sentence(report)}"]
    lines += [f"  {_sign(reason)} {reason['text']}" for reason in report["reasons"]]
    lines += ["", *(f"  {_line(row)}" for row in report["regressions"])] if report["regressions"] else []
    drift = drift_rows(report)
    lines += ["", f"  against the pinned {report['drift']['pinned']}:"] if drift else []
    lines += [f"  {_line(row)}" for row in drift]
    return harmless("\n".join([*lines, f"  {address(report, site)}"]))


def as_markdown(report: Report, site: str = "") -> str:
    """Return a short comment: verdict, counts, the five worst, a link; one line when there is nothing to say."""
    head = f"**{SIGNS[report['decision']]} {WORDS[report['decision']]}** {markdown_line(_title(report))}"
    place = address(report, site)
    link = f"[all results]({place})"
    drift = drift_rows(report)
    if report["decision"] == PASS and not report["regressions"] and not drift:
        return f"{head}: none of {count_text(report['decided'], 'interaction')} regressed ({link})"
    told = [reason for reason in report["reasons"] if not _in_sentence(report, reason)]
    reasons = [f"- {_sign(reason)} {markdown_line(reason['text'])}" for reason in told]
    table, more = _table(report["regressions"], place)
    if drift:
        pinned = report["drift"]["pinned"]
        there, rest = _table(drift, address({**report, "base": pinned}, site))
        table += ["", f"Against the pinned {markdown_line(pinned)}:", *there]
        more += rest
    sentence = markdown_line(report_sentence(report))
    return "\n".join([head, "", sentence, "", *reasons, *table, "", f"{more} more, {link}" if more else link])


def _in_sentence(report: Report, reason: Mapping[str, Any]) -> bool:
    """Tell whether the sentence on top says a reason already."""
    if reason["rule"] == DRIFT:
        return bool(report["drift"]["state"] == COUNTED)
    return reason["rule"] in ("budget", DRIFT_UNKNOWN)


def _table(regressions: Sequence[Report], place: str) -> tuple[list[str], int]:
    """Return the worst of them as a table, one row for each interaction, and how many more there are."""
    leads = [rows[0] for rows in by_interaction(regressions)]
    worst = leads[:TOP]
    if not worst:
        return [], 0
    rows = (_row(row, place) for row in worst)
    return ["", "| interaction | metric | Δ | severity |", "|---|---|---|---|", *rows], len(leads) - len(worst)


def as_junit(report: Report, site: str = "") -> str:
    """Return one test case per rule, so that a build server shows what failed; regressions in its output."""
    rules: dict[str, list[dict[str, Any]]] = {"budget": [], "critical": [], "coverage": []}
    if report.get("drift"):
        rules[DRIFT] = []
    for reason in report["reasons"]:
        rules.setdefault(_case_of(reason["rule"]), []).append(reason)
    suite = ElementTree.Element("testsuite", name=f"upreg gate {report['base']} {report['new']}")
    for rule, reasons in rules.items():
        _case(suite, rule, reasons)
    suite.set("tests", str(len(rules)))
    suite.set("failures", str(len(suite.findall(".//failure"))))
    suite.set("errors", str(len(suite.findall(".//error"))))
    ElementTree.SubElement(suite, "system-out").text = as_text(report, site)
    ElementTree.indent(suite)
    # a name that was stored long ago may hold what XML 1.0 cannot
    return harmless(ElementTree.tostring(suite, encoding="unicode", xml_declaration=True))


FORMATS: dict[str, Callable[[Report, str], str]] = {"text": as_text, "markdown": as_markdown, "junit": as_junit}


def by_interaction(regressions: Sequence[Row]) -> list[list[Row]]:
    """Gather the regressions of each interaction on its device, led by the one that speaks for it on every page.

    That is the worst; of a launch the launch time, where that is as severe. The order is that of these rows.
    """
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in regressions:
        found.setdefault((row["app"], row["interaction"], row["device"]), []).append(row)
    gathered = [_led(rows) for rows in found.values()]
    return sorted(gathered, key=lambda rows: -(rows[0]["times_threshold"] or 0.0))


def _led(rows: list[Row]) -> list[Row]:
    as_severe = (row for row in rows if row["severity"] == rows[0]["severity"])
    lead = next((row for row in as_severe if row["metric"] == LAUNCH_METRIC), rows[0])
    return [lead, *(row for row in rows if row is not lead)]


def drift_rows(report: Report) -> list[Report]:
    """Return what has regressed against the pinned version; reports of earlier releases did not ask."""
    return (report.get("drift") or {}).get("regressions", [])


def report_sentence(report: Report) -> str:
    """Return the sentence on top; decisions recorded before it was kept with them have their counts."""
    if "sentence" in report or not report["decided"]:
        return report.get("sentence", "Nothing can be said yet.")
    counts = {name: report[name] for name in ("regressed", "waived", "decided", "expected", "budget_pct")}
    return gate_sentence(**counts)


def address(report: Report, site: str = "") -> str:
    """Return the address of the ranking."""
    return f"{site.rstrip('/')}/compare/{quote(report['base'])}/{quote(report['new'])}/"


def _case_of(rule: str) -> str:
    if rule in (DRIFT_CRITICAL, DRIFT_COVERAGE, DRIFT_UNKNOWN):
        return DRIFT
    return "coverage" if rule == "nothing" else rule


def _case(suite: ElementTree.Element, rule: str, reasons: list[dict[str, Any]]) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname="upreg.gate", name=rule)
    said = "\n".join(reason["text"] for reason in reasons)
    decides = {reason["decides"] for reason in reasons}
    if FAIL in decides:
        ElementTree.SubElement(case, "failure", message=reasons[0]["text"]).text = said
    elif NOT_ENOUGH_DATA in decides:
        ElementTree.SubElement(case, "error", message=reasons[0]["text"]).text = said
    elif said:
        ElementTree.SubElement(case, "system-out").text = said


def _title(report: Report) -> str:
    limits = [part for part in (report["device"], report["scope"]) if part]
    pair = f"{report['base']} → {report['new']}"
    return f"{pair} ({', '.join(limits)})" if limits else pair


def _sign(reason: dict[str, Any]) -> str:
    return WARNING if warns(reason) else SIGNS[reason["decides"]]


def warns(reason: dict[str, Any]) -> bool:
    """Tell whether a reason is a warning: a waiver that does not hold decides nothing, and is not in order."""
    return reason["rule"] in WARNINGS


def _line(row: dict[str, Any]) -> str:
    marks = [row["severity"]] + ["critical"] * row["critical"] + [f"waiver {row['waiver']}"] * bool(row["waiver"])
    name = f"{row['app_name']} · {row['interaction']}"
    return f"{name}: {metric_label(row['metric'])} {_change(row)} ({', '.join(marks)})"


def _row(row: dict[str, Any], place: str) -> str:
    severity = f"{row['severity']}{' (waived)' if row['waiver'] else ''}"
    name = markdown_line(f"{row['app_name']} · {row['interaction']}")
    there = f"{place}{quote(row['app'], safe='')}/{quote(row['interaction'], safe='')}/"
    return f"| [{name}]({there}) | {metric_label(row['metric'])} | {_change(row)} | {severity} |"


def _change(row: dict[str, Any]) -> str:
    unit, decimals = metric_unit(row["metric"])
    medians = f"{number_text(row['median_base'], decimals)} → {number_text(row['median_new'], decimals)} {unit}"
    share = f", {signed_text(row['delta_pct'])} %" if row["delta_pct"] is not None else ""
    return f"{medians} ({signed_text(row['delta'], decimals)}{share})"
