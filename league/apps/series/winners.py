"""Winners of another table of the club, who have no rank in a series: noted in its log as that table is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import all_of, text
from games.engine.refusals import Malformed, Refusal
from league.admin.fields import ChoiceField
from league.apps.series import queries, trying
from league.apps.series.acts import ActForm
from league.apps.series.core import events as e
from league.apps.series.core.state import Evening
from league.apps.series.core.state import Series as State
from league.apps.series.models import Series
from league.models import Club, Competition
from league.words.messages import shown_name, translated

_MOST: Final = 60

# ---- Who they are --------------------------------------------------------------------------------


def _over(club: Club) -> QuerySet[Competition]:
    return queries.to_add(club).filter(status=Competition.Status.FINISHED)


def winners(series: Series, of: UUID, first: int) -> e.WinnersLeftOut:
    """Return the event that leaves out the first of another table of the club, as it is now.

    Raises `Malformed` where it is not over or nobody has a rank in it, `Illegal` where it can't be counted.
    """
    if other := queries.series_of(series.club).filter(pk=of).first():
        table, places = other.name, [(row.rank, row.person) for row in queries.table_of(other).table.rows]
    else:
        played = _over(series.club).filter(pk=of).first()
        if played is None:
            raise Malformed({"of": [text("This competition is not over.")]})
        evening = Evening(1, queries.day_of(played).isoformat(), competition=str(of))
        (parts,) = trying.trial(series.club, [evening]).parts.values()
        table, places = played.name, [(share.rank, share.person) for share in parts.whole.shares]
    found = sorted((rank, person) for rank, person in places if rank and rank <= first)
    if first and not found:
        raise Malformed({"of": [text("Nobody has a rank there yet.")]})
    return e.WinnersLeftOut(str(of), table, first, tuple(person for _rank, person in found))


# ---- On the desk ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """Who is left out as a winner of a table, and whether others are its winners now."""

    of: str
    table: str
    names: str
    has_changed: bool


def left_out_of(series: Series, state: State) -> Iterator[Told]:
    """Yield the tables whose winners are left out of a series."""
    names = queries.names_of(player for each in state.left_out for player in each.players)
    for each in state.left_out:
        told = translated(all_of([shown_name(names.get(player, "?")) for player in each.players]))
        try:
            now = winners(series, UUID(each.of), each.first).players
        except Refusal:
            now = ()  # it is played again, or corrected: who is first is not known
        changed = bool(now) and {*map(state.now, now)} != {*map(state.now, each.players)}
        yield Told(each.of, each.table, told, changed)


class LeaveOut(ActForm):
    """The first of another table, who have no rank."""

    title = gettext_lazy("Leave out winners of another table")
    about = gettext_lazy(
        "They have no rank in this series, whatever they play. Who they are is written down as it is now; "
        "when that table changes, the page of the series says so."
    )
    event, asks = e.WinnersLeftOut, ("first",)

    def now(self) -> Mapping[str, Any]:
        return {"first": 1}

    def offer(self) -> None:
        """Offer the club's other series, and the last of its competitions that are over."""
        others = queries.series_of(self.club).exclude(pk=self.series.pk)
        series = [(str(each.pk), each.name) for each in others]
        over = [(str(each.pk), each.name) for each in _over(self.club)[:_MOST]]
        known = {key for key, _name in (*series, *over)}
        over += [(each.of, each.table) for each in self.state.left_out if each.of not in known]
        groups = [(_("Series"), series), (_("Competitions"), over)]
        self.fields = {"of": ChoiceField(label=_("Series or competition"), choices=groups), **self.fields}

    def tick(self, query: QueryDict) -> None:
        """Choose the table that the address names, with as many as are left out now."""
        super().tick(query)
        for each in self.state.left_out:
            if each.of == query.get("of"):
                self.fields["of"].initial, self.fields["first"].initial = each.of, each.first

    def events(self) -> Sequence[e.Event]:
        return [winners(self.series, UUID(self.cleaned_data["of"]), self.cleaned_data["first"])]
