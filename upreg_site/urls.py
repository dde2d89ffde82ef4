"""All addresses: the reports app, logging in and out, the admin."""

from django.contrib import admin
from django.urls import include, path

from reports.accounts.views import LoginPage, LogoutPage
from upreg_site.favicon import favicon

handler400 = "reports.web.bounds.bad_request_page"
handler404 = "reports.web.problems.not_found"
handler500 = "reports.web.trouble.server_error_page"
handler403 = "reports.access.pages.refused"
urlpatterns = [
    path("login/", LoginPage.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", LogoutPage.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("favicon.ico", favicon, name="favicon"),
    path("", include("reports.urls")),
]
