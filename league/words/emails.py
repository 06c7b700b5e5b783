"""Emails, written when they are sent, from the data of that moment: their frame, and those of accounts."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import database_time
from games.engine.messages import filled
from league.models import (
    Account,
    Club,
    Email,
    Invitation,
    Member,
    Player,
    StoppedEmails,
    StoppedInvitations,
)
from league.queries.accounts import zone_for
from league.queries.clubs import language_of
from league.queries.links import (
    address_of,
    folder_of_emails,
    hash_of,
    password_tokens,
    stopped_invitations,
    token_for_address,
    token_of,
    token_to_stop,
    token_to_stop_invitations,
    waiting_invitations,
)
from league.queries.readers import reading_as, reading_as_people_of

_Kind: Final = Email.Kind
Context: TypeAlias = Mapping[str, Any]
"""Variables of a template."""
Variables: TypeAlias = Callable[[Email], Context | None]
"""Returns the variables of an email, None where there is nothing to tell any more."""
Sample: TypeAlias = tuple[str, EmailMultiAlternatives]
"""A kind of email in words, and one about what is invented."""
_VARIABLES: Final[dict[str, Variables]] = {}


def variables_of(kind: str) -> Callable[[Variables], Variables]:
    """Decorate the function of a kind of email, whose template is ``mail/KIND.txt``.

    Beside those of the template they may have ``to``, an address that is not the account's; ``note``, what
    the club adds; and ``stop`` and ``choices``, where emails of the kind are stopped and chosen.
    """

    def known(variables: Variables) -> Variables:
        _VARIABLES[kind] = variables
        return variables

    return known


def message_for(email: Email) -> EmailMultiAlternatives | None:
    """Return the message of an email, or None where it is out of date or has no recipient."""
    zone = zone_for(email.account, email.club)
    club = email.club_id
    reader = reading_as_people_of(club) if club else reading_as(email.account)
    with translation.override(_language(email)), timezone.override(zone), reader:
        variables = _VARIABLES.get(email.kind)
        context = variables(email) if variables else None  # its app may have been taken out
        if context is None:
            return None
        account = email.account
        to = context.get("to", account.email if account and account.is_active else "")
        return rendered(email, to, context) if to else None


def _language(email: Email) -> str:
    """Return the language of the recipient.

    Who is invited gets an email in the language of who invites, others without an account in that which the
    email is about. Whose language nobody knows gets it in the club's.
    """
    account = email.account
    if email.kind == _Kind.INVITATION:
        account = Invitation.objects.select_related("made_by").get(pk=email.about["invitation"]).made_by
    chosen = account.language if account else email.about.get("language", "")
    if chosen not in dict(settings.LANGUAGES) and email.club_id:
        chosen = language_of(email.club_id)
    return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def rendered(email: Email, to: str, variables: Context) -> EmailMultiAlternatives:
    """Return the message of an email, rendered with these variables."""
    given = {"account": email.account, "club": email.club, "site": settings.SITE_URL}
    context = {**variables, **given}
    text = render_to_string(f"mail/{email.kind}.txt", context).strip()
    # A subject must be one line, whatever names it contains.
    subject, _line, body = text.partition("\n")
    body = body.strip()
    html = render_to_string("mail/email.html", {**context, "subject": subject, "body": body})
    foot = render_to_string("mail/foot.txt", context).strip()
    message = EmailMultiAlternatives(" ".join(subject.split()), f"{body}\n\n-- \n{foot}\n", to=[to])
    message.attach_alternative(html, "text/html")
    message.extra_headers = {
        "Auto-Submitted": "auto-generated",
        # The same at every attempt, so that an email that arrives twice is recognised as one.
        "Message-ID": f"<{email.pk}.{email.kind}@{settings.MAIL_DOMAIN}>",
    }
    message.extra_headers |= variables.get("headers", {})
    if stop := variables.get("stop"):
        one_click = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        message.extra_headers |= one_click
    return message


STOPPABLE: Final[dict[str, Any]] = {_Kind.HANDED_OVER: gettext_lazy("another account plays your seat")}
"""What players can stop by a link, without an account: the titles of kinds of email, which apps add."""


def stopping(player: Player, kind: str) -> Context | None:
    """Return the link in an email to a player that stops its kind, None once it is stopped."""
    if StoppedEmails.objects.filter(player=player, kind=kind).exists():
        return None
    return {"stop": address("stop_kind", player.pk, kind, token_to_stop(player, kind))}


def reaching(player: Player, kind: str) -> Context | None:
    """Return what `stopping` does, and of who has no account the address that the club keeps."""
    stop = stopping(player, kind)
    return stop if stop is None or player.account_id else {**stop, "to": address_of(player)}


INVITATIONS: Final = gettext_lazy("invitations to the club")


def stopped_by(player: Player, *, but: str = "") -> list[Any]:
    """Return the titles of what a player, or who reads the player's address, has stopped of the club."""
    found = StoppedEmails.objects.filter(player=player).values_list("kind", flat=True)
    titles = [title for kind, title in STOPPABLE.items() if kind in {*found} - {but}]
    return titles + [INVITATIONS] * bool(stopped_invitations(player.club, address_of(player)))


def stopped_of(account: Account) -> list[tuple[Club, list[Any]]]:
    """Return the clubs by name of whose emails some are stopped for an account, with their titles."""
    rows = StoppedInvitations.objects.select_related("club")
    stops = rows.filter(address=hash_of(account.email)) if account.email else ()
    found: dict[Club, list[Any]] = {each.club: [INVITATIONS] for each in stops}
    for player in Player.objects.filter(account=account).select_related("club", "account"):
        found[player.club] = stopped_by(player) or found.get(player.club, [])
    told = [(club, titles) for club, titles in found.items() if titles]
    return sorted(told, key=lambda each: (each[0].name, each[0].pk))


def kept_here() -> str:
    """Return that emails become files, and where; empty where they leave the server."""
    folder = folder_of_emails()
    told = _("No email leaves this server: they become files in %(folder)s.")
    return filled(told, {"folder": folder}) if folder else ""


def address(name: str, *arguments: object) -> str:
    """Return the absolute URL of one of the site's pages."""
    return settings.SITE_URL + reverse(name, args=arguments)


# ---- The variables of each kind ------------------------------------------------------------------


@variables_of(_Kind.ADDRESS)
def _of_address(email: Email) -> Context | None:
    if email.account is None:
        return None
    invitation = None
    if pk := email.about.get("invitation"):
        invitation = waiting_invitations(email.account).filter(pk=pk).exclude(email="").first()
        if invitation is None:
            return None
    to = invitation.email if invitation else email.about["email"]
    link = address("confirm_address", token_for_address(email.account, to))
    return {"to": to, "link": link, "invitation": invitation}


@variables_of(_Kind.NEW_ADDRESS)
def _of_new_address(email: Email) -> Context:
    return {"to": email.about["email"], "new": email.about["new"], "link": address("devices")}


@variables_of(_Kind.PASSWORD)
def _of_password(email: Email) -> Context | None:
    account = email.account
    if account is None:
        return None
    uid = urlsafe_base64_encode(force_bytes(account.pk))
    return {"link": address("password_reset_confirm", uid, password_tokens.make_token(account))}


@variables_of(_Kind.INVITATION)
def _of_invitation(email: Email) -> Context | None:
    invitation = Invitation.objects.select_related("made_by", "player", "club").get(
        pk=email.about["invitation"]
    )
    # An invitation that was sent again has another link, and another email for it.
    if not invitation.is_open or not email.key.endswith(invitation.salt):
        return None
    if stopped_invitations(invitation.club, invitation.email):
        return None
    link = address("invitation", invitation.pk, token_of(invitation))
    stop = address("stop_invitations", token_to_stop_invitations(invitation.club, invitation.email))
    return {"to": invitation.email, "invitation": invitation, "link": link, "stop": stop}


@variables_of(_Kind.HANDED_OVER)
def _of_handed_over(email: Email) -> Context | None:
    player = Player.objects.filter(club=email.club, account=email.account).order_by("pk").first()
    stop = stopping(player, _Kind.HANDED_OVER) if player else {}
    variables = {"reason": email.about["reason"], "link": address("game", email.about["game"])}
    return None if stop is None else {**stop, **variables}


@variables_of(_Kind.NEW_DEVICE)
def _of_new_device(email: Email) -> Context:
    return {
        "browser": email.about["browser"],
        "system": email.about["system"],
        "at": datetime.fromisoformat(email.about["at"]),
        "link": address("devices"),
    }


# ---- Samples -------------------------------------------------------------------------------------

SAMPLES: Final[list[Callable[[Club], Iterable[Sample]]]] = []
"""Those of apps, of their emails to a club's players."""


def samples(club: Club) -> list[Sample]:
    """Return the title of each kind of email that the club's players get, with a sample."""
    invitation = {
        "get_role_display": Member.Role.PLAYER.label,
        "made_by": {"username": "olga"},
        "expires_at": database_time.now() + timedelta(days=2),
    }
    variables = {"invitation": invitation, "link": f"{settings.SITE_URL}/…/"}
    ours = rendered(Email(kind=_Kind.INVITATION, club=club, about={}), "", variables)
    return [*(sample for each in SAMPLES for sample in each(club)), (_("invitation"), ours)]
