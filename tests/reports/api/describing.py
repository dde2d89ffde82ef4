"""What schemathesis asks an operation, made from the description: the same cases everywhere and always."""

from collections.abc import Callable, Iterator
from functools import cache

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from reports.api.docs import description

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
RANDOM = settings(max_examples=1, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None)
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
application = cache(WSGIHandler)  # made in a test: what tests set has to hold, and log lines go where they went


def app(environ, start_response):
    """Answer at once and as a whole, as the client of schemathesis leaves files open."""
    answer = application()(environ, start_response)
    try:
        return [b"".join(answer)]
    finally:
        answer.close()


def operations(part: str, there: dict[str, list[str | int]]) -> list[schemathesis.schemas.APIOperation]:
    """Return those whose address begins with ``part``, a pattern.

    Most cases ask about what is ``there``, {name of a parameter or field: values}, others about what is made up.
    """
    config = {
        "dictionaries": {name: {"values": values} for name, values in there.items()},
        "parameters": {
            f"{place}.{name}": {"dictionary": name, "probability": 0.8}
            for name in there
            for place in ("path", "query", "body")
        },
        "generation": {"deterministic": True, "database": "none"},
        "phases": {"coverage": {"unexpected-methods": []}},
    }
    schema = schemathesis.openapi.from_dict(description()[0], config=schemathesis.Config.from_dict(config))
    schema.app = app
    return [found.ok() for found in schema.include(path_regex=f"^/api/v1/{part}").get_all_operations()]


def ask_all(operation: schemathesis.schemas.APIOperation, ask: Callable[[schemathesis.Case], None]) -> None:
    """Call ``ask`` once for each way to keep to the description and to break it, and a few times at random."""
    for case in _ways(operation):
        ask(case)
    for mode in GenerationMode:
        RANDOM(given(case=operation.as_strategy(generation_mode=mode))(ask))()


def _ways(operation: schemathesis.schemas.APIOperation) -> Iterator[schemathesis.Case]:
    asked, how = set(), operation.schema.config.generation_for(operation=operation, phase="coverage")
    for case in operation.schema.iter_coverage_cases(operation, generation_modes=how.modes, generation_config=how):
        made = case.meta.phase.data
        way = (case.meta.generation.mode, made.scenario, made.location, made.parameter)
        if way not in asked:
            asked.add(way)
            yield case
