"""An S3 server of our own, in this process: moto keeps the objects in memory and speaks the protocol over HTTP."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest
from django.core.files.storage import default_storage

from upreg_site.storages import Bucket

KEYS = {"access_key": "for-tests", "secret_key": "for-tests"}
_numbers = count(1)


@contextmanager
def object_store(port: int = 0) -> Iterator[str]:
    """Serve for the time of the block; gives its address."""
    from moto.server import ThreadedMotoServer  # a second that only these tests must wait

    logging.getLogger("werkzeug").setLevel(logging.WARNING)  # not a line for each request
    server = ThreadedMotoServer("127.0.0.1", port, verbose=False)
    server.start()
    try:
        yield "http://{}:{}".format(*server.get_host_and_port())
    finally:
        server.stop()


def client(address: str):
    """Return boto3's client of the server."""
    import boto3

    keys = {"aws_access_key_id": KEYS["access_key"], "aws_secret_access_key": KEYS["secret_key"]}
    return boto3.client("s3", endpoint_url=address, region_name="us-east-1", **keys)


@pytest.fixture(scope="session")
def store_address():
    """Give the address of an object store without buckets."""
    with object_store() as address:
        yield address


@pytest.fixture
def bucket(store_address, settings):
    """Keep the files of a test in a bucket of its own; returns boto3's client and the bucket's name."""
    name = f"upreg-{next(_numbers)}"
    s3 = client(store_address)
    s3.create_bucket(Bucket=name)
    _use(settings, name, store_address)
    return s3, name


@pytest.fixture
def away(settings, bucket):
    """Return what puts an address where nobody listens, or the one that is given, in the object store's place."""

    def go(address="http://127.0.0.1:9"):
        _use(settings, bucket[1], address)
        once = type(default_storage.client_config)(retries={"total_max_attempts": 1})
        default_storage.client_config = default_storage.client_config.merge(once)

    return go


def _use(settings, name, address):
    where = Bucket(name=name, endpoint=address, region="us-east-1", prefix="lab/", addressing="path", **KEYS)
    settings.STORAGES = {**settings.STORAGES, "default": where.storage()}
