"""Score sheets of a round's tables, and blank ones; and what all prints share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from games import database_time, rules
from games.engine.base import Form
from games.engine.jsontypes import JsonObject
from games.engine.paper import Card, PaperCard
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.apps.prints.contents import A4
from league.files.file import Progress, no_progress
from league.hooks.papers import PrintedCode
from league.models import Competition, Round, Table, TableSeat
from league.ops import offload
from league.queries.competitions import details_of
from league.queries.rounds import in_turns, with_seats_and_games
from league.words.competitions import BEST_PARTNER, how_partners_score, when_and_where
from league.words.matches import lines_to_fill_in
from league.words.messages import name_at_table, team_at_table, translated
from league.words.values import in_room, names_of_side, numbered, sides

Codes: TypeAlias = Mapping[tuple[UUID, int], PrintedCode]
"""Codes by table and seat."""
NO_CODES: Final[Codes] = {}


# ---- What all prints share -----------------------------------------------------------------------


def drawn(function: str, *given: Any) -> bytes:
    """Return the PDF that a function of this app draws, for example ``walls.pairings``.

    It needs a library of 30 MB that takes half a second to load, so web processes have it called in another.
    """
    pdf: bytes = offload.call(called, function, *given)
    return pdf


def called(function: str, *given: Any) -> Any:
    """Return what a function of this app returns, whose module is loaded for that."""
    return import_string(f"{__package__}.{function}")(*given)


def occasion(competition: Competition) -> str:
    """Return days and place of the competition; the date of printing where an organiser gave neither."""
    told = when_and_where(details_of(competition))
    if told:
        return told
    with timezone.override(competition.club.zone):
        return date_format(timezone.localtime(database_time.now()), "DATE_FORMAT")


# ---- Score sheets --------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatCode:
    """The code of a seat as it is printed, and the URL that its QR code has."""

    text: str
    url: str


@dataclass(frozen=True)
class ScoreSheet:
    """One table's sheet.

    ``names`` has one text for each column, ``""`` for a blank, and ``sides`` one for each side where several
    players are one; ``players`` are the names of the seats, which columns are not where they are sides.
    ``table`` names its table in large type, if it has one; ``form_url`` is the page to enter the scores.
    ``codes`` are those of the seats, if they have any; ``enter_url`` is the page on which one types them.
    """

    title: str
    subtitle: str
    form: Form
    names: tuple[str, ...]
    table: str = ""
    form_url: str = ""
    codes: tuple[SeatCode, ...] = ()
    enter_url: str = ""
    sides: tuple[str, ...] = ()
    side_total: str = ""
    players: tuple[str, ...] = ()
    paper: str = A4


class NoForm(Illegal):
    """The game has no score sheet to print."""

    def __init__(self) -> None:
        super().__init__(_("This game has no score sheets to print."))


def blank(ruleset: str, players: int, options: JsonObject, paper: str = A4) -> bytes:
    """Return a PDF with an empty sheet on a size of paper; raises `Malformed` and `NoForm`."""
    form = _form(ruleset, options, players)
    title, to_fill_in = (
        translated(rules.find(ruleset).title),
        _("Date and place: %(blank)s") % {"blank": "_" * 40},
    )
    columns = len({*rules.find(ruleset).teams(players)}) if form.by_side else players
    sheets = [ScoreSheet(title, to_fill_in, form, ("",) * columns, players=("",) * players, paper=paper)]
    return drawn("handouts.score_sheets", sheets)


def of_round(
    round_: Round,
    address: Callable[[str], str],
    codes: Codes = NO_CODES,
    progress: Progress = no_progress,
) -> bytes:
    """Return a PDF with a sheet for each table of a published round; raises `NoForm`.

    ``address`` turns a path into the URL of the code on the sheet, which opens the game's form; the codes of
    seats have QR codes of their own instead.
    """
    tables = with_seats_and_games(Table.objects.filter(round=round_).order_by("number", "pk"))
    related = tables.select_related("round__stage__competition__club")
    sheets = [_of_table(table, address, codes) for table in in_turns(related)]
    return drawn("handouts.score_sheets", sheets, progress)


def _of_table(table: Table, address: Callable[[str], str], codes: Codes) -> ScoreSheet:
    competition = table.round.stage.competition
    seats = list(table.seats.all())
    form = _form(competition.ruleset, competition.options, len(seats))
    best = how_partners_score(seats, competition.ruleset)
    if best:
        form = replace(form, legend=(*form.legend, BEST_PARTNER))
    form = replace(form, legend=(*form.legend, *lines_to_fill_in(table.match)))
    found = sides(seats, competition.ruleset)
    names, its_sides = tuple(map(name_at_table, seats)), tuple(map(_side, found))
    club_game = next(iter([*table.games.all()][-1:]), None)
    its_codes = [code for seat in seats if (code := codes.get((table.pk, seat.number)))]
    where = _("%(club)s · %(competition)s\n%(stage)s · round %(round)d · table %(table)d\n%(occasion)s") % {
        "club": competition.club.name,
        "competition": competition.name,
        "stage": table.round.stage.name,
        "round": table.round.number,
        "table": table.number,
        "occasion": occasion(competition),
    }
    return ScoreSheet(
        title=translated(rules.find(competition.ruleset).title),
        subtitle=where,
        form=form,
        names=its_sides if form.by_side else names,
        players=names,
        paper=competition.club.paper,
        sides=its_sides if len(found) < len(seats) and not form.by_side else (),
        side_total=_("Its best player’s total") if best else _("The team’s total"),
        table=in_room(_("Table %(number)s") % {"number": numbered(table)}, table.room),
        form_url=address(reverse("play", args=[club_game.game_id])) if club_game else "",
        codes=tuple(SeatCode(code.text, address(code.path)) for code in its_codes),
        enter_url=address(its_codes[0].path.partition("#")[0]) if its_codes else "",
    )


def _side(seats: Sequence[TableSeat]) -> str:
    """Return the name of a side: that of its entry, or its players' names."""
    return team_at_table(seats[0]) or names_of_side(seats)


def has_sheets(ruleset: str, options: JsonObject) -> bool:
    """Return whether a game has score sheets to print."""
    try:
        _form(ruleset, options, rules.find(ruleset).seats[0])
    except (KeyError, NoForm):
        return False
    return True


def _form(name: str, options: JsonObject, seats: int) -> Form:
    try:
        ruleset = rules.find(name)
    except KeyError:
        raise NoForm from None
    read = ruleset.read_options(options, seats)
    form = ruleset.form(read)
    if form is None:
        raise NoForm
    if isinstance(ruleset, PaperCard):  # fewer at the table may have fewer deals
        form = replace(form, rows=form.rows[: ruleset.rounds(Card(read, seats))])
    return form
