"""Two model phones to record, in the time of this host: ``python -m tests.upreg_recorder.drivers.fake_adb``.

One answers a touch after 150 ms, the other after 250 ms. Ends with Ctrl-C.
"""

from __future__ import annotations

import time
from contextlib import suppress

from .phone import PACKAGE, HostClock, Phone
from .server import FakeAdb


def main() -> None:
    """Serve until Ctrl-C."""
    phones = [Phone("OLD0001", HostClock()), Phone("NEW0001", HostClock())]
    phones[1].answer_ms = 250.0
    for phone in phones:
        phone.apps[PACKAGE], phone.blinks = "2.0", False
    with FakeAdb(*phones) as server, suppress(KeyboardInterrupt):
        print(f"port {server.port}, serials {', '.join(phone.serial for phone in phones)}", flush=True)
        while True:
            time.sleep(1)


main()
