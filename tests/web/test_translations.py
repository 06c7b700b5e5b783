"""Pages in another language: texts of the engine are translated on pages, and English in the API."""

import gettext
import struct
from pathlib import Path
from typing import Final

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from games import log
from games.engine import replay
from games.engine.messages import NULL, all_of, alternatives, plural, seat, text
from games.engine.replay import Actor
from games.models import Game
from league.templatetags.cards import spoken
from league.words.messages import errors_in_words, translated
from tests.factories import Cast
from tests.web.conftest import Visit

DUTCH: Final = {
    "": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n",
    "First draw a card.": "Trek eerst een kaart.",
    "draws from the deck": "trekt van de stapel",
    "takes the discard of %(seat)s": "neemt wat %(seat)s weglegde",
    "seat %(number)s": "plaats %(number)s",
    "%(before)s, %(part)s": "%(before)s; %(part)s",
    "This must be a whole number.": "Dit moet een geheel getal zijn.",
    "gives %(seat)s a penalty of %(count)s point: %(reason)s\0"
    "gives %(seat)s a penalty of %(count)s points: %(reason)s": (
        "geeft %(seat)s %(count)s strafpunt: %(reason)s\0geeft %(seat)s %(count)s strafpunten: %(reason)s"
    ),
    "%(count)s card\0%(count)s cards": "%(count)s kaart\0%(count)s kaarten",
}


def compiled(catalogue: dict[str, str]) -> bytes:
    """Return a catalogue as gettext's binary file: two tables of lengths and places, then the texts."""
    ids = sorted(catalogue, key=str.encode)
    columns = ([each.encode() for each in ids], [catalogue[each].encode() for each in ids])
    place = 28 + 16 * len(ids)
    tables, texts = b"", b""
    for each in (*columns[0], *columns[1]):
        tables += struct.pack("<2I", len(each), place + len(texts))
        texts += each + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, len(ids), 28, 28 + 8 * len(ids), 0, 0) + tables + texts


@pytest.fixture(autouse=True)
def dutch(settings: Settings, tmp_path: Path) -> None:
    """Dutch beside English, by a catalogue with a few sentences."""
    folder = tmp_path / "nl/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.mo").write_bytes(compiled(DUTCH))
    settings.LOCALE_PATHS = [tmp_path, *settings.LOCALE_PATHS]
    settings.LANGUAGES = [*settings.LANGUAGES, ("nl", "Nederlands")]


def in_dutch(client: Client, address: str, fields: dict[str, str] | None = None) -> str:
    headers = {"Accept-Language": "nl"}
    if fields is None:
        return str(client.get(address, headers=headers).content.decode())
    return str(client.post(address, fields, headers=headers).content.decode())


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game in which a seat has had a penalty, and another is to draw."""
    game = cast.game("scoops")
    penalty = {"type": "penalty", "seat": 1, "points": 5, "reason": "late"}
    log.append(game_id=game.pk, seq=2, actor=Actor("arbiter"), move=penalty, account=None)
    game.refresh_from_db()
    return game


def test_gettext_can_read_the_catalogue(tmp_path: Path) -> None:
    read = gettext.translation("django", tmp_path, ["nl"])
    assert read.gettext("First draw a card.") == "Trek eerst een kaart."
    assert read.ngettext("%(count)s card", "%(count)s cards", 2) == "%(count)s kaarten"


def test_a_refusal_is_shown_in_the_language_of_the_reader(as_account: Visit, cast: Cast, game: Game) -> None:
    (seat_to_act,) = replay.to_act(log.latest(game))
    client = as_account((cast.paul, cast.petra)[seat_to_act])
    fields = {"seq": "3", "type": "discard", "own-card": "9C"}
    assert "Trek eerst een kaart." in in_dutch(client, f"/games/{game.pk}/play/", fields)


def test_the_log_is_shown_in_the_language_of_the_reader(client: Client, game: Game) -> None:
    page = in_dutch(client, f"/games/{game.pk}/")
    assert "geeft Petra Plum 5 strafpunten: late" in page
    assert "gives Petra Plum" not in page


def test_changes_are_rendered_once_per_language_for_spectators(client: Client, game: Game) -> None:
    news = f"/games/{game.pk}/news/?after=1"
    assert "gives Petra Plum" in client.get(news).content.decode()
    assert "geeft Petra Plum" in in_dutch(client, news)


def test_the_log_on_the_desk_is_shown_in_the_language_of_the_reader(
    as_account: Visit, cast: Cast, game: Game
) -> None:
    assert "geeft Petra Plum 5 strafpunten: late" in in_dutch(as_account(cast.olga), "/admin/games/move/")


def test_the_api_stays_in_english(as_account: Visit, cast: Cast, game: Game) -> None:
    page = in_dutch(as_account(cast.paul), f"/api/v1/games/{game.pk}/moves/")
    assert "gives seat 1 a penalty of 5 points: late" in page


@pytest.fixture
def reading_dutch() -> object:
    with translation.override("nl"):
        yield


@pytest.mark.usefixtures("reading_dutch")
class TestTranslated:
    def test_plain_text_is_translated_unchanged(self) -> None:
        assert translated("First draw a card.") == "Trek eerst een kaart."
        assert translated("Anna") == "Anna"
        assert translated("") == ""

    def test_params_that_are_messages_are_translated_and_others_kept(self) -> None:
        listed = all_of(
            [plural("%(count)s card", "%(count)s cards", 1), "First draw a card.", text("%(a)s", a=3)]
        )
        assert translated(listed) == "1 kaart; First draw a card.; 3"
        assert listed == "1 card, First draw a card., 3"

    def test_of_alternatives_null_is_left_out(self) -> None:
        number, auto = text("This must be a whole number."), text("This must be auto.")
        for either in (alternatives(number, NULL), alternatives(NULL, number)):
            assert translated(either) == "Dit moet een geheel getal zijn."
            assert "null" in either
        assert "Dit moet" in translated(alternatives(alternatives(number, NULL), auto))
        assert translated(alternatives(auto, auto)) == "This must be auto. Or: This must be auto."

    @pytest.mark.parametrize(("count", "expected"), [(0, "0 kaarten"), (1, "1 kaart"), (2, "2 kaarten")])
    def test_a_plural_has_the_form_of_its_count(self, count: int, expected: str) -> None:
        assert translated(plural("%(count)s card", "%(count)s cards", count)) == expected

    def test_a_seat_is_shown_with_the_name_of_its_player(self) -> None:
        message = text("takes the discard of %(seat)s", seat=seat(1))
        assert translated(message) == "neemt wat plaats 2 weglegde"
        assert translated(message, {1: "Anna"}.get) == "neemt wat Anna weglegde"
        assert spoken(message, {1: "A <b> 9C"}) == "neemt wat A &lt;b&gt; 9C weglegde"
        assert spoken(message, {}) == "neemt wat plaats 2 weglegde"

    def test_errors_are_translated_by_their_paths(self) -> None:
        errors: dict[str, list[str]] = {"a": [text("This must be a whole number.")], "b": ["Anna"]}
        assert errors_in_words(errors) == {"a": ["Dit moet een geheel getal zijn."], "b": ["Anna"]}
