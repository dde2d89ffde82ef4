"""Static files with their content hash in the name, ES module imports included."""

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage


class HashedStaticFilesStorage(ManifestStaticFilesStorage):
    """Rewrite ``import`` paths as well, so that a module and all it imports are cached for ever together."""

    support_js_module_import_aggregation = True
