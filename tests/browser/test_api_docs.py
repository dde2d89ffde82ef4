"""The page of the API: what is tried there asks this server alone. Its list is looked at by test_pages.py."""

import pytest

from tests import factories

pytestmark = pytest.mark.browser


def test_requests_are_tried_with_ones_own_session_and_nothing_else_is_asked(visitor):
    factories.run()
    page = visitor.open("/api/v1/docs/")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("response", lambda answer: asked.append(answer.status) if "/api/v1/runs/" in answer.url else None)

    page.click("[data-try]")
    page.click("#operations-runs-runs_list .opblock-summary-control")
    page.click("#operations-runs-runs_list .try-out__btn")
    page.click("#operations-runs-runs_list .execute")
    page.wait_for_selector("#operations-runs-runs_list .live-responses-table")

    ours = page.url.partition("/api/")[0]
    assert [url for url in asked if isinstance(url, str) and not url.startswith((ours, "data:"))] == []
    assert 200 in asked
