"""A verb is one file: the example of docs/adding-a-verb.md in log, API, desk and docs."""

import sys
from collections.abc import Iterator
from importlib import import_module, reload
from pathlib import Path
from typing import Any

import pytest
from django.urls import clear_url_caches

import api.urls
import league.urls
from api.views.docs import WRITTEN, document
from games.engine.refusals import Illegal
from league import log
from league.core.events import EVENTS, apply
from league.core.verb import ORGANISER_VERBS, PLAYER_VERBS
from league.models import Competition
from league.ops.folders import TOP
from league.words.event_text import sentence_of
from league.words.reference import verbs_table
from tests.api.web import bearer, get
from tests.core.crosstable import started
from tests.core.deciding import decide
from tests.core.ids import uid
from tests.factories import Cast
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in

EXAMPLE = "tests.examples.rename_entry"


@pytest.fixture
def renaming(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Register the example, as putting its file into league/core/verbs would, and forget it afterwards."""
    registries: tuple[dict[str, Any], ...] = (EVENTS, ORGANISER_VERBS, PLAYER_VERBS)
    before = [dict(registry) for registry in registries]
    sys.modules.pop(EXAMPLE, None)
    yield _with_addresses(import_module(EXAMPLE))
    for registry, kept in zip(registries, before, strict=True):
        registry.clear()
        registry.update(kept)
    _with_addresses(None)


def _with_addresses(module: Any) -> Any:
    document.cache_clear()
    WRITTEN.clear()
    reload(api.urls)
    reload(league.urls)
    clear_url_caches()
    return module


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return opened(cast, 2)


def test_the_verb_decides_its_event_and_the_fold_checks_it(renaming: Any) -> None:
    state = started("Ann Ben")
    (event,) = decide(state, renaming.RenameEntry(uid("Ann"), "Anna"))
    assert apply(state, event).entry(uid("Ann")).name == "Anna"
    with pytest.raises(Illegal, match="named Ben already"):
        decide(state, renaming.RenameEntry(uid("Ann"), "Ben"))


def test_a_verb_that_changes_nothing_writes_nothing(renaming: Any) -> None:
    assert decide(started("Ann Ben"), renaming.RenameEntry(uid("Ann"), "Ann")) == ()


def test_the_verb_is_an_operation_of_the_api_with_its_own_component(
    renaming: Any, cast: Cast, competition: Competition
) -> None:
    entry = competition.entries.get(number=1)
    path = f"/api/v1/competitions/{competition.pk}/rename/"
    answer = bearer(cast.olga, "organise").post(path, {"entry": str(entry.pk), "name": "The Pikes"})
    assert answer.status_code == 201
    assert get(f"/competitions/{competition.pk}/entries/")["results"][0]["name"] == "The Pikes"
    schema = get("/schema/?format=json")
    assert {*schema["components"]["schemas"]["RenameEntry"]["properties"]} == {"entry", "name", "seq"}


def test_players_can_use_the_verb_if_it_declares_their_fields(
    renaming: Any, cast: Cast, competition: Competition
) -> None:
    path = f"/api/v1/competitions/{competition.pk}/me/rename/"
    assert bearer(cast.paul, "play").post(path, {"name": "Pauline"}).status_code == 201
    assert log.entries(competition)[-1].role == "player"


def test_the_verb_has_a_button_and_a_form_for_players_on_the_competition_page(
    renaming: Any, cast: Cast, competition: Competition
) -> None:
    paul, page = logged_in(cast.paul), f"/competitions/{competition.slug}/"
    assert "Your entry goes by this name everywhere." in paul.get(page).content.decode()
    answer = paul.post(f"{page}me/rename/", {"rename-name": "Pauline"}, follow=True)
    assert "Your entry has its new name." in answer.content.decode()
    assert competition.entries.get(number=1).name == "Pauline"


def test_the_verb_has_a_button_and_a_form_on_the_desk(
    renaming: Any, cast: Cast, competition: Competition
) -> None:
    olga, entry = logged_in(cast.olga), competition.entries.get(number=1)
    page = f"/admin/league/competition/{competition.pk}/"
    assert "Rename an entry" in olga.get(f"{page}change/").content.decode()
    olga.post(f"{page.removesuffix('/')}/do/rename/", {"entry": entry.pk, "name": "The Pikes"})
    assert competition.entries.get(number=1).name == "The Pikes"


def test_the_verb_is_described_in_the_log_and_in_the_docs(renaming: Any) -> None:
    event = {"type": "renamed", "entry": uid("Ann"), "name": "Anna"}
    assert sentence_of(event) == "An entry is called Anna now."
    assert "| `rename` | organisers; players, for their own entry |" in verbs_table()


def test_the_page_quotes_the_example() -> None:
    page = (TOP / "docs/adding-a-verb.md").read_text(encoding="utf-8")
    example = Path(__file__).with_name("rename_entry.py").read_text(encoding="utf-8")
    assert example in page
