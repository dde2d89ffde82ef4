"""Run a command and print what it took: `python -I -S watch_process.py COMMAND...`, a small process of its own.

Linux counts the memory of the process that starts a command towards the command's peak. A benchmark that holds
tables and pictures would so add its own size; this one holds under 15 MB.
"""

import os
import sys
import time


def main(command: list[str]) -> int:
    """Print wall time in s, CPU time in s and peak memory in KiB; return the command's exit code."""
    silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=silent)
    _, status, usage = os.wait4(child, 0)
    print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
    return abs(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
