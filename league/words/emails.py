"""The emails that notices become, written when they are sent, from the data of that moment."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.conf import settings
from django.db.models import Prefetch, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from games import database_time
from games.engine import clocks
from games.engine.chain import stamp
from games.engine.clocks import Times
from games.models import Seat
from league.core.standings import ranking
from league.models import (
    Account,
    Bye,
    ClubGame,
    Competition,
    Entry,
    Invitation,
    Notice,
    Player,
    Round,
    Table,
    TableSeat,
)
from league.models.notices import CHOSEN
from league.queries.accounts import zone_for
from league.queries.competitions import state_of
from league.queries.games import all_games, seated_at
from league.queries.invited_games import waiting_for
from league.queries.links import (
    password_tokens,
    token_for_address,
    token_of,
    token_to_stop,
    waiting_invitations,
)
from league.queries.notices import tables_told, wanting
from league.queries.rounds import with_forfeits
from league.queries.signed_log import newest_head
from league.words.asking import asked_in_words
from league.words.names import name_at_table, shown_name
from league.words.values import names_of_side, sides

_MOST_LISTED: Final = 20
Context: TypeAlias = Mapping[str, Any]
"""Variables of a template."""
Variables: TypeAlias = Callable[[Notice], Context | None]
"""Returns the variables of a notice, None where there is nothing to tell any more."""


@dataclass(frozen=True)
class Email:
    """An email, ready to be sent."""

    to: str = field(repr=False)
    subject: str
    text: str
    html: str
    headers: Mapping[str, str]


def email_for(notice: Notice) -> Email | None:
    """Return the email for a notice, or None where it is out of date or has no recipient."""
    zone = zone_for(notice.account, notice.club)
    with translation.override(_language(notice)), timezone.override(zone):
        context = _CONTEXTS[notice.kind](notice)
        to = _recipient(notice, context) if context is not None else ""
        return rendered(notice, to, context) if context is not None and to else None


def _language(notice: Notice) -> str:
    """Return the language of the recipient; who is invited gets an email in the language of who invites."""
    account = notice.account
    if notice.kind == Notice.Kind.INVITATION:
        account = Invitation.objects.select_related("made_by").get(pk=notice.about["invitation"]).made_by
    chosen = account.language if account else ""
    return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def _recipient(notice: Notice, context: Context) -> str:
    """Return the address, empty for an account that cannot get the email or no longer wants it."""
    if "to" in context:
        return str(context["to"])
    account = notice.account
    if account is None or not account.is_active:
        return ""
    if notice.kind in CHOSEN and not wanting(notice.kind).filter(pk=account.pk).exists():
        return ""
    return account.email


def rendered(notice: Notice, to: str, variables: Context) -> Email:
    """Return the email for a notice, rendered with these variables."""
    account = notice.account
    stop = ""
    if account and notice.kind in CHOSEN:
        stop = address("stop_notices", token_to_stop(account, notice.kind))
    context = {
        **variables,
        "account": account,
        "club": notice.club,
        "note": notice.club.mail_note if notice.club and notice.kind in CHOSEN else "",
        "stop": stop,
        "choices": address("notices"),
        "site": settings.SITE_URL,
    }
    text = render_to_string(f"mail/{notice.kind}.txt", context).strip()
    # A subject must be one line, whatever names it contains.
    subject, _line, body = text.partition("\n")
    body = body.strip()
    html = render_to_string("mail/email.html", {**context, "subject": subject, "body": body})
    foot = render_to_string("mail/foot.txt", context).strip()
    text = f"{body}\n\n-- \n{foot}\n"
    return Email(to, " ".join(subject.split()), text, html, _headers(notice, stop))


def _headers(notice: Notice, stop: str) -> Mapping[str, str]:
    headers = {
        "Auto-Submitted": "auto-generated",
        # The same at every attempt, so that an email that arrives twice is recognised as one.
        "Message-ID": f"<{notice.pk}.{notice.kind}@{settings.MAIL_DOMAIN}>",
    }
    if stop:
        headers |= {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return headers


def address(name: str, *arguments: object) -> str:
    """Return the absolute URL of one of the site's pages."""
    return settings.SITE_URL + reverse(name, args=arguments)


# ---- The variables of each kind ------------------------------------------------------------------


def _of_round(notice: Notice) -> Context | None:
    if "withdrawn" in notice.about:
        return _of_withdrawn_round(notice)
    rounds = Round.objects.select_related("stage__competition").filter(status=Round.Status.PUBLISHED)
    its_round = rounds.filter(pk=notice.about["round"]).first()
    if its_round is None or notice.account is None:
        return None
    competition, opened = its_round.stage.competition, notice.about.get("table")
    mine = Table.objects.filter(round=its_round, seats__player__account=notice.account)
    if opened:
        mine = mine.filter(pk=opened, status=Table.Status.PLAYING)
        if not mine:
            return None
    by = TableSeat.objects.filter(table=opened, player__account__isnull=False)
    by = by.filter(player__account=notice.about.get("by"))
    return {
        "competition": competition,
        "round": its_round,
        "tables": _tables(mine, notice.account),
        "opened": opened,
        "challenger": shown_name(by[0].player.name) if opened and by else "",
        "bye": Bye.objects.filter(round=its_round, entry__members__player__account=notice.account).exists(),
        "link": address("competition", competition.slug),
    }


def _of_withdrawn_round(notice: Notice) -> Context:
    competition = Competition.objects.get(pk=notice.about["competition"])
    return {
        "competition": competition,
        "withdrawn": notice.about["withdrawn"],
        "reason": notice.about["reason"],
        "link": address("competition", competition.slug),
    }


def _tables(mine: QuerySet[Table], account: Account) -> list[Context]:
    """Return tables of an account with partners, the other sides and links to the games."""
    tables: list[Context] = []
    for table in mine.distinct().order_by("number"):
        games = ClubGame.objects.filter(table=table).order_by("game__opened_at", "game")
        links = [address("game", game.pk) for game in games]
        own = {player.pk for player in Player.objects.filter(account=account)}
        tables.append({"number": table.number, "links": links, **_company(table, own)})
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


def _of_turn(notice: Notice) -> Context | None:
    """Return the variables for a turn, None where the player has moved since."""
    club_game = _running(notice)
    seat = notice.about["seat"]
    if club_game is None or seat not in club_game.game.awaited:
        return None
    since = club_game.game.since[seat]
    if since is None or stamp(since) != notice.about["since"] or _reminded(notice, since):
        return None
    link = address("game", club_game.pk)
    return {"club_game": club_game, "deadline": _deadline(club_game, seat), "link": link}


def _reminded(notice: Notice, since: datetime) -> bool:
    """Return whether a reminder of the game went out since the account has been awaited."""
    sent = Notice.objects.filter(
        kind=Notice.Kind.REMINDER, status=Notice.Status.SENT, account=notice.account, sent_at__gte=since
    )
    return sent.filter(about__game=notice.about["game"]).exists()


def _of_reminder(notice: Notice) -> Context | None:
    """Return the variables for a deadline, None where it has passed, was moved, or was met."""
    club_game, deadline = _running(notice), datetime.fromisoformat(notice.about["deadline"])
    if (
        club_game is None
        or database_time.now() >= deadline
        or _current_deadline(club_game, notice) != deadline
    ):
        return None
    whole, link = notice.about["of"] == "round", address("game", club_game.pk)
    company = _company(club_game.table, {UUID(notice.about["player"])})
    return {"club_game": club_game, "deadline": deadline, "whole": whole, "link": link, **company}


def _current_deadline(club_game: ClubGame, notice: Notice) -> datetime | None:
    """Return the present value of the deadline that a reminder is about."""
    if notice.about["of"] == "round":
        return club_game.table.deadline if club_game.table else None
    seats = Seat.objects.filter(game=club_game.pk, player=notice.about["player"])
    return _deadline(club_game, seats.get().number)


def _running(notice: Notice) -> ClubGame | None:
    club_game = all_games().filter(pk=notice.about["game"]).first()
    return None if club_game is None or club_game.game.is_over else club_game


def _deadline(club_game: ClubGame, seat: int) -> datetime | None:
    game = club_game.game
    times = Times(tuple(game.since), tuple(game.used))
    return clocks.deadlines(clocks.read(game.clock), times)[seat]


def _of_result(notice: Notice) -> Context | None:
    seats = TableSeat.objects.select_related("player", "entry").order_by("number")
    rows = Table.objects.filter(pk__in=tables_told(notice)).select_related("round__stage__competition")
    ordered = rows.order_by("round__stage__number", "round__number", "number")
    tables = with_forfeits(ordered.prefetch_related(Prefetch("seats", seats)))
    told, was = notice.about.get("rung", (None, None))
    own = Entry.objects.select_related("competition").filter(
        Q(pk=told) | Q(seats__table__in=tables, seats__player__account=notice.account)
    )
    if not (entry := own.first()):
        return None
    competition = entry.competition
    rung = ranking.rungs(state_of(competition)).get(str(entry.pk))
    if not tables and rung in (None, was):
        return None
    return {
        "competition": competition,
        "rung": rung,
        "was": was if rung != was else None,
        "results": [(table, _placed(table, competition.ruleset)) for table in tables],
        "link": address("competition", competition.slug),
        "head": newest_head(),
        "log": address("signed_log"),
    }


def _placed(table: Table, ruleset: str) -> Sequence[Sequence[Context]]:
    """Return the sides of a table, the best first, each with its seats: names, ranks, scores and outcomes."""
    told = [
        [
            {
                "name": name_at_table(seat),
                "rank": seat.rank,
                "score": seat.score,
                "outcome": seat.get_outcome_display() if seat.outcome else "",
            }
            for seat in side
        ]
        for side in sides(table.seats.all(), ruleset)
    ]
    return sorted(told, key=lambda side: (side[0]["rank"] is None, side[0]["rank"]))


def _of_address(notice: Notice) -> Context | None:
    if notice.account is None:
        return None
    invitation = None
    if pk := notice.about.get("invitation"):
        invitation = waiting_invitations(notice.account).filter(pk=pk).exclude(email="").first()
        if invitation is None:
            return None
    email = invitation.email if invitation else notice.about["email"]
    link = address("confirm_address", token_for_address(notice.account, email))
    return {"to": email, "link": link, "invitation": invitation}


def _of_new_address(notice: Notice) -> Context:
    return {"to": notice.about["email"], "new": notice.about["new"], "link": address("devices")}


def _of_password(notice: Notice) -> Context | None:
    account = notice.account
    if account is None:
        return None
    uid = urlsafe_base64_encode(force_bytes(account.pk))
    return {"link": address("password_reset_confirm", uid, password_tokens.make_token(account))}


def _of_invitation(notice: Notice) -> Context | None:
    invitation = Invitation.objects.select_related("made_by", "player").get(pk=notice.about["invitation"])
    # An invitation that was sent again has another link, and another notice for it.
    if not invitation.is_open or not notice.key.endswith(invitation.salt):
        return None
    link = address("invitation", invitation.pk, token_of(invitation))
    return {"to": invitation.email, "invitation": invitation, "link": link}


def _of_game_invitations(notice: Notice) -> Context | None:
    """Return the variables for the games that wait for an account's answer, None where none does."""
    if notice.account is None:
        return None
    waiting = list(waiting_for(notice.account).filter(club=notice.about["club"])[:_MOST_LISTED])
    seats = seated_at([each.game for each in waiting])
    games = [
        {"asked": asked_in_words(each, seats[each.pk]), "link": address("game", each.pk)} for each in waiting
    ]
    return {"games": games, "link": address("account")} if games else None


def _of_handed_over(notice: Notice) -> Context:
    return {"reason": notice.about["reason"], "link": address("game", notice.about["game"])}


def _of_new_device(notice: Notice) -> Context:
    return {
        "browser": notice.about["browser"],
        "system": notice.about["system"],
        "at": datetime.fromisoformat(notice.about["at"]),
        "link": address("devices"),
    }


_CONTEXTS: Final[dict[str, Variables]] = {
    Notice.Kind.ROUND_PUBLISHED: _of_round,
    Notice.Kind.YOUR_TURN: _of_turn,
    Notice.Kind.REMINDER: _of_reminder,
    Notice.Kind.RESULT: _of_result,
    Notice.Kind.ADDRESS: _of_address,
    Notice.Kind.NEW_ADDRESS: _of_new_address,
    Notice.Kind.PASSWORD: _of_password,
    Notice.Kind.INVITATION: _of_invitation,
    Notice.Kind.GAME_INVITATIONS: _of_game_invitations,
    Notice.Kind.HANDED_OVER: _of_handed_over,
    Notice.Kind.NEW_DEVICE: _of_new_device,
}


def variables_of(kind: str) -> Callable[[Variables], Variables]:
    """Decorate the function that an app has for its kind of notice."""

    def known(variables: Variables) -> Variables:
        _CONTEXTS[kind] = variables
        return variables

    return known
