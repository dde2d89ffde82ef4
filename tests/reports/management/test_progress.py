import io

from reports.management.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_sees_the_bar_reach_its_end():
    stream = Terminal()
    with ProgressBar("Importing", 3, stream) as bar:
        for _ in range(3):
            bar.step()
    assert stream.getvalue().endswith(f"\rImporting {'█' * 30} 3 / 3\n")


def test_a_pipe_sees_nothing():
    stream = io.StringIO()
    with ProgressBar("Importing", 3, stream) as bar:
        bar.step()
    assert stream.getvalue() == ""


def test_more_steps_than_expected_do_no_harm():
    stream = Terminal()
    with ProgressBar("Importing", 0, stream) as bar:
        bar.step()
    assert "1 / 1" in stream.getvalue()
