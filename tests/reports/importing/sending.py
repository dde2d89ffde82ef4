"""Sending files to the page that takes recordings in, and pressing its buttons."""

import io
import zipfile

from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from reports.tasks import import_staged
from tests.intake import MP4_HEAD, ROW

GOOD = dict.fromkeys(("a.mp4", "b.mp4"))


def video(name="a.mp4"):
    return SimpleUploadedFile(name, MP4_HEAD + name.encode())


def manifest(*rows, columns=tuple(ROW)):
    lines = [",".join(columns), *(",".join((ROW | row)[name] for name in columns) for row in rows)]
    return SimpleUploadedFile("runs.csv", "\n".join(lines).encode())


def zipped(*files, name="night.zip"):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, content in files:
            archive.writestr(path, content)
    return SimpleUploadedFile(name, stream.getvalue())


def send(client, *files):
    """Send files; return the answer and the address that it leads to."""
    answer = client.post(reverse("imports"), {"recordings": list(files)})
    return answer.url if answer.status_code == 302 else answer.content.decode()


def page(client, address):
    return client.get(address).content.decode()


def stored():
    try:
        return [name for folder in default_storage.listdir("staging")[0]
                for name in default_storage.listdir(f"staging/{folder}")[1]]  # fmt: skip
    except FileNotFoundError:
        return []


def press(client, address, what, **data):
    return client.post(f"{address}{what}/", data)


def start(client, address):
    """Press Import, and let a worker do it."""
    press(client, address, "start")
    return import_staged(address.rstrip("/").rpartition("/")[2])


def fill(client, address, **cells):
    return client.post(f"{address}files/", {f"all-{name}": value for name, value in cells.items()})
