"""The pages of docs/ and the terms of its glossary, read once and again only when a file has changed."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString

from reports.help.markdown import Document, render_document

DOCS = Path(settings.BASE_DIR) / "docs"
GLOSSARY = "glossary"
_TERM_LEVEL, _GROUP_LEVEL = 3, 2
# What people want who need a page, in the order of the contents; a page that is not named
# here tells why something is built as it is, and comes after these.
WANTS = {
    "pages": "know what stands on the first page",
    "importing": "bring recordings in by the browser",
    "manifest": "name recordings in a manifest",
    "macrobenchmark": "bring in results of AndroidX benchmarks",
    "api": "have a script ask and do all of that",
    "verdicts": "understand a verdict, the policy or the gate",
    "metrics": "know how a time is measured",
    "accuracy": "know how far to trust a time",
    "accuracy-revisions": "know what each revision of the measuring changed",
    "drilldown": "watch two recordings side by side",
    "bug-report": "hand a finding to somebody else",
    "release-report": "hand on a whole comparison",
    "trackers": "have issues made in GitHub, GitLab or Jira",
    "recording": "have apps filmed on the old and the new version",
    "recording-chromium": "film web apps in Chromium, with phone emulation",
    "recording-android": "film Android apps by adb",
    "recording-obs": "film a phone through a capture card and OBS",
    "ci": "bring recordings in from a farm, or ask the gate from a pipeline",
    "catalogue": "set versions, apps, devices and people right",
    "access": "know who may do what, and with which role",
    "history": "see since when it got better or worse",
    "notifications": "be told by mail, or be left alone",
    "accounts": "look after your account, or see who did what",
    "security": "know how it is protected, and where it is not",
    GLOSSARY: "look up a word",
    "operations": "run the server and its queue",
    "architecture": "change the program",
    "licences": "know under which terms it may be used",
}
_HEADING = re.compile(r"(?P<name>[^(]+?)\s*(?:\((?P<others>[^)]*)\))?")


@dataclass(frozen=True)
class Page:
    """One page of the help."""

    slug: str
    document: Document

    @property
    def address(self) -> str:
        """Where the page is shown."""
        return reverse("help-page", args=[self.slug])

    @property
    def want(self) -> str:
        """What somebody wants who needs this page, in a few words; empty if nobody wrote it down."""
        return WANTS.get(self.slug, "")


@dataclass(frozen=True)
class Term:
    """One word of the glossary. ``note`` is its first paragraph; ``names`` are all words by which it is found.

    ``heading`` is the name with the others in brackets, as the glossary writes it.
    """

    heading: str
    name: str
    names: tuple[str, ...]
    group: str
    note: SafeString
    text: str
    anchor: str

    @property
    def address(self) -> str:
        """Where the glossary says more."""
        return f"{reverse('help-page', args=[GLOSSARY])}#{self.anchor}"


def help_page(slug: str) -> Page | None:
    """Return a page of docs/, or None; ``slug`` is its path there without the ending."""
    file = _files().get(slug)
    return Page(slug, _document(slug, file, file.stat().st_mtime_ns)) if file else None


def help_pages() -> list[Page]:
    """Return all pages, in the order in which people need them."""
    order = list(WANTS)
    slugs = sorted(_files(), key=lambda slug: (order.index(slug) if slug in order else len(order), slug))
    return [page for slug in slugs if (page := help_page(slug))]


def help_images() -> dict[str, Path]:
    """Return the pictures that the pages show, by name."""
    return {file.name: file for file in (DOCS / "images").iterdir() if file.suffix in (".png", ".svg", ".webp")}


def all_terms() -> list[Term]:
    """Return every term, in the order of the glossary."""
    terms = _terms_by_name()
    return list(dict.fromkeys(terms.values()))


def term_called(name: str) -> Term:
    """Return the term with that name, whatever its capitals; raises KeyError with the cure if there is none."""
    try:
        return _terms_by_name()[_small(name)]
    except KeyError:
        raise KeyError(f"no term {name!r} in docs/glossary.md: add a heading for it, or correct the name") from None


def _files() -> dict[str, Path]:
    return {file.relative_to(DOCS).with_suffix("").as_posix(): file for file in DOCS.rglob("*.md")}


@lru_cache(maxsize=64)
def _document(slug: str, file: Path, changed: int) -> Document:
    return render_document(file.read_text(encoding="utf-8"), slug=slug)


def _terms_by_name() -> dict[str, Term]:
    file = DOCS / f"{GLOSSARY}.md"
    return _terms(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _terms(file: Path, changed: int) -> dict[str, Term]:
    """Return the terms by each of their names: "Threshold (θ)" is found as threshold and as θ."""
    found: dict[str, Term] = {}
    group = ""
    for section in _document(GLOSSARY, file, changed).sections:
        heading = section.heading
        if heading.level == _GROUP_LEVEL:
            group = heading.text
        if heading.level == _TERM_LEVEL:
            name, names = _names(heading.text)
            term = Term(heading.text, name, names, group, section.html, section.text, heading.anchor)
            found |= dict.fromkeys(names, term)
    return found


def _names(heading: str) -> tuple[str, tuple[str, ...]]:
    """Split a heading: "cfr and vfr (capture)" is called cfr and vfr; cfr, vfr and capture find it, too."""
    parts = _HEADING.fullmatch(heading)
    name, others = (parts["name"], parts["others"] or "") if parts else (heading, "")
    names = [heading, name, *name.split(" and "), *others.split(",")]
    return name, tuple(dict.fromkeys(_small(each.strip()) for each in names if each.strip()))


def _small(name: str) -> str:
    return name if len(name) == 1 else name.lower()  # Δ and δ are two terms
