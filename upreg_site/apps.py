"""What of Django's own apps is set up otherwise."""

from django.contrib.admin.apps import AdminConfig


class OperatorsAdminConfig(AdminConfig):
    """Put the operators' site in the place of Django's."""

    default_site = "upreg_site.operators.OperatorsSite"
