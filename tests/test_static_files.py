import gzip

from django.core.management import call_command
from django.test import override_settings


def test_static_files_are_kept_compressed_beside_themselves(tmp_path, settings):
    (tmp_path / "from/js").mkdir(parents=True)
    (tmp_path / "from/js/tool.js").write_text("export const answer = 42; // said at some length\n" * 40)
    storages = settings.STORAGES | {
        "staticfiles": {"BACKEND": "upreg_site.staticfiles.HashedStaticFilesStorage"},
    }

    with override_settings(STORAGES=storages, STATIC_ROOT=tmp_path / "to", STATICFILES_DIRS=[tmp_path / "from"]):
        call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=["admin", "rest_framework"])

    [hashed] = [path for path in (tmp_path / "to/js").glob("tool.*.js") if path.name != "tool.js"]
    small = hashed.with_name(hashed.name + ".gz")
    assert gzip.decompress(small.read_bytes()) == hashed.read_bytes()
    assert small.stat().st_size < hashed.stat().st_size / 2
