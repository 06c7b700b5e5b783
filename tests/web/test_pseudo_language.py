"""Every text can be translated: in a language of brackets nothing is outside of them but data."""

import gettext
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real
from pytest_django import Settings

from games.rules.card_game.shipped import SHIPPED
from games.rules.card_game.telling import title_of
from league.apps.series.core.presets import PRESETS
from league.models import Competition
from league.projections import ratings as rating_lists
from league.services.accounts import choose_language
from league.templatetags import cards, trefoil
from league.words.catalogue import as_mo, everything
from league.words.emails import samples
from league.words.messages import forget_wordings
from tests.factories import Cast
from tests.league.playing import in_play
from tests.league.walking import addresses, rows_of, text_of
from tests.web.conftest import Visit, record_all

KEPT = re.compile(r"%\(\w+\)[a-z]|%%|\{\w*\}|<[^>]+>|%[a-z]")
INSIDE = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]{3,}")
UPSTREAM = (
    "django",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
)
NO_WORDS = re.compile(
    r"\S*@\S*|https?://\S+|[0-9a-f-]{8,}|scoreboard-[0-9a-f]{6}|\d+\. \w+\.? \d{4}|\{.*\}"
    r"|[\w/ +-]+ \(UTC[^)]*\)"
)
"""Addresses, ids, hashes, dates, JSON and time zones."""
DATA = {
    *WORD.findall(
        "Trefoil Deutsch English API CSV XLSX JSON GMT UTC IST Harbour Cards Club Autumn League Paul Pike "
        "Petra Plum Player olga paul petra Scoreboard club scoreboard Anna Ben Chloé robin harbour "
        "example printed Europe Dublin Door Year Typed Black Maria She shouts"
    ),
    # The words of the game that only tests know, and the names of goals and special cards of Scoops.
    *WORD.findall("Tally Each says say number Phase Open Hands Hidden"),
    *WORD.findall(
        "Bowl Coffee Cone Float Sandwich Shake Cherry Chocolate Raspberry Strawberry Vanilla Banana"
    ),
    # The clubs whose rules for a year are offered.
    *WORD.findall(" ".join(each.club for each in PRESETS.values())),
    # Names of columns in a file of players, as the file has them.
    *WORD.findall("name account active email phone note"),
    # The names of what is written and worked out in score cards by definition.
    *(each.name for game in SHIPPED.values() for each in (*game.fields, *game.steps)),
    *WORD.findall(" ".join(title_of(each.name) for game in SHIPPED.values() for each in game.steps)),
    # A rule of Django's, which it has in German itself.
    *WORD.findall("Das Passwort muss mindestens Zeichen enthalten"),
}
"""Words that are the same in every language."""
SPOKEN = ("title", "aria-label", "alt", "placeholder", "value")
"""Attributes that a reader sees or hears."""


def bracketed(wording: str) -> str:
    """Return a text in brackets; what is filled in stands outside of them."""
    inside = "⟧{}⟦".format
    return "⟦" + KEPT.sub(lambda kept: inside(kept[0]), wording) + "⟧"


def catalogue() -> bytes:
    """Return a compiled catalogue of our texts and of Django's."""
    made = Catalog(locale="de", charset="utf-8", fuzzy=False)
    for found in everything():
        text = found.text
        ids = (text.id, text.plural) if text.plural else text.id
        strings = (bracketed(text.id), bracketed(text.plural)) if text.plural else bracketed(text.id)
        made.add(ids, strings, context=text.context or None)
    for wording in upstream():
        if wording not in made:
            made.add(wording, bracketed(wording))
    return as_mo(made)


def upstream() -> Iterator[str]:
    """Yield the texts that Django has in German."""
    for package in UPSTREAM:
        spec = find_spec(package)
        assert spec and spec.origin
        conf = "conf" if package == "django" else "."
        with (Path(spec.origin).parent / conf / "locale/de/LC_MESSAGES/django.mo").open("rb") as file:
            read = vars(gettext.GNUTranslations(file))["_catalog"]
        yield from (key for key in read if isinstance(key, str) and key and "\x04" not in key)


@pytest.fixture(autouse=True)
def brackets(settings: Settings, tmp_path: Path) -> Iterator[None]:
    """German that is English in brackets."""
    folder = tmp_path / "de/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.mo").write_bytes(catalogue())
    settings.LOCALE_PATHS = [tmp_path, *settings.LOCALE_PATHS]
    forget()
    yield
    forget()


def forget() -> None:
    """Let translations be loaded again."""
    trans_real._translations.clear()  # type: ignore[attr-defined]
    trans_real._active = trans_real.Local()  # type: ignore[attr-defined]
    forget_wordings()
    for kept in (cards._face, cards._faces, cards._chip, trefoil._ordinal):
        kept.cache_clear()


class Reader(HTMLParser):
    """What a page says, besides code and lists that were written in the language."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self._silent = 0
        self._written = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        hidden = tag == "input" and given.get("type") not in ("submit", "button")
        names = [name for name in SPOKEN if name != "value" or (tag == "input" and not hidden)]
        self.said += [given[name] or "" for name in names if given.get(name)]
        if tag in ("script", "style", "code", "pre", "svg"):
            self._silent += 1
        if tag == "ul":
            self._written = "lang" in given

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "code", "pre", "svg"):
            self._silent -= 1
        if tag == "ul":
            self._written = False

    def handle_data(self, data: str) -> None:
        if not (self._silent or self._written):
            self.said.append(data)


def english(said: str) -> set[str]:
    """Return the words outside of brackets that are not data."""
    outside = said
    while INSIDE.search(outside):
        outside = INSIDE.sub(" ", outside)
    return {word for word in WORD.findall(NO_WORDS.sub(" ", outside)) if word not in DATA}


def pages(cast: Cast, competition: Competition) -> list[str]:
    """Return addresses of public pages, of the account, of the desk and of prints."""
    club, slug = f"/clubs/{cast.club.slug}/", f"/competitions/{competition.slug}/"
    games = [
        *competition.games.values_list("pk", flat=True)[:1],
        cast.game("scoops").pk,
        cast.game("scamper").pk,
    ]
    return [
        *(
            "/",
            "/rules/",
            "/account/",
            "/account/notices/",
            "/account/zone/",
            "/account/password/",
            "/nowhere/",
        ),
        *(club + part for part in ("", "players/", "competitions/", "games/", "ratings/")),
        f"{club}seasons/{competition.opened_at.year}/",
        *(slug + part for part in ("", "cross-table/", "rounds/", "entries/", "log/")),
        *(f"/games/{game}/" for game in games),
        f"/players/{cast.paul_plays.pk}/",
        *(address.path for address in addresses(rows_of(cast, competition)) if "history" not in address.path),
    ]


def untranslated(client: Client, address: str) -> list[str]:
    """Return what a page or a print says in English, data apart; nothing for files and redirects."""
    answer = client.get(address)
    kind = answer.get("Content-Type", "")
    if kind == "application/pdf":
        return sorted(english(text_of(answer)))
    if not kind.startswith("text/html"):
        return []
    return [said.strip() for said in Reader(text_of(answer)).said if english(said)]


@pytest.mark.long
def test_every_page_and_print_can_be_translated(cast: Cast, as_account: Visit) -> None:
    competition = in_play(cast)
    record_all(competition)
    rating_lists.compute_ratings(competition.pk)
    choose_language(by=cast.olga, language="de")
    client = as_account(cast.olga)
    found = {address: untranslated(client, address) for address in pages(cast, competition)}
    assert len(found) > 150
    assert {address: said for address, said in found.items() if said} == {}


def test_every_email_can_be_translated(cast: Cast) -> None:
    with translation.override("de"):
        emails = [email for _kind, email in samples(cast.club)]
    said = [
        line for email in emails for text in (email.subject, str(email.body)) for line in text.splitlines()
    ]
    assert [line for line in said if english(line)] == []
