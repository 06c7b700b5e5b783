"""Notices in words: what a mail says is made when it goes out, of what is true then."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from games.engine import clocks
from games.engine.chain import stamp
from games.engine.clocks import Times
from games.models import Seat
from league import selectors
from league.models import Account, Bye, ClubGame, Invitation, Notice, Round, Table, TableSeat, Webhook
from league.models.notices import CHOSEN
from league.services.invitations import token_of
from league.services.notices import token_for_address, token_to_stop, wanting

Words: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Letter:
    """A mail as it goes out."""

    to: str = field(repr=False)
    subject: str
    text: str
    html: str
    headers: Mapping[str, str]


def letter(notice: Notice) -> Letter | None:
    """Return the mail that a notice becomes, or None where it tells nobody anything any more."""
    zone = notice.club.zone if notice.club else timezone.get_default_timezone()
    with translation.override(settings.LANGUAGE_CODE), timezone.override(zone):
        words = _WORDS[notice.kind](notice)
        to = _recipient(notice, words) if words is not None else ""
        return written(notice, to, words) if words is not None and to else None


def _recipient(notice: Notice, words: Words) -> str:
    """Return where the mail goes, nowhere for an account that cannot get it or does not want it any more."""
    if "to" in words:
        return str(words["to"])
    account = notice.account
    if account is None or not account.is_active:
        return ""
    if notice.kind in CHOSEN and not wanting(notice.kind).filter(pk=account.pk).exists():
        return ""
    return account.email


def written(notice: Notice, to: str, words: Words) -> Letter:
    """Return the mail that a notice becomes with these words."""
    account = notice.account
    stop = ""
    if account and notice.kind in CHOSEN:
        stop = address("stop_notices", token_to_stop(account, notice.kind))
    context = {
        **words,
        "account": account,
        "club": notice.club,
        "note": notice.club.mail_note if notice.club and notice.kind in CHOSEN else "",
        "stop": stop,
        "choices": address("notices"),
        "site": settings.SITE_URL,
    }
    text = render_to_string(f"mail/{notice.kind}.txt", context).strip()
    # A subject is one line, whatever names it holds.
    subject, _line, body = text.partition("\n")
    body = body.strip()
    html = render_to_string("mail/letter.html", {**context, "subject": subject, "body": body})
    foot = render_to_string("mail/foot.txt", context).strip()
    text = f"{body}\n\n-- \n{foot}\n"
    return Letter(to, " ".join(subject.split()), text, html, _headers(notice, stop))


def _headers(notice: Notice, stop: str) -> Mapping[str, str]:
    headers = {
        "Auto-Submitted": "auto-generated",
        # The same at every attempt, so that a mail that arrives twice is seen to be one.
        "Message-ID": f"<{notice.pk}.{notice.kind}@{settings.MAIL_DOMAIN}>",
    }
    if stop:
        headers |= {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return headers


def address(name: str, *arguments: object) -> str:
    """Return the whole address of one of the site's pages."""
    return settings.SITE_URL + reverse(name, args=arguments)


# ---- What each kind says -------------------------------------------------------------------------


def _of_round(notice: Notice) -> Words | None:
    rounds = Round.objects.select_related("stage__competition").filter(status=Round.Status.PUBLISHED)
    its_round = rounds.filter(pk=notice.about["round"]).first()
    if its_round is None or notice.account is None:
        return None
    competition = its_round.stage.competition
    return {
        "competition": competition,
        "round": its_round,
        "tables": _tables(its_round, notice.account),
        "bye": Bye.objects.filter(round=its_round, entry__members__player__account=notice.account).exists(),
        "link": address("competition", competition.slug),
    }


def _tables(its_round: Round, account: Account) -> list[Words]:
    """Return the tables at which the account sits, with the others there and the way to play."""
    mine = TableSeat.objects.filter(table__round=its_round, player__account=account).values("table")
    found: list[Words] = []
    for table in Table.objects.filter(pk__in=mine).order_by("number"):
        seats = TableSeat.objects.filter(table=table).exclude(player__account=account).order_by("number")
        games = ClubGame.objects.filter(table=table).order_by("game__opened_at", "game")
        names = [str(name) for name in seats.values_list("player__name", flat=True)]
        links = [address("game", game.pk) for game in games]
        found.append({"number": table.number, "others": names, "links": links})
    return found


def _of_turn(notice: Notice) -> Words | None:
    """Return what a mail says of a seat that is awaited, None where that wait is over."""
    place = _running(notice)
    seat = notice.about["seat"]
    if place is None or seat not in place.game.awaited:
        return None
    since = place.game.since[seat]
    if since is None or stamp(since) != notice.about["since"]:
        return None
    return {"place": place, "deadline": _deadline(place, seat), "link": address("game", place.pk)}


def _of_reminder(notice: Notice) -> Words | None:
    """Return what a mail says of a deadline, None where it has passed, moved, or been met."""
    place, deadline = _running(notice), datetime.fromisoformat(notice.about["deadline"])
    if place is None or timezone.now() >= deadline or _due_now(place, notice) != deadline:
        return None
    whole = notice.about["of"] == "round"
    return {"place": place, "deadline": deadline, "whole": whole, "link": address("game", place.pk)}


def _due_now(place: ClubGame, notice: Notice) -> datetime | None:
    """Return the deadline of which a reminder tells, as it stands now."""
    if notice.about["of"] == "round":
        return place.table.round.deadline if place.table else None
    seats = Seat.objects.filter(game=place.pk, player=notice.about["player"])
    return _deadline(place, seats.get().number)


def _running(notice: Notice) -> ClubGame | None:
    place = selectors.games().filter(pk=notice.about["game"]).first()
    return None if place is None or place.game.is_over else place


def _deadline(place: ClubGame, seat: int) -> datetime | None:
    game = place.game
    times = Times(tuple(game.since), tuple(game.used))
    return clocks.deadlines(clocks.read(game.clock), times)[seat]


def _of_result(notice: Notice) -> Words | None:
    tables = Table.objects.select_related("round__stage__competition").filter(pk=notice.about["table"])
    table = tables.first()
    if table is None:
        return None
    competition = table.round.stage.competition
    seats = TableSeat.objects.filter(table=table).select_related("player").order_by("rank", "number")
    return {
        "competition": competition,
        "table": table,
        "seats": list(seats),
        "link": address("competition", competition.slug),
    }


def _of_address(notice: Notice) -> Words | None:
    if notice.account is None:
        return None
    email = notice.about["email"]
    link = address("confirm_address", token_for_address(notice.account, email))
    return {"to": email, "link": link}


def _of_password(notice: Notice) -> Words | None:
    account = notice.account
    if account is None:
        return None
    uid = urlsafe_base64_encode(force_bytes(account.pk))
    return {"link": address("password_reset_confirm", uid, default_token_generator.make_token(account))}


def _of_invitation(notice: Notice) -> Words | None:
    invitation = Invitation.objects.select_related("made_by", "player").get(pk=notice.about["invitation"])
    # An invitation that was sent again has another link, and another notice for it.
    if not invitation.is_open or not notice.key.endswith(invitation.salt):
        return None
    link = address("invitation", invitation.pk, token_of(invitation))
    return {"to": invitation.email, "invitation": invitation, "link": link}


def _of_stopped_webhook(notice: Notice) -> Words | None:
    webhook = Webhook.objects.filter(pk=notice.about["webhook"], active=False).first()
    if webhook is None:
        return None
    return {"webhook": webhook, "link": address("admin:league_webhook_change", webhook.pk)}


_WORDS: Final[Mapping[str, Callable[[Notice], Words | None]]] = {
    Notice.Kind.ROUND_PUBLISHED: _of_round,
    Notice.Kind.YOUR_TURN: _of_turn,
    Notice.Kind.REMINDER: _of_reminder,
    Notice.Kind.RESULT: _of_result,
    Notice.Kind.ADDRESS: _of_address,
    Notice.Kind.PASSWORD: _of_password,
    Notice.Kind.INVITATION: _of_invitation,
    Notice.Kind.WEBHOOK_STOPPED: _of_stopped_webhook,
}
