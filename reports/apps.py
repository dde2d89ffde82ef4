"""The Django app."""

from django.apps import AppConfig

from reports.checks import register_checks


class ReportsConfig(AppConfig):
    """Everything that knows the database: models, reads, writes, pages, commands."""

    name = "reports"
    verbose_name = "UPReg"

    def ready(self) -> None:
        """Register the system checks."""
        register_checks()
