"""The filters of the ranking, read from the address."""

from collections.abc import Iterable

from django import forms

from analysis.verdicts.words import VERDICT_WORDS
from reports.models import InteractionType, TriageState
from reports.policies.selectors import EVERYTHING, Part
from reports.ranking.selectors import SORTS, RankingFilter
from reports.web.forms import BIGGEST_ID, LenientForm, MetricField

VIEWS = [("", "worst metric"), ("all", "all metrics")]


class RankedMetricField(MetricField):
    """A metric, or all of them instead of the worst."""

    def validate(self, value: str) -> None:
        """Refuse what is neither."""
        if value not in dict(VIEWS):
            super().validate(value)


class RankingForm(LenientForm):
    """Filters and order. Names are kept as text: an unknown one simply matches no row."""

    q = forms.CharField(required=False, max_length=200)
    app = forms.CharField(required=False, max_length=200)
    category = forms.CharField(required=False, max_length=80)
    type = forms.ChoiceField(required=False, choices=InteractionType.choices)
    metric = RankedMetricField(required=False)
    verdict = forms.ChoiceField(required=False, choices=list(VERDICT_WORDS.items()))
    severity = forms.CharField(required=False, max_length=16)
    state = forms.ChoiceField(required=False, choices=TriageState.choices)
    mine = forms.BooleanField(required=False)
    critical = forms.BooleanField(required=False)
    drift = forms.BooleanField(required=False)
    min_runs = forms.IntegerField(required=False, min_value=0, max_value=10_000)
    device = forms.IntegerField(required=False, min_value=0, max_value=BIGGEST_ID)
    sort = forms.ChoiceField(required=False, choices=[(sign + key, key) for key in SORTS for sign in ("", "-")])

    scope = forms.CharField(required=False, max_length=80)

    def wanted(self, parts: Iterable[Part] = (), *, user_id: int | None = None) -> RankingFilter:
        """Return what the address asks for, ``parts`` are the saved scopes, ``user_id`` is whoever looks.

        The metric "all" lifts the worst-metric view; "mine" is what is assigned to whoever looks.
        """
        values = self.values()
        values["assigned_to"] = user_id if values.pop("mine") else None
        scope = values.pop("scope")
        values["part"] = next((part for part in parts if part.name == scope), EVERYTHING)
        if values["metric"] == "all":
            values |= {"metric": "", "every_metric": True}
        return RankingFilter(**values)
