"""Who is at the keyboard."""

from typing import cast

from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest


def signed_in_user(request: HttpRequest) -> AbstractBaseUser:
    """Return the user of a request; LoginRequiredMiddleware has let nobody else in."""
    return cast(AbstractBaseUser, request.user)
