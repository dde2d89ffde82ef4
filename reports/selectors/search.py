"""Find interactions by words of their name, their app or package."""

from dataclasses import dataclass

from django.db.models import Case, IntegerField, Q, Value, When

from reports.models import Comparison, Interaction, Result

MOST = 50


@dataclass(frozen=True)
class Found:
    """An interaction, with its worst result of the comparison that is shown."""

    interaction: Interaction
    result: Result | None


@dataclass(frozen=True)
class SearchResult:
    """What was found. ``comparison`` is the one of the newest version, None before the first."""

    found: list[Found]
    more: bool
    comparison: Comparison | None


def search_interactions(words: str) -> SearchResult:
    """Find interactions that have every word; names that begin with the text come first. Three queries."""
    rows = Interaction.objects.select_related("app").order_by(_nearness(words), "app__name", "name")
    for word in words.split():
        rows = rows.filter(Q(name__icontains=word) | Q(app__name__icontains=word) | Q(app__package__icontains=word))
    interactions = list(rows[: MOST + 1])
    comparison = _newest_comparison()
    worst = _worst(comparison, interactions[:MOST])
    found = [Found(interaction, worst.get(interaction.pk)) for interaction in interactions[:MOST]]
    return SearchResult(found, len(interactions) > MOST, comparison)


def _nearness(words: str) -> Case:
    begins = Q(name__istartswith=words.strip()) | Q(app__name__istartswith=words.strip())
    return Case(When(begins, then=Value(0)), default=Value(1), output_field=IntegerField())


def _newest_comparison() -> Comparison | None:
    computed = Comparison.objects.for_home().exclude(computed_at=None)
    return computed.order_by("-new__sort_key", "-base__sort_key", "device").first()


def _worst(comparison: Comparison | None, interactions: list[Interaction]) -> dict[int, Result]:
    rows = Result.objects.filter(comparison=comparison, worst=True, interaction__in=interactions).defer("points")
    return {row.interaction_id: row for row in rows.order_by("-place", "times_threshold")}
