import re
from xml.etree import ElementTree

from reports.gate.formats import as_junit, as_markdown, as_text
from reports.gate.services import decide_gate
from reports.models import App, OsVersion
from reports.web.shown import harmless_page, markdown_line
from tests import factories

NASTY = "Ma\u202e|<b>`x`</b>\x01\u200b@all [a](b)"


def test_a_page_shows_a_sign_where_text_would_be_turned_and_keeps_what_fields_hold():
    page = '<p title="a\u202eb">a\u2067b\u200bc</p><input value="a\u202eb">'

    assert harmless_page(page) == '<p title="a\ufffdb">a\ufffdb\ufffdc</p><input value="a\u202eb">'


def test_pages_turn_no_text(signed_in):
    app = App.objects.create(name="gpj.\u202eexe", package="a\u2067b\u200b")
    answer = signed_in.get("/apps/").content.decode()

    assert "gpj.\ufffdexe" in answer
    assert "\u202e" not in answer
    assert signed_in.get(f"/apps/{app.package}/").status_code == 200


def test_a_line_of_markdown_is_shown_letter_by_letter():
    assert markdown_line("a|b\n`c` <d> @all\u202e") == "a\\|b \\`c\\` \\<d\\> @\u200ball\ufffd"


def test_files_of_the_gate_with_any_name_are_well_formed(compared):
    App.objects.filter(name="Mail").update(name=NASTY)
    OsVersion.objects.filter(pk=compared.new_id).update(name="13\x02\u202e")
    compared.refresh_from_db()
    report = decide_gate(comparison=compared).report

    suite = ElementTree.fromstring(as_junit(report))
    lines = as_markdown(report).splitlines()

    assert suite.get("name").endswith("13\ufffd\ufffd")
    rows = [line for line in lines if "response" in line.lower() and line.startswith("|")]
    assert rows
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)
    assert [line for line in lines if re.search(r"(?<!\\)<", line) or "\u202e" in line] == []
    assert "\x01" not in as_text(report)


def test_names_are_refused_and_tidied_where_they_are_typed(admin_client):
    app = factories.app("Mail")
    facts = {"category": "Büro", "critical": "on"}

    turned = admin_client.post(f"/catalogue/app/{app.pk}/save/", {**facts, "name": "a\u202eb"})
    alike = admin_client.post(f"/catalogue/app/{app.pk}/save/", {**facts, "name": "Cafe\u0301\u00a0 one"})
    app.refresh_from_db()

    assert turned.status_code == 422
    assert "U+202E (right-to-left override) at character 2" in turned.content.decode()
    assert alike.status_code == 302
    assert app.name == "Café one"


def test_a_scope_and_an_admins_name_are_refused_alike(admin_client):
    app = factories.app("Mail")
    scope = admin_client.post("/gate/scopes/save/", {"name": "ta\u200bps", "interaction_types": "tap", "seen": ""})
    operators = admin_client.post(f"/admin/reports/app/{app.pk}/change/", {"name": "a\u2067", "package": "a"})

    assert "U+200B (zero width space)" in scope.content.decode()
    assert "U+2067" in operators.content.decode()
