"""The events of a competition's log as text, and the words by which people find them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from games import rules
from games.engine import shapes
from games.engine.kinds import ListOf, Record, Shape, Text, Whole
from games.engine.messages import all_of, both
from league.choices import Outcome
from league.core.events import DECISIONS, write
from league.core.events import Event as CoreEvent
from league.core.sizes import in_words
from league.core.state.entries import JOIN
from league.core.state.rooms import Rooms
from league.core.verbs import EVENTS
from league.models.names import search_key
from league.queries.accounts import account_names
from league.queries.events import Named, Told, Wanted, named_in, replaced_by
from league.words.messages import isolated, shown_name, translated
from league.words.settings import changed_settings
from league.words.times import point_in_time
from league.words.values import on_paper, place, room_in_words, words

if TYPE_CHECKING:
    from league.models.events import Event


# ---- Event text ----------------------------------------------------------------------------------

MOST_NAMED: Final = 12
"""The most names in one sentence."""
_PARAM: Final = re.compile(r"%\((\w+)\)s")
_UNKNOWN: Final = {
    "entry": _("an entry"),
    "player": _("a player"),
    "table": _("a table"),
    "game": _("a game"),
}


@dataclass(frozen=True)
class EventLine:
    """A line of the log: an event, its sentence, and the name of the account that caused it, if any."""

    event: Event
    sentence: str
    account: str


def event_lines(events: Sequence[Event]) -> tuple[EventLine, ...]:
    """Return the lines of events, in the order given; eleven queries at most."""
    said = stored_sentences(events)
    accounts = account_names(event.account for event in events)
    return tuple(
        EventLine(event, sentence, accounts.get(event.account or "", ""))
        for event, sentence in zip(events, said, strict=True)
    )


def stored_sentences(events: Sequence[Event]) -> tuple[str, ...]:
    """Return the sentences of events in a log; ten queries at most."""
    return _sentences([Told(event.competition_id, event.event, event.seq) for event in events])


def sentences(competition: UUID, events: Sequence[CoreEvent]) -> tuple[str, ...]:
    """Return the sentences of events that the competition's log need not hold; ten queries at most."""
    return _sentences([Told(competition, write(event)) for event in events])


def rulings_told(rulings: Sequence[int], decisions: Sequence[Told], named: Named) -> Mapping[int, str]:
    """Return the sentences of rulings by their numbers, without a query where ``named`` has all names.

    ``decisions`` are all events that decided their tables.
    """
    told = [each for each in decisions if each.seq in rulings]
    return dict(zip((each.seq or 0 for each in told), _sentences(told, decisions, named), strict=True))


def _sentences(
    events: Sequence[Told], written: Sequence[Told] | None = None, known: Named | None = None
) -> tuple[str, ...]:
    replaced = replaced_by(events, written)
    named = named_in([*events, *(each for pair in replaced for each in pair if each)], known)
    return tuple(
        sentence_of(
            told.event,
            Known(named, told.competition, _json(before), _json(after), told.seq),
        )
        for told, (before, after) in zip(events, replaced, strict=True)
    )


def _json(told: Told | None) -> Mapping[str, Any] | None:
    return told.event if told else None


@dataclass(frozen=True)
class Known:
    """What an event's sentence can name.

    ``before`` is the event that it replaces or takes back, ``after`` what counts after that. ``seq`` is its
    number in the log, None before it is there.
    """

    named: Named = field(default_factory=Named)
    competition: UUID | None = None
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    seq: int | None = None

    def stage(self, number: object) -> str:
        """Return the name of a stage where the competition has several, else an empty text."""
        return self.named.distinguishing(self.competition, number)

    def stage_name(self, number: object) -> str:
        """Return the name of a stage, an empty text where it is not known."""
        return self.named.stages.get((self.competition, number), "")


def sentence_of(event: Mapping[str, Any], known: Known | None = None) -> str:
    """Return an event as a sentence, with its reason; never an id, a key or JSON."""
    kind = EVENTS.get(str(event["type"]))
    if kind is None:
        return words(str(event["type"]))
    told = _Sentence(kind, event, known or Known())
    wording = gettext(kind.sentence(told.fields))
    sentence = wording % {name: told.param(name) for name in _PARAM.findall(wording)}
    if reason := event.get("reason"):
        told_why = {"sentence": sentence.removesuffix("."), "reason": isolated(reason)}
        return _("%(sentence)s (%(reason)s).") % told_why
    return sentence


class _Sentence:
    """The params of an event's sentence."""

    def __init__(self, kind: type[CoreEvent], event: Mapping[str, Any], known: Known) -> None:
        self.kind, self.known, self.named = kind, known, known.named
        self.shapes = {field.name: field for field in shapes.record(kind).fields}
        self.event = event
        self.seats = self.named.seats.get(str(event.get("table")), ())
        self.fields = {
            **event,
            "at_table": self.seats,
            "others": [entry for entry in self.seats if entry not in event.get("entries", ())],
            "before": known.before,
            "after": known.after,
            "on_paper": on_paper(known.named.rulesets.get(known.competition, "")),
        }
        if (known.competition, known.seq, event.get("from_round")) in self.named.at_once:
            del self.fields["from_round"]
        if "out" in event:
            players = [self._name("player", event[name]) for name in ("out", "into")]
            self.fields["alone"] = self._name("entry", event["entry"]) in players

    def param(self, name: str) -> object:
        """Return what a sentence shows for one of its params."""
        value = self.fields.get(name)
        match name:
            case "name" | "former" if not value or self.event.get("entry") in self.named.removed:
                return self._present()
            case "deadline" | "until":
                return _time(value)
            case "day":
                return date_format(date.fromisoformat(str(value))) if value else ""
            case "stage":
                return self._stage(value)
            case "round":
                return self._round(value)
            case "at_table" | "others":
                return self._entries(value or [entry for entry, _player in self.event.get("seats", ())])
            case "before" | "after":
                return self._of_another(value)
            case "rooms":
                return _listed(
                    [
                        room_in_words(room.name, room.first, room.last)
                        for room in shapes.read(Rooms, {"rooms": value}).rooms
                    ]
                )
            case "now":
                return "; ".join(self._changed_settings())
            case _:
                declared = self.shapes[name]
                shown = value if name in self.fields else "" if declared.required else declared.usual
                return self._value(declared.shape, shown)

    def _changed_settings(self) -> Iterator[str]:
        was, now = self.event["was"], self.event["now"]
        stages = {number: self.known.stage(int(number)) for number in now.get("stages", ())}
        ruleset = self.named.rulesets.get(self.known.competition, "")
        return changed_settings(was, now, ruleset, stages)

    def _stage(self, stage: Any) -> object:
        if isinstance(stage, Mapping):
            return stage["name"]
        return self.known.stage_name(stage) or _("Stage %(number)s") % {"number": stage}

    def _round(self, number: Any) -> object:
        stage = self.known.stage(self.event.get("stage"))
        return _("%(round)s of %(stage)s") % {"round": number, "stage": stage} if stage else number

    def _entries(self, entries: Sequence[str]) -> str:
        return _listed([self._name("entry", entry) for entry in dict.fromkeys(entries)])

    def _present(self) -> str:
        """Return the present name of the event's entry, which may be no more than a proposal."""
        if self.event["entry"] in self.named.names:
            return self._name("entry", self.event["entry"])
        return JOIN.join(self._name("player", player) for player in self.event.get("players", ()))

    def _name(self, what: str, pk: object) -> str:
        return isolated(shown_name(self.named.name(str(pk), self.known.seq) or str(_UNKNOWN[what])))

    def _value(self, shape: Shape, value: Any) -> object:
        match shape.bare:
            case Text(reference=reference) if reference:
                return self._name(reference.what, value)
            case ListOf(item=Record()):
                return self._placings(value)
            case ListOf(item=ListOf(item=Whole())):
                return translated(in_words([size for group in value for size in group]))
            case ListOf(item=ListOf(item=inner)):
                return "; ".join(" ↔ ".join(str(self._value(inner, each)) for each in pair) for pair in value)
            case ListOf(item=item):
                return _listed([str(self._value(item, each)) for each in value])
            case _:
                return isolated(shown_name(value)) if isinstance(value, str) else value

    def _placings(self, seats: Sequence[Mapping[str, Any]]) -> str:
        """Return the result of a table: each entry with its place and its score, the best first."""
        names = [self._name("entry", entry) for entry in self.seats]
        ordered = sorted(seats, key=lambda each: int(each["seat"]))
        ruleset = self.named.rulesets.get(self.known.competition, "")
        known = rules.known(ruleset)
        low_wins = known is not None and known.low_wins
        places = rules.places(ruleset, [each["rank"] for each in ordered], self.seats)
        best_first = sorted(
            zip(places, ordered, strict=True),
            key=lambda at: (at[0], *rules.best_first(at[1]["rank"], at[1]["score"], low_wins=low_wins)),
        )
        left = {each["seat"]: [str(Outcome(each["left"]).label)] for each in seats if each.get("left")}
        placed = [
            _("%(name)s %(place)s (%(score)s)")
            % {
                "name": names[each["seat"]] if each["seat"] < len(names) else _seat(each["seat"]),
                "place": place(at),
                "score": ", ".join([str(each["score"]), *left.get(each["seat"], ())]),
            }
            for at, each in self._best_of_each(best_first)
        ]
        return translated(all_of(list(dict.fromkeys(placed))))

    def _best_of_each(
        self, found: Sequence[tuple[int, Mapping[str, Any]]]
    ) -> Sequence[tuple[int, Mapping[str, Any]]]:
        """Return places of seats, given the best first; of partners only that of their best seat."""
        if len({*self.seats}) == len(self.seats):
            return found
        best = {self.seats[each["seat"]]: (at, each) for at, each in reversed(found)}
        return [pair for pair in found if pair in best.values()]

    def _of_another(self, event: Mapping[str, Any] | None) -> str:
        """Return the event before or after this one as part of its sentence."""
        if "deadline" in self.shapes:
            return _time(event.get("deadline") if event else None)
        if self.kind.replaces and {*self.kind.replaces} <= {*DECISIONS}:
            return _decision(event, self.known)
        return sentence_of(event, replace(self.known, before=None, after=None)) if event else ""


def _decision(event: Mapping[str, Any] | None, known: Known) -> str:
    """Return how an event decides its table, as part of a sentence."""
    if event is None:
        return _("no result")
    told = _Sentence(EVENTS[str(event["type"])], event, known)
    match event["type"]:
        case "walked_over":
            return _("walkover for %(entries)s") % {"entries": told.param("entries")}
        case "voided":
            return _("void")
        case _:
            return str(told.param("seats"))


def _seat(number: int) -> str:
    return _("seat %(number)d") % {"number": number + 1}


def _listed(names: Sequence[str]) -> str:
    """Return names as "a, b and c", the first ones of many."""
    if len(names) <= MOST_NAMED:
        return translated(both(names)) if names else ""
    more = len(names) - MOST_NAMED
    shown = {"names": translated(all_of(names[:MOST_NAMED])), "count": more}
    return ngettext("%(names)s and %(count)d other", "%(names)s and %(count)d others", more) % shown


def _time(text: str | None) -> str:
    """Return a time of the log as text in the active zone, or "none"."""
    if text is None:
        return _("none")
    return point_in_time(datetime.fromisoformat(text))


# ---- Event search --------------------------------------------------------------------------------

MOST_WORDS: Final = 8
"""The words of a search that count."""
SHORTEST_WORD: Final = 2
"""How many letters of a word find an event."""
_FIELD: Final = re.compile(r"%\((\w+)\)s")
_NUMBER: Final = re.compile(r"(\d{1,4})(?:st|nd|rd|th)?", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['’]s?$")


def event_title(kind: str) -> str:
    """Return the title of an event's type."""
    return gettext(EVENTS[kind].title) if kind in EVENTS else words(kind)


def events_by_title() -> list[tuple[str, str]]:
    """Return the types of events with their titles, by title."""
    return sorted(((kind, event_title(kind)) for kind in EVENTS), key=lambda each: search_key(each[1]))


def wanted(term: str) -> Wanted:
    """Return what a search for events asks for: "who set Ada's result in round 2" as words and a round."""
    said = [word.strip("?!.,;:") for word in term.split()]
    round_, said = _number_beside(said, _("Round"), "round")
    table, said = _number_beside(said, _("Table"), "table")
    empty = {*_vocabulary(_("who what when why how did was is the of in at on for"))}
    telling = [word for word in said if word and not {*_vocabulary(word)} & empty] or said
    named = [_POSSESSIVE.sub("", word) for word in telling[:MOST_WORDS]]
    return Wanted([(word, kinds_called(word)) for word in named], round_, table)


def _number_beside(said: Sequence[str], *names: str) -> tuple[int | None, list[str]]:
    """Return the number after one of these names, or before it, and the other words."""
    keys = {search_key(name) for name in names}
    for at, word in enumerate(said):
        for beside in (at + 1, at - 1) if search_key(word) in keys else ():
            if 0 <= beside < len(said) and (number := _NUMBER.fullmatch(said[beside])):
                rest = [each for index, each in enumerate(said) if index not in (at, beside)]
                return int(number[1]), rest
    return None, [*said]


def kinds_called(word: str) -> list[str]:
    """Return the types of events that people mean by a word, in the active language.

    These are those with a word in their title, sentences or further words that begins with it.
    """
    wanted = _vocabulary(word)
    if not wanted or min(map(len, wanted)) < SHORTEST_WORD:
        return []
    return [kind for kind, event in EVENTS.items() if _means(wanted, _vocabulary(_wordings(event)))]


def _means(wanted: Sequence[str], known: Sequence[str]) -> bool:
    return all(any(each.startswith(word) for each in known) for word in wanted)


def _wordings(event: type[CoreEvent]) -> str:
    own = (name for name in dir(event) if name in ("title", "found_by", "text") or name.startswith("text_"))
    said = (str(getattr(event, name)) for name in own)
    return " ".join(_FIELD.sub("", gettext(each)) for each in said if each)


def _vocabulary(text: str) -> list[str]:
    """Return the words of a text without accents, hyphens and signs."""
    return [each for word in text.split() for each in re.findall(r"[^\W_]+", search_key(word))]
