import pytest

from reports.templatetags import quantities


@pytest.mark.parametrize(
    ("value", "metric", "plain", "signed"),
    [
        (1204.4, "launch_time_ms", "1\u202f204\u00a0ms", "+1\u202f204\u00a0ms"),
        (-12.0, "response_time_ms", "−12\u00a0ms", "−12\u00a0ms"),
        (0.0, "response_time_ms", "0\u00a0ms", "0\u00a0ms"),
        (2.5, "dropped_frames", "2.5\u00a0frames", "+2.5\u00a0frames"),
        (None, "response_time_ms", "–", "–"),
        (7.0, "a metric of later", "7", "+7"),
    ],
)
def test_quantity_has_its_unit_and_a_difference_its_sign(value, metric, plain, signed):
    assert (quantities.quantity(value, metric), quantities.signed_quantity(value, metric)) == (plain, signed)


@pytest.mark.parametrize(
    ("value", "text"), [(165.2, "+165\u00a0%"), (-3.26, "−3.3\u00a0%"), (0.0, "0\u00a0%"), (None, "")]
)
def test_signed_percent_has_a_decimal_only_where_it_matters(value, text):
    assert quantities.signed_percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.00001, "p\u00a0<\u00a00.0001"), (0.0325, "p\u00a0=\u00a00.0325"), (None, "p\u00a0unknown")],
)
def test_p_value_is_written_with_its_letter(value, text):
    assert quantities.p_value(value) == text


def test_count_of_knows_one_and_many():
    assert quantities.count_of(1, "app") == "1\u00a0app"
    assert quantities.count_of(1204, "story,stories") == "1\u202f204\u00a0stories"


def test_measured_names_the_metric_once():
    assert quantities.measured(81.0, "response_time_ms") == "Response 81\u00a0ms"
    assert quantities.measured(3.0, "dropped_frames") == "3 dropped frames"
