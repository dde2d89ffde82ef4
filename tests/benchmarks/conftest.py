import pytest


@pytest.fixture(scope="session", autouse=True)
def _kernels(kernels):
    """Have the kernels before the first test; the other process tries pages while this one compiles them."""
