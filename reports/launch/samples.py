"""The sample screencasts, imported once, with the comparison that they are made for."""

from pathlib import Path

from analysis.manifest.columns import TO_IMPORT
from analysis.manifest.reader import open_manifest
from reports.comparing.services import open_comparison, request_comparison
from reports.importing.services import ImportSummary, import_manifest
from reports.models import OsVersion, Run, RunStatus


def ensure_samples(*manifests: Path) -> dict[Path, ImportSummary]:
    """Import the samples into an empty installation, or finish an import that was interrupted.

    A manifest of two versions brings their comparison with it. Nothing is imported where there are runs and none of
    the samples', because a person took them away. Returns what became of each manifest that is there.
    """
    names = {manifest: _versions_in(manifest) for manifest in manifests if manifest.is_file()}
    if Run.objects.exists() and not Run.objects.filter(os_version__name__in=set().union(*names.values())).exists():
        return {}
    made = {}
    for manifest in names:
        made[manifest] = import_manifest(path=manifest, unless_nothing=True)  # it is looked at with every start
        _ensure_comparison(list(OsVersion.objects.filter(name__in=names[manifest])))
    return made


def _versions_in(manifest: Path) -> set[str]:
    with open_manifest(manifest, TO_IMPORT) as reader:
        return {line.cells["os_version"] for line in reader if not line.problem}


def _ensure_comparison(versions: list[OsVersion]) -> None:
    """Open the comparison of two versions, in their order; it is queued when the last of their runs is measured."""
    if len(versions) != 2:
        return
    unfinished = Run.objects.filter(status__in=[RunStatus.PENDING, RunStatus.RUNNING], os_version__in=versions)
    ask = open_comparison if unfinished.exists() else request_comparison
    ask(base=versions[0], new=versions[1])
