"""A server of a few lines that keeps to the written contract: tus 1.0.0, problem details, idempotent runs."""

import base64
import hashlib
import json
import re

import httpx

SITE = "https://upreg.example.org"
TOKEN = "upreg_abcdefgh_" + "s" * 43
UPLOAD = re.compile(rf"{SITE}/api/v1/uploads/(\d+)/")


def problem(status, *errors, title="Refused", cure="", **headers):
    """Answer as RFC 9457 has it; errors are (field, message)."""
    body = {"title": title, "status": status, "cure": cure}
    body["errors"] = [{"field": field, "message": message} for field, message in errors]
    headers = {"Content-Type": "application/problem+json", **headers}
    return httpx.Response(status, content=json.dumps(body), headers=headers)


class FakeServer:
    """Keeps uploads and runs; ``mishaps`` are answers given to the next parts, or errors amid them."""

    def __init__(self, router):
        self.uploads, self.lengths, self.announced = {}, {}, {}
        self.runs, self.actions, self.files = {}, {}, set()
        self.batches, self.mishaps, self.seen, self.headers = {}, [], [], {}
        api = f"{SITE}/api/v1/"
        router.post(f"{api}uploads/").mock(side_effect=self.begin)
        router.head(url__regex=UPLOAD.pattern).mock(side_effect=self.offset)
        router.patch(url__regex=UPLOAD.pattern).mock(side_effect=self.part)
        router.post(f"{api}runs/").mock(side_effect=self.run)
        router.post(f"{api}batches/").mock(side_effect=self.batch)
        router.post(url__regex=rf"{api}batches/([^/]+)/complete/").mock(side_effect=self.complete)

    def begin(self, request):
        self._check(request)
        said = dict(pair.split(" ") for pair in request.headers["Upload-Metadata"].split(","))
        key = str(len(self.lengths) + 1)
        self.uploads[key], self.lengths[key] = b"", int(request.headers["Upload-Length"])
        self.announced[key] = base64.b64decode(said["sha256"]).decode()
        # the address that a proxy may garble: the client must not follow it to another host
        return httpx.Response(
            201, headers=self.headers | {"Location": f"http://elsewhere.invalid/api/v1/uploads/{key}/"}
        )

    def offset(self, request):
        key = self._key(request)
        if key not in self.uploads:
            return httpx.Response(404)
        return httpx.Response(200, headers={"Upload-Offset": str(len(self.uploads[key]))})

    def part(self, request):
        key, data = self._key(request), request.read()
        if self.mishaps:
            mishap = self.mishaps.pop(0)
            if isinstance(mishap, Exception):
                if not isinstance(mishap, httpx.ConnectError):
                    self.uploads[key] += data[: len(data) // 2]  # what came before the cut
                raise mishap
            return mishap
        kind, digest = request.headers["Upload-Checksum"].split(" ")
        assert kind == "sha256"
        if base64.b64decode(digest) != hashlib.sha256(data).digest():
            return httpx.Response(460)
        if int(request.headers["Upload-Offset"]) != len(self.uploads[key]):
            return problem(409, ("", "The offset is another."))
        self.uploads[key] += data
        return httpx.Response(204, headers={"Upload-Offset": str(len(self.uploads[key]))})

    def run(self, request):
        self._check(request)
        values = json.loads(request.read())
        if values["app"] == "Refused":
            return problem(422, ("action_ms", "'soon' is not a finite number"), cure="give milliseconds")
        sha256 = values.get("sha256")
        if sha256 is None:
            content = self.uploads.pop(values["upload"])
            sha256 = hashlib.sha256(content).hexdigest()
            self.files.add(sha256)
        elif sha256 not in self.files:
            return problem(422, ("sha256", "no such file is stored: upload it"))
        key = tuple(values[name] for name in ("os_version", "app", "interaction", "repetition"))
        if self.runs.get(key, sha256) != sha256:
            return problem(409, ("video", "is this recording already, with another video"))
        known, action = key in self.runs, values["action_ms"]
        taken = "new" if not known else "unchanged" if self.actions[key] == action else "updated"
        self.runs[key], self.actions[key] = sha256, action
        self.seen.append(values)
        return httpx.Response(200 if known else 201, json={"id": len(self.runs), "taken": taken})

    def batch(self, request):
        values = json.loads(request.read())
        self.batches[values["name"]] = {"os_version": values["os_version"], "complete": False}
        return httpx.Response(201, json=values)

    def complete(self, request):
        self.batches[str(request.url).split("/")[-3]]["complete"] = True
        return httpx.Response(200, json={})

    def _key(self, request):
        self._check(request)
        return UPLOAD.fullmatch(str(request.url))[1]

    def _check(self, request):
        assert request.headers["Authorization"] == f"Bearer {TOKEN}"
        assert ("Tus-Resumable" in request.headers) == ("/uploads/" in str(request.url))
