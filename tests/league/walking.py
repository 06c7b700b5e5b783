"""Every address of the desk, from its resolver: new pages are included automatically."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from itertools import product
from typing import Any
from zipfile import ZipFile

from django.contrib.contenttypes.models import ContentType
from django.db.models import ForeignKey, Model
from django.http import QueryDict
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils import timezone
from pypdf import PdfReader

import league.urls  # noqa: F401 - apps register their lists when it is loaded
from games.models import Game
from games.models.moves import Move
from league.admin import desk
from league.admin.verbs import offers
from league.models import (
    Account,
    App,
    Club,
    ClubChange,
    Competition,
    Entry,
    Invitation,
    Job,
    Member,
    Player,
)
from league.models.events import Event
from league.services.clubs import create_app
from league.services.invitations import invite
from tests.apps import of_site
from tests.factories import Cast

Rows = Mapping[type[Model], Model]
"""A row of every kind on the desk, all of one club."""


def rows_of(cast: Cast, competition: Competition) -> Rows:
    """Return a row of every kind on the desk: of Olga's club, her competition and its first game."""
    game = competition.games.all()[0].game
    return {
        Club: cast.club,
        Member: Member.objects.get(club=cast.club, account=cast.paul),
        Player: cast.paul_plays,
        Competition: competition,
        Event: competition.events.all()[0],
        Game: game,
        Move: Move.objects.filter(game=game)[0],
        Account: cast.paul,
        App: create_app(by=cast.olga, club=cast.club, name="Scoreboard"),
        Invitation: invite(by=cast.olga, club=cast.club, email="robin@harbour.example", role="player"),
        Job: Job.objects.create(
            club=cast.club,
            competition=competition,
            by=cast.olga,
            kind="print",
            status="done",
            file=b"printed",
            file_name="cards.pdf",
            file_until=timezone.now() + timedelta(hours=1),
        ),
        ClubChange: ClubChange.objects.create(
            club=cast.club, account=cast.olga, kind="player_made", subject="Paul Pike"
        ),
        **{model: row for each in of_site("walking").values() for model, row in each.rows_of(cast).items()},
    }


OPEN = ("index", "login", "logout", "password_change", "password_change_done", "jsi18n", "search")
"""Addresses that show nobody's rows."""


@dataclass(frozen=True)
class Address:
    """An address below /admin/, its name where it has one, and the kind of rows that it is about."""

    path: str
    name: str
    model: type[Model] | None


def addresses(rows: Rows) -> list[Address]:
    """Return every address of the desk for these rows, with each value that its parts can take."""
    found = [
        Address(f"/admin/{path}", name, model)
        for pattern, prefix in _leaves(desk.get_urls(), "")
        if (name := pattern.name or "") not in OPEN
        for model in [_model_of(prefix)]
        for path in _filled(prefix, pattern, rows, model)
    ]
    return [*dict.fromkeys(found)]


def _leaves(patterns: Any, prefix: str) -> Iterator[tuple[URLPattern, str]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _leaves(pattern.url_patterns, prefix + str(pattern.pattern))
        else:
            yield pattern, prefix


def _model_of(prefix: str) -> type[Model] | None:
    by_label = {f"{m._meta.app_label}/{m._meta.model_name}/": m for m in desk._registry}
    return by_label.get(prefix)


def _filled(prefix: str, pattern: URLPattern, rows: Rows, model: type[Model] | None) -> Iterator[str]:
    route = str(pattern.pattern)
    if route.startswith("^") or "(?P" in route:
        yield from (f"{app}/" for app in sorted({m._meta.app_label for m in desk._registry} | {"nowhere"}))
        return
    names = re.findall(r"<(?:\w+:)?(\w+)>", route)
    for values in product(*(_values(name, rows, model) for name in names)):
        yield prefix + re.sub(r"<[^>]*>", "{}", route).format(*values)


def _values(name: str, rows: Rows, model: type[Model] | None) -> list[str]:
    """Return what a part of an address can stand for; a part that nobody knows fails the walk."""
    if name in ("object_id", "pk", "id") and model is not None:
        assert model in rows, f"{model.__name__} is new on the desk: give the walk a row of it"
        return [str(rows[model].pk)]
    if name in ("object_id", "content_type_id"):
        model = next(iter(rows))
        return [str(rows[model].pk if name == "object_id" else ContentType.objects.get_for_model(model).pk)]
    if name == "entry":
        return [str(Entry.objects.filter(competition=rows[Competition].pk).order_by("number")[0].pk)]
    return KNOWN[name]


KNOWN: dict[str, list[str]] = {
    "verb": [*offers()],
    "entry": ["00000000-0000-0000-0000-000000000000"],
    "suffix": ["csv", "xlsx", "json"],
    **{
        name: values
        for app in of_site("walking").values()
        for name, values in getattr(app, "KNOWN", {}).items()
    },
}
"""What the other parts of addresses can stand for, by their names."""


def lists() -> Iterator[tuple[str, Any]]:
    """Yield the address and the admin of every list."""
    for model, admin in desk._registry.items():
        yield f"/admin/{model._meta.app_label}/{model._meta.model_name}/", admin


def narrowed(root: Client, address: str, admin: Any) -> list[str]:
    """Return a list's address with each value of each of its filters that shows a row to one who sees all.

    With any other value there is nothing that a list could show to somebody else.
    """
    opened = root.get(address)
    changes, request = opened.context["cl"], opened.wsgi_request
    choices = (choice["query_string"] for spec in changes.filter_specs for choice in spec.choices(changes))
    return [f"{address}{query}" for query in dict.fromkeys(choices) if _shown(admin, request, query)]


def _shown(admin: Any, request: Any, query: str) -> int:
    """Return how many rows of a list a query of its filters leaves to the caller."""
    request.GET = QueryDict(query.removeprefix("?"))
    found: int = admin.get_changelist_instance(request).result_count
    return found


def completions(admin: Any) -> Iterator[str]:
    """Yield the addresses that complete each choice of another row in an admin's form."""
    meta = admin.model._meta
    for field in meta.get_fields():
        if isinstance(field, ForeignKey):
            names = f"app_label={meta.app_label}&model_name={meta.model_name}&field_name={field.name}"
            yield f"/admin/autocomplete/?{names}&term=a"


def text_of(answer: Any) -> str:
    """Return all that an answer says, a spreadsheet's, an archive's or a printed page's too."""
    data: bytes = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if data.startswith(b"PK"):
        archive = ZipFile(BytesIO(data))
        return " ".join(archive.read(name).decode(errors="replace") for name in archive.namelist())
    if data.startswith(b"%PDF"):
        return " ".join(page.extract_text() for page in PdfReader(BytesIO(data)).pages)
    return data.decode()
