"""Only organisers can read a draw that is not published, and the log from it on."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import product
from typing import Any, Final
from uuid import UUID, uuid5

import pytest
from django.db.models import F
from django.test import Client
from django.urls import URLPattern, reverse
from django.urls.resolvers import RoutePattern

from api.views.docs import document
from games.engine.chain import canonical
from league import log
from league.core import commitment
from league.core.events import write
from league.core.verb import Verb
from league.core.verbs.adjustments import AdjustPoints
from league.core.verbs.course import CancelCompetition
from league.core.verbs.cut_off import CutOffMade
from league.core.verbs.draw import DiscardDraw, DrawRound
from league.core.verbs.entries import ExpelEntry, WithdrawEntry
from league.core.verbs.rounds import CloseRound, PublishRound, WithdrawRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Member
from league.projections.standings import compute_standings
from league.queries import verification
from league.queries.events import events_of
from league.services.automatic import record_result
from league.urls import urlpatterns
from league.web.site import SITEMAPS
from tests.api.web import EVERYBODY, ROOT, bearer
from tests.factories import AccountFactory, Cast, MemberFactory
from tests.league.acting import act
from tests.league.playing import in_play, opened, play_all
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, offers, page, page_text


@pytest.fixture
def drawn(cast: Cast) -> Competition:
    """Return a competition whose first round is drawn, twice, and changed."""
    competition = opened(cast, 8)
    for verb in (StartCompetition, DrawRound):
        act(cast.olga, competition, verb)
    act(cast.olga, competition, DrawRound, reason="a table is missing")
    act(
        cast.olga,
        competition,
        AdjustPoints,
        entry=competition.entries.get(number=1).pk,
        points="-1",
        reason="late",
    )
    competition.refresh_from_db()
    return competition


def public(competition: Competition) -> list[str]:
    """Return the kinds of event that everybody may read."""
    competition.refresh_from_db()
    return [entry.event["type"] for entry in reversed(events_of(competition))]


def everywhere(competition: Competition, client: Client) -> str:
    """Return all that a client can read of the log."""
    path = f"{ROOT}/competitions/{competition.pk}"
    pages = [*(f"{path}/{part}" for part in ("events/", "log/", "events.csv", "export/"))]
    return "".join(read(client, page) for page in (*pages, f"/competitions/{competition.slug}/log/"))


def read(client: Client, address: str) -> str:
    """Return what stands at an address, in one piece."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return b"".join(answer).decode()


def addresses(cast: Cast, competition: Competition) -> Iterator[str]:
    """Yield all addresses of pages, feeds, files and the API about clubs, competitions and players."""
    slugs = (cast.club.slug, competition.slug)
    fills: dict[str, Sequence[object]] = {"slug": slugs, "section": [*SITEMAPS]}
    fills |= {"player_id": [cast.paul_plays.pk], "year": [competition.opened_at.year]}
    for pattern in urlpatterns:
        if not isinstance(pattern, URLPattern) or not isinstance(pattern.pattern, RoutePattern):
            continue
        names = [*pattern.pattern.converters]
        # A feed of the whole site is dated by the moment where it is empty.
        is_dated = not names and str(pattern.name).endswith("_feed")
        if pattern.name and not is_dated and {*names} <= {*fills}:
            for values in product(*map(fills.__getitem__, names)):
                yield reverse(str(pattern.name), kwargs=dict(zip(names, values, strict=True)))
    for path, item in document()["paths"].items():
        kind = path.split("/")[3]
        own = {"competitions": competition.pk, "players": cast.paul_plays.pk}.get(kind, "")
        streams = path.endswith(("/stream/", "/me/events/"))
        if "get" in item and not streams and {*re.findall("{(.*?)}", path)} <= {"id", "slug"}:
            yield path.format(id=own, slug=cast.club.slug)


def shown(client: Client, addresses: Iterable[str]) -> Mapping[str, object]:
    """Return what stands at each address that there is: the answer's text, and what its headers say of it."""
    found = {address: client.get(address) for address in addresses}
    return {
        address: (plain(b"".join(answer).decode("latin-1")), answer.get("ETag"), answer.get("Last-Modified"))
        for address, answer in found.items()
        if answer.status_code == 200
    }


def plain(page: str) -> str:
    """Return a page without what differs each time: keys against forged forms, and the present time."""
    return re.sub(r'(name="csrfmiddlewaretoken" value|data-now)="[^"]*"', "", page)


_USED: Final = ("/account/", "/api/v1/tokens/")
"""Where a token's last use is told, which the reading itself changes."""


@pytest.mark.long
def test_a_redraw_changes_nothing_that_others_read(cast: Cast) -> None:
    competition = in_play(cast, 8)
    for game in play_all(competition):
        record_result(game_id=game)
    act(cast.olga, competition, CloseRound)
    act(cast.olga, competition, DrawRound)
    compute_standings(competition.pk)
    everything = [each for each in addresses(cast, competition) if each not in _USED]
    api = [each for each in everything if each.startswith(ROOT)]  # pages know no tokens
    readers = ((Client(), everything), (logged_in(cast.paul), everything), (bearer(cast.paul), api))
    before = [shown(*reader) for reader in readers]
    act(cast.olga, competition, DrawRound, reason="once more")
    # As if it had been an hour later.
    Competition.objects.update(changed_at=F("changed_at") + timedelta(hours=1))
    compute_standings(competition.pk)
    for (reader, its), was in zip(readers, before, strict=True):
        now = shown(reader, its)
        assert {address for address in its if now.get(address) != was.get(address)} == set()


def test_an_unpublished_draw_and_all_later_events_are_withheld(drawn: Competition) -> None:
    assert public(drawn)[-2:] == ["stage_started", "cut_off"]


def test_only_organisers_can_read_withheld_events(cast: Cast, drawn: Competition) -> None:
    table = log.latest(drawn).stages[0].rounds[0].tables[0].id
    for reader in (EVERYBODY, bearer(cast.paul), bearer(cast.nora)):
        response = everywhere(drawn, reader)
        assert table not in response and "is drawn" not in response
        assert re.search(r'"type": ?"(drawn|adjusted)"', response) is None
    assert everywhere(drawn, bearer(cast.olga)).count(f'"{table}"') == 2


def test_published_events_are_public_and_the_chain_is_complete(cast: Cast, drawn: Competition) -> None:
    act(cast.olga, drawn, PublishRound)
    assert public(drawn)[-5:] == ["drawn", "cut_off", "drawn", "adjusted", "published"]
    lines = [json.loads(line) for line in log.lines(drawn)]
    assert (lines[-1]["seq"], lines[-1]["hash"]) == (drawn.seq, drawn.head)


def test_withheld_events_are_the_end_of_the_same_chain(drawn: Competition) -> None:
    shown, whole = list(log.lines(drawn)), list(log.lines(drawn, withheld=True))
    assert whole[: len(shown)] == shown
    assert len(whole) == len(shown) + 4


def test_the_file_of_a_competition_ends_before_withheld_events(drawn: Competition) -> None:
    assert '"drawn"' not in "".join(verification.lines(drawn))


def test_a_withdrawal_does_not_make_the_draw_public(cast: Cast, drawn: Competition) -> None:
    act(cast.olga, drawn, WithdrawEntry, entry=drawn.entries.get(number=3).pk)
    assert public(drawn)[-1] == "cut_off"


def test_an_unpublished_draw_is_public_once_the_competition_is_over(cast: Cast, drawn: Competition) -> None:
    act(cast.olga, drawn, CancelCompetition, reason="flood")
    assert public(drawn)[-1] == "cancelled"


def test_heads_are_shown_only_as_far_as_the_public_log(cast: Cast, drawn: Competition) -> None:
    last = json.loads([*log.lines(drawn)][-1])
    shown = {"seq": last["seq"], "head": last["hash"]}
    whole = {"seq": drawn.seq, "head": drawn.head}
    readers = {
        EVERYBODY: shown,
        bearer(cast.paul): shown,
        bearer(cast.olga, "read", "play"): shown,
        bearer(cast.olga, "organise"): whole,
    }
    for reader, expected in readers.items():
        one = reader.get(f"{ROOT}/competitions/{drawn.pk}/").json()
        (listed,) = reader.get(f"{ROOT}/competitions/").json()["results"]
        assert [{key: each[key] for key in shown} for each in (one, listed)] == [expected] * 2


def test_a_token_that_may_not_organise_sees_no_draw(cast: Cast, drawn: Competition) -> None:
    table = log.latest(drawn).stages[0].rounds[0].tables[0].id
    reader = bearer(cast.olga, "read", "play")
    assert table not in everywhere(drawn, reader)
    for part in ("rounds/", "tables/"):
        assert reader.get(f"{ROOT}/competitions/{drawn.pk}/{part}").json()["results"] == []


def test_no_address_gives_a_secret_value_before_the_round_is_published(
    cast: Cast, drawn: Competition
) -> None:
    """The preimages of the drafts, the next ones, and the secret itself are nowhere for others to read."""
    (tree,) = log.trees(drawn.pk).values()
    drafts = [origin.reveal.preimage for origin in log.latest(drawn).drafts]
    coming = [tree.preimage(k).hex() for k in range(len(drafts) + 1, 20)]
    api, page = f"{ROOT}/competitions/{drawn.pk}", f"/competitions/{drawn.slug}"
    addresses = [f"{api}/", *(f"{api}/{part}/" for part in ("entries", "stages", "rounds", "tables"))]
    addresses += [f"{api}/{part}" for part in ("events/", "log/", "events.csv", "results.csv", "export/")]
    addresses += [f"{page}/", *(f"{page}/{part}/" for part in ("log", "entries", "rounds"))]
    for reader in (EVERYBODY, bearer(cast.paul), bearer(cast.nora), bearer(cast.olga, "read")):
        text = "".join(read(reader, address) for address in addresses)
        assert not [each for each in (*drafts, *coming, tree.secret.hex()) if each in text]
    act(cast.olga, drawn, PublishRound)
    public_log = read(EVERYBODY, f"{api}/log/")
    assert all(each in public_log for each in drafts)
    assert not [each for each in (*coming, tree.secret.hex()) if each in public_log]


def test_an_organiser_reads_no_value_that_is_not_used_yet(cast: Cast, drawn: Competition) -> None:
    (tree,) = log.trees(drawn.pk).values()
    state = log.latest(drawn)
    text = everywhere(drawn, bearer(cast.olga))
    assert not [k for k in range(state.next_k, 40) if tree.preimage(k).hex() in text]
    assert tree.secret.hex() not in text + repr(state)


def test_a_former_organiser_can_not_foretell_the_next_draw(cast: Cast, drawn: Competition) -> None:
    """Neither what they saw while they had the role, nor what they read after it, seeds the next draw."""
    otto = AccountFactory.create()
    role = MemberFactory.create(club=cast.club, account=otto, role=Member.Role.ORGANISER)
    seen = everywhere(drawn, bearer(otto))
    assert log.latest(drawn).drafts[-1].reveal.preimage in seen
    role.delete()
    act(cast.olga, drawn, DrawRound, reason="somebody saw it")
    seen += everywhere(drawn, bearer(otto, "read"))
    drawn.refresh_from_db()
    state = log.latest(drawn)
    assert len(state.drafts) == 3
    cut_off = canonical(write(CutOffMade(**vars(state.pending.cut_off)))) if state.pending else b""
    origin = state.drafts[-1]
    assert commitment.seed(bytes.fromhex(origin.reveal.preimage), cut_off).hex() not in seen
    tables = {table.id for table in state.stages[0].rounds[0].tables}
    values = {*re.findall(r"\b[0-9a-f]{64}\b", seen)}
    guesses = [commitment.seed(bytes.fromhex(value), cut_off) for value in values]
    first = {str(uuid5(UUID(bytes=guess[:16]), "1.1")) for guess in guesses}
    assert len(first) > 10 and not first & tables and not [each for each in tables if each in seen]


LADDER = {"name": "L", "format": "ladder", "rounds": 2, "table_size": 2, "intake": {"seeding": "order"}}


@pytest.mark.parametrize(
    ("language", "draw"), [("en", r"\bdr(?:a|e)w(?!n (?:game|match))"), ("de", "(?i:auslos|ausgelos)")]
)
def test_nothing_is_said_to_be_drawn_on_a_ladder(cast: Cast, language: str, draw: str) -> None:
    """Its first rungs are in the order of entry."""
    olga, competition = logged_in(cast.olga), opened(cast, 3, stages=[LADDER])
    why = {"reason": "too early"}
    acts: list[tuple[type[Verb], dict[str, Any]]] = [(StartCompetition, {}), (DrawRound, {})]
    acts += [(DiscardDraw, why), (DrawRound, {}), (PublishRound, {}), (WithdrawRound, why)]
    for verb, given in acts:
        act(cast.olga, competition, verb, **given)
        # Of further stages, and settings, the forms name what is chosen for other formats, too.
        found = {*offers(olga, competition)} - {"add-stage", "change-settings"}
        assert not {"discard-draw", "move-seat", "redraw", "draw"} & found
        shown = [page(olga, competition, f"?lang={language}")]
        shown += [ask(olga, competition, key, f"?lang={language}") for key in found]
        texts = re.findall(r">([^<]+)<", " ".join(map(page_text, shown)))
        assert [each for each in texts if re.search(draw, each) and "lot" not in each.lower()] == []


def test_the_desk_says_what_is_true_of_who_was_expelled_and_of_a_ladder_round_that_is_over(
    cast: Cast,
) -> None:
    olga, competition = logged_in(cast.olga), opened(cast, 3, stages=[LADDER])
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    petra = competition.entries.get(name="Petra Plum")
    act(cast.olga, competition, ExpelEntry, entry=petra.pk, reason="cheated")
    asked = page_text(ask(olga, competition, "enter"))
    assert "Expelled: Petra Plum." in asked and "Withdrawn: Petra Plum." not in asked
    assert "They can be opened at any time." in page_text(page(olga, competition))
    act(cast.olga, competition, CloseRound)
    closed = page_text(page(olga, competition))
    assert "No tables were opened." in closed and "They can be opened at any time." not in closed
