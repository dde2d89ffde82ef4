"""The Django app."""

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """Everything that knows the database: models, reads, writes, pages, commands."""

    name = "reports"
    verbose_name = "UPReg"
