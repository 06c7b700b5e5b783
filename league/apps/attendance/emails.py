"""The emails that ask whether somebody comes: whom they reach, and their links, when they are sent."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import database_time
from league.apps.attendance import queries
from league.apps.attendance.models import Answer, Reply
from league.apps.attendance.queries import KIND, is_open, requests_to, token_of
from league.models import Club, Competition, Details, Email, Player
from league.queries.clubs import gets_emails, players_of
from league.queries.competitions import details_of
from league.queries.links import folder_of_emails
from league.services.emails import awake, new_email, write
from league.words.emails import STOPPABLE, Context, Sample, address, reaching, rendered, variables_of

# ---- Writing -------------------------------------------------------------------------------------


def reached(competition: Competition) -> QuerySet[Player]:
    """Return the players who are asked by email: active people with an address who want it."""
    people = Player.objects.filter(club=competition.club, bot=False, merged_into=None)
    people = people.select_related("account", "contact")
    return people.filter(gets_emails(KIND)).order_by("sort_name", "pk")


def unreached(competition: Competition) -> QuerySet[Player]:
    """Return the active players whom no email asks, by name, with what the club keeps to reach them."""
    people = players_of(competition.club, active=True).filter(bot=False, merged_into=None)
    return people.exclude(pk__in=reached(competition).order_by().values("pk")).select_related("contact")


def to_ask(competition: Competition) -> QuerySet[Player]:
    """Return who has not answered and whom no email asks, by name, as `unreached` does; all without emails.

    Who is away on the day is not asked.
    """
    if folder_of_emails():
        people = players_of(competition.club, active=True).filter(bot=False, merged_into=None)
        people = people.select_related("contact")
    else:
        people = unreached(competition)
    answers = Answer.objects.filter(competition=competition).exclude(reply="")
    away = queries.away_at(competition, list(people.order_by().values_list("pk", flat=True)))
    return people.exclude(pk__in=answers.values("player")).exclude(pk__in=away)


def email_to(answer: Answer, why: str, language: str) -> Email:
    """Return the email to the player of an answer, not written yet, due when the club is awake.

    ``language`` is for somebody without an account.
    """
    club = answer.competition.club
    due = awake(club, database_time.now())
    about = {"answer": str(answer.pk), "why": why.partition(":")[0], "language": language}
    return new_email(KIND, f"{answer.pk}:{why}", about, account=answer.player.account_id, club=club, due=due)


def write_emails() -> None:
    """Ask by email whoever is to be asked by now, and remind once who has not answered."""
    for competition in queries.asked_in(Club.objects.all()):
        asking = queries.asking_of(competition)
        if asking.days and queries.is_to_come(competition) and queries.has_asked(competition):
            again = queries.asked_from(competition, 1) if asking.days > 1 else None
            with transaction.atomic():
                _ask_all(queries.locked(competition), again, asking.language)


def _ask_all(competition: Competition, again: datetime | None, language: str) -> None:
    """Ask who was not asked yet, and from ``again`` on remind who was asked earlier and has not answered."""
    now = database_time.now()
    here = _here(competition)
    answers = Answer.objects.filter(competition=competition)
    new = here.exclude(pk__in=answers.exclude(asked_at=None).values("player"))
    new = new.exclude(pk__in=answers.exclude(reply="").values("player"))
    written: list[Email] = []
    for player in new:
        answer, _made = Answer.objects.get_or_create(competition=competition, player=player)
        answer.player = player
        answer.asked_at = now
        answer.save(update_fields=["asked_at"])
        written.append(email_to(answer, "asked", language))
    if again and now >= again:
        silent = answers.filter(reply="", reminded_at=None, asked_at__lt=again, player__in=here)
        for answer in silent.select_related("player__account", "player__contact"):
            answer.reminded_at = now
            answer.save(update_fields=["reminded_at"])
            written.append(email_to(answer, "reminded", language))
    write(written)


def _here(competition: Competition) -> QuerySet[Player]:
    """Return whom emails reach, without those who are away on the day."""
    people = reached(competition)
    away = queries.away_at(competition, list(people.values_list("pk", flat=True)))
    return people.exclude(pk__in=away)


# ---- Sending -------------------------------------------------------------------------------------


STOPPABLE[KIND] = gettext_lazy("whether you are coming")


@variables_of(KIND)
def _of_coming(email: Email) -> Context | None:
    """Return the variables; None for who has answered since, has another account, or wants no such emails."""
    row = Answer.objects.select_related("player").filter(pk=email.about["answer"]).first()
    answer = queries.present_answer(row)
    if answer is None or not is_open(answer.competition):
        return None
    if answer.player.account_id != email.account_id:
        return None
    requests = list(requests_to(answer.competition, answer.player))
    asks = email.about["why"] == "request"
    stop = reaching(answer.player, KIND)
    if stop is None or not (requests if asks else not answer.reply):
        return None
    link = address("answer", answer.pk, token_of(answer))
    return {
        **_told(answer, link),
        "requests": requests if asks else (),
        "again": email.about["why"] == "reminded",
        "note": answer.competition.club.mail_note,
        **stop,
    }


def answer_link(competition: Competition, player: Player) -> str:
    """Return where a player answers whether they come, empty where nobody is asked, or no more."""
    if not (queries.asking_of(competition).asks and is_open(competition)):
        return ""
    answer, _made = Answer.objects.get_or_create(competition=competition, player=player)
    return address("answer", answer.pk, token_of(answer))


def _told(answer: Answer, link: str) -> Context:
    replies = [(title, f"{link}?reply={value}") for value, title in Reply.choices]
    return {
        "competition": answer.competition,
        "details": details_of(answer.competition),
        "name": answer.player.called,
        "link": link,
        "replies": replies,
    }


def samples(club: Club) -> Iterator[Sample]:
    """Yield a sample of the email that asks, about an invented evening."""
    day = database_time.now().date() + timedelta(days=3)
    link = f"{settings.SITE_URL}/…/"
    variables = {
        "competition": {"name": _("Club night")},
        "details": Details(begins_on=day),
        "name": "Anna",
        "link": link,
        "replies": [(title, link) for title in Reply.labels],
        "note": club.mail_note,
    }
    yield _("Are you coming?"), rendered(Email(kind=KIND, club=club, about={}), "", variables)
