"""Forms that enter players: ticked or by name, teams, and substitutes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from django import forms
from django.db.models import Case, When
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine import shapes
from games.engine.messages import filled
from league import hooks
from league.admin.fields import RadioField, RowField, RowsField, SearchedField
from league.admin.like_names import AsksWhoIsLike, Question
from league.admin.verbs.base import LongWork, VerbForm
from league.core.entering import only_return
from league.core.state.entries import seats_told_apart
from league.core.verb import Verb
from league.models import Account, Competition, Entry, Job, Player
from league.models.names import search_key
from league.queries.clubs import players_of
from league.queries.competitions import entries_of, last_entries_of_namesakes
from league.queries.names import (
    MOST_NAMES,
    MOST_SUGGESTIONS,
    NEW,
    Line,
    NameList,
    as_written,
    instead,
    name_list,
    teams_of,
    wrong_lines,
)
from league.queries.records import rating_list
from league.queries.verbs import free_players, ticked
from league.services.competitions import Entrants, enter_players, entering
from league.words.messages import told_apart, translated

MOST_AT_ONCE: Final = 100
"""More players than this are entered by a worker."""
TWICE: Final = "twice:"
WHO: Final = "who:"
"""What the names of fields begin with that ask about a listed name: of how many people, and of whom."""
SAME: Final = "same"
"""An answer beside `NEW` and the ids of players: whose name was listed before."""
DOUBLED: Final = "doubled"
"""The field that says whether lines with the same team again are left "out", or are others' ("kept")."""


def _entered(competition: Competition) -> frozenset[str]:
    """Return the players of the club who are in the competition."""
    left = free_players(competition).values("pk")
    return frozenset(map(str, competition.club.players.exclude(pk__in=left).values_list("pk", flat=True)))


class EntrantsForm(VerbForm):
    """A form that enters any number of players: few at once, many in a worker.

    ``lines`` are those that it read, each of a player or a team, and ``listed`` their names. ``doubled`` are
    the lines with a team again; ``places`` are of each name the field that says who is meant, and its line.
    """

    lines: Sequence[Line]
    listed: NameList
    doubled: Sequence[Line] = ()
    places: Sequence[tuple[str, Line]]
    answers: Mapping[str, str]

    @property
    def team_size(self) -> int:
        """Return of how many players an entry is."""
        return self.state.opening.team_size

    def read(self, names: str) -> None:
        """Read the names on a list, with what was answered about names that several people have."""
        lines = self.to_read(self._as_written(teams_of(names, self.team_size)))
        first = {line.keys: line for line in reversed(lines)}
        teams = self.team_size > 1
        self.doubled = [line for line in lines if teams and first[line.keys] is not line]
        kept = self.data.get(DOUBLED) == "kept"
        self.lines = [line for line in lines if kept or not teams or first[line.keys] is line]
        listed = [name for line in self.lines for name in line.players]
        keys = {search_key(name): name for name in reversed(listed)}
        self.answers = {name: each for key, name in keys.items() if (each := self._answer(key))}
        read = name_list(self.competition.club, listed, several=self._several(), teams=teams)
        self.places = _places(self.lines, read)
        meant = tuple(self._chosen(field)[-1] if field in self.data else "" for field, _line in self.places)
        self.listed = replace(read, meant=meant)

    def _as_written(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Return lines of single players with names as the club writes them."""
        if self.team_size > 1:
            return lines
        names = as_written(self.competition.club, [name for line in lines for name in line.players])
        return [replace(line, players=(name,)) for line, name in zip(lines, names, strict=True)]

    def to_read(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Return the lines that are about somebody who may enter."""
        return lines

    def _chosen(self, field: str) -> Sequence[str]:
        """Return the values of a field that may have several."""
        return list(self.data.getlist(field)) if isinstance(self.data, QueryDict) else [self.data[field]]

    def _several(self) -> Sequence[str]:
        return [name for name, answer in self.answers.items() if answer == "several"]

    def _answer(self, key: str) -> str:
        """Return whether a listed name is "several" people's or "one", empty where that is not known."""
        answer = str(self.data.get(f"{TWICE}{key}") or self.data.get("namesakes", ""))
        # Nobody plays in two teams: a list that says so has to be corrected.
        return answer if self.team_size == 1 or answer == "several" else ""

    @property
    def asked_twice(self) -> Sequence[tuple[str, str]]:
        """Return the names that are listed twice and have no answer yet, with the fields for the answers."""
        repeated = self.listed.repeated if self.is_bound else ()
        return [(name, f"{TWICE}{search_key(name)}") for name in repeated if name not in self.answers]

    @property
    def asked_who(self) -> Sequence[Question]:
        """Return the names that may mean several people, with field, kind of the fields, and each answer."""
        raise NotImplementedError

    def _labelled(self, players: Sequence[Player]) -> Sequence[tuple[str, str]]:
        """Return the ids of players with their names as they are told apart."""
        last, entered = last_entries_of_namesakes(self.competition.club), _entered(self.competition)
        sentence = _("%(name)s, who has entered already")
        labels = ((str(each.pk), told_apart(each, last)) for each in players)
        return [(pk, sentence % {"name": label} if pk in entered else label) for pk, label in labels]

    @property
    def answered(self) -> Sequence[tuple[str, str]]:
        """Return the fields of the questions that were answered, with the answers."""
        repeated = self.listed.repeated if self.is_bound else ()
        twice = [(f"{TWICE}{search_key(name)}", self._answer(search_key(name))) for name in repeated]
        who = [
            (field, value) for field in self.data if field.startswith(WHO) for value in self._chosen(field)
        ]
        asked = {field for _name, field, *_rest in self.asked_who}
        given = (*twice, *who, (DOUBLED, self.data.get(DOUBLED, "")))
        return [(field, answer) for field, answer in given if answer and field not in asked]

    @property
    def asked_doubled(self) -> Sequence[Line]:
        """Return the lines with a team again, of which nothing says yet whether they are left out."""
        return () if self.data.get(DOUBLED) in ("out", "kept") else self.doubled

    def errors_of_repeated(self) -> Sequence[str]:
        """Return a sentence for each name that is listed twice and was not asked about yet."""
        sentence = _("%(name)s is on the list more than once.")
        repeated = [*map(str, self.asked_doubled), *(name for name, _field in self.asked_twice)]
        return [sentence % {"name": name} for name in repeated[:MOST_SUGGESTIONS]]

    def entrants(self) -> Entrants:
        """Return who enters according to a valid form."""
        raise NotImplementedError

    def verbs(self, by: Account) -> Sequence[Verb]:
        """Return one verb per entry, in the order of entry; players are made of new names."""
        return entering(by=by, competition=self.competition, entrants=self.entrants())

    def carry_out(self, *, by: Account, seq: int | None = None) -> None:
        enter_players(by=by, competition=self.competition, entrants=self.entrants(), seq=seq)

    def long_work(self) -> LongWork | None:
        entrants = self.entrants()
        count = len(entrants.players) + len(entrants.names)
        if count <= MOST_AT_ONCE:
            return None
        return LongWork(Job.Kind.ENTER_PLAYERS, {"entrants": shapes.write(entrants)}, count)


def _places(lines: Sequence[Line], read: NameList) -> Sequence[tuple[str, Line]]:
    """Return for each name the field that says who is meant, which stays with its line, and the line."""
    of_key: dict[str, list[Line]] = {}
    for line in lines:
        for name in line.players:
            of_key.setdefault(search_key(name), []).append(line)
    left = {key: iter(each) for key, each in of_key.items()}
    seen: Counter[str] = Counter()
    places = []
    for key in map(search_key, read.names):
        line = next(left[key])
        field = f"{WHO}{key}:{search_key(str(line))}" if read.times[key] > 1 else f"{WHO}{key}"
        seen[field] += 1
        places.append((f"{field}:{seen[field]}" if seen[field] > 1 else field, line))
    return places


class PlayersForm(EntrantsForm):
    """The players who enter, newcomers too; and their order, where entries are seeded by it."""

    part = "admin/enter_players.html"

    players = RowsField(Player.objects.none(), label=gettext_lazy("Players"), required=False)
    newcomers = forms.CharField(
        label=gettext_lazy("Newcomers"),
        max_length=100 * MOST_NAMES,
        required=False,
        help_text=gettext_lazy("People who are new to the club, one per line. They become players of it."),
        widget=forms.Textarea(attrs={"rows": 3}),
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
        free = free_players(self.competition).exclude(pk__in=gone)
        self.fields["players"].queryset = free  # type: ignore[attr-defined]
        self.fields["players"].initial = [*ticked(self.competition)]
        self.nobody_left = not free.exists()
        self.no_players = self.nobody_left and not self.competition.club.players.exists()
        if self.nobody_left:
            del self.fields["players"]
        if self.state.plans[0].intake.seeding != "order":
            del self.fields["order"]

    def clean(self) -> dict[str, Any]:
        """Ask about each newcomer whose name the club knows, or nearly knows."""
        cleaned: dict[str, Any] = super().clean() or {}
        self.read(cleaned.get("newcomers", ""))
        sentence = _("%(name)s: say below who that is.")
        asked = [filled(sentence, {"name": name}) for name, *_rest in self.asked_who]
        errors = wrong_lines(cleaned.get("newcomers", "")) or asked
        for error in (*errors, *self.errors_of_repeated()):
            self.add_error("newcomers", error)
        if not (cleaned.get("players") or self.listed.names):
            self.add_error("newcomers" if self.nobody_left else "players", _("Choose somebody."))
        return cleaned

    @property
    def asked_who(self) -> Sequence[Question]:
        """Return the names that players have or nearly have and that have no answer yet."""
        found = self.listed.resembling() if self.is_bound else []
        open_ones = [each for each in found if not self._is_answered(each[0])]
        return [self._question(*each) for each in open_ones[:MOST_SUGGESTIONS]]

    def _question(self, name: str, players: Sequence[Player], before: str) -> Question:
        same = [(SAME, _("the same person as %(name)s") % {"name": before})] if before and not players else []
        other = (NEW, _("somebody new to the club"))
        kind = "checkbox" if self._times(name) > 1 else "radio"
        return name, f"{WHO}{search_key(name)}", kind, [*self._labelled(players), *same, other]

    def _times(self, name: str) -> int:
        """Return how many people of this name are listed."""
        return sum(search_key(each) == search_key(name) for each in self.listed.names)

    def _is_answered(self, name: str) -> bool:
        chosen, times = self._who(name), self._times(name)
        known = len(chosen) - (NEW in chosen)
        return bool(chosen) and (known < times if NEW in chosen else known == times or SAME in chosen)

    def _who(self, name: str) -> Sequence[str]:
        field = f"{WHO}{search_key(name)}"
        return self._chosen(field) if field in self.data else ()

    def entrants(self) -> Entrants:
        players = list(self.cleaned_data.get("players", ()))
        if self.cleaned_data.get("order") == "rating":
            listed = rating_list(self.competition.club, self.competition.ruleset)
            rank = {pk: index for index, pk in enumerate(listed.values_list("player", flat=True))}
            players.sort(key=lambda player: rank.get(player.pk, len(rank)))
        who = {search_key(name): [*self._who(name)] for name in self.listed.names}
        known = [value for chosen in who.values() for value in chosen if value not in (NEW, SAME)]
        ids = dict.fromkeys([*(str(player.pk) for player in players), *known])
        answers = {key: iter(each for each in chosen if each != NEW) for key, chosen in who.items()}
        new = tuple(name for name in self.listed.names if next(answers[search_key(name)], None) is None)
        return Entrants(tuple(ids), new, several=tuple(self._several()), newcomers=True)


class NamesForm(EntrantsForm, AsksWhoIsLike):
    """Names of players, one per line; names that the club doesn't know can be added as new players."""

    passed_over: Sequence[Line] = ()
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
        """Tick the box where the club has no players, and put known names in place of what was typed."""
        if self.team_size > 1:
            self.fields["names"].label = _("Teams")
            self.fields["names"].help_text = _(
                "One team per line: its players in the order of the line-up, with & or commas between them, "
                "as in “Ann & Ben”. The name of the team can stand before them, with a colon. Accents and "
                "capitals don’t matter. Teams that have entered already are skipped."
            )
            if last := [line for came in hooks.TEAMS_CAME_LAST for line in came(self.competition)]:
                self.fields["names"].initial = "\n".join(last)
                more = _("The teams of last time are filled in: delete who does not come.")
                self.fields["names"].help_text += f" {more}"
        self.fields["add"].initial = not players_of(self.competition.club).exists()
        self.put_known("names", partial(instead, size=self.team_size))

    @property
    def left_out(self) -> str:
        """Return which lines are skipped, because their players or teams have entered."""
        entered = {frozenset(entry.players) for entry in self.state.entries if entry.live}
        players: dict[Line, list[str]] = {}
        for (_field, line), player in zip(self.places, self.listed.chosen(), strict=True):
            players.setdefault(line, []).append(str(player and player.pk))
        there = [line for line in self.lines if frozenset(players.get(line, ())) in entered]
        skipped = sorted([*self.passed_over, *there], key=lambda line: line.number)
        if not skipped:
            return ""
        told = [f"{line.number} ({line})" for line in skipped[:MOST_SUGGESTIONS]]
        more = ["…"] if len(skipped) > len(told) else []
        sentence = ngettext(
            "%(count)d line is skipped, because it has entered already: %(lines)s.",
            "%(count)d lines are skipped, because they have entered already: %(lines)s.",
            len(skipped),
        )
        return filled(sentence, {"count": len(skipped), "lines": ", ".join([*told, *more])})

    def to_read(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Leave out the names of which everybody has entered."""
        self.passed_over = ()
        if self.team_size > 1:
            return lines
        listed = [name for line in lines for name in line.players]
        read = name_list(self.competition.club, listed)
        times, entered = Counter(map(search_key, listed)), _entered(self.competition)
        here = {search_key(name): [str(each.pk) in entered for each in read.active(name)] for name in listed}
        done = {key for key, each in here.items() if times[key] <= len(each) == sum(each)}
        self.passed_over = [line for line in lines if search_key(line.players[0]) in done]
        return [line for line in lines if line not in self.passed_over]

    @property
    def asked_who(self) -> Sequence[Question]:
        """Return the names that several players have; each of their lines, where a name has several."""
        unclear = self.listed.unclear().items() if self.is_bound else ()
        open_ones = {name for name, _field in self.asked_twice}
        asked = [each for each in unclear if self.listed.names[each[0]] not in open_ones]
        return [self._question(at, players) for at, players in asked[:MOST_SUGGESTIONS]]

    def _question(self, at: int, players: Sequence[Player]) -> Question:
        name, (field, line) = self.listed.names[at], self.places[at]
        times = self.listed.times[search_key(name)]
        given = {"name": name, "line": line.number, "team": str(line)}
        label = _("Line %(line)d, %(team)s: who is %(name)s?") % given if times > 1 else name
        new = [(NEW, _("somebody new to the club"))] if times > len(players) else []
        return label, field, "radio", [*self._labelled(players), *new]

    @property
    def answered(self) -> Sequence[tuple[str, str]]:
        return [*super().answered, *self.answered_new] if self.is_bound else ()

    def clean(self) -> dict[str, Any]:
        """Read the list; add an error for each name that doesn't stand for one player.

        A new name that is near to a known one is refused until it is said that it is somebody new's.
        """
        cleaned: dict[str, Any] = super().clean() or {}
        self.read(cleaned.get("names", ""))
        wrong = wrong_lines(cleaned.get("names", ""), self.team_size)
        errors = wrong or self.listed.errors()
        if len(self.listed.names) > MOST_NAMES:
            errors.append(_("At most %(most)d names can be entered at once.") % {"most": MOST_NAMES})
        if not wrong:
            told = self.listed.similar if cleaned.get("add") else self.listed.errors_of_unknown
            errors += told(self.somebody_new)
        for error in (*errors, *self.errors_of_repeated()):
            self.add_error("names", error)
        return cleaned

    def entrants(self) -> Entrants:
        several = tuple(key for key, times in self.listed.times.items() if times > 1)
        given: dict[str, Any] = {"several": several, "meant": self.listed.meant}
        if self.team_size > 1:
            given["teams"] = tuple(line.team for line in self.lines)
        add = bool(self.cleaned_data.get("add") or self.somebody_new)
        return Entrants(names=self.listed.names, add=add, **given)


class TeamForm(VerbForm):
    """A team: its players in the order of the line-up, and its name."""

    part = "admin/new_players.html"

    def offer(self) -> None:
        """Offer a field for each player of the team."""
        super().offer()
        del self.fields["players"]
        self.fields["name"].label = _("Name of the team")
        free = free_players(self.competition)
        self.seats = [f"player.{number}" for number in range(self.state.opening.team_size)]
        for number, name in enumerate(self.seats, 1):
            self.fields[name] = RowField(free, label=_("Player %(number)d") % {"number": number})

    def values(self) -> dict[str, Any]:
        return {**super().values(), "players": tuple(str(self.cleaned_data[name].pk) for name in self.seats)}


class LineUpForm(VerbForm):
    """Which team lines up, and who sits at each of its boards."""

    def offer(self) -> None:
        """Offer the teams, and for each board the club's active players."""
        super().offer()
        del self.fields["players"]
        people = players_of(self.competition.club, active=True)
        self.boards = [f"player.{number}" for number in range(self.state.opening.team_size)]
        for number, name in enumerate(self.boards, 1):
            self.fields[name] = RowField(people, label=_("Board %(number)d") % {"number": number})

    def values(self) -> dict[str, Any]:
        return {**super().values(), "players": tuple(str(self.cleaned_data[name].pk) for name in self.boards)}


def _reached(player: Player) -> str:
    """Return a player's name, with the telephone number that the club keeps."""
    phone = player.contact.phone if hasattr(player, "contact") else ""
    return f"{player.name} ({phone})" if phone else player.name


class SubstituteForm(VerbForm):
    """Which player another one replaces, and why."""

    def offer(self) -> None:
        """Offer the players of all entries, and those who have not entered."""
        super().offer()
        labels = {name: translated(field.title) for name, field in self.declared.items()}
        entries = entries_of(self.competition).filter(status=Entry.Status.ENTERED)
        members = [(entry, member.player) for entry in entries for member in entry.members.all()]
        names = seats_told_apart([(player.name, entry.name) for entry, player in members])
        playing = [
            (f"{entry.pk} {player.pk}", f"{team}: {name}" if team else name)
            for (entry, player), (name, team) in zip(members, names, strict=True)
        ]
        self.fields["out"] = SearchedField(label=labels["out"], choices=[("", "---------"), *playing])
        if why := self.why_not(self.data.get("out", "").partition(" ")[0]):
            self.fields["out"].error_messages["invalid_choice"] = why
        told = [each for tell in hooks.STAND_INS for each in tell(self.competition)]
        points = self.fields["points"]
        points.help_text = " ".join([f"{points.help_text}.", *told]) if told else points.help_text
        offered = {player for fill_in in hooks.FILL_IN for player in fill_in(self.competition)}
        free = free_players(self.competition)
        free = free.order_by(Case(When(pk__in=offered, then=0), default=1), *free.query.order_by)
        self.fields["into"] = RowField(free, label=labels["into"])
        if ready := [_reached(each) for each in free.filter(pk__in=offered).select_related("contact")]:
            offers = filled(_("Offered to fill in: %(names)s."), {"names": ", ".join(ready)})
            self.fields["into"].help_text = format_html("{}", offers)
        if not free.exists():
            self.fields["into"].help_text = format_html(
                '{} <a href="{}">{}</a>',
                _("All players of the club play here already."),
                reverse("admin:league_player_add"),
                _("Add a player"),
            )

    def values(self) -> dict[str, Any]:
        entry, out = self.cleaned_data["out"].split()
        into = str(self.cleaned_data["into"].pk)
        points, reason = self.cleaned_data["points"] or "entry", self.cleaned_data["reason"]
        return {"entry": entry, "out": out, "into": into, "points": points, "reason": reason}
