"""Forms that enter players: ticked or by name, teams, and substitutes."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import shapes
from league.admin.fields import RadioField, RowField, RowsField, SearchedField
from league.admin.verbs.base import LongWork, VerbForm
from league.core.entering import only_return
from league.core.seat_names import seat_names
from league.core.verb import Verb
from league.core.verbs.entering import EnterPlayers
from league.models import Account, Competition, Entry, Job, Player
from league.queries.clubs import players_of
from league.queries.competitions import entries_of, last_entries_of_namesakes
from league.queries.name_lists import MOST_NAMES, NameList, lines_of, name_list, wrong_lines
from league.queries.ratings import rating_list
from league.services.entering import Entrants, enter_players
from league.words.messages import translated
from league.words.values import ruleset_key

MOST_AT_ONCE: Final = 100
"""More players than this are entered by a worker."""


def _free_players(competition: Competition) -> QuerySet[Player]:
    """Return the club's active players who are not in the competition yet."""
    entered = Entry.objects.filter(competition=competition).exclude(
        status__in=(Entry.Status.WITHDRAWN, Entry.Status.REJECTED)
    )
    return players_of(competition.club, active=True).exclude(entered__entry__in=entered)


class EntrantsForm(VerbForm):
    """A form that enters any number of players: few at once, many in a worker.

    ``listed`` are the names that it read.
    """

    listed: NameList

    @property
    def namesakes(self) -> str:
        """Return what was answered about names that are listed twice: "several", "one", or nothing yet."""
        return str(self.data.get("namesakes", "")) if self.is_bound else ""

    def read(self, names: str) -> None:
        """Read the names on a list; those listed twice are asked about."""
        several = self.namesakes == "several"
        self.listed = name_list(self.competition.club, lines_of(names), namesakes=several)

    @property
    def asked_twice(self) -> Sequence[str]:
        """Return the names that are listed twice and were not asked about yet."""
        return () if self.namesakes or not self.is_bound else self.listed.repeated

    def errors_of_repeated(self) -> Sequence[str]:
        return () if self.namesakes else self.listed.errors_of_repeated()

    def entrants(self) -> Entrants:
        """Return who enters according to a valid form."""
        raise NotImplementedError

    def carry_out(self, *, by: Account, seq: int | None = None) -> None:
        enter_players(by=by, competition=self.competition, entrants=self.entrants(), seq=seq)

    def long_work(self) -> LongWork | None:
        entrants = self.entrants()
        count = len(entrants.players) + len(entrants.names)
        if count <= MOST_AT_ONCE:
            return None
        return LongWork(Job.Kind.ENTER_PLAYERS, {"entrants": shapes.write(entrants)}, count)


class PlayersField(RowsField):
    """Players to be ticked; ``last`` has the last entries of those whose name another player has."""

    last: Mapping[UUID, Entry | None] = {}

    def label_from_instance(self, obj: Player) -> str:
        """Return the player's name, and by what organisers know players of one name apart."""
        if obj.pk not in self.last:
            return obj.name
        entry = self.last[obj.pk]
        if entry is None:
            return _("%(name)s (never entered)") % {"name": obj.name}
        told = {"name": obj.name, "entry": entry.name, "competition": entry.competition.name}
        return _("%(name)s (last: %(entry)s in %(competition)s)") % told


class PlayersForm(EntrantsForm):
    """The players who enter, newcomers too; and their order, where entries are seeded by it."""

    part = "admin/enter_players.html"

    players = PlayersField(Player.objects.none(), label=gettext_lazy("Players"), required=False)
    newcomers = forms.CharField(
        label=gettext_lazy("Newcomers"),
        max_length=100 * MOST_NAMES,
        required=False,
        help_text=gettext_lazy("People who are new to the club, one per line. They become players of it."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    sure = forms.BooleanField(
        label=gettext_lazy("These are other people: add them as new players"),
        required=False,
        widget=forms.CheckboxInput,
    )
    order = RadioField(
        label=gettext_lazy("Order"),
        choices=[
            ("name", gettext_lazy("by name")),
            ("rating", gettext_lazy("by the club’s rating list, best first")),
        ],
        initial="name",
        help_text=gettext_lazy("This competition is seeded in the order of entry."),
    )

    def offer(self) -> None:
        """Offer the players who have not entered, and list the entries that could return instead."""
        self.gone = only_return(self.state)
        self.return_round = self.state.joining_round()
        gone = [player for entry in self.gone for player in entry.players]
        free = _free_players(self.competition).exclude(pk__in=gone)
        field = self.fields["players"]
        assert isinstance(field, PlayersField)
        field.last, field.queryset = last_entries_of_namesakes(self.competition.club), free
        self.nobody_left = not free.exists()
        self.no_players = self.nobody_left and not self.competition.club.players.exists()
        if self.nobody_left:
            del self.fields["players"]
        if not self.is_bound:
            del self.fields["sure"]
        if self.state.plans[0].intake.seeding != "order":
            del self.fields["order"]

    def clean(self) -> dict[str, Any]:
        """Refuse newcomers whom the club knows, and once those whose name is near to a known one."""
        cleaned: dict[str, Any] = super().clean() or {}
        self.read(cleaned.get("newcomers", ""))
        alike = [*self.listed.errors_of_newcomers(self._to_tick()), *self.listed.similar()]
        if not alike:
            del self.fields["sure"]
        errors = wrong_lines(cleaned.get("newcomers", "")) or ([] if cleaned.get("sure") else alike)
        for error in (*errors, *self.errors_of_repeated()):
            self.add_error("newcomers", error)
        if not (cleaned.get("players") or self.listed.names):
            self.add_error("newcomers" if self.nobody_left else "players", _("Choose somebody."))
        return cleaned

    def _to_tick(self) -> frozenset[str]:
        """Return the names of the players that can be ticked, as they are searched for."""
        if self.nobody_left:
            return frozenset()
        return frozenset(player.search_name for player in _free_players(self.competition))

    def verbs(self, by: Account) -> Sequence[Verb]:
        """Return one verb per ticked player, in the order of entry."""
        return [EnterPlayers((pk,)) for pk in self.entrants().players]

    def entrants(self) -> Entrants:
        players = list(self.cleaned_data.get("players", ()))
        if self.cleaned_data.get("order") == "rating":
            listed = rating_list(self.competition.club, ruleset_key(self.competition.ruleset))
            rank = {pk: index for index, pk in enumerate(listed.values_list("player", flat=True))}
            players.sort(key=lambda player: rank.get(player.pk, len(rank)))
        ids = tuple(str(player.pk) for player in players)
        return Entrants(ids, self.listed.names, namesakes=self.listed.namesakes, newcomers=True)


class NamesForm(EntrantsForm):
    """Names of players, one per line; names that the club doesn't know can be added as new players."""

    # Its verbs need the players that it adds.
    previewed = False
    part = "admin/suggested_names.html"

    names = forms.CharField(
        label=gettext_lazy("Names"),
        max_length=100 * MOST_NAMES,
        help_text=gettext_lazy(
            "One per line, with or without numbers before them. Accents and capitals don’t matter. "
            "Players who have entered already are skipped."
        ),
        widget=forms.Textarea(attrs={"rows": 12}),
    )
    add = forms.BooleanField(
        label=gettext_lazy("Add them as new players of the club"),
        required=False,
        widget=forms.CheckboxInput,
    )

    def offer(self) -> None:
        """Tick the box where the club has no players, and put a chosen suggestion in place of its name."""
        self.fields["add"].initial = not players_of(self.competition.club).exists()
        self.suggestions: list[tuple[str, str]] = []
        if self.is_bound and (chosen := self.data.get("instead", "")):
            typed, _line, known = "".join(chosen.split("\r")).partition("\n")
            listed = lines_of(self.data.get("names", ""))
            once = [name for name in listed if name != typed or known not in listed]
            names = [known if name == typed else name for name in once]
            self.data = {**dict(self.data.items()), "names": "\n".join(names)}

    @property
    def confirmed(self) -> bool:
        """Return whether the form was sent to enter the names, not to take a suggestion."""
        return "instead" not in self.data

    def clean(self) -> dict[str, Any]:
        """Read the list; add an error for each name that doesn't stand for one player.

        A new name that is near to a known one is refused until the page has suggested the known one.
        """
        cleaned: dict[str, Any] = super().clean() or {}
        self.read(cleaned.get("names", ""))
        wrong = wrong_lines(cleaned.get("names", ""))
        errors = wrong or self.listed.errors()
        if len(self.listed.names) > MOST_NAMES:
            errors.append(_("At most %(most)d names can be entered at once.") % {"most": MOST_NAMES})
        self.suggestions = self.listed.suggestions()
        if not (wrong or cleaned.get("add")):
            errors += self.listed.errors_of_unknown()
        elif not (wrong or self.data.get("suggested")):
            errors += self.listed.similar()
        for error in (*errors, *self.errors_of_repeated()):
            self.add_error("names", error)
        return cleaned

    def verbs(self, by: Account) -> Sequence[Verb]:
        """Return one verb per known player."""
        return [EnterPlayers((str(player.pk),)) for player in self.listed.chosen() if player]

    def entrants(self) -> Entrants:
        add, namesakes = bool(self.cleaned_data.get("add")), self.listed.namesakes
        return Entrants(names=self.listed.names, add=add, namesakes=namesakes)


class TeamForm(VerbForm):
    """A team: its players in the order of the line-up, and its name."""

    part = "admin/new_players.html"

    def offer(self) -> None:
        """Offer a field for each player of the team."""
        super().offer()
        del self.fields["players"]
        self.fields["name"].label = _("Name of the team")
        free = _free_players(self.competition)
        self.seats = [f"player.{number}" for number in range(self.state.opening.team_size)]
        for number, name in enumerate(self.seats, 1):
            self.fields[name] = RowField(free, label=_("Player %(number)d") % {"number": number})

    def values(self) -> dict[str, Any]:
        return {**super().values(), "players": tuple(str(self.cleaned_data[name].pk) for name in self.seats)}


class SubstituteForm(VerbForm):
    """Which player another one replaces, and why."""

    def offer(self) -> None:
        """Offer the players of all entries, and those who have not entered."""
        super().offer()
        labels = {name: translated(field.title) for name, field in self.declared.items()}
        entries = entries_of(self.competition).filter(status=Entry.Status.ENTERED)
        playing = [
            (f"{entry.pk} {member.player_id}", _line(entry, member.player))
            for entry in entries
            for member in entry.members.all()
        ]
        self.fields["out"] = SearchedField(label=labels["out"], choices=playing)
        self.fields["into"] = RowField(_free_players(self.competition), label=labels["into"])

    def values(self) -> dict[str, Any]:
        entry, out = self.cleaned_data["out"].split()
        into = str(self.cleaned_data["into"].pk)
        return {"entry": entry, "out": out, "into": into, "reason": self.cleaned_data["reason"]}


def _line(entry: Entry, player: Player) -> str:
    name, team = seat_names(player.name, entry.name)
    return f"{team}: {name}" if team else name
