from analysis.manifest.columns import TO_IMPORT
from analysis.manifest.reader import Line
from analysis.manifest.rows import parse_row
from reports.importing.plan import identity_of
from tests.intake import ROW


def identity(**cells):
    return identity_of(parse_row(Line(7, {**ROW, **cells}), TO_IMPORT)[0])


def test_the_same_recording_has_the_same_identity_whatever_was_measured():
    assert identity(action_ms="1") == identity(action_ms="2", video="b.mp4")
    assert identity(repetition="1") != identity(repetition="2")
    assert identity(capture="vfr") != identity(capture="cfr60")
    assert identity(recorded_at="") == identity(recorded_at="1970-01-01T00:00:00Z")
