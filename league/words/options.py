"""The options of a game in words, by what the game declares about them, and an invitation to a game."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.utils.text import capfirst
from django.utils.timezone import override
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import rules
from games.engine import shapes
from games.engine.kinds import Field, ListOf, Record, Shape
from games.engine.lengths import GameLength, length_of
from games.engine.messages import both, filled
from games.engine.refusals import Malformed
from games.engine.replay import AnyRuleset
from league.core import formats
from league.core.course import last_round, left_at_tables
from league.core.drawing.draw import even_sizes, stage_sizes, table_sizes
from league.core.drawing.drawing import engine_of
from league.core.intake import drawn_groups
from league.core.scoring import place_values, rate_in, win_value
from league.core.sizes import coming, fitted, in_words, set_ahead
from league.core.state.competition import Competition as State
from league.core.state.competition import Entry, Round, Table
from league.core.state.plan import Opening, StagePlan
from league.core.state.rooms import Rooms
from league.models import ClubGame, Competition, Stage
from league.queries.competitions import state_of, timetable_of
from league.queries.games import SeatedPlayer, asking_player
from league.words.agreed import agreed_in_words
from league.words.competitions import time_here
from league.words.draw_reports import sized, tables_in_words
from league.words.messages import shown_name, translated
from league.words.values import exact, numbers_within, room_in_words, ruleset_title, tie_break, words


def options_in_words(ruleset: AnyRuleset, chosen: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return title and value of the chosen options, in the order in which the game declares them.

    An option that is left to the game, because it is null, is left out.
    """
    fields, chosen = ruleset.asked.fields, ruleset.options_told(chosen)
    return [
        (translated(field.title), option_in_words(field, chosen[field.name]))
        for field in fields
        if chosen.get(field.name) is not None
    ]


def options_of(competition: Competition) -> list[tuple[str, str]]:
    """Return the options of a competition's game in words; none where this server lacks the game's rules."""
    try:
        return options_in_words(rules.find(competition.ruleset), competition.options)
    except KeyError:
        return []


def scoring_in_words(stage: Stage, opening: Opening) -> str:
    """Return how a stage awards points, and what separates equal entries, in sentences."""
    plan = shapes.read(StagePlan, stage.plan)
    if alone := formats.of(plan).ranked_by():
        return translated(alone)
    parts = [earned_in_words(plan, opening), *_at_other_tables(plan, opening)]
    if plan.scoring.best:
        parts.append(
            ngettext("The best round counts.", "The best %(best)d rounds count.", plan.scoring.best)
            % {"best": plan.scoring.best}
        )
    parts += filter(None, [averages_in_words(plan)])
    if plan.tie_breaks:
        parts.append(
            filled(_("Tie-breaks: %(names)s."), {"names": ", ".join(map(tie_break, plan.tie_breaks))})
        )
    return " ".join(parts)


def earned_in_words(plan: StagePlan, opening: Opening) -> str:
    """Return what a table earns, and a match of teams."""
    scoring = plan.scoring
    if scoring.by == "score" and scoring.fair:
        earned = _("By how much the game’s score beats the average of the table, added up.")
    elif scoring.by == "score":
        earned = _("The scores of the games are added.")
    elif rate_in(opening, plan).size == 2 and not scoring.place_points:
        earned = _("A point for a win, half of one for a draw.")
    elif scoring.by == "win":
        earned = _("A point for each win.")
    elif scoring.place_points:
        earned = filled(
            _("Points for first, second, … place: %(points)s."),
            {"points": ", ".join(map(exact, scoring.place_points))},
        )
    else:
        earned = _("A point for each entry beaten.")
    if scoring.match_points:
        won, drawn, lost = map(exact, scoring.match_points)
        told = _(
            "A team match earns %(won)s if won, %(drawn)s drawn, %(lost)s lost; more board points win it. "
            "On each board:"
        )
        earned = f"{told % {'won': won, 'drawn': drawn, 'lost': lost}} {earned}"
    return earned


def averages_in_words(plan: StagePlan) -> str:
    """Return that points are an average, and of how many tables at least; empty where they are not."""
    if not (least := plan.scoring.average):
        return ""
    told = ngettext(
        "Points are the average of a table.",
        "Points are the average of a table, of at least %(average)d: missing ones count 0.",
        least,
    )
    return told % {"average": least}


def _at_other_tables(plan: StagePlan, opening: Opening) -> Iterator[str]:
    """Yield what is earned at a table of another size than the usual one, where that makes a difference."""
    scoring, usual, rate = plan.scoring, plan.table_size, rate_in(opening, plan)
    other = usual - 1 if usual > 3 else usual + 1
    parties, allowed = rate.parties(other), stage_sizes(opening, plan)
    if not scoring.fair or scoring.by == "score" or rate.size < 3 or other not in allowed:
        return
    if scoring.by == "win":
        told = _(
            "At a table of another size than %(usual)s a win earns more or less: %(points)s at a table of "
            "%(size)s."
        )
        points = str(win_value(rate, parties))
    else:
        told = _(
            "At a table of another size than %(usual)s first and last place earn the same, and those between "
            "are evenly spaced: %(points)s at a table of %(size)s."
        )
        points = translated(both([str(value) for value in place_values(rate, parties)]))
    teams = opening.lineup == "partners"
    sizes = {"usual": sized(usual, teams=teams), "size": sized(other, teams=teams)}
    yield told % {**sizes, "points": numbers_within(points)}


def seating_in_words(entries: int, opening: Opening, plan: StagePlan, room: int = 0) -> str:
    """Return at what tables a draw seats entries, with byes; empty where the format has its own ways.

    ``room`` is how many tables there are, 0 for as many as are needed.
    """
    if not entries or plan.groups > 1 or not formats.of(plan).fills_by_order:
        return ""
    sizes = fitted([entries], opening, plan, room)[0]
    told = tables_in_words(Counter(sizes), teams=opening.lineup == "partners")
    many = ngettext("%(count)d entry: %(tables)s.", "%(count)d entries: %(tables)s.", entries)
    sentence = many % {"count": entries, "tables": told}
    byes = entries - sum(sizes)
    return f"{sentence} {sits_out_in_words(byes, entries)}" if byes else sentence


def sits_out_in_words(byes: int, entries: int) -> str:
    """Return how many of the entries have a bye in a round."""
    told = ngettext("%(count)d of %(all)d sits out (a bye).", "%(count)d of %(all)d sit out (byes).", byes)
    return told % {"count": byes, "all": entries}


def in_the_room(seats: Sequence[int], size: int, entries: int, room: int = 0) -> str:
    """Return at what tables of about a size people sit in a room with so many; 0: with each sensible number.

    Empty where it changes nothing.
    """
    usual = table_sizes(entries, seats, size)
    found = {room: even_sizes(entries, seats, room) for room in range(1, len(usual)) if size > 2}
    fits = {room: sizes for room, sizes in found.items() if sum(sizes) >= sum(usual)} | {len(usual): usual}
    if not room and len(fits) == 1:
        return ""
    here = fits.get(min(room, len(usual)))
    told = _("A draw seats %(count)d players as the room allows: %(tables)s.")
    tables = "; ".join(translated(in_words(sizes)) for sizes in ([here] if here else [*fits.values()][-3:]))
    return told % {"count": entries, "tables": tables}


def next_seating_in_words(state: State) -> str:
    """Return at what tables the next draw seats who takes part now, and where; empty if none is due."""
    if set_ahead(state) and state.frozen_round is None:
        told = {"round": state.next_round, "tables": _coming_in_words(state)}
        seating = filled(_("Round %(round)d will be drawn at %(tables)s."), told)
        return " ".join(filter(None, (seating, rooms_in_words(state.rooms))))
    stage = state.stage
    if state.over or (stage and (stage.open_round or state.next_round > (last_round(state) or 0))):
        return ""
    if stage is None:
        entered = [entry for entry in state.entries if entry.status == "entered"]
        plan, playing = state.plans[0], len(entered)
    else:
        plan, playing = stage.plan, sum(map(len, state.field(stage, state.next_round)))
    room = state.rooms.tables if engine_of(plan).knows_sizes else 0
    seating = seating_in_words(playing, state.opening, plan, room)
    return " ".join(filter(None, (seating, rooms_in_words(state.rooms))))


def _coming_in_words(state: State) -> str:
    return translated(in_words([size for group in coming(state) for size in group]))


def rooms_in_words(rooms: Rooms) -> str:
    """Return rooms with their tables, and the numbers that no table has; empty where there are none."""
    told = [room_in_words(each.name, each.first, each.last) for each in rooms.rooms]
    if rooms.without:
        told.append(_("without %(numbers)s") % {"numbers": ", ".join(map(str, rooms.without))})
    return filled(_("Rooms: %(rooms)s."), {"rooms": ", ".join(told)}) if told else ""


@dataclass(frozen=True)
class LeftTable:
    """A table that an entry which has withdrawn left undecided: what happened.

    ``query`` fills in the forms that decide it: the table, and who is still there.
    """

    query: str
    told: str


def left_tables(state: State) -> list[LeftTable]:
    """Return the tables at which entries that have withdrawn still sit, by round and number."""
    found = left_at_tables(state)
    return [LeftTable(_query_of(table, entry.id), _left(its, table, entry)) for its, table, entry in found]


def _left(its_round: Round, table: Table, gone: Entry) -> str:
    sentence = _("Round %(round)d, table %(table)d is undecided after a withdrawal: %(name)s.")
    numbers = {"round": its_round.number, "table": its_round.number_of(table)}
    return filled(sentence, {**numbers, "name": shown_name(gone.name)})


def _query_of(table: Table, left: str) -> str:
    others = [each for each in table.entries if each != left]
    return urlencode({"table": table.id, "entries": others}, doseq=True)


def ahead_in_words(competition: Competition) -> str:
    """Return what follows the last round where a result decides it, and about when; empty for nothing."""
    state = state_of(competition)
    known = formats.of(state.stage.plan).ahead(state, state.stage) if state.stage and not state.over else None
    if known is None:
        return ""
    found = timetable_of(competition)
    if found is None or found.ends is None:
        return translated(known)
    with override(competition.club.zone):
        told = {"what": translated(known), "time": time_here(found.ends)}
    return filled(_("%(what)s It would begin about %(time)s."), told)


def format_title(key: str) -> str:
    """Return the title of a format by its key, or the key in words if it is unknown."""
    known = formats.BY_KEY.get(key)
    return translated(known.title) if known else words(key)


def opens_tables(key: str) -> bool:
    """Return whether the tables of a format are opened one by one, so that no draw makes them."""
    return key in formats.BY_KEY and formats.BY_KEY[key].open_tables


def stage_rules(stage: Stage) -> str:
    """Return how a stage is played, in the sentences of its format, its matches, and of byes on request."""
    plan = shapes.read(StagePlan, stage.plan)
    rules: list[str] = [*formats.of(plan).rules(plan), *drawn_groups(plan)]
    if plan.match:
        rules += [plan.match.rule, game_told(stage.competition.ruleset, stage.competition.options)]
    return " ".join(filter(None, [*map(translated, rules), byes_allowed(stage)]))


def game_told(ruleset: str, options: Mapping[str, Any]) -> str:
    """Return what one game of a match is, empty where that is plain or the game is unknown."""
    try:
        game = rules.of(ruleset, options)
    except (KeyError, Malformed):
        return ""
    return game.game_told(game.read_options(options, min(game.seats))) or ""


def byes_allowed(stage: Stage) -> str:
    """Return what a stage says of byes on request and late entries, empty where it allows none."""
    plan = shapes.read(StagePlan, stage.plan)
    if not (plan.requested_byes or plan.late_rounds):
        return ""
    return " ".join(agreed_in_words(plan, state_of(stage.competition).opening))


def option_in_words(field: Field, value: object) -> str:
    """Return a value of an option in words: by its label, counted from 1 where people count so."""
    if isinstance(value, str) and value in field.labels:
        return translated(field.labels[value])
    if field.from_one and isinstance(value, int):
        return str(value + 1)
    return _records_in_words(field.shape.bare, value) or value_in_words(value)


def _records_in_words(shape: Shape, value: object) -> str:
    """Return records that say themselves what they are, such as contracts, in words; else an empty text."""
    if not (isinstance(shape, ListOf) and isinstance(shape.item, Record) and isinstance(value, list | tuple)):
        return ""
    cls = shape.item.cls
    if not hasattr(cls, "in_words"):
        return ""
    records: list[Any] = [each if isinstance(each, cls) else shape.item.read(each, "") for each in value]
    return "; ".join(translated(record.in_words()) for record in records)


def value_in_words(value: object) -> str:
    """Return an option's value in words: "yes" for true, "empty" for null, "none" for an empty list."""
    match value:
        case bool():
            return _("yes") if value else _("no")
        case None:
            return _("empty")
        case Mapping():
            parts = (f"{name} {value_in_words(part)}" for name, part in value.items() if part not in ([], ()))
            return " ".join(parts)
        case list() | tuple() if all(isinstance(part, int) for part in value):
            return " + ".join(map(exact, value)) or _("none")
        case list() | tuple():
            return "; ".join(map(value_in_words, value)) or _("none")
        case _:
            return exact(value).replace("_", " ")


# ---- An invitation -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What is asked: ``who`` and ``game`` are sentences, ``options`` those that are not as usual.

    ``before`` is the game of which it is the rematch.
    """

    who: str
    game: str
    options: Sequence[tuple[str, str]]
    before: UUID | None


def asked_in_words(club_game: ClubGame, seats: Sequence[SeatedPlayer]) -> Asked:
    """Return what an invitation to a casual game asks for."""
    game, by = club_game.game, asking_player(club_game, seats)
    sentence = (
        _("%(name)s asks for a rematch.") if club_game.rematch_of_id else _("%(name)s asks for this game.")
    )
    return Asked(
        who=sentence % {"name": by.called} if by else "",
        game=game_in_words(game.ruleset, game.options, len(seats)),
        options=unusual_options(game.ruleset, game.options, len(seats)),
        before=club_game.rematch_of_id,
    )


def game_in_words(ruleset: str, options: Mapping[str, Any], seats: int) -> str:
    """Return the game, its length where it has one of those offered, and the number of players."""
    length = length_of(_lengths(ruleset), options)
    players = ngettext("%(count)d player", "%(count)d players", seats) % {"count": seats}
    parts = [ruleset_title(ruleset), translated(length.title) if length else "", players]
    return str(capfirst(" · ".join(filter(None, parts))))


def _lengths(ruleset: str) -> Sequence[GameLength]:
    try:
        return rules.find(ruleset).lengths
    except KeyError:
        return ()


def unusual_options(ruleset: str, options: Mapping[str, Any], seats: int) -> list[tuple[str, str]]:
    """Return title and value of the options that are not at their default, without those of the length."""
    try:
        found = rules.find(ruleset)
    except KeyError:
        return []
    usual = found.write_options(found.read_options({}, seats))
    length = length_of(found.lengths, options)
    of_length = length.options if length else {}
    unusual = {
        name: value for name, value in options.items() if value != usual.get(name) and name not in of_length
    }
    return options_in_words(found, unusual)
