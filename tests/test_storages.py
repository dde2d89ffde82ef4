import pytest
from django.core.exceptions import ImproperlyConfigured

from upreg_site.storages import Bucket


@pytest.mark.parametrize(
    ("values", "origins"),
    [
        ({"endpoint": "https://s3.lab.example:9000", "addressing": "path"}, ["https://s3.lab.example:9000"]),
        ({"endpoint": "http://store:9000", "addressing": "virtual"}, ["http://films.store:9000"]),
        ({"region": "eu-west-1", "addressing": "virtual"}, ["https://films.s3.eu-west-1.amazonaws.com"]),
        ({}, ["https://s3.amazonaws.com", "https://films.s3.amazonaws.com"]),
    ],
)
def test_pages_may_load_from_the_bucket_and_nothing_else(values, origins):
    assert Bucket(name="films", **values).origins() == origins


@pytest.mark.parametrize("endpoint", ["s3.lab.example", "ftp://s3.lab.example", "https://"])
def test_endpoint_without_scheme_or_host_is_named(endpoint):
    with pytest.raises(ImproperlyConfigured, match=r"UPREG_S3_ENDPOINT=.* write it as https://host"):
        Bucket(name="films", endpoint=endpoint)


def test_half_a_pair_of_keys_is_named():
    with pytest.raises(ImproperlyConfigured, match="UPREG_S3_ACCESS_KEY and UPREG_S3_SECRET_KEY belong together"):
        Bucket(name="films", access_key="only-this")
