"""Records with made-up devices in a process of its own, which hangs in the middle of a film: to be killed.

``python -m tests.upreg_recorder.killed PLAN FOLDER MARKER FILMS [LIMIT]``: it hangs in the film after so many, with
half of it written, and says so in MARKER. LIMIT: no file may grow beyond so many bytes.
"""

import resource
import sys

from tests.upreg_recorder.drivers import fake
from upreg_recorder import commandline


def main(plan, folder, marker, films, limit="0"):
    farm = fake.Farm()
    open_device, before = farm.open_device, int(films)

    def opened(device, cache=None):
        driver = open_device(device, cache)
        film = driver.film

        def counted(app, interaction, into):
            if len(farm.films()) == before:
                farm.mishaps[device.name] = [fake.hang(marker)]
            return film(app, interaction, into)

        driver.film = counted
        return driver

    farm.open_device = opened
    if int(limit):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), resource.RLIM_INFINITY))
    code = commandline.main(["record", plan, "--into", folder], {"HOME": folder}, farm)
    print("open:", sorted(farm.open), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
