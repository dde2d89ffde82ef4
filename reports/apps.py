"""The Django app."""

from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """Everything that knows the database: models, reads, writes, pages, commands."""

    name = "reports"
    verbose_name = "UPReg"

    def ready(self) -> None:
        """Register the system checks, and listen for logins: both know the models, which are loaded only now."""
        from reports.accounts.sessions import listen
        from reports.checks import register_checks

        register_checks()
        listen()
