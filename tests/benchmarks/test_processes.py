"""What a whole process takes: its children count, failures are said."""

import sys

from benchmarks.measure_processes import best_of, run

CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'x = bytearray(b\"1\") * 200_000_000'])"


def test_the_peak_of_a_child_counts():
    with_child = run([sys.executable, "-c", CHILD])
    assert with_child.peak_mb > 190
    assert with_child.cpu_s > 0


def test_the_memory_of_the_benchmark_itself_does_not_count():
    own = bytearray(b"1") * 200_000_000
    assert run([sys.executable, "-c", "pass"]).peak_mb < 150
    assert len(own) == 200_000_000


def test_a_process_that_fails_has_no_cost():
    assert run([sys.executable, "-c", "raise SystemExit(2)"]) is None
    assert run([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]) is None
    assert run(["no-such-program"]) is None


def test_failing_commands_are_left_out_with_a_word_and_absent_ones_silently(capsys):
    commands = {"good": [sys.executable, "-c", "pass"], "bad": [sys.executable, "-c", "1/0"], "absent": None}
    best = best_of(commands, rounds=2)
    assert best["good"].wall_s > 0
    assert best["bad"] is best["absent"] is None
    assert capsys.readouterr().err == "bad fails: left out\n"
