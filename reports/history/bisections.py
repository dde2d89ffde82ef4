"""Bisections: start one, see where it stands, leave a build out, end it. All that stands follows from the runs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from analysis.history.bisection import FOUND, RANGE, REFUSED, Standing, standing
from analysis.history.changes import Subject
from analysis.metrics import METRICS
from analysis.verdicts.strata import PREFERRED_CAPTURE
from reports.audit.origin import current_origin
from reports.audit.services import record
from reports.comparing.services import WrongVersionsError, find_version
from reports.history.bisectwords import step_words
from reports.models import Action, App, Bisection, Device, Interaction, Measurement, OsVersion, Run
from reports.policies.selectors import current_policy

LISTED = 8
WHO_LENGTH: int = Bisection._meta.get_field("started_as").max_length or 0
_SUBJECT = ("good", "bad", "interaction__app", "device")


class BisectionError(ValueError):
    """What cannot be; ``field`` names what is wrong, the message tells the cure."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(f"{field}: {words}")
        self.field, self.words = field, words


@dataclass(frozen=True)
class Search:
    """What to look for, as it was typed. An empty metric is the one that got worst; ``builds`` are not known yet.

    A build is ``NAME``, or ``NAME=PLACE`` where its name does not tell its place among the versions.
    """

    good: str
    bad: str
    app: str
    interaction: str
    metric: str = ""
    device: Device | None = None
    builds: Sequence[str] = ()


@dataclass(frozen=True)
class Seen:
    """Where a bisection stands, and how many runs of each build do not count: of another app version or capture."""

    bisection: Bisection
    standing: Standing
    left_out: dict[str, int]


@transaction.atomic
def start_bisection(search: Search) -> Seen:
    """Start a bisection and return where it stands.

    Raises
    ------
    BisectionError
        Something of the search is not known, is no line, or is under way; or the good version is as bad.

    """
    good, bad = _version("good", search.good), _version("bad", search.bad)
    of = _interaction(search)
    _check_ends(good, bad)
    for build in search.builds:
        _add_build(build, good, bad)
    device = search.device or _device(of, good, bad)
    metric = _metric(search.metric, of, device, good, bad)
    origin = current_origin()
    same = {"good": good, "bad": bad, "interaction": of, "device": device, "metric": metric}
    running = Bisection.objects.filter(finished_at=None, **same).first()
    if running:
        raise BisectionError("good", f"bisection {running.pk} searches for just this; go on with it, or finish it")
    row = Bisection.objects.create(**same, started_by_id=origin.user_id, started_as=origin.asker[:WHO_LENGTH])
    seen = look(row)
    if seen.standing.state == REFUSED:
        raise BisectionError("good", refusal(seen))
    record(Action.ADDED, of=row)
    return seen


def refusal(seen: Seen) -> str:
    """Say with its numbers why there is nothing to search for."""
    row = seen.bisection
    return (
        f"from {row.good} to {row.bad} there is no regression that people feel: "
        f"{step_words(seen.standing.whole, row.metric)}; "
        "name an earlier good or a later bad version, or the metric that got worse"
    )


def find_bisection(number: int | None) -> Bisection:
    """Return the bisection of this number; without one, the only one under way."""
    rows = Bisection.objects.select_related(*_SUBJECT)
    if number is not None:
        row = rows.filter(pk=number).first()
        if row is None:
            raise BisectionError(
                "id", f"there is no bisection {number}; known are: {_numbers(Bisection.objects.all())}"
            )
        return row
    running = list(rows.filter(finished_at=None)[: LISTED + 1])
    if len(running) == 1:
        return running[0]
    if not running:
        raise BisectionError("id", "no bisection is under way; start one, or name the number of a finished one")
    raise BisectionError("id", f"several are under way; name one of them: {_numbers(running)}")


def look(row: Bisection) -> Seen:
    """Return where a bisection stands; four queries.

    Raises BisectionError where its versions are no line, as after the order was mended.
    """
    _check_ends(row.good, row.bad)
    line = line_between(row.good, row.bad)
    _check_order(line)
    runs, left_out = _runs(row, line)
    of = row.interaction
    skipped = row.skipped.values_list("name", flat=True)
    stands = standing(
        [version.name for version in line],
        runs,
        Subject(of.app.package, of.type, row.metric),
        current_policy(),
        skipped=[name for name in skipped if name not in (row.good.name, row.bad.name)],
    )
    return Seen(row, stands, left_out)


@transaction.atomic
def skip_build(row: Bisection, *, version: str, reason: str = "") -> Seen:
    """Leave a build out that cannot be tested."""
    _need_open(row)
    build = _version("version", version)
    if build in (row.good, row.bad):
        raise BisectionError("version", f"{build} is an end of the bisection; finish it and start one with another")
    if build not in line_between(row.good, row.bad):
        raise BisectionError(
            "version", f"{build} does not lie between {row.good} and {row.bad}; name one that does"
        )
    if not row.skipped.filter(pk=build.pk).exists():
        row.skipped.add(build)
        record(Action.CHANGED, of=row, field="skipped", after=build.name, note=reason)
    return look(row)


@transaction.atomic
def finish_bisection(row: Bisection) -> Seen | None:
    """End a bisection, with its answer if there is one; None where its versions are no line any more."""
    _need_open(row)
    try:
        seen = look(row)
    except BisectionError:
        seen = None
    if seen and seen.standing.state in (FOUND, RANGE):
        row.suspects = list(seen.standing.suspects)
    row.finished_at = timezone.now()
    row.save(update_fields=["suspects", "finished_at"])
    record(Action.CHANGED, of=row, field="answer", after=", ".join(row.suspects) or "none")
    return seen


def line_between(good: OsVersion, bad: OsVersion) -> list[OsVersion]:
    """Return the versions of a line from the good one to the bad one, with runs or without; one query."""
    whole = list(OsVersion.objects.filter(channel=good.channel).order_by("sort_key", "name"))
    places = [place for place, version in enumerate(whole) if version in (good, bad)]
    return whole[places[0] : places[-1] + 1] if places else []


def open_runs(row: Bisection, version: str) -> int:
    """Count the runs of a build that wait for their measurement or are being measured; one query."""
    of = {"interaction": row.interaction_id, "device": row.device_id, "os_version__name": version}
    return Run.objects.filter(status__in=["pending", "running"], **of).count()


def _runs(row: Bisection, line: Sequence[OsVersion]) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Return the values of each version that were recorded alike, and how many of each were not; one query.

    Chosen is one app version and capture, as a comparison of the two ends chooses it.
    """
    usable = Run.objects.usable().filter(interaction=row.interaction_id, device=row.device_id, os_version__in=line)
    rows = Measurement.objects.filter(run__in=usable, metric=row.metric).order_by("run")
    fields = ("run__os_version__name", "run__app_version", "run__capture", "value")
    strata: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for version, app_version, capture, value in rows.values_list(*fields):
        strata[app_version, capture][version].append(value)

    def order(stratum: tuple[str, str]) -> tuple[int, bool, int, tuple[str, str]]:
        runs = strata[stratum]
        weaker = min(len(runs.get(name, ())) for name in (row.good.name, row.bad.name))
        return weaker, stratum[1] == PREFERRED_CAPTURE, sum(map(len, runs.values())), stratum

    chosen = max(strata, key=order, default=("", ""))
    left_out: dict[str, int] = defaultdict(int)
    for stratum, runs in strata.items():
        for version, values in runs.items():
            left_out[version] += 0 if stratum == chosen else len(values)
    return dict(strata.get(chosen, {})), dict(left_out)


def _need_open(row: Bisection) -> None:
    if row.finished_at:
        raise BisectionError("id", f"bisection {row.pk} is finished; start another")


def _version(field: str, name: str) -> OsVersion:
    try:
        return find_version(name)
    except WrongVersionsError as error:
        raise BisectionError(field, str(error)) from error


def _interaction(search: Search) -> Interaction:
    app = App.objects.filter(package=search.app).first()
    if app is None:
        packages = _listed(App.objects.order_by("package").values_list("package", flat=True))
        raise BisectionError("app", f"no app has the package {search.app!r}; known are: {packages}")
    found = Interaction.objects.select_related("app").filter(app=app, name=search.interaction).first()
    if found is None:
        names = _listed(app.interactions.order_by("name").values_list("name", flat=True))
        words = f"{app} has no interaction {search.interaction!r}; known are: {names}"
        raise BisectionError("interaction", words)
    return found


def _add_build(text: str, good: OsVersion, bad: OsVersion) -> None:
    """Make a build known to the catalogue that was not measured yet."""
    name, _, place = text.partition("=")
    if OsVersion.objects.filter(name=name).exists():
        version = OsVersion.objects.get(name=name)
    else:
        version = OsVersion(name=name, sorts_as=place, channel=good.channel)
        version.sort_key = version.own_sort_key()
        try:
            version.full_clean()
        except ValidationError as error:
            raise BisectionError("build", f"{name!r}: {' '.join(error.messages)}") from error
        version.save()
        record(Action.ADDED, of=version)
    if version not in line_between(good, bad):
        words = f"{name} does not lie between {good} and {bad}; give its place, as in {name}={good}.1"
        raise BisectionError("build", words)


def _check_ends(good: OsVersion, bad: OsVersion) -> None:
    if good.channel != bad.channel:
        words = f"{bad} is in the line {_line_name(bad)}, {good} in {_line_name(good)}"
        raise BisectionError("bad", f"{words}; choose two of one line, or set the line of one on its page")
    if good == bad:
        raise BisectionError("bad", f"{bad} is the good version as well; name a later one")
    if (good.sort_key, good.name) > (bad.sort_key, bad.name):
        words = f"{good} comes after {bad}; exchange them, or set what one of them sorts as on its page"
        raise BisectionError("good", words)


def _check_order(line: Sequence[OsVersion]) -> None:
    for before, after in pairwise(line):
        if before.sort_key == after.sort_key:
            words = f"{before} and {after} have no order; set what one of them sorts as on its page"
            raise BisectionError("good", words)


def _device(of: Interaction, good: OsVersion, bad: OsVersion) -> Device:
    """Return the device of the runs of the two versions, or the only one that there is."""
    measured = Device.objects.filter(runs__interaction=of, runs__os_version__in=[good, bad]).distinct()
    found = list(measured) or list(Device.objects.all())
    if len(found) != 1:
        raise BisectionError("device", f"name the device, one of: {_listed(found)}")
    return found[0]


def _metric(wanted: str, of: Interaction, device: Device, good: OsVersion, bad: OsVersion) -> str:
    """Return the metric that is wanted, else the one that got worst from the good to the bad version."""
    known = [metric.key for metric in METRICS.values() if metric.applies_to(of.type)]
    if wanted:
        if wanted not in known:
            raise BisectionError("metric", f"{of} has no {wanted!r}; name one of: {_listed(known)}")
        return wanted
    policy, times = current_policy(), {}
    for metric in known:
        row = Bisection(good=good, bad=bad, interaction=of, device=device, metric=metric)
        runs, _ = _runs(row, [good, bad])
        whole = standing([good.name, bad.name], runs, Subject(of.app.package, of.type, metric), policy).whole
        if whole.felt:
            times[metric] = whole.delta / whole.threshold if whole.threshold else whole.delta
    if not times:
        words = (
            f"none of {of} got worse from {good} to {bad} as far as it is measured; name one of: {_listed(known)}"
        )
        raise BisectionError("metric", words)
    return max(times, key=times.__getitem__)


def _line_name(version: OsVersion) -> str:
    return version.channel or "the main line"


def _numbers(rows: Iterable[Bisection]) -> str:
    return _listed(f"{row.pk} ({row})" for row in rows) or "none"


def _listed(names: Iterable[object]) -> str:
    """List names, the first of them where they are many."""
    known = [str(name) for name in names]
    return ", ".join(known[:LISTED]) + (" …" if len(known) > LISTED else "") or "none"
