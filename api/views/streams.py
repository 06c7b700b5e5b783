"""Streams of events: server-sent, or with `wait` the same events as JSON (`api.stream` continues both)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer

from api import contract, events, stream
from api.answers import EventStreamRenderer, OneFormat
from api.callers import account_of
from api.errors import Gone
from api.feeds import Topic
from api.requests import (
    ALIVE,
    BY_HEAD,
    BY_NUMBER,
    BY_SEQ,
    BY_STATE,
    COMPANY,
    WAIT,
    WATCHING,
    Cursors,
)
from api.serializers.streams import OF_ACCOUNT, OF_CLUB, OF_COMPETITION, OF_GAME, SIGNS, WATCHED
from api.views.base import Operation, Resource, directs
from league.queries import permissions
from league.queries.at_table import at_table
from league.queries.clubs import club_at
from league.queries.competitions import all_competitions
from league.queries.games import seat_of, table_for
from league.queries.readers import PUBLIC, reading
from league.requests import visitor_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

    from api.events import News


def _responses(
    name: str, data: Mapping[str, contract.Schema], streamed: Mapping[str, contract.Schema] | None = None
) -> Any:
    """Return the schemas of a stream's response and of a long poll's, by the data of their events.

    ``streamed`` are those that only the stream has.
    """
    polled = contract.an_object(
        "",
        {
            "results": contract.list_of(contract.polled_schema(name, data)),
            "after": {"type": "string", "description": "what to send as `after` next"},
        },
    )
    sent = contract.events_schema({**data, **(streamed or {}), **SIGNS})
    return {(200, EventStreamRenderer.media_type): sent, (200, JSONRenderer.media_type): polled}


def _operation(cursors: Cursors, *scopes: str, refuses: tuple[str, ...] = ()) -> Operation:
    return Operation(query=(*cursors.parameters, WAIT, ALIVE), scopes=scopes, refuses=refuses)


class StreamResource(Resource):
    """A stream; it ends after the events so far where the server can't continue it."""

    content_negotiation_class = OneFormat
    renderer_classes = (EventStreamRenderer,)

    def answered(self, topic: Topic, news: News) -> HttpResponse:
        """Return the news as the request wants it; raise `Gone`."""
        wait = WAIT.read(self.request)
        answer = _streamed(topic, news) if wait is None else _polled(topic, news, wait)
        if ALIVE.read(self.request) and stream.CONTINUES in answer:
            answer[stream.SIGNS] = "events"
        answer["Cache-Control"] = "no-cache, no-transform"
        answer["X-Accel-Buffering"] = "no"
        return answer


def _streamed(topic: Topic, news: News) -> HttpResponse:
    answer = HttpResponse(events.RETRY + news.text, content_type=EventStreamRenderer.media_type)
    if not news.over:
        answer[stream.CONTINUES] = f"{topic} {news.cursor}"
    return answer


def _polled(topic: Topic, news: News, wait: int) -> HttpResponse:
    if news.lost:
        raise Gone(int(news.cursor))
    body = {"results": [event.as_json() for event in news.events], "after": news.cursor}
    answer = HttpResponse(JSONRenderer().render(body), content_type=JSONRenderer.media_type)
    if wait and not news.events:
        answer[stream.WAITS] = f"{topic} {news.cursor} {wait}"
    return answer


class GameEvents(StreamResource):
    """Server-sent events: a `move` for each entry after `after` or `Last-Event-ID`, `over` at the end.

    The data of a `move` is the entry as `moves/` lists it, and its `id` is the entry's `seq`. The data of
    `over` is the game's `ruleset`, `status` and `result`. A comment is sent every 15 seconds. With `wait`
    the same events come as JSON. With `watching` the stream also has `watching` events: how many follow it;
    with `company` what those at the table say, and for its players who is there.
    """

    operations = {"GET": Operation(query=(*BY_SEQ.parameters, WAIT, ALIVE, WATCHING, COMPANY))}

    @extend_schema(responses=_responses("GameStream", OF_GAME, WATCHED))
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        account = account_of(request)
        table_for(visitor_in(request._request, account), id)
        with reading(PUBLIC):  # as whoever watches gets the events after these
            news = events.of_game(id, BY_SEQ.read(request))
        answer = self.answered(Topic("game", id), news)
        if WATCHING.read(request) and stream.CONTINUES in answer:
            plays = account is not None and seat_of(account, id) is not None
            answer[stream.WATCHES] = stream.PLAYS if plays else stream.COUNTED
        if COMPANY.read(request) and stream.CONTINUES in answer:
            answer[stream.COMPANY] = str(at_table(account, id))
        return answer


class MyEvents(StreamResource):
    """Server-sent events: all that concerns the caller, in the order in which it was told.

    Without `after` the first event, `now`, lists the games that wait for the caller's move or answer. Events
    are kept for seven days, and at most 1000: who is further behind gets a `reset`, which says the same as
    `now`, and with `wait` a 410. A `turn` is told once, while the game waits for the caller.
    """

    operations = {"GET": _operation(BY_NUMBER, "read:private", "play:move", refuses=("gone",))}

    @extend_schema(responses=_responses("AccountStream", OF_ACCOUNT))
    def get(self, request: Request) -> HttpResponse:
        account = self.account()
        place = account.pk, BY_NUMBER.read(request)
        news = events.of_accounts([place])[place]
        return self.answered(Topic("account", account.pk), news)


class CompetitionStream(StreamResource):
    """Server-sent events: an `event` for each entry of the log, and `head` whenever the log has grown.

    The data of an `event` is the entry as `events/` lists it. `head` has `seq` and `head` of the log, the
    status, the stage, the round, and in `standings` the last entry that the standings include; it comes again
    when they are new. Only organisers of the club get entries, and a head, from an unpublished draw on.
    """

    operations = {"GET": _operation(BY_HEAD)}

    @extend_schema(responses=_responses("CompetitionStream", OF_COMPETITION))
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        inside = directs(request, all_competitions().get(pk=id))
        news = events.of_competition(id, BY_HEAD.read(request), withheld=inside)
        return self.answered(Topic("competition", id, inside), news)


class ClubStream(StreamResource):
    """Server-sent events: what is going on in a club.

    The first is a `state`: all competitions and games that are not over, each with the head of its log, and
    for members the open seeks. Then each `competition`, `game` or `seek` that changes comes again, the last
    time when it is over. Who resumes after an `id` that is no longer known gets a `state`.
    """

    operations = {"GET": _operation(BY_STATE)}

    @extend_schema(responses=_responses("ClubStream", OF_CLUB))
    def get(self, request: Request, slug: str) -> HttpResponse:
        club = club_at(slug)
        inside = permissions.reads_as_member(club.pk, account_of(request))
        news = events.of_club(club.pk, BY_STATE.read(request), member=inside)
        return self.answered(Topic("club", club.pk, inside), news)
