"""Which passwords are taken."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError


@pytest.mark.parametrize(
    "password",
    [
        "shorter-one",  # 11
        "password1234",
        "password2026!",
        "Sunshine123456",
        "123dragon4567",
        "monkeymonkey",
        "qwerty qwerty",
        "upreg-admin-2026",
        "UPReg.Lab.42.42",
        "aaaaaaaaaaaab",
        "1234512345123",
    ],
)
def test_well_known_passwords_are_refused_however_they_were_made_longer(password):
    with pytest.raises(ValidationError):
        validate_password(password)


@pytest.mark.parametrize(
    "password",
    [
        "gentle-otter-42",
        "correct horse battery staple",
        "ленивый кот на крыше",
        "x9$Qv!7rT2#m",
        "t" * 3 + "-" + "wandering lighthouse keeper " * 7,  # 200 characters
        "the policy of quiet gardens",
    ],
)
def test_any_other_password_is_taken_whatever_it_is_made_of(password):
    validate_password(password)
