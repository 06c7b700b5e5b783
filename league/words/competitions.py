"""A competition in words: what it announced, when it is, how a round was drawn, what is next, who won."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Final

from django.template.defaultfilters import date as written
from django.template.defaultfilters import time as clock
from django.utils.formats import date_format
from django.utils.timezone import localtime, override
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import database_time, rules
from games.engine import clocks
from games.engine.clocks import Clock
from games.engine.messages import both, filled, text
from league.choices import Overdue
from league.core.course import Timetable, instants
from league.core.details import Award
from league.core.state.competition import Competition as State
from league.core.state.competition import Objection
from league.core.state.plan import Entering, Opening, StagePlan
from league.core.verbs.checking import unchecked
from league.core.verbs.objections import posted
from league.models import Club, Competition, Details
from league.queries.competitions import timetable_of
from league.queries.pictures import FinalPlace
from league.words.messages import shown_name, translated
from league.words.times import duration_text, zone_name
from league.words.values import final_place, on_paper

if TYPE_CHECKING:
    from league.models import TableSeat


# ---- What was announced --------------------------------------------------------------------------

_HOUR = 60 * 60


BEST_PARTNER: Final = text("A team’s place and score at a table are those of its best player there.")
"""How partners score, as `league.core.scoring.by_entry` counts it."""


def arrangements(opening: Opening, plans: Sequence[StagePlan]) -> list[tuple[str, str]]:
    """Return titles with sentences: who enters and how, time for moves and rounds, what the table shows.

    ``plans`` are those of the stages, the first one first.
    """
    return [
        (_("Who enters"), who_enters(opening)),
        *_entering(opening.entering),
        *(() if on_paper(opening.ruleset) else _at_the_table(opening)),
        *_rounds(opening, plans),
    ]


def how_partners_score(seats: Iterable[TableSeat], ruleset: str) -> str:
    """Return how partners score at a table that some share, of others and in games of teams nothing."""
    entries = [seat.entry_id for seat in seats]
    return best_partner(ruleset) if len({*entries}) < len(entries) else ""


def best_partner(ruleset: str) -> str:
    """Return how partners score, nothing in a game of teams: there its rules say what a team scores."""
    return "" if rules.has_teams(ruleset) else translated(BEST_PARTNER)


def how_partners_play(ruleset: str) -> str:
    """Return how partners score, in a game of teams how they change."""
    changing = _("Single players change partners from round to round; a team stays together.")
    return best_partner(ruleset) or changing


def who_enters(opening: Opening) -> str:
    """Return whether single players enter or teams, of what size, and how teams sit and score."""
    match opening.lineup:
        case "single":
            changing = _("Partners change from round to round: each plays with each as evenly as can be.")
            return " ".join([_("Single players."), *([changing] if opening.sides else [])])
        case "partners":
            told = _("Teams of %(size)d who share a table.") + f" {best_partner(opening.ruleset)}".rstrip()
        case "boards":
            told = _("Teams of %(size)d whose players sit at different tables.")
    return told % {"size": opening.team_size}


def _entering(entering: Entering) -> Iterator[tuple[str, str]]:
    if entering.places:
        told = ngettext(
            "There is %(places)d place; who enters later joins a waiting list.",
            "There are %(places)d places; who enters later joins a waiting list.",
            entering.places,
        )
        yield _("Places"), told % {"places": entering.places}
    if entering.approval:
        yield _("Approval"), _("An organiser approves each entry.")
    if entering.check_in:
        yield _("Check-in"), _("Check in before the start: until then you are given no table.")


def _at_the_table(opening: Opening) -> Iterator[tuple[str, str]]:
    clock = clocks.read(opening.clock)
    yield _("Time to move"), " ".join(_clock(clock))
    if opening.aided:
        yield _("Help at the table"), _("The page of a game lists what your hand makes.")
    else:
        yield _("Help at the table"), _("You find what your hand makes yourself; rules are always checked.")
    if opening.open_hands is None:
        told = _("Nobody sees another hand before the game is over.")
    elif not opening.open_hands:
        told = _("Everybody sees all hands of a deal as soon as it is over.")
    else:
        told = _("Everybody sees all hands of a deal %(time)s after it.")
        told %= {"time": duration_text(opening.open_hands * 60)}
    yield _("Open hands"), told


def _clock(clock: Clock) -> Iterator[str]:
    if not clock.runs:
        yield _("There is no limit.")
        return
    if clock.move:
        yield _("%(time)s for each move.") % {"time": duration_text(clock.move)}
    if clock.game:
        yield _("%(time)s for all of a player’s moves in a game.") % {"time": duration_text(clock.game)}
    if clock.late == "forfeit":
        yield _("Who runs out of time forfeits the game.")
    else:
        yield _("For who runs out of time a default move is played.")
    if clock.quiet:
        yield filled(_("No time passes from %(hours)s."), {"hours": clock.quiet.replace("-", "–")})


def _rounds(opening: Opening, plans: Sequence[StagePlan]) -> Iterator[tuple[str, str]]:
    for plan in plans:
        title = _("Time for a round")
        if len(plans) > 1:
            title = f"{title}: {plan.name}"
        yield title, duration_text(plan.hours * _HOUR) if plan.hours else _("There is no set limit.")
    if any(plan.hours for plan in plans):
        yield (
            _("After the deadline of a round"),
            _overdue(Overdue.ORGANISER if on_paper(opening.ruleset) else Overdue(opening.overdue)),
        )


def _overdue(overdue: Overdue) -> str:
    match overdue:
        case Overdue.ORGANISER:
            return _("An organiser decides about games that are not finished.")
        case Overdue.DEFAULTS:
            return _("The clock plays default moves until the game is over.")
        case Overdue.FORFEIT:
            return _("Players whose turn it is forfeit the game.")


# ---- When it is, and who wins its prizes ---------------------------------------------------------


def when(details: Details) -> str:
    """Return the days and the time of day, such as "Sun 3 May 2026, 19:00"; empty where they are not told."""
    if details.begins_on is None:
        return ""
    days = _days(details.begins_on, details.ends_on)
    if not details.begins_at:
        return days
    begins = datetime.combine(details.begins_on, details.begins_at)
    shown = instants(begins, details.competition.club.zone)
    with override(details.competition.club.zone):
        # Where clocks go back, a time alone does not say which of two it is.
        zone = f" {zone_name(shown[0])}" if len(shown) > 1 else ""
    return _("%(days)s, %(time)s") % {"days": days, "time": _time(details.begins_at) + zone}


def _days(first: date, last: date | None) -> str:
    if last is None or last == first:
        return _day(first)
    return _("%(first)s – %(last)s") % {"first": _day(first), "last": _day(last)}


def _day(day: date) -> str:
    given = {"weekday": written(day, "D"), "date": written(day, "DATE_FORMAT")}
    return pgettext("a day: Sun 3 May 2026", "%(weekday)s %(date)s") % given


def _time(at: time) -> str:
    return str(clock(at, "H:i"))


def timetable_line(competition: Competition, *, every: bool = False) -> str:
    """Return what is to come of an evening: the next round or ``every`` one, the break, the end.

    Empty where no organiser said how long a round lasts.
    """
    if (found := timetable_of(competition)) is None:
        return ""
    with override(competition.club.zone):
        return " · ".join(_timetable_parts(found, every=every))


def _timetable_parts(found: Timetable, *, every: bool) -> Iterator[str]:
    after = found.pause_after
    paused = after is not None and any((each.stage, each.number) > after for each in found.to_come)
    for each in found.to_come if every else found.to_come[:1]:
        told = {"round": each.number, "time": time_here(each.at)}
        yield _("round %(round)d about %(time)s") % told
    if after and paused:
        told = {"round": after[1], "minutes": found.pause}
        sentence = ngettext(
            "break of %(minutes)d minute after round %(round)d",
            "break of %(minutes)d minutes after round %(round)d",
            found.pause,
        )
        yield sentence % told
    if found.ends:
        yield _("end about %(time)s") % {"time": time_here(found.ends)}


def time_here(at: datetime) -> str:
    """Return a time of day in the active zone."""
    return _time(localtime(at).time())


def when_and_where(details: Details) -> str:
    """Return days, time and place in one line; empty where nothing is told."""
    return " · ".join(part for part in (when(details), details.place) if part)


def away_until(day: date) -> str:
    """Return until when somebody is away, as `league.queries.clubs.away` says it."""
    if day == date.max:
        return _("has left by then")
    return filled(_("away until %(day)s"), {"day": date_format(day, "MONTH_DAY_FORMAT")})


def prize_for(award: Award) -> str:
    """Return what a prize is for: places such as "1–3", or its category."""
    prize = award.prize
    if prize.category:
        return prize.category
    if prize.first == prize.last:
        return _("Place %(place)d") % {"place": prize.first}
    return _("Places %(first)d–%(last)d") % {"first": prize.first, "last": prize.last}


def winners(award: Award) -> str:
    """Return the names of the winners, and whether they are level; empty while there are none."""
    if not award.winners:
        return ""
    names = translated(both([_told(name, award) for name in award.winners]))
    if not award.level:
        return names
    places = {"names": names, "first": award.first, "last": award.last}
    return _("%(names)s (level on places %(first)d–%(last)d)") % places


def _told(name: str, award: Award) -> str:
    return text("%(name)s (by lot)", name=name) if name in award.by_lot else name


# ---- What the automatic pace does next -----------------------------------------------------------


def short_time(at: datetime, club: Club) -> str:
    """Return a time in the club's zone, with its day where that is not today."""
    local = at.astimezone(club.zone)
    return str(date_format(local, "H:i" if local.date() == club.today else "j M Y, H:i"))


def does_later(competition: Competition, at: datetime) -> str:
    """Return what the automatic pace does once it has waited, with the time in the club's zone.

    Where `Competition.acts_at` has a time and games can still be played, it closes the round.
    """
    time = short_time(at, competition.club)
    texts = {
        **dict.fromkeys(
            ("play", "close_round"), _("All tables are decided. Round %(round)d closes at %(time)s.")
        ),
        "finish": _("All rounds are played. The competition finishes at %(time)s."),
    }
    return filled(texts[competition.step], {"round": competition.round, "time": time})


def does_soon(competition: Competition) -> str:
    """Return what the automatic pace does in the next seconds."""
    now, coming = {"round": competition.round}, {"round": competition.round + 1}
    texts = {
        "start_stage": _("The next stage begins automatically in a moment."),
        "draw": _("Round %(round)d is drawn automatically in a moment.") % coming,
        "publish": _("Round %(round)d is published automatically in a moment.") % coming,
        **dict.fromkeys(
            ("play", "close_round"), _("Round %(round)d is closed automatically in a moment.") % now
        ),
        "finish": _("The competition finishes automatically in a moment."),
    }
    if getattr(competition, "opens_tables", False):
        texts["draw"] = _("Round %(round)d is prepared automatically in a moment.") % coming
    return texts[competition.step]


# ---- Winners -------------------------------------------------------------------------------------

MOST_NAMED = 12


def share_text(competition: Competition, places: Sequence[FinalPlace], address: str) -> str:
    """Return the competition, its first places line by line, and the page's address where one is known."""
    line = _("%(place)s: %(name)s")
    told = [line % {"place": _place(each), "name": _with_stand_ins(each)} for each in places[:MOST_NAMED]]
    title = _("%(competition)s, %(club)s") % {"competition": competition.name, "club": competition.club.name}
    return "\n".join([title, *told, *([address] if address else [])])


def _with_stand_ins(each: FinalPlace) -> str:
    return f"{shown_name(each.name)} ({each.stood_in})" if each.stood_in else shown_name(each.name)


def _place(each: FinalPlace) -> str:
    return final_place(each.place, shared=each.shared, by_lot=each.by_lot)


def review_line(competition: Competition) -> str:
    """Return what is not final yet, for prints: until when one may object, and what is not checked."""
    parts = []
    if competition.unchecked:
        told = ngettext(
            "%(count)d result is not checked yet",
            "%(count)d results are not checked yet",
            competition.unchecked,
        )
        parts.append(told % {"count": competition.unchecked})
    if competition.takes_objections and competition.objections_until:
        until = objections_end(competition, competition.objections_until)
        parts.append(_("objections until %(time)s") % {"time": until})
    return " · ".join(parts)


def objections_end(competition: Competition, until: datetime) -> str:
    """Return the time in the club's zone, with its day where that is not today."""
    local, today = (localtime(at, competition.club.zone) for at in (until, database_time.now()))
    if local.date() == today.date():
        return str(clock(local, "TIME_FORMAT"))
    return date_format(local, "DATETIME_FORMAT")


# ---- Objections ----------------------------------------------------------------------------------


def posted_tables(state: State, entry: str = "") -> list[tuple[str, str]]:
    """Return ids and names of the tables to whose results one may object, those of an entry first."""
    names = {each.id: each.name for each in state.entries}
    listed = sorted(posted(state), key=lambda each: entry not in each[2].entries)
    told = _("Round %(round)d, table %(table)d: %(names)s")
    return [
        (
            table.id,
            told % {"round": its, "table": number, "names": ", ".join(names[e] for e in table.entries)},
        )
        for its, number, table in listed
    ]


def tables_to_check(state: State, among: Collection[str]) -> list[tuple[str, str]]:
    """Return ids and names of those tables with results that wait for a second person, the oldest first."""
    told = _("round %(round)d, table %(table)d")
    listed = dict.fromkeys(table.id for table, _result in unchecked(state) if table.id in among)
    places = {table: state.table(table) for table in listed}
    return [
        (table, told % {"round": its.number, "table": its.number_of(found)})
        for table, (_stage, its, found) in places.items()
    ]


def objection_in_words(state: State, objection: Objection) -> str:
    """Return who objects to which table, and what is wrong; and what was decided, where it was."""
    told, decision = _objected(state, objection), decision_in_words(state, objection)
    return f"{told} ({decision})" if decision else told


def _objected(state: State, objection: Objection) -> str:
    its_round = state.withdrawn_round(objection.table) or state.table(objection.table)[1]
    return _("%(name)s, round %(round)d, table %(table)d: %(what)s") % {
        "name": state.entry(objection.entry).name,
        "round": its_round.number,
        "table": its_round.number_of(state.any_table(objection.table)),
        "what": objection.what,
    }


def objections_of(state: State, entry: str) -> list[tuple[str, str]]:
    """Return what an entry objected to, and what was decided, the newest first."""
    theirs = [each for each in reversed(state.objections) if each.entry == entry]
    return [(_objected(state, each), decision_in_words(state, each)) for each in theirs]


def decision_in_words(state: State, objection: Objection) -> str:
    """Return what became of an objection, empty as long as it waits for an organiser."""
    if not objection.decision and state.withdrawn_round(objection.table):
        return _("the round was withdrawn: its results don’t count")
    told = {"corrected": _("corrected: %(reason)s"), "dismissed": _("the result stands: %(reason)s")}
    return told[objection.decision] % {"reason": objection.reason} if objection.decision else ""
