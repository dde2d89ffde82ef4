"""Static files with their content hash in the name, ES module imports included, and compressed once for all."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Rewrite ``import`` paths as well, so that a module and all it imports are cached for ever together."""

    support_js_module_import_aggregation = True
