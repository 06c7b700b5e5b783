"""Other partners: the people of the last evenings of pairs, and the fields that pair them anew."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from uuid import UUID

from django.db.models import Q
from django.forms import BoundField
from django.utils.translation import gettext as _

from games.engine.messages import filled
from league import hooks
from league.admin.fields import ChoiceField, PathForm
from league.apps.evenings.queries import can_enter, evenings_before
from league.models import Competition, Player
from league.queries.clubs import away
from league.queries.competitions import last_entries_of_namesakes, state_of
from league.words.competitions import away_until
from league.words.messages import told_apart

_PAIR: Final = 2


@dataclass(frozen=True)
class Person:
    """Somebody of the last evenings of pairs, as the club tells its people apart.

    ``earlier`` says that they were at none but evenings before the last one.
    """

    name: str
    earlier: bool


def people_of_pairs(competition: Competition, day: date) -> Mapping[UUID, Person]:
    """Return who of an evening of pairs, and those before it, can enter again on a day, by name.

    They entered with any partner, were replaced, or stood in. Nobody where entries are no pairs.
    """
    if state_of(competition).opening.team_size != _PAIR:
        return {}
    last, earlier = _people([competition]), _people(evenings_before(competition))
    everybody = {**last, **{pk: each for pk, each in earlier.items() if pk not in last}}
    gone, names = away([*everybody], day), last_entries_of_namesakes(competition.club)
    guests = {player for app in hooks.GUESTS for player in app({*everybody}, day)}
    found = {}
    for pk, player in everybody.items():
        name = told_apart(player, names)
        name = _("%(name)s (guest)") % {"name": name} if pk in guests else name
        name = f"{name} ({away_until(gone[pk])})" if pk in gone else name
        found[pk] = Person(name, earlier=pk not in last)
    return found


def _people(evenings: Sequence[Competition]) -> Mapping[UUID, Player]:
    swaps = [
        each.events.filter(event__type="substituted").values_list("event", flat=True) for each in evenings
    ]
    out = [UUID(event["out"]) for events in swaps for event in events]
    there = Q(entered__entry__competition__in=evenings) | Q(pk__in=out)
    found = Player.objects.filter(there).select_related("merged_into").order_by("sort_name", "pk")
    people = [each.merged_into or each for each in found.distinct()]
    return {each.pk: each for each in people if can_enter(each)}


class PartnersForm(PathForm):
    """A form with a field for each of these people: who their partner is, if it is another one now."""

    people: Mapping[UUID, Person]

    def offer_partners(self, like: Competition, day: date) -> None:
        """Add the fields."""
        self.people = people_of_pairs(like, day)
        for player, person in self.people.items():
            others = [(str(pk), each.name) for pk, each in self.people.items() if pk != player]
            field = ChoiceField(choices=[("", "—"), *others], label=person.name, required=False)
            self.fields[_field(player)] = field
        for player, partner in self.pairs:
            sentence = filled(_("Plays with %(name)s."), {"name": self.people[player].name})
            self[_field(partner)].help_text = sentence

    @property
    def pairs(self) -> Sequence[tuple[UUID, UUID]]:
        """Return the new pairs, each once: somebody, and who was chosen for them."""
        found: dict[frozenset[UUID], tuple[UUID, UUID]] = {}
        ids = {str(pk): pk for pk in self.people}
        for player in self.people:
            partner = ids.get(str(self[_field(player)].value()), player)
            if partner != player:
                found.setdefault(frozenset((player, partner)), (player, partner))
        return [*found.values()]

    @property
    def partners(self) -> Sequence[Sequence[BoundField]]:
        """Return the fields for who was there the last time, and those for the others."""
        fields = [(self[_field(pk)], each.earlier) for pk, each in self.people.items()]
        return [[field for field, earlier in fields if earlier == which] for which in (False, True)]

    def names_of(self, players: Collection[UUID]) -> str:
        """Return the names of some of these people."""
        return ", ".join(each.name for pk, each in self.people.items() if pk in players)


def _field(player: UUID) -> str:
    return f"partner-{player}"
