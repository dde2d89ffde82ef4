"""Where files are kept: a folder of this machine, or a bucket of an S3-compatible object store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

ADDRESSING = ("auto", "path", "virtual")
DELIVERIES = ("server", "proxy", "redirect")
SIGNED_FOR_S = 900  # how long an address of the object store works: as long as somebody looks at one recording


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """A bucket as the environment names it. No ``endpoint`` is Amazon's; no keys are those that the machine has."""

    name: str
    endpoint: str = ""
    region: str = ""
    access_key: str = ""
    secret_key: str = ""
    prefix: str = ""
    addressing: str = "auto"

    def __post_init__(self) -> None:
        where = urlsplit(self.endpoint)
        if self.endpoint and (where.scheme not in ("http", "https") or not where.hostname):
            raise ImproperlyConfigured(
                f"UPREG_S3_ENDPOINT={self.endpoint!r} is no address: write it as https://host"
            )
        if bool(self.access_key) != bool(self.secret_key):
            raise ImproperlyConfigured(
                "UPREG_S3_ACCESS_KEY and UPREG_S3_SECRET_KEY belong together: set both or none"
            )

    def storage(self) -> dict[str, Any]:
        """Return the entry of Django's STORAGES."""
        from botocore.config import Config  # costs every command a tenth of a second, and most have no bucket

        options = {
            "bucket_name": self.name,
            "endpoint_url": self.endpoint or None,
            "region_name": self.region or None,
            "access_key": self.access_key or None,
            "secret_key": self.secret_key or None,
            "location": self.prefix.strip("/"),
            "querystring_expire": SIGNED_FOR_S,
            "client_config": Config(
                signature_version="s3v4",
                s3={"addressing_style": self.addressing},
                connect_timeout=5,
                read_timeout=30,
                retries={"mode": "standard", "total_max_attempts": 3},
                max_pool_connections=32,  # as many as the pages have threads, and the parts of an upload
                tcp_keepalive=True,
            ),
        }
        return {"BACKEND": "reports.media.objectstore.ObjectStorage", "OPTIONS": options}

    def origins(self) -> list[str]:
        """Return the origins that a page is sent to for the bucket's objects, for the content security policy."""
        amazon = f"https://s3.{self.region}.amazonaws.com" if self.region else "https://s3.amazonaws.com"
        where = urlsplit(self.endpoint or amazon)
        within = [f"{where.scheme}://{where.netloc}"] if self.addressing != "virtual" else []
        own = [f"{where.scheme}://{self.name}.{where.netloc}"] if self.addressing != "path" else []
        return within + own
