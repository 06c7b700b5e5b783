"""Every game on paper through the pages: entered by one, corrected by another, confirmed, and ranked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

from games import log, rules
from games.models import Game
from games.rules.card_game import CardGame
from league.core import presets
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Account, Competition, Member
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests.factories import Cast, MemberFactory, PlayerFactory
from tests.league.acting import enter
from tests.league.playing import PLAN, opened, stands
from tests.toys import EVERY, TOYS
from tests.web.conftest import Visit
from tests.web.test_game import page_text

pytestmark = pytest.mark.django_db

Fields = Mapping[str, str]


@dataclass(frozen=True)
class Played:
    """A game on paper of one round: what is typed first, what cannot be, and the scores when it is right."""

    key: str
    seats: int
    options: Mapping[str, Any]
    first: Fields
    wrong: Fields
    refused: tuple[str, str]
    right: Fields
    scores: tuple[int, ...]


def lines(part: str, *values: str, of: str = "seats") -> Fields:
    return {f"{of}-{seat}-{part}": value for seat, value in enumerate(values)}


PLAYED = [
    Played(
        "scamper-scorecard",
        2,
        {"rounds": 1},
        lines("cards", "0", "35"),
        lines("cards", "0", "37"),
        ("S3", "multiples of 5"),
        {**lines("cards", "0", "30"), "seats-1-adjustments-advice": "1"},
        (0, 50),
    ),
    Played(
        "scoops-scorecard",
        2,
        {"target": 1},
        {"goal": "Bowl", "winner": "0", "bonus": ""},
        {"goal": "Sandwich", "winner": "1", "bonus": "1"},
        ("C11", "of nothing but the special rank"),
        {"goal": "Bowl", "winner": "1", "bonus": "1"},
        (0, 2),
    ),
    Played(
        "scram-scorecard",
        3,
        {"rounds": 1},
        {**lines("sum", "20", "9", "8"), "scram": ""},
        {**lines("sum", "20", "99", "8"), "scram": "1"},
        ("B14", "two cards or fewer"),
        {**lines("sum", "20", "9", "8"), "scram": "1"},
        (20, 0, 0),
    ),
    Played(
        rules.of(CardGame.key, CardGame.shipped["cribbage"]).key,
        2,
        {"rounds": 1},
        lines("pegged", "121", "91"),
        lines("pegged", "121", "121"),
        ("K2", "One of the two has 121"),
        lines("pegged", "90", "121"),
        (0, 3),
    ),
    Played(
        "high-card-on-paper",
        2,
        {"rounds": 1},
        lines("points", "1", "0", of="lines"),
        lines("points", "0", "0", of="lines"),
        ("P2", "Somebody has the point"),
        {**lines("points", "0", "1", of="lines"), "lines-0-remarks-late": "1"},
        (-1, 1),
    ),
]


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with rules.registered(*TOYS):
        yield


@pytest.fixture(params=PLAYED, ids=lambda played: played.key)
def played(request: pytest.FixtureRequest) -> Played:
    case: Played = request.param
    return case


@pytest.fixture
def competition(cast: Cast, played: Played) -> Competition:
    """A competition of one table, at which Paul and Petra sit, with Nora where two are too few."""
    plan = {**PLAN, "rounds": 1, "table_size": played.seats}
    given: dict[str, Any] = {"ruleset": played.key, "options": dict(played.options), "stages": [plan]}
    others = [PlayerFactory.create(club=cast.club, account=cast.nora) for _ in range(played.seats - 2)]
    people = [cast.paul_plays, cast.petra_plays, *others]
    competition = opened(cast, **given)
    enter(cast.olga, competition, people, StartCompetition(), DrawRound(), PublishRound())
    return competition


@pytest.fixture
def game(competition: Competition) -> Game:
    return competition.games.get().game


@pytest.fixture
def opponents(game: Game) -> list[Account]:
    """Return who plays the first two seats: in Scram! of three the solo, and one of the duo."""
    accounts = game.seats.order_by("number").values_list("account", flat=True)[:2]
    return [Account.objects.get(pk=str(account)) for account in accounts]


def sent(game: Game, kind: str, fields: Fields, seq: int) -> dict[str, str]:
    """Return what the form for round 1 sends."""
    return {"seq": str(seq), "type": kind} | {f"{game.pk}.1.{name}": text for name, text in fields.items()}


CONFIRM = {"type": "confirm", "offer": '{"type": "confirm", "round": 1}'}


def post(client: Client, game: Game, fields: Mapping[str, str]) -> Any:
    return client.post(f"/games/{game.pk}/play/", fields)


def test_every_game_on_paper_is_played_here() -> None:
    played = {rules.find(case.key).package for case in PLAYED}
    assert played == {ruleset.package for ruleset in EVERY if not ruleset.dealt}


def test_a_round_is_entered_by_one_corrected_by_another_and_confirmed(
    as_account: Visit, opponents: list[Account], played: Played, competition: Competition, game: Game
) -> None:
    (writer, other), address = map(as_account, opponents), f"/games/{game.pk}/"
    form = page_text(writer.get(address))
    assert "Enter deal 1" in form
    assert [name for name in played.first if f'.1.{name}"' not in form] == []
    assert post(writer, game, sent(game, "round", played.first, 2))["Location"] == f"{address}#messages"
    assert "Is deal 1 right?" not in page_text(writer.get(address))
    assert "Is deal 1 right?" in page_text(other.get(address))
    assert "Correct deal 1" in page_text(other.get(f"{address}?form=correct-1"))
    assert post(other, game, sent(game, "correct", played.right, 3)).status_code == 302
    assert post(other, game, {**CONFIRM, "seq": "4"}).status_code == 422
    assert post(writer, game, {**CONFIRM, "seq": "4"}).status_code == 302
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    position = log.latest(game)
    assert position.ruleset.scores(position.state) == played.scores
    assert f"confirmed by {opponents[0].players.get().name}" in page_text(Client().get(address))
    assert standings(competition, game) == sorted(played.scores)


def standings(competition: Competition, game: Game) -> list[int]:
    """Return the score of each entry in the standings once the result is recorded, the lowest first."""
    record_result(game_id=game.pk)
    compute_standings(competition.pk)
    rows = stands(competition)
    assert {row.played for row in rows} == {1}
    page = page_text(Client().get(f"/competitions/{competition.slug}/"))
    assert all(row.entry.name in page for row in rows)
    seats = game.result["seats"] if game.result else []
    return sorted(seat["score"] for seat in seats)


def test_what_cannot_be_is_refused_with_its_rule_and_stays_typed(
    as_account: Visit, cast: Cast, played: Played, game: Game
) -> None:
    rule, sentence = played.refused
    answer = post(as_account(cast.paul), game, sent(game, "round", played.wrong, 2))
    page = page_text(answer)
    assert answer.status_code == 422
    assert f"/rules/{played.key}/#{rule}" in page and sentence in page
    assert 'aria-invalid="true"' in page or played.key == "high-card-on-paper"
    typed = [value for name, value in played.wrong.items() if "-" in name]
    assert [value for value in typed if f'value="{value}"' not in page] == []
    chosen = [value for value in played.wrong.values() if not value.isdigit()]
    assert [value for value in chosen if f'<option value="{value}" selected>' not in page] == []
    assert len(log.entries(game)) == 1


@pytest.mark.parametrize(
    ("role", "status"),
    [(Member.Role.SCOREKEEPER, 302), (Member.Role.ORGANISER, 302), (Member.Role.PLAYER, 403)],
)
@pytest.mark.parametrize("kind", ["round", "confirm"])
def test_without_a_seat_somebody_writes_as_the_role_says(
    as_account: Visit, cast: Cast, played: Played, game: Game, role: str, status: int, kind: str
) -> None:
    account: Account = MemberFactory.create(club=cast.club, role=role).account
    form = sent(game, "round", played.right, 2)
    if kind == "confirm":
        post(as_account(cast.paul), game, form)
        form = {**CONFIRM, "seq": "3"}
    assert post(as_account(account), game, form).status_code == status


def test_a_round_that_somebody_else_has_entered_becomes_a_correction(
    as_account: Visit, cast: Cast, played: Played, game: Game
) -> None:
    post(as_account(cast.paul), game, sent(game, "round", played.first, 2))
    answer = post(as_account(cast.petra), game, sent(game, "round", played.right, 2))
    assert answer.status_code == 409
    assert "Correct deal 1</h2>" in page_text(answer)


def test_its_evenings_are_set_up_at_the_desk_from_every_preset(
    as_account: Visit, cast: Cast, played: Played
) -> None:
    for plan in presets.PRESETS:
        address = f"/admin/league/competition/add/?ruleset={played.key}&plan={plan}"
        assert as_account(cast.olga).get(address).status_code == 200


@pytest.mark.parametrize(
    ("key", "heading", "placing"),
    [
        ("scamper-scorecard", "To lay down", "lowest total"),
        ("scoops-scorecard", "Goal", "highest total"),
        ("scram-scorecard", "Scram", "lowest team total"),
        ("card-game", "Notes", "highest total"),
    ],
)
def test_its_sheets_are_printed_for_every_number_of_seats(
    client: Client, key: str, heading: str, placing: str
) -> None:
    ruleset, page = rules.find(key), page_text(client.get(f"/rules/{key}/"))
    form = ruleset.form(ruleset.read_options({}, ruleset.seats[0]))
    assert form
    for players in ruleset.seats:
        address = f"/rules/{key}/sheet-{players}.pdf"
        assert address in page
        (sheet,) = PdfReader(BytesIO(client.get(address).content)).pages
        printed = sheet.extract_text()
        assert [line for line in (heading, placing, *form.legend) if line not in printed] == []
