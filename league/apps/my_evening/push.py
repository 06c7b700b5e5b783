"""Browsers that are told of a person's evening, while its pass is good and the person takes part.

Keys, addresses, attempts and the message without content are those of the accounts' notifications; the
browser asks there for the words, and gets them by the pass that its session holds.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import override

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal
from league.apps.my_evening.models import EveningPush, Pass
from league.apps.my_evening.news import last_moments, news_of
from league.apps.my_evening.queries import people_of
from league.apps.notifications import push
from league.models import Competition, Player
from league.services import outbox

MOST_BROWSERS: Final = 3
_MOST_AT_ONCE: Final = 200
_MOST_LINES: Final = 3
_RECENT: Final = timedelta(minutes=10)
"""How old what a browser shows may be: what is older, the page says as it is now."""


@transaction.atomic
def subscribe(*, held: Pass, session_key: str, endpoint: str, language: str) -> EveningPush:
    """Return the subscription of a session's browser to an evening; the same address again is no second one.

    A pass has at most `MOST_BROWSERS`: the oldest goes. Raises `Malformed` for an address that is none of a
    public host, `Illegal` where the pass is not good any more, and Session.DoesNotExist.
    """
    push.check_endpoint(endpoint)
    locked = Pass.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "player__account", "player__contact"
    )
    held = locked.get(pk=held.pk)
    if not _is_used(held):
        raise Illegal(text("This code is not good any more. Ask an organiser for a new one."))
    session = Session.objects.get(pk=session_key)
    of_evening = EveningPush.objects.filter(held__competition=held.competition_id)
    same = of_evening.filter(held=held, endpoint=endpoint).first()
    others = of_evening.filter(Q(endpoint=endpoint) | Q(session=session))
    others.exclude(pk__in=[same.pk] if same else []).delete()
    if same:
        same.session, same.language = session, language
        same.save(update_fields=["session", "language"])
        return same
    _make_room(held)
    return EveningPush.objects.create(held=held, session=session, endpoint=endpoint, language=language)


def _make_room(held: Pass) -> None:
    oldest = EveningPush.objects.filter(held=held).order_by("-made_at", "pk")[MOST_BROWSERS - 1 :]
    EveningPush.objects.filter(pk__in=[each.pk for each in oldest]).delete()


@transaction.atomic
def follow(*, held: Pass, session_key: str) -> Player | None:
    """Tell a session's browser of the evening that it shows now; return of whose it told until now.

    One browser follows one person's evening of a competition. None where it was told of no other.
    """
    Pass.objects.select_for_update(no_key=True).get(pk=held.pk)
    of_evening = EveningPush.objects.filter(session=session_key, held__competition=held.competition_id)
    row = of_evening.exclude(held=held).select_related("held__player").first()
    if row is None:
        return None
    former = row.held.player
    EveningPush.objects.filter(held=held, endpoint=row.endpoint).delete()
    _make_room(held)
    row.held, row.made_at, row.told_at = held, database_time.now(), database_time.now()
    row.save(update_fields=["held", "made_at", "told_at"])
    return former


def unsubscribe(*, session_key: str, competition: Competition) -> None:
    """Tell a session's browser no more of an evening; a second time changes nothing."""
    EveningPush.objects.filter(session=session_key, held__competition=competition).delete()


def follows(session_key: str) -> bool:
    """Return whether a session's browser is told of an evening."""
    return EveningPush.objects.filter(session=session_key).exists()


def _is_used(held: Pass) -> bool:
    """Return whether a pass is good, and its person, who may have been replaced, takes part."""
    return held.is_good and people_of(held.competition).filter(pk=held.player_id).exists()


# ---- Messages ------------------------------------------------------------------------------------


def subscriptions_due() -> Sequence[UUID]:
    """Return the subscriptions to evenings where something happened of which they are not told yet."""
    now = database_time.now()
    free = EveningPush.objects.filter(next_at__lte=now, session__expire_date__gt=now)
    rows = list(free.select_related("held").order_by("told_at", "pk"))
    last = last_moments({each.held.competition_id for each in rows}, now) if rows else {}
    untold = [each for each in rows if each.told_at < last.get(each.held.competition_id, each.told_at)]
    return [each.pk for each in untold][:_MOST_AT_ONCE]


def send(*, subscription_id: UUID) -> None:
    """Tell a browser what concerns its person, unless another worker does; the next thing may follow at once.

    A subscription whose pass is not good any more, or whose person takes no part, ends.
    """
    mine = EveningPush.objects.filter(pk=subscription_id)
    subscription = outbox.lent(
        mine.select_related("held__competition__club", "held__player__account", "held__player__contact")
    )
    if subscription is None:
        return
    held, now = subscription.held, database_time.now()
    if not _is_used(held):
        mine.delete()
        return
    news = news_of(held, subscription.told_at, now)
    if news:
        push.tell(subscription, news[0].at)
        mine.filter(attempts=0).update(next_at=now)
    else:
        last = last_moments([held.competition_id], now)
        mine.update(told_at=last.get(held.competition_id, now), next_at=now)


def told(*, held: Pass, session_key: str) -> push.Told | None:
    """Return what a session's browser is told last of an evening, None where that is nothing."""
    now = database_time.now()
    rows = EveningPush.objects.filter(held=held, session=session_key)
    subscription = rows.select_related("held__competition__club").first()
    if subscription is None or not _is_used(held):
        return None
    with override(subscription.language):
        news = news_of(held, max(subscription.made_at, now - _RECENT), now)[:_MOST_LINES]
    if not news:
        return None
    words = "\n".join(dict.fromkeys(each.words for each in news))
    return push.Told(news[0].at, words, reverse("my_evening", args=[held.competition.slug]))
