"""Find anything by words: what was recorded and compared, the pages of the product, the words of its help."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.http import urlencode

from analysis.names import harmless
from analysis.verdicts.sentences import metric_label, metric_unit
from analysis.verdicts.text import signed_text
from analysis.verdicts.words import VERDICT_WORDS
from reports.access.roles import may_role
from reports.access.table import methods_of
from reports.comparing.selectors import comparison_address
from reports.help.library import all_terms, help_pages
from reports.models import App, Comparison, Interaction, OsVersion, Result, Role, Run, RunStatus, Scope
from reports.search.matching import MIDDLE, marked, near_in_names, near_in_rows, words_of

_RUN_NUMBER = re.compile(r"(?:run\s*)?#?\s*(\d{1,18})", re.IGNORECASE)
# Pages by the words under which people look for them: (name, other words, address, query, what it is for). Whoever
# may not open one does not find it.
_PAGES = (
    ("Compare", "home start first page", "home", "", "choose two versions"),
    (
        "Assigned to you",
        "mine my findings due overdue todo",
        "assigned",
        "",
        "findings that wait for you, the first due on top",
    ),
    ("Versions", "catalogue builds", "versions", "", "every OS version and its runs"),
    ("Apps", "catalogue packages categories critical areas", "apps", "", "every app and its areas"),
    ("Devices", "catalogue phones refresh rate", "devices", "", "every device and its areas"),
    ("Interactions", "catalogue scenarios types", "interactions", "", "every scripted interaction"),
    ("People", "catalogue users accounts", "people", "", "who may log in"),
    ("Runs", "screencasts recordings queue", "runs", "", "every recording and its state"),
    ("Failed runs", "errors broken retry", "runs", "status=failed", "recordings that could not be measured"),
    ("Doubtful", "confidence candidates labels settle", "doubtful", "", "responses and finishes to settle"),
    ("Import", "upload send bring in recordings manifest zip", "imports", "", "bring recordings in"),
    (
        "Import log",
        "imported manifests refused lines uploads",
        "import-log",
        "",
        "what came in, and what was refused",
    ),
    ("Bisections", "bisect culprit build first bad version", "bisections", "", "which version made it slower"),
    ("Batches", "test night import progress failures", "batches", "", "what came in together, and how far it is"),
    (
        "History",
        "trend releases deviation drift matrix",
        "history",
        "",
        "since when is it better or worse?",
    ),
    ("Gate", "release decision go no-go", "gate", "", "may a version be released?"),
    ("Waivers", "accepted regressions", "waivers", "", "regressions that somebody accepts"),
    ("Policy", "thresholds budget severity settings", "policy", "", "the rules of verdicts and gate"),
    ("Scopes", "parts", "scopes", "", "parts of all interactions, saved by name"),
    (
        "Your notices",
        "notifications mails digest unsubscribe",
        "account-notices",
        "",
        "what you are told of by mail",
    ),
    ("Your account", "password mail sessions sign-on", "account", "", "what belongs to you alone"),
    ("API tokens", "scripts farm pipeline ci access keys", "tokens", "", "by which scripts log in"),
    ("API", "rest openapi swagger http scripts", "api:docs", "", "every address for scripts, to be tried"),
    ("Webhooks", "slack mattermost teams notifications", "webhooks", "", "other services that are told"),
    ("Issue trackers", "github gitlab jira bugs", "trackers", "", "where regressions become issues"),
    ("Audit log", "history who did what changes", "audit", "", "who did what, and when"),
    ("Administration", "database tables admin", "admin:index", "", "what is stored, table by table"),
    ("Help", "documentation manual", "help", "", "how it works"),
)


@dataclass(frozen=True)
class Hit:
    """One thing that was found. ``near`` is how near it comes; ``result`` is its worst, if it was compared."""

    label: str
    parts: list[tuple[str, bool]]
    note: str
    address: str
    near: int
    result: Result | None = None

    @property
    def verdict(self) -> str:
        """How bad the worst result is, in a word; empty for what is not compared."""
        return (self.result.severity or VERDICT_WORDS.get(self.result.verdict, "")) if self.result else ""


@dataclass(frozen=True)
class Group:
    """Things of one kind, nearest first; ``more`` says that some were left off."""

    name: str
    hits: list[Hit]
    more: bool


@dataclass(frozen=True)
class Finding:
    """All that was found. The group with the nearest hit comes first."""

    words: list[str]
    groups: list[Group]

    @property
    def only(self) -> Hit | None:
        """The hit, if there is no other."""
        hits = [hit for group in self.groups for hit in group.hits]
        return hits[0] if len(hits) == 1 else None


def find(text: str, *, most: int, role: Role | None) -> Finding:
    """Find what has every word, at most so many of each kind; without words the pages. At most eight queries.

    Found are the pages that the role may open; whoever reads may read all the rest.
    """
    words = words_of(text)
    if not words:
        return Finding([], [_group("Pages", _pages([], role), len(_PAGES))])
    newest = _newest_comparison()
    kinds: Iterable[tuple[str, Iterable[Hit]]] = (
        ("Interactions", _interactions(words, newest, most + 1)),
        ("Apps", _apps(words, most + 1)),
        ("Comparisons", _comparisons(words, most + 1)),
        ("Versions", _versions(words, most + 1)),
        ("Runs", _run_of_number(text, words)),
        ("Pages", _pages(words, role)),
        ("Scopes", _scopes(words, most + 1)),
        ("Help", chain(_help_pages(words), _terms(words))),
    )
    groups = [group for name, hits in kinds if (group := _group(name, hits, most)).hits]
    return Finding(words, sorted(groups, key=lambda group: group.hits[0].near))


def _group(name: str, hits: Iterable[Hit], most: int) -> Group:
    nearest = sorted(hits, key=lambda hit: hit.near)
    return Group(name, nearest[:most], len(nearest) > most)


def _newest_comparison() -> Comparison | None:
    computed = Comparison.objects.for_home().exclude(computed_at=None)
    return computed.order_by("-new__sort_key", "-base__sort_key", "device").first()


def _rows(
    rows: QuerySet, words: list[str], fields: list[str], order: list[Any], most: int, also: tuple[str, ...] = ()
) -> QuerySet:
    has_all, near = near_in_rows(words, fields, also)
    return rows.filter(has_all).annotate(near=near).order_by("near", *order)[:most]


def _hit(words: list[str], label: str, note: str, address: str, near: int, result: Result | None = None) -> Hit:
    label = harmless(label)
    return Hit(label, marked(label, words), harmless(note), address, near, result)


def _interactions(words: list[str], newest: Comparison | None, most: int) -> list[Hit]:
    """Return interactions with the worst result of the newest comparison; they open where that can be seen."""
    known = Interaction.objects.select_related("app")
    rows = list(_rows(known, words, ["name", "app__name"], ["app__name", "name"], most, ("app__package",)))
    worst = _worst_results(newest, rows)
    return [_interaction(words, row, newest, worst.get(row.pk)) for row in rows]


def _interaction(words: list[str], row: Interaction, newest: Comparison | None, result: Result | None) -> Hit:
    label = f"{row.app.name} · {row.name}"
    package = "" if _has_all(label, words) else row.app.package  # else nobody sees why it was found
    note = _listed(package, row.type, "critical app" if row.app.critical else "", _moved(result))
    if newest and result:
        address = reverse("drilldown", args=[newest.base.name, newest.new.name, row.app.package, row.name])
    else:
        address = _runs(app=row.app.package, interaction=row.name)
    return _hit(words, label, note, address, row.near, result)  # type: ignore[attr-defined]


def _worst_results(comparison: Comparison | None, interactions: list[Interaction]) -> dict[int, Result]:
    if comparison is None or not interactions:
        return {}
    rows = Result.objects.filter(comparison=comparison, worst=True, interaction__in=interactions).defer("points")
    return {row.interaction_id: row for row in rows.order_by("-place", "times_threshold")}


def _moved(result: Result | None) -> str:
    """Say what the worst metric did: ``response time +400 ms``."""
    if result is None or result.delta is None:
        return ""
    (unit, decimals), label = metric_unit(result.metric), metric_label(result.metric).lower()
    return f"{label} {signed_text(result.delta, decimals)}" + ("" if label.endswith(unit) else f"\u00a0{unit}")


def _listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _has_all(label: str, words: list[str]) -> bool:
    return all(word in label.lower() for word in words)


def _apps(words: list[str], most: int) -> list[Hit]:
    hits = []
    for row in _rows(App.objects.all(), words, ["name"], ["name"], most, ("package",)):
        package = "" if _has_all(row.name, words) else row.package
        note = _listed(package, row.category, "critical" if row.critical else "")
        hits.append(_hit(words, row.name, note, reverse("app", args=[row.package]), row.near))
    return hits


def _comparisons(words: list[str], most: int) -> list[Hit]:
    fields = ["base__name", "new__name", "device__name"]
    order = [F("computed_at").desc(nulls_first=True), "-id"]
    rows = Comparison.objects.select_related("base", "new", "device").defer("summary", "policy")
    found = _rows(rows, words, fields, order, most)
    return [
        _hit(
            words,
            str(row),
            f"only {row.device}" if row.device else "all devices",
            comparison_address("ranking", row),
            row.near,
        )
        for row in found
    ]


def _versions(words: list[str], most: int) -> list[Hit]:
    rows = _rows(OsVersion.objects.all(), words, ["name"], ["-sort_key"], most)
    pinned = {True: "pinned baseline", False: ""}
    return [
        _hit(words, row.name, pinned[row.pinned], reverse("version", args=[row.name]), row.near) for row in rows
    ]


def _run_of_number(text: str, words: list[str]) -> list[Hit]:
    """Return the run whose number was typed: ``1204``, ``#1204`` or ``run 1204``."""
    number = _RUN_NUMBER.fullmatch(text.strip())
    run = Run.objects.for_list().filter(pk=int(number[1])).first() if number else None
    if run is None:
        return []
    note = f"{run.interaction}, {run.os_version}, {RunStatus(run.status).label.lower()}"
    return [_hit(words, f"Run {run.pk}", note, reverse("run-detail", args=[run.pk]), 0)]


def _scopes(words: list[str], most: int) -> list[Hit]:
    rows = _rows(Scope.objects.all(), words, ["name"], ["name"], most)
    return [_hit(words, row.name, "a saved scope", reverse("scopes"), row.near) for row in rows]


def _pages(words: list[str], role: Role | None) -> list[Hit]:
    hits = []
    for name, others, page, query, note in _PAGES:
        if not may_role(role, methods_of(page)["GET"]):
            continue
        near = near_in_names(words, [name], others)
        if near is not None:
            address = reverse(page) + (f"?{query}" if query else "")
            hits.append(_hit(words, name, note, address, near))
    return hits


def _help_pages(words: list[str]) -> list[Hit]:
    hits = []
    for page in help_pages():
        near = near_in_names(words, [page.document.title], page.want)
        if near is not None:
            note, later = (page.want, 0) if page.want else ("why it is built so", MIDDLE)
            hits.append(_hit(words, page.document.title, note, page.address, near + later))
    return hits


def _terms(words: list[str]) -> list[Hit]:
    named = ((term, near_in_names(words, term.names)) for term in all_terms())
    return [_hit(words, term.name, term.text, term.address, near) for term, near in named if near is not None]


def _runs(**query: str) -> str:
    return f"{reverse('runs')}?{urlencode(query)}"
