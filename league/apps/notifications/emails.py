"""The emails of each kind that an account chooses, from the data of the moment when they are sent."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from games import database_time
from games.engine import clocks
from games.engine.chain import stamp
from games.engine.messages import filled
from games.models import Seat
from league import hooks
from league.apps.notifications.models import Kind
from league.apps.notifications.queries import token_to_stop, wanting
from league.core.details import NewDetails
from league.core.standings import ranking
from league.models import (
    Account,
    Bye,
    Club,
    ClubGame,
    Competition,
    Details,
    Email,
    Entry,
    Player,
    Round,
    Table,
    TableSeat,
)
from league.queries.competitions import details_of, state_of
from league.queries.events import events_of
from league.queries.games import all_games, seated_at, waiting_for
from league.services.competitions import values_of
from league.words.competitions import when_and_where
from league.words.emails import STOPPABLE, Context, Sample, address, reaching, rendered, variables_of
from league.words.event_text import stored_sentences
from league.words.messages import name_at_table, shown_name
from league.words.options import asked_in_words
from league.words.values import names_of_side, sides

STOPPABLE.update({kind.value: kind.label for kind in (Kind.NOTICE, Kind.CHANGED, Kind.NEXT_EVENING)})
_MOST_LISTED = 20
_Variables: TypeAlias = Callable[[Email, Account], Context | None]


def _chosen(kind: Kind) -> Callable[[_Variables], _Variables]:
    """Decorate the function of a kind: who no longer wants it gets none, and each has links to stop it."""

    def known(variables: _Variables) -> _Variables:
        @variables_of(kind)
        def of_kind(email: Email) -> Context | None:
            account = email.account
            chosen = choices_of(account, kind, email.club) if account else None
            if account is None or chosen is None:
                return None
            found = variables(email, account)
            return found and {**found, **chosen, "note": email.club.mail_note if email.club else ""}

        return variables

    return known


def choices_of(account: Account, kind: Kind, club: Club | None) -> Context | None:
    """Return the links by which an account stops a kind and chooses its emails.

    None once it has stopped, or is no player of the club any more: the person has another account, or none.
    """
    rows = wanting(kind).filter(pk=account.pk)
    if not (rows.filter(players__club=club) if club else rows).exists():
        return None
    stop = address("stop_emails", token_to_stop(account, kind))
    return {"stop": stop, "choices": address("notifications")}


@_chosen(Kind.ROUND_PUBLISHED)
def _of_round(email: Email, account: Account) -> Context | None:
    if "withdrawn" in email.about:
        competition = Competition.objects.get(pk=email.about["competition"])
        told = {name: email.about[name] for name in ("withdrawn", "reason")}
        return {**told, "competition": competition, "link": address("competition", competition.slug)}
    rounds = Round.objects.select_related("stage__competition").filter(status=Round.Status.PUBLISHED)
    its_round, opened = rounds.filter(pk=email.about["round"]).first(), email.about.get("table")
    mine = Table.objects.filter(round=its_round, seats__player__account=account)
    if opened:
        mine = mine.filter(pk=opened, status=Table.Status.PLAYING)
    if its_round is None or (opened and not mine):
        return None
    by = TableSeat.objects.filter(table=opened, player__account__isnull=False)
    by = by.filter(player__account=email.about.get("by"))
    competition = its_round.stage.competition
    accepted = bool(opened) and any(each.table == opened for each in state_of(competition).challenges)
    return {
        "competition": competition,
        "accepted": accepted,
        "round": its_round,
        "tables": _tables(mine, account),
        "opened": opened,
        "challenger": shown_name(by[0].player.called) if opened and by else "",
        "bye": Bye.objects.filter(round=its_round, entry__members__player__account=account).first(),
        "link": address("competition", competition.slug),
    }


def _tables(mine: QuerySet[Table], account: Account) -> list[Context]:
    """Return tables of an account with partners, the other sides and links to the games."""
    own = {*Player.objects.filter(account=account).values_list("pk", flat=True)}
    tables: list[Context] = []
    for table in mine.distinct().order_by("number", "pk"):
        games = ClubGame.objects.filter(table=table).order_by("game__opened_at", "game")
        links = [address("game", game.pk) for game in games]
        tables.append({"number": table.number, "room": table.room, "links": links, **_company(table, own)})
    return tables


def _company(table: Table | None, own: Container[UUID]) -> Context:
    """Return the names of those who sit at a table with one's own seats: partners, and the other sides."""
    seats = TableSeat.objects.filter(table=table).select_related("player", "entry").order_by("number")
    found = sides(seats, table.round.stage.competition.ruleset if table else "")
    mine = [seat for side in found if any(seat.player_id in own for seat in side) for seat in side]
    return {
        "partners": names_of_side(seat for seat in mine if seat.player_id not in own),
        "others": [names_of_side(side) for side in found if side[0] not in mine],
    }


@_chosen(Kind.YOUR_TURN)
def _of_turn(email: Email, account: Account) -> Context | None:
    """Return the variables for a turn, None where the player has moved since, or was reminded."""
    club_game, seat = _running(email), email.about["seat"]
    if club_game is None or seat not in club_game.game.awaited:
        return None
    since = club_game.game.since[seat]
    if since is None or stamp(since) != email.about["since"]:
        return None
    reminders = Email.objects.filter(kind=Kind.REMINDER, status=Email.Status.SENT, account=account)
    if reminders.filter(sent_at__gte=since, about__game=email.about["game"]).exists():
        return None
    link = address("game", club_game.pk)
    return {"club_game": club_game, "deadline": _deadline(club_game, seat), "link": link}


@_chosen(Kind.REMINDER)
def _of_reminder(email: Email, _account: Account) -> Context | None:
    """Return the variables for a deadline, None where it has passed, was moved, or was met."""
    club_game, deadline = _running(email), datetime.fromisoformat(email.about["deadline"])
    if club_game is None or database_time.now() >= deadline:
        return None
    whole, player = email.about["of"] == "round", email.about["player"]
    if whole:
        current = club_game.table.deadline if club_game.table else None
    else:
        current = _deadline(club_game, Seat.objects.get(game=club_game.pk, player=player).number)
    if current != deadline:
        return None
    company, link = _company(club_game.table, {UUID(player)}), address("game", club_game.pk)
    return {"club_game": club_game, "deadline": deadline, "whole": whole, "link": link, **company}


def _running(email: Email) -> ClubGame | None:
    club_game = all_games().filter(pk=email.about["game"]).first()
    return None if club_game is None or club_game.game.is_over else club_game


def _deadline(club_game: ClubGame, seat: int) -> datetime | None:
    game = club_game.game
    return clocks.deadlines(game.timing, game.times)[seat]


@_chosen(Kind.RESULT)
def _of_result(email: Email, account: Account) -> Context | None:
    seats = TableSeat.objects.select_related("player", "entry").order_by("number")
    rows = Table.objects.filter(pk__in=email.about["tables"]).select_related("round__stage__competition")
    ordered = rows.order_by("round__stage__number", "round__number", "number", "pk")
    tables = [*ordered.prefetch_related(Prefetch("seats", seats))]
    told, was, first, last = email.about.get("rung", (None, None, 1, 0))
    own = Entry.objects.select_related("competition").filter(
        Q(pk=told) | Q(seats__table__in=tables, seats__player__account=account)
    )
    if not (entry := own.first()):
        return None
    competition = entry.competition
    rung = ranking.rungs(state_of(competition)).get(str(entry.pk))
    if not tables and rung == was is not None:
        return None
    acts = events_of(competition).filter(seq__range=(first, last)).order_by("seq")
    return {
        "competition": competition,
        "rung": rung,
        "was": was if rung != was else None,
        "causes": stored_sentences([*acts]),
        "results": [(table, _placed(table, competition.ruleset)) for table in tables],
        "link": address("competition", competition.slug),
        "headers": dict(pair for each in hooks.RESULT_HEADERS for pair in each().items()),
    }


def _placed(table: Table, ruleset: str) -> Sequence[Sequence[Context]]:
    """Return the sides of a table, the best first, each with its seats: names, ranks, scores and outcomes."""
    told = [
        [
            {
                "name": name_at_table(seat),
                "rank": seat.rank,
                "score": seat.shown_score,
                "outcome": seat.outcome_in_words,
            }
            for seat in side
        ]
        for side in sides(table.seats.all(), ruleset)
    ]
    return sorted(told, key=lambda side: (side[0]["rank"] is None, side[0]["rank"]))


@_chosen(Kind.GAME_INVITATIONS)
def _of_game_invitations(email: Email, account: Account) -> Context | None:
    """Return the variables for the games that wait for an account's answer, None where none does."""
    waiting = list(waiting_for(account).filter(club=email.about["club"])[:_MOST_LISTED])
    seats = seated_at([each.game for each in waiting])
    games = [
        {"asked": asked_in_words(each, seats[each.pk]), "link": address("game", each.pk)} for each in waiting
    ]
    return {"games": games, "link": address("account")} if games else None


def _reader(email: Email, kind: Kind) -> Context | None:
    """Return the links of an account that wants the kind, or the address that the club keeps of a player.

    Who has got an account since is written to there.
    """
    if email.account is not None:
        return choices_of(email.account, kind, email.club)
    people = Player.objects.select_related("account", "contact")
    player = people.filter(pk=email.about.get("player")).first()
    if player is not None and player.account is not None:
        chosen = choices_of(player.account, kind, email.club)
        return chosen and {**chosen, "to": player.account.email}
    return reaching(player, kind) if player else None


@variables_of(Kind.NOTICE)
def _of_notice(email: Email) -> Context | None:
    competition = Competition.objects.select_related("club").filter(pk=email.about["competition"]).first()
    reader = _reader(email, Kind.NOTICE)
    if competition is None or reader is None:
        return None
    return {
        **reader,
        "competition": competition,
        "words": email.about["words"],
        "note": competition.club.mail_note,
        "link": address("competition", competition.slug),
    }


@variables_of(Kind.CHANGED)
def _of_change(email: Email) -> Context | None:
    """Return the variables for what was changed, None where it was taken back meanwhile."""
    competition = Competition.objects.select_related("club").get(pk=email.about["competition"])
    off = competition.status == Competition.Status.CANCELLED
    kind, sentence = _moved(competition, email) if "was" in email.about else _happened(competition, email)
    if not sentence or (kind == "cancelled") != off:
        return None
    reader = _reader(email, Kind.CHANGED)
    return reader and {
        **reader,
        "kind": kind,
        "competition": competition,
        "when": when_and_where(details_of(competition)),
        "sentence": sentence,
        "told": [told for each in hooks.TOLD_APART if off and (told := each(competition.pk))],
        "note": competition.club.mail_note,
        "link": address("competition", competition.slug),
    }


def _happened(competition: Competition, email: Email) -> tuple[str, str]:
    """Return the type of an event with its sentence, empty where it was taken back meanwhile."""
    event = events_of(competition).get(seq=email.about["seq"])
    kind = str(event.event["type"])
    last = kind != "cancelled" or competition.seq == event.seq
    return kind, stored_sentences([event])[0] if last else ""


def _moved(competition: Competition, email: Email) -> tuple[str, str]:
    """Return when and where it was and is, as a sentence, empty where that is the same again."""
    stored = values_of(NewDetails(**email.about["was"]))
    # A competition keeps the details that were made for it: these are for a copy.
    was = when_and_where(Details(competition=copy(competition), **stored))
    now = when_and_where(details_of(competition))
    told = {"was": was or "–", "now": now or "–"}
    return "moved", filled(_("Before: %(was)s. Now: %(now)s."), told) if was != now else ""


@variables_of(Kind.NEXT_EVENING)
def _of_next_evening(email: Email) -> Context | None:
    """Return the variables for an evening, None where entries are closed or the reader has entered."""
    competition = Competition.objects.select_related("club").get(pk=email.about["competition"])
    reader = _reader(email, Kind.NEXT_EVENING)
    own = {"account": email.account} if email.account else {"pk": email.about.get("player")}
    entered = Entry.objects.filter(competition=competition, members__player__in=Player.objects.filter(**own))
    if competition.status != Competition.Status.ENTERING or reader is None or entered.exists():
        return None
    player = Player.objects.filter(account=None, pk=email.about.get("player")).first()
    links = (link(competition, player) for link in hooks.ANSWER_LINKS) if player else ()
    return {
        **reader,
        "competition": competition,
        "when": when_and_where(details_of(competition)),
        "note": competition.club.mail_note,
        "link": address("competition", competition.slug),
        "player": player,
        "answer": next(filter(None, links), ""),
    }


# ---- Samples -------------------------------------------------------------------------------------


def samples(club: Club) -> Iterator[Sample]:
    """Yield the title of each kind, with a sample about invented games."""
    variables = {**_invented(), "note": club.mail_note}
    for kind in Kind:
        yield str(kind.label), rendered(Email(kind=kind, club=club, about={}), "", variables)


def _invented() -> Mapping[str, Any]:
    """Return variables for the templates of all kinds."""
    competition = {"name": _("Winter league")}
    soon = database_time.now() + timedelta(days=2)
    game = {"ruleset": settings.DEMO_RULESET}
    link = f"{settings.SITE_URL}/…/"
    return {
        "competition": competition,
        "round": {"number": 3, "deadline": soon},
        "tables": [{"number": 2, "others": ["Anna", "Ben", "Chloé"], "links": [link]}],
        "results": [
            (
                {"number": 2, "round": {"number": 3}, "status": "played"},
                [
                    [{"rank": rank, "name": name, "score": score}]
                    for rank, name, score in ((1, "Anna", 95), (2, "Ben", 110), (3, "Chloé", 140))
                ],
            )
        ],
        "club_game": {"competition": competition, "game": game},
        "deadline": soon,
        "words": _("Round 2 begins at 20:15."),
        "kind": "cancelled",
        "sentence": _("The competition is cancelled."),
        "games": [{"club_game": {"competition": competition, "game": game}, "link": link}],
        "link": link,
    }
