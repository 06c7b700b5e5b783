"""The prints of a competition, by name: what each shows, how much that is, and its PDF."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import ceil
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.engine import shapes
from games.engine.messages import filled, text
from games.engine.refusals import Illegal
from league.apps.prints.contents import Certificate, Heading, Place, Ranking, Seating
from league.apps.prints.match_sheets import sheets_of
from league.apps.prints.round_points import points_of_rounds
from league.apps.prints.score_sheets import Codes, drawn, occasion, of_round
from league.core.standings.plain import Plain
from league.core.state.entries import seats_told_apart
from league.core.state.plan import StagePlan
from league.files.file import Extent, File, Progress, as_answer, no_progress
from league.hooks import papers
from league.models import Account, Competition, Round, Stage, Table, TableSeat
from league.ops.answers import KeptContents, tag_of, tagged
from league.queries import versions
from league.queries.competitions import entrants_of, entries_of_bots, stages_of
from league.queries.events import with_names_then
from league.queries.pictures import FinalPlace, brackets_of, honoured_in
from league.queries.prizes import awards_of
from league.queries.readers import mark
from league.queries.rounds import in_turns, rounds_of, taken_tables
from league.queries.standings import Standing, plain_of, separating, standings_of, tie_break_order
from league.queries.waiting import who_waits
from league.requests import number_in, site_address
from league.words.agreed import bye_in_words
from league.words.competitions import prize_for, review_line, timetable_line, winners
from league.words.messages import shown_name
from league.words.options import averages_in_words
from league.words.plain import legend, plain_columns, points_of, rank_with_signs, title_of
from league.words.values import (
    all_marked,
    column,
    final_place,
    marked,
    names_with_team,
    numbered,
    partners_told,
    room_in_words,
    sides,
    table_label,
)

CARDS_ON_PAGE: Final = 2
"""How many cards for tables a page has."""
_KEPT: Final = KeptContents[File](20)


class NothingToPrint(Illegal):
    """The competition does not have this print, or not yet."""

    def __init__(self) -> None:
        super().__init__(text("There is nothing to print yet."))


# ---- What is asked for ---------------------------------------------------------------------------


@dataclass(frozen=True)
class PrintRequest:
    """What to print of a competition.

    ``stage`` and ``round`` are numbers, 0 for the last; ``drawn`` allows unpublished rounds; ``site`` is what
    printed addresses begin with, ``""`` where none are to be printed. ``codes`` are those of seats, for score
    sheets. ``entries`` are the ids of those that get certificates, none for all. ``progress`` is called
    between pages that are drawn one by one.
    """

    competition: Competition
    stage: int
    round: int
    drawn: bool
    site: str
    codes: Codes = field(default_factory=dict)
    entries: tuple[str, ...] = ()
    progress: Progress = no_progress

    def address(self, path: str) -> str:
        """Return the URL of a path, as a printed code has it; ``""`` where none is to be printed."""
        return f"{self.site}{path}" if self.site else ""


def requested(request: HttpRequest, competition: Competition, *, drawn: bool) -> PrintRequest:
    """Return what to print by the query; ``drawn`` includes unpublished rounds. Raises Http404."""
    stage, round_ = number_in(request, "stage"), number_in(request, "round")
    entries = tuple(request.GET.getlist("entry"))
    return PrintRequest(competition, stage or 0, round_ or 0, drawn, site_address(request), entries=entries)


@dataclass(frozen=True)
class Print:
    """A print: its title on the desk, the function that makes a PDF, and what of the competition it shows.

    ``size`` returns how much there is to print, without the pages of one that has so many tables ``on_page``:
    each of them has an address of the site. ``also`` returns what it shows beyond the competition.
    """

    title: Any
    pdf: Callable[[PrintRequest], bytes]
    of: Callable[[PrintRequest], Round | Stage]
    size: Callable[[PrintRequest], Extent] = lambda _asked: Extent()
    on_page: int = 0
    also: Callable[[PrintRequest], object] = lambda _asked: ""

    def extent(self, asked: PrintRequest) -> Extent:
        """Return how much there is to print; raise `NothingToPrint`."""
        size = self.size(asked)
        return replace(size, pages=ceil(size.tables / self.on_page)) if self.on_page else size


def print_of(kind: str) -> Print:
    """Return the print of a name; raise `NothingToPrint` where there is none."""
    if kind not in PRINTS:
        raise NothingToPrint
    return PRINTS[kind]


def with_codes(asked: PrintRequest, by: Account) -> PrintRequest:
    """Return the request with new codes of the seats; raise `NothingToPrint` and PermissionDenied."""
    tables = round_to_print(asked).tables.all()
    made = [make(by=by, competition=asked.competition, tables=tables) for make in papers.SEAT_CODES]
    return replace(asked, codes={seat: code for codes in made for seat, code in codes.items()})


def printed(kind: str, asked: PrintRequest) -> File:
    """Return a PDF; raise `NothingToPrint`, and `NoForm` for a game without score sheets.

    Its name has the kind in the active language, such as ``autumn-standings.pdf``.
    """
    pdf = print_of(kind).pdf(asked)
    return File(pdf, f"{asked.competition.slug}-{slugify(_IN_FILE_NAMES[kind], allow_unicode=True)}.pdf")


def sheet_alone(sheet: papers.Sheet) -> File:
    """Return a list of an app on paper."""
    table = sheet.table
    ranking = Ranking("", table.columns, table.rows, table.fuller)
    heading = Heading(f"{sheet.table.title}, {sheet.club}", sheet.subtitle, paper=sheet.paper)
    return File(drawn("walls.standings", heading, [ranking]), f"{sheet.file}.pdf")


def kept_print(request: HttpRequest, kind: str, asked: PrintRequest, name: str = "") -> HttpResponse:
    """Return a print that everybody may see, with a name of its own or the given one.

    It is made once for what it follows, and is 304 for who has it; one of unpublished rounds is made for
    each. Raises `NothingToPrint` and `NoForm`.
    """

    def answer(file: File) -> HttpResponse:
        return as_answer(replace(file, name=name or file.name))

    if asked.drawn:
        return answer(printed(kind, asked))
    reader = mark(asked.competition.club_id)
    version, shown = versions.of_competition(asked.competition.pk), print_of(kind).of(asked).pk
    asked_for = (kind, shown, asked.round, asked.competition.club.paper, print_of(kind).also(asked))
    tag = tag_of(version, asked_for, reader, asked.site)
    kept = tagged(request, tag, lambda: answer(_KEPT.get(tag, lambda: printed(kind, asked))))
    kept["Cache-Control"] = "no-cache"
    return kept


# ---- Rounds --------------------------------------------------------------------------------------


def _pairings(asked: PrintRequest) -> bytes:
    its_round = round_to_print(asked)
    without = _names_without_table(asked, its_round)
    tables = [_seating(table, asked, code=False) for table in _tables_now(its_round)]
    return drawn("walls.pairings", _of_round(asked, its_round, *_who_waits(its_round)), tables, without)


def _tables_now(its_round: Round) -> Sequence[Table]:
    """Return the tables of a round: while it is played, of those opened one by one where people sit."""
    played = its_round.status == Round.Status.PUBLISHED
    return in_turns(taken_tables(its_round) if played else its_round.tables.all())


def _who_waits(its_round: Round) -> Iterator[str]:
    """Yield who waits for a table since when, in one sentence, where tables open by themselves."""
    told = [
        f"{shown_name(each.entry.called)} ({date_format(localtime(each.since), 'H:i')})"
        for each in who_waits(its_round)
    ]
    if told:
        yield _("Waiting since: %(names)s") % {"names": ", ".join(told)}


def _alphabetical(asked: PrintRequest) -> bytes:
    its_round = round_to_print(asked)
    seats = [(seat, table) for table in _tables_now(its_round) for seat in table.seats.all()]
    names = seats_told_apart([(seat.player.called, seat.entry.called) for seat, _table in seats])
    ruleset = asked.competition.ruleset
    seated = []
    for (seat, table), told in zip(seats, names, strict=True):
        partners = partners_told(seat.number, table.seats.all(), ruleset)
        name = " · ".join(filter(None, (_told(seat, *told), partners)))
        seated.append(Place(name, table.number, seat.number + 1))
    resting = [Place(name) for name in _names_without_table(asked, its_round)]
    heading = _of_round(asked, its_round, _("table · seat"), *_rooms(its_round), *_who_waits(its_round))
    return drawn("walls.alphabetical", heading, [*seated, *resting])


def _rooms(its_round: Round) -> Iterator[str]:
    """Yield each room with a name that has tables of a round, with their numbers."""
    for room, tables in groupby(its_round.tables.all(), key=lambda table: table.room):
        if room:
            numbers = [table.number for table in tables]
            yield room_in_words(room, numbers[0], numbers[-1])


def _names_without_table(asked: PrintRequest, its_round: Round) -> list[str]:
    bots = entries_of_bots(asked.competition)
    byes = [(marked(bye.entry.called, bot=str(bye.entry_id) in bots), bye) for bye in its_round.byes.all()]
    return [f"{name} ({bye_in_words(bye)})" if bye.requested else name for name, bye in byes]


def _cards(asked: PrintRequest) -> bytes:
    its_round = round_to_print(asked)
    tables = [_seating(table, asked, code=True) for table in in_turns(its_round.tables.all())]
    return drawn("handouts.table_cards", _of_round(asked, its_round), tables, asked.progress)


def _sheets(asked: PrintRequest) -> bytes:
    return of_round(round_to_print(asked), asked.address, asked.codes, asked.progress)


def _matches(asked: PrintRequest) -> bytes:
    its_round = round_to_print(asked)
    sheets = [*sheets_of(its_round, _of_round(asked, its_round))]
    if not sheets:
        raise NothingToPrint
    return drawn("match_pages.match_sheets", sheets, asked.progress)


def round_to_print(asked: PrintRequest) -> Round:
    """Return the requested round; raise `NothingToPrint`."""
    rounds = rounds_of(asked.competition, drawn=asked.drawn)
    named = {"stage__number": asked.stage, "number": asked.round}
    its_round = rounds.filter(**{name: value for name, value in named.items() if value}).first()
    if its_round is None:
        raise NothingToPrint
    return with_names_then(asked.competition, [its_round])[0]


def _of_round(asked: PrintRequest, its_round: Round, *parts: str) -> Heading:
    title = _("Round %(round)d") % {"round": its_round.number}
    draft = _("not published yet") if its_round.status == Round.Status.DRAWN else ""
    return _heading(asked, f"%(name)s: {title}", its_round.stage, draft, *parts)


def _heading(asked: PrintRequest, title: str, stage: Stage, *parts: str) -> Heading:
    """Return a heading whose title has the %(name)s of the competition."""
    competition = asked.competition
    timetable = timetable_line(competition, every=True)
    subtitle = " · ".join(
        filter(None, (competition.club.name, stage.name, *parts, timetable, review_line(competition)))
    )
    title = filled(title, {"name": competition.name})
    return Heading(title, subtitle, occasion(competition), competition.club.paper)


def _seating(table: Table, asked: PrintRequest, *, code: bool) -> Seating:
    """Return a table as a card has it, with a code and seats; without a code, as a list of its sides."""
    club_game = next(iter([*table.games.all()][-1:]), None) if code else None
    found = sides(table.seats.all(), asked.competition.ruleset)
    seated = ((names_with_team([seat]), str(seat.number + 1)) for side in found for seat in side)
    return Seating(
        title=_("Table %(number)s") % {"number": numbered(table)},
        label=" · ".join(filter(None, (table.room, table_label(table.label)))),
        names=tuple(seated) if code else tuple((names_with_team(side), "") for side in found),
        url=asked.address(f"/games/{club_game.game_id}/") if club_game else "",
    )


def _told(seat: TableSeat, name: str, team: str) -> str:
    shown = marked(shown_name(name), bot=seat.player.bot)
    return f"{shown} ({shown_name(team)})" if team else shown


# ---- Standings -----------------------------------------------------------------------------------


def _standings(asked: PrintRequest) -> bytes:
    stage = _stage(asked)
    rows = list(standings_of(stage, after=asked.round or None))
    if not rows:
        raise NothingToPrint
    plain = plain_of(asked.competition, stage, asked.round or None)
    counts, said = plain_columns(plain, points_of(rows)), plain.told_plainly
    tie_breaks = [name for name in tie_break_order(stage) if name != "lot" and name not in said]
    totals = column([row.points for row in rows], signed=False)
    values = [[count.of(row.entry_id) for row in rows] for count in counts]
    values += [column([row.tiebreaks[name] for row in rows]) for name in tie_breaks]
    texts = [*zip(*values, strict=True)] or [()] * len(rows)
    titles = [*(count.title for count in counts), *(title_of(each, plain) for each in tie_breaks)]
    columns = ("", _("Entry"), _("Points"), _("Played"), *titles)
    bots = entries_of_bots(asked.competition)
    groups: dict[int, list[tuple[str, ...]]] = {}
    for row, total, shown in zip(rows, totals, texts, strict=True):
        groups.setdefault(row.group, []).append(_cells(row, total, shown, bots, plain))
    named = _("Group %(number)d") if len(groups) > 1 else ""
    rankings = [Ranking(named % {"number": group}, columns, tuple(own)) for group, own in groups.items()]
    heading = _heading(asked, _("%(name)s: standings"), stage, *_when(asked, stage))
    told = [legend(rows, plain), *_of_columns(stage, tie_breaks)]
    return drawn("walls.standings", heading, rankings, " · ".join(filter(None, told)))


def _of_columns(stage: Stage, tie_breaks: Sequence[str]) -> Iterator[str]:
    """Yield what stands in columns of averages."""
    if told := averages_in_words(shapes.read(StagePlan, stage.plan)):
        yield told
    if "game_score" in tie_breaks:
        yield _("Average score: the scores of all games, divided by their number")


def _evening(asked: PrintRequest) -> bytes:
    """Return one sheet: the standings with the points of each round, the prizes, and the year."""
    competition, stage = asked.competition, _stage(asked)
    rows = list(standings_of(stage))
    if not rows:
        raise NothingToPrint
    rounds, bots = points_of_rounds(stage), entries_of_bots(competition)
    plain = plain_of(competition, stage, None)
    deciding = _deciding(stage, rows, plain)
    columns = ("", _("Entry"), *rounds.titles, _("Points"), *deciding)
    groups: dict[int, list[tuple[str, ...]]] = {}
    totals = column([row.points for row in rows], signed=False)
    for at, (row, total) in enumerate(zip(rows, totals, strict=True)):
        rank, name, points, *_rest = _cells(row, total, (), bots, plain)
        values = (each[at] for each in deciding.values())
        groups.setdefault(row.group, []).append((rank, name, *rounds.of(row.entry_id), points, *values))
    named = _("Group %(number)d") if len(groups) > 1 else _("Standings")
    parts: list[Ranking | str] = [
        Ranking(named % {"number": group}, columns, tuple(own)) for group, own in groups.items()
    ]
    level = [_("On equal points: %(names)s") % {"names": ", ".join(deciding)}] if deciding else []
    parts += filter(None, [" · ".join(filter(None, [*level, legend(rows, plain), *rounds.notes]))])
    for _group, awards in awards_of(competition):
        told = [(f"{prize_for(each)}: {each.prize.prize}", winners(each)) for each in awards]
        parts += [f"{prize} – {who}" if who else prize for prize, who in told]
    parts += [Ranking(each.title, each.columns, each.rows, each.fuller) for each in _years(asked)]
    return drawn("walls.sheet", _heading(asked, "%(name)s", stage, *_when(asked, stage)), parts)


def _deciding(stage: Stage, rows: Sequence[Standing], plain: Plain) -> Mapping[str, Sequence[str]]:
    """Return by title what separates entries of equal points first, for each row; often nothing."""
    near = [name for name in separating(rows, tie_break_order(stage)) if name != "lot"][:1]
    for count in plain_columns(plain, points_of(rows)):
        if {*near} & {*count.decides}:
            return {count.title: [count.of(row.entry_id) for row in rows]}
    return {title_of(name, plain): column([row.tiebreaks.get(name) for row in rows]) for name in near}


def _year_and_prizes(asked: PrintRequest) -> object:
    return _years(asked), awards_of(asked.competition)


def _years(asked: PrintRequest) -> Sequence[papers.YearTable]:
    return [each for tables in papers.YEAR_TABLES for each in tables(asked.competition)]


def _when(asked: PrintRequest, stage: Stage) -> tuple[str, str]:
    corrected = _("corrected") if stage.corrected else ""
    if asked.round:
        return _("after round %(round)d") % {"round": asked.round}, corrected
    final = asked.competition.status == Competition.Status.FINISHED
    return _("final") if final else _("so far"), corrected


def _stage(asked: PrintRequest) -> Stage:
    number = asked.stage or asked.competition.stage
    stage = stages_of(asked.competition).filter(number=number).first()
    if stage is None:
        raise NothingToPrint
    return stage


def _cells(
    row: Standing, points: str, texts: Sequence[str], bots: Collection[str], plain: Plain
) -> tuple[str, ...]:
    return (
        f"{rank_with_signs(row, plain)}.",
        _with_tables_to_come(row, bots),
        points,
        str(row.played),
        *texts,
    )


def _with_tables_to_come(row: Standing, bots: Collection[str]) -> str:
    """Return the name of an entry, and how many of its tables are put off."""
    name = marked(row.entry.called, bot=str(row.entry_id) in bots)
    if row.beside_name:
        name = f"{name} ({row.beside_name})"
    if not row.to_come:
        return name
    sentence = ngettext("%(name)s (one table to come)", "%(name)s (%(count)d tables to come)", row.to_come)
    return sentence % {"name": name, "count": row.to_come}


# ---- Brackets ------------------------------------------------------------------------------------


def _bracket(asked: PrintRequest) -> bytes:
    stage = _stage(asked)
    entrants = entrants_of(asked.competition)
    found = brackets_of(asked.competition, stage.number, all_marked(entrants.names, entrants.bots))
    if not any(bracket.columns for bracket in found):
        raise NothingToPrint
    return drawn("walls.brackets", _heading(asked, _("%(name)s: bracket"), stage), found)


# ---- Certificates --------------------------------------------------------------------------------


def _certificates(asked: PrintRequest) -> bytes:
    competition = asked.competition
    among, bots = len(honoured_in(competition)), entries_of_bots(competition)
    made = [
        Certificate(
            club=competition.club.name,
            competition=competition.name,
            name=marked(each.name, bot=each.entry in bots),
            players=(*each.team, *filter(None, [each.stood_in])),
            place=final_place(each.place, shared=each.shared, by_lot=each.by_lot),
            among=_among(among, teams=len(each.players) > 1),
            occasion=occasion(competition),
            paper=competition.club.paper,
        )
        for each in _chosen_places(asked)
    ]
    return drawn("handouts.certificates", made, asked.progress)


def _chosen_places(asked: PrintRequest) -> Sequence[FinalPlace]:
    places = honoured_in(asked.competition)
    chosen = [each for each in places if not asked.entries or each.entry in asked.entries]
    if not chosen:
        raise NothingToPrint
    return chosen


def _among(count: int, *, teams: bool) -> str:
    if teams:
        return ngettext("of %(count)d team", "of %(count)d teams", count) % {"count": count}
    return ngettext("of %(count)d entry", "of %(count)d entries", count) % {"count": count}


def _tables(asked: PrintRequest) -> Extent:
    return Extent(tables=round_to_print(asked).tables.count())


def _tables_of_stage(asked: PrintRequest) -> Extent:
    return Extent(tables=Table.objects.filter(round__stage=_stage(asked)).count())


def _places(asked: PrintRequest) -> Extent:
    return Extent(pages=len(_chosen_places(asked)))


PRINTS: Final[Mapping[str, Print]] = {
    "pairings": Print(gettext_lazy("Pairings of the round"), _pairings, round_to_print, _tables),
    "names": Print(gettext_lazy("Alphabetical list: who sits where"), _alphabetical, round_to_print, _tables),
    "cards": Print(gettext_lazy("Table cards"), _cards, round_to_print, _tables, CARDS_ON_PAGE),
    "sheets": Print(gettext_lazy("Score sheets"), _sheets, round_to_print, _tables, 1),
    "matches": Print(gettext_lazy("Match sheets"), _matches, round_to_print, _tables),
    "standings": Print(gettext_lazy("Standings"), _standings, _stage),
    "evening": Print(
        gettext_lazy("One sheet: tonight and the year"), _evening, _stage, also=_year_and_prizes
    ),
    "bracket": Print(gettext_lazy("Bracket"), _bracket, _stage, _tables_of_stage),
    "certificates": Print(gettext_lazy("Certificates"), _certificates, _stage, _places),
}
_IN_FILE_NAMES: Final = {
    "pairings": pgettext_lazy("in the name of a file", "pairings"),
    "names": pgettext_lazy("in the name of a file", "names"),
    "cards": pgettext_lazy("in the name of a file", "cards"),
    "sheets": pgettext_lazy("in the name of a file", "sheets"),
    "matches": pgettext_lazy("in the name of a file", "match sheets"),
    "standings": pgettext_lazy("in the name of a file", "standings"),
    "evening": pgettext_lazy("in the name of a file", "evening"),
    "bracket": pgettext_lazy("in the name of a file", "bracket"),
    "certificates": pgettext_lazy("in the name of a file", "certificates"),
}
