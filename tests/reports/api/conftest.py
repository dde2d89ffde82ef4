"""Scripts that log in with a token."""

import pytest
from django.test import Client

from reports.tokens.services import make_token


@pytest.fixture
def script(engineer):
    """Return a function that makes a client with a token of the engineer, or of somebody else."""

    def made(*scopes, of=None):
        _, text = make_token(user=of or engineer, name="farm", scopes=list(scopes), days=1)
        return Client(headers={"authorization": f"Bearer {text}"})

    return made
