"""Jira's markup as its "Text Formatting Notation" describes it."""

import pytest

from reports.trackers.wiki import jira_markup


@pytest.mark.parametrize(("markdown", "markup"), [
    ("## Steps", "h2. Steps"),
    ("**bold** and *slanted* and ~~gone~~", "*bold* and _slanted_ and -gone-"),
    ("1. Open Mail\n2. Tap", "# Open Mail\n# Tap"),
    ("- one\n  - two\n- three", "* one\n** two\n* three"),
    ("see <https://upreg.example/a%20b>", "see [https://upreg.example/a%20b]"),
    ("[a page](https://x.example/?q=a|b)", "[a page|https://x.example/?q=a%7Cb]"),
    ("a \\*star\\*, {braces} and \\[brackets\\]", "a \\*star\\*, \\{braces\\} and \\[brackets\\]"),
    ("`a_b`", "{{a\\_b}}"),
    ("```\n*as it is*\n```", "{noformat}\n*as it is*\n{noformat}"),
    ("first\n\n---\nlast", "first\n\n----\n\nlast"),
    ("<b>no markup</b>", "<b>no markup</b>"),
    ("", ""),
])  # fmt: skip
def test_markdown_becomes_the_markup_of_jira(markdown, markup):
    assert jira_markup(markdown).strip() == markup


def test_table_keeps_its_head_and_its_empty_cells():
    markdown = "| | Baseline | Updated |\n|---|---:|---|\n| Device | phone | phone |\n| Note | | a\\|b |\n\nafter"

    assert jira_markup(markdown) == ("|| ||Baseline||Updated||\n|Device|phone|phone|\n|Note| |a\\|b|\n\nafter\n")
