"""Addresses of the catalogue."""

from django.urls import URLPattern, path

from reports.catalogue import pages, people, views

urlpatterns: list[URLPattern] = [
    path("versions/", views.versions, name="versions"),
    path("versions/<str:name>/", pages.version, name="version"),
    path("versions/<str:name>/save/", pages.version_save, name="version-save"),
    path("versions/<str:name>/pin/", pages.version_pin, name="version-pin"),
    path("versions/<str:name>/unpin/", pages.version_unpin, name="version-unpin"),
    *[path(f"{name}/", pages.subject_list, {"section": name}, name=name) for name in pages.LISTS],
    path("apps/<str:package>/edit/", pages.app_edit, name="app-edit"),
    path("devices/<int:pk>/", pages.device, name="catalogue-device"),
    path("interactions/<int:pk>/", pages.interaction, name="catalogue-interaction"),
    path("catalogue/app/<int:pk>/save/", pages.app_save, name="app-save"),
    path("catalogue/app/<int:pk>/critical/", pages.app_critical, name="app-critical"),
    path("catalogue/interaction/<int:pk>/save/", pages.interaction_save, name="interaction-save"),
    path("catalogue/<str:kind>/<int:pk>/areas/", pages.subject_area_add, name="catalogue-area-add"),
    path("catalogue/<str:kind>/<int:pk>/areas/remove/", pages.subject_area_remove, name="catalogue-area-remove"),
    path("catalogue/<str:kind>/<int:pk>/again/", pages.subject_again, name="catalogue-again"),
    path("people/", people.people, name="people"),
    path("people/lift/", people.lockout_lift, name="lockout-lift"),
    path("people/add/", people.person_add, name="person-add"),
    path("people/<int:pk>/role/", people.person_role, name="person-role"),
    path("people/<int:pk>/password/", people.person_password, name="person-password"),
    path("people/<int:pk>/mail/", people.person_mail, name="person-mail"),
    path("people/<int:pk>/link/", people.person_link, name="person-link"),
    path("people/<int:pk>/sessions/end/", people.person_sessions_end, name="person-sessions-end"),
    path("people/<int:pk>/active/", people.person_active, name="person-active"),
]
