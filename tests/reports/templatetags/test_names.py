from reports.templatetags.names import short_name


def test_short_name_keeps_the_whole_text_and_the_end_in_a_part_that_never_gives_way():
    drawn = short_name("android-16-nightly-20261120-a")

    assert drawn.count("<span>") == 2
    assert "<span>20261120-a</span></span>" in drawn
    assert 'title="android-16-nightly-20261120-a"' in drawn


def test_short_name_of_middling_length_never_loses_its_end():
    assert "<span>sample-</span><span>1.0-nightl</span></span>" in short_name("sample-1.0-nightl")


def test_short_name_of_few_letters_is_one_part():
    assert short_name("13.0.12").count("<span>") == 1


def test_short_name_that_would_lose_a_few_letters_only_stays_whole():
    assert short_name("TodoMVC React").count("<span>") == 1


def test_short_name_can_have_a_stop_of_its_own_for_the_keyboard():
    assert ' tabindex="0">' in short_name("13.0.12", "", True)


def test_short_name_escapes_what_people_wrote():
    assert "<b>" not in short_name("<b>13</b>")


def test_short_name_of_one_or_two_letters_before_its_end_is_not_parted():
    assert short_name("TodoMVC React").count("<span>") == 1


def test_short_name_marks_what_a_row_may_have_to_shorten():
    assert "is-long" in short_name("Framework7 Kitchen Sink, the whole of it")
    assert "is-long" not in short_name("Framework7 Kitchen Sink")
