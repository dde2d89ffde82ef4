"""Addresses of one's own account."""

from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, path

from reports.accounts import signon, views

urlpatterns: list[URLPattern] = [
    path("login/sso/", signon.sign_on, name="sign-on"),
    path("login/sso/back/", signon.sign_on_back, name="sign-on-back"),
    path("account/", views.account, name="account"),
    path("login/forgotten/", views.forgotten, name="forgotten"),
    path("account/mail/", views.own_mail, name="account-mail"),
    path("account/sign-on/", signon.own_sign_on, name="account-sign-on"),
    path("account/sign-on/end/", signon.own_sign_on_end, name="account-sign-on-end"),
    path("account/password/", views.ChangePassword.as_view(), name="account-password"),
    path("account/sessions/end/", views.sessions_end, name="account-sessions-end"),
    path("account/sessions/<int:pk>/end/", views.session_end, name="account-session-end"),
    path(
        "account/reset/<uidb64>/<token>/",
        login_not_required(views.ResetPassword.as_view()),
        name="account-reset",
    ),
]
