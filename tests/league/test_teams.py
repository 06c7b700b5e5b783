"""Games of teams in a competition: partners are one entry, players on boards earn their team's points."""

import re
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games import log as games
from games.engine.replay import Actor
from games.models import Game, Seat
from league.callers import ByAccount
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import CorrectName, SubstitutePlayer, WithdrawEntry
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.rounds import WithdrawRound
from league.core.verbs.rulings import SetResult
from league.models import Bye, Competition, GameRating, Player, TableSeat
from league.projections import ratings
from league.projections.standings import compute_standings
from league.queries.competitions import last_entries_of_namesakes
from league.queries.events import events_of
from league.queries.names import teams_of, wrong_lines
from league.queries.readers import reading_as_people_of
from league.queries.records import of as record_of
from league.services.automatic import record_result
from league.services.play import make_move
from league.services.players import change_player
from league.words.competitions import BEST_PARTNER
from league.words.event_text import event_lines
from league.words.messages import told_apart
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, opened, pairs_in_play, play_all, stands, tables
from tests.league.playing import play as say
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import post
from tests.league.test_name_lists import enter as listed
from tests.league.walking import text_of
from tests.web.test_game import play

SHORT: dict[str, Any] = {"ruleset": "scram", "options": {"rounds": 1}}


def plan(table_size: int) -> list[dict[str, Any]]:
    return [{**PLAN, "rounds": 1, "table_size": table_size}]


def played(competition: Competition) -> list[Game]:
    """Return the games of round 1, played by bots and counted."""
    games = [play(place.game) for place in competition.games.all()]
    for game in games:
        record_result(game_id=game.pk)
    compute_standings(competition.pk)
    return games


def points(competition: Competition) -> dict[str, str]:
    return {row.entry.name: row.points for row in stands(competition)}


def winners(game: Game) -> set[int]:
    """Return the seats of the team that won; everybody's where nobody did (B17), for all earn the same."""
    result: Any = game.result
    won = {placing["seat"] for placing in result["seats"] if placing["rank"] == 1}
    return won or {*range(len(result["seats"]))}


def best(earned: dict[str, str]) -> set[str]:
    """Return who earned most."""
    return {name for name, each in earned.items() if Fraction(each) == max(map(Fraction, earned.values()))}


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_players_on_boards_earn_the_points_of_their_team(cast: Cast, seats: int) -> None:
    competition = in_play(cast, seats, stages=plan(seats), **SHORT)
    (game,) = played(competition)
    (table,) = competition.games.all()
    assert table.table
    names = [seat.entry.name for seat in table.table.seats.order_by("number")]
    earned = points(competition)
    teams: dict[int, set[str]] = {}
    for seat in Seat.objects.filter(game=game):
        teams.setdefault(seat.team, set()).add(earned[names[seat.number]])
    assert all(len(each) == 1 for each in teams.values())
    assert best(earned) == {names[seat] for seat in winners(game)}


def test_partners_are_one_entry_and_do_not_sit_next_to_each_other(cast: Cast) -> None:
    competition = pairs_in_play(cast, **SHORT)
    entries = competition.entries.order_by("number")
    people = [member.player for entry in entries for member in entry.members.order_by("number")]
    (game,) = played(competition)
    seats = dict(Seat.objects.filter(game=game).values_list("player", "number"))
    one, other = ({seats[player.pk] for player in pair} for pair in (people[:2], people[2:]))
    assert {frozenset(one), frozenset(other)} == {frozenset({0, 2}), frozenset({1, 3})}
    names = {f"{people[0]} & {people[1]}": one, f"{people[2]} & {people[3]}": other}
    assert best(points(competition)) == {name for name, own in names.items() if own <= winners(game)}


def resigned(cast: Cast) -> Competition:
    """Return a competition with one game of two teams, of which the first resigned."""
    competition = in_play(cast, 4, stages=plan(4), **SHORT)
    (game,) = Game.objects.all()
    for seat in (0, 2):
        # The system may have moved for the seat that left.
        game.refresh_from_db()
        resign = {"type": "resign"}
        games.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("seat", seat), move=resign, account=None)
    record_result(game_id=game.pk)
    return competition


def test_the_losers_of_two_teams_are_second_wherever_a_player_looks(cast: Cast) -> None:
    competition = resigned(cast)
    ratings.compute_ratings(competition.pk)
    lost, won = (seat.entry.members.get().player for seat in TableSeat.objects.order_by("number")[:2])
    (played,) = record_of(lost, cast.olga).results
    assert (played.rank, {rank for _, rank in played.against}) == (2, {1})
    assert record_of(won, cast.olga).results[0].rank == 1
    assert sorted(GameRating.objects.values_list("rank", flat=True)) == [1, 1, 2, 2]
    (line,) = event_lines(
        [each for each in events_of(competition, withheld=True) if each.event["type"] == "result_recorded"]
    )
    assert re.findall(r"\d(?:st|nd|rd)", line.sentence) == ["1st", "1st", "2nd", "2nd"]


def test_partners_are_one_side_on_the_page_of_their_game_and_no_opponents(cast: Cast, client: Client) -> None:
    competition = pairs_in_play(cast)
    (game,) = Game.objects.all()
    say(game, 5, 9, 1, 8)
    record_result(game_id=game.pk)
    entries = [seat.entry for seat in TableSeat.objects.order_by("number")[:2]]
    told = [each for each in events_of(competition, withheld=True) if each.event["type"] == "result_recorded"]
    (line,) = event_lines(told)
    assert re.findall(r"\d+(?:st|nd) \(\d+\)", line.sentence) == ["1st (9)", "2nd (5)"]
    page = client.get(f"/games/{game.pk}/").context["table"]
    assert [(side.name, side.rank, side.total) for side in page.sides] == [
        (entries[1].name, 1, 9),
        (entries[0].name, 2, 5),
    ]
    shown = client.get(f"/games/{game.pk}/").content.decode()
    assert "those of its best player there" in shown
    assert page.headline == f"{entries[1].name} win"
    (own, partner), others = ([each.player for each in entry.members.all()] for entry in entries)
    record = record_of(own, cast.olga)
    assert {*record.results[0].opponents} == {each.opponent for each in record.head_to_head} == {*others}
    assert partner not in record.results[0].opponents


def test_a_player_reads_that_the_game_ends_where_nobody_of_the_side_would_be_left(cast: Cast) -> None:
    pairs_in_play(cast)
    (game,) = Game.objects.all()
    address, ends = f"/games/{game.pk}/", "If you resign, the game ends at once"
    assert ends not in logged_in(cast.paul).get(address).content.decode()
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=game.seq + 1, move={"type": "resign"})
    assert ends in logged_in(cast.paul).get(address).content.decode()
    assert 'name="own-alone"' not in logged_in(cast.olga).get(address).content.decode()


def test_the_names_of_a_side_stand_together_wherever_people_of_a_table_are_listed(cast: Cast) -> None:
    competition = pairs_in_play(cast, ruleset="scamper-scorecard")
    names = [seat.player.name for seat in TableSeat.objects.order_by("number")]
    one, other = (f"{names[seat]} & {names[seat + 2]}" for seat in (0, 1))
    olga, desk = logged_in(cast.olga), f"/admin/league/competition/{competition.pk}"
    table, home = competition.games.get(), f"/competitions/{competition.slug}"
    void = f"{desk}/do/void/?table={table.table_id}"
    for page, told in ((f"{desk}/change/", f"{one}, {other}"), (void, f"{one} against {other}")):
        said = re.sub(r"<[^>]+>", "", olga.get(page).content.decode())
        assert told in " ".join(unescape(said).split()), page
    for page in (f"{home}/live/", f"{home}/rounds/"):
        said = Client().get(page).content.decode()
        found = sorted(names, key=lambda name: said.index(name, said.index("<h1")))
        assert found == [names[seat] for seat in (0, 2, 1, 3)], page
    pdfs = [text_of(Client().get(f"{home}/print/{name}.pdf")) for name in ("pairings", "cards")]
    pairings, cards = (" ".join(each.split()) for each in pdfs)
    assert f"{one} {other}" in pairings
    assert sorted(names, key=cards.index) == [names[seat] for seat in (0, 2, 1, 3)]
    own = TableSeat.objects.get(player=cast.paul_plays).number
    partner, theirs = names[(own + 2) % 4], (one, other)[1 - own % 2]
    for page in ("/account/", "/tables/mine/"):
        said = unescape(logged_in(cast.paul).get(page).content.decode())
        assert f"with {partner} against {theirs}" in said, page


def test_a_team_without_a_name_of_its_own_is_called_after_its_present_players(cast: Cast) -> None:
    competition, new = pairs_in_play(cast), PlayerFactory.create(club=cast.club)
    entry = competition.entries.first()
    assert entry
    stays, leaves = (member.player for member in entry.members.order_by("number"))
    act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, out=leaves.pk, into=new.pk)
    entry.refresh_from_db()
    assert entry.name == f"{stays} & {new}"


def test_a_pair_without_a_name_of_its_own_is_named_once_where_its_players_are_listed(
    cast: Cast, client: Client
) -> None:
    competition = pairs_in_play(cast)
    record_result(game_id=play_all(competition)[0])
    act(cast.olga, competition, CorrectName, entry=competition.entries.order_by("number")[1].pk, name="Reds")
    game = competition.games.get()
    names = [str(player) for player in Player.objects.filter(entered__entry__competition=competition)]
    for page in (f"/competitions/{competition.slug}/entries/", f"/games/{game.pk}/"):
        rows = re.split("<tbody[^>]*>", client.get(page).content.decode(), maxsplit=1)[1]
        told = unescape(re.sub(r"<(?!/?t)[^>]+>", "", rows)).split("</table>")[0]
        assert [told.count(name) for name in names] == [1] * 4 and told.count("Reds") == 1, page


@pytest.mark.parametrize(
    ("announced", "first", "then"),
    [
        ({}, "Petra Plum", "PETRA PLUM"),
        ({"lineup": "partners", "team_size": 2}, "Ada & Bo", "The Reds: Bo & Ada"),
    ],
)
def test_who_has_entered_already_is_named_with_the_line_that_is_skipped(
    cast: Cast, announced: dict[str, Any], first: str, then: str
) -> None:
    olga = logged_in(cast.olga)
    competition, other = opened(cast, **announced), "Cy & Di" if announced else "Cy"
    listed(olga, competition, first, add="on")
    said = unescape(listed(olga, competition, other, "", then, add="on"))
    assert f"1 line is skipped, because it has entered already: 3 ({then})." in said
    assert [entry.name for entry in competition.entries.order_by("number")] == [first, other]
    assert "skipped, because" not in listed(olga, competition, "Ed & Flo" if announced else "Ed", add="on")


def test_sizes_of_tables_where_partners_play_are_told_in_teams(cast: Cast, client: Client) -> None:
    competition, olga = pairs_in_play(cast), logged_in(cast.olga)
    home, desk = f"/competitions/{competition.slug}/", f"/admin/league/competition/{competition.pk}"
    assert "1 table of 2 teams." in client.get(f"{home}rounds/").content.decode()
    api = client.get(f"/api/v1/competitions/{competition.pk}/rounds/").json()["results"][0]
    assert api["summary"][0] == "1 table of 2 teams."
    for page in (home, f"{desk}/change/"):
        assert "tables of 2 teams" in olga.get(page).content.decode(), page
    act(cast.olga, competition, WithdrawRound, reason="fire")
    act(cast.olga, competition, DrawRound)
    assert "1 table of 2 teams." in olga.get(f"{desk}/change/").content.decode()


def test_each_sentence_of_the_log_names_a_team_as_it_was_then(cast: Cast) -> None:
    competition, new = pairs_in_play(cast), PlayerFactory.create(club=cast.club)
    record_result(game_id=play_all(competition)[0])
    entry = competition.entries.order_by("number")[0]
    stays, leaves = (member.player for member in entry.members.order_by("number"))
    act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, out=leaves.pk, into=new.pk)
    act(cast.olga, competition, WithdrawEntry, entry=entry.pk)
    with reading_as_people_of(cast.club.pk):
        lines = event_lines([*events_of(competition, withheld=True)])
    said = {line.event.event["type"]: unescape(re.sub("[\u2068\u2069]", "", line.sentence)) for line in lines}
    assert f"{stays} & {leaves} " in said["result_recorded"]
    assert said["substituted"].startswith(f"{new} plays for {stays} & {leaves} in place of {leaves}")
    assert said["withdrawn"].startswith(f"Withdrawn: {stays} & {new}")


def test_tables_of_earlier_rounds_and_their_rulings_name_a_team_as_it_was_then(
    cast: Cast, client: Client
) -> None:
    competition, new = pairs_in_play(cast), PlayerFactory.create(club=cast.club)
    record_result(game_id=play_all(competition)[0])
    entry, table = competition.entries.order_by("number")[0], tables(competition)[0]
    seats = [{"seat": seat, "rank": rank, "score": -rank} for seat, rank in enumerate((1, 3, 1, 3))]
    act(cast.olga, competition, SetResult, table=table.pk, seats=seats, reason="misread")
    stays, leaves = (member.player for member in entry.members.order_by("number"))
    act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, out=leaves.pk, into=new.pk)
    for part in ("", "rounds/"):
        shown = client.get(f"/competitions/{competition.slug}/{part}").content.decode()
        shown = unescape(re.sub("[\u2068\u2069]", "", shown))
        panel = shown.partition(f'id="table-{table.pk}"')[2].partition("</li>")[0]
        assert (f"{stays} & {leaves} " in panel, f"{stays} & {new}" in panel) == (True, False), part
    address = f"/admin/league/competition/{competition.pk}"
    file = logged_in(cast.olga).get(f"{address}/export/results.csv").content.decode()
    sheet = " ".join(text_of(logged_in(cast.olga).get(f"{address}/print/pairings.pdf")).split())
    assert all(f"{stays} & {leaves}" in told and str(new) not in told for told in (file, sheet))


def test_byes_and_rows_of_seats_of_earlier_rounds_name_a_team_as_it_was_then(
    cast: Cast, client: Client
) -> None:
    competition = pairs_in_play(cast, 3, stages=[{**PLAN, "rounds": 2, "table_size": 2}])
    record_result(game_id=play_all(competition)[0])
    resting, table = Bye.objects.get().entry, tables(competition)[0]
    told = {}
    for entry in (resting, table.seats.all()[0].entry):
        stays, leaves = (member.player for member in entry.members.order_by("number"))
        new = PlayerFactory.create(club=cast.club)
        act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, out=leaves.pk, into=new.pk)
        told[f"{stays} & {leaves}"] = f"{stays} & {new}"
    (rested, _rests), (_sat, sits) = told.items()
    home, desk = f"/competitions/{competition.slug}", f"/admin/league/competition/{competition.pk}"
    for page in (
        f"{home}/",
        f"{home}/rounds/",
        f"{desk}/change/",
        f"{desk}/print/names.pdf",
    ):
        answer = logged_in(cast.olga).get(page)
        shown = " ".join(text_of(answer).split()) if ".pdf" in page else unescape(answer.content.decode())
        assert rested in shown.partition('class="standings')[0], page
    seats = unescape(logged_in(cast.olga).get(f"{desk}/change/").content.decode())
    row = seats.partition(f'id="table-{table.pk}"')[2].partition("</tr>")[0]
    assert sits not in row + unescape(client.get(f"{home}/live/").content.decode())


def test_who_was_replaced_before_the_start_is_told_apart_by_the_team_entered_with(cast: Cast) -> None:
    people, competition = cast.people(3), opened(cast, lineup="partners", team_size=2)
    act(cast.olga, competition, EnterPlayers, players=[each.pk for each in people[:2]])
    (entry, out, into) = (competition.entries.get(), people[1], people[2])
    act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, out=out.pk, into=into.pk)
    PlayerFactory.create(club=cast.club, name=people[1].name)
    with reading_as_people_of(cast.club.pk):
        told = told_apart(people[1], last_entries_of_namesakes(cast.club))
    assert told == f"{people[1]} (last: {people[0]} & {people[1]} in {competition.name})"


def test_namesakes_are_told_apart_by_their_pairs_where_players_are_listed_by_name(cast: Cast) -> None:
    competition, olga = pairs_in_play(cast), logged_in(cast.olga)
    entries = competition.entries.order_by("number")
    for entry, partner in zip(entries, ("Ida", "Paula"), strict=True):
        players = [member.player for member in entry.members.order_by("number")]
        for player, name in zip(players, ("Otto Ruf", partner), strict=True):
            change_player(by=cast.olga, player=player, name=name, account=None, active=True)
    form = olga.get(f"/admin/league/competition/{competition.pk}/do/substitute/").context["form"]
    labels = [label for _value, label in form.fields["out"].choices]
    assert {"Otto Ruf & Ida: Otto Ruf", "Otto Ruf & Paula: Otto Ruf"} < set(labels)
    print_ = olga.get(f"/admin/league/competition/{competition.pk}/print/names.pdf")
    assert "Otto Ruf (Otto Ruf & Ida)" in " ".join(text_of(print_).split())


def test_the_desk_names_a_team_and_its_result_once(cast: Cast) -> None:
    competition, olga = pairs_in_play(cast), logged_in(cast.olga)
    record_result(game_id=play_all(competition)[0])
    entry = competition.entries.order_by("number")[0]
    act(cast.olga, competition, CorrectName, entry=entry.pk, name="Reds")
    act(cast.olga, competition, MarkNoShow, table=tables(competition)[0].pk, entry=entry.pk)
    page = unescape(olga.get(f"/admin/league/competition/{competition.pk}/change/").content.decode())
    row = page.partition(f'id="table-{tables(competition)[0].pk}"')[2].partition("</tr>")[0]
    assert (row.count("(Reds)"), row.count('"tf-soft">no-show'), "decided" in row) == (1, 1, True)


def test_the_page_of_who_was_replaced_lists_the_competition(cast: Cast) -> None:
    competition = opened(cast, lineup="partners", team_size=2)
    out, partner, into = cast.people(3)
    act(cast.olga, competition, EnterPlayers, players=[out.pk, partner.pk])
    entry = competition.entries.get().pk
    act(cast.olga, competition, SubstitutePlayer, entry=entry, out=out.pk, into=into.pk)
    shown = unescape(logged_in(cast.olga).get(f"/players/{out.pk}/").content.decode())
    assert "None yet" not in shown.partition("Competitions")[2].partition("Games")[0]
    assert f"entered as {out} & {partner}" in shown


def test_partners_are_with_a_player_and_opponents_against(cast: Cast) -> None:
    competition, paul = pairs_in_play(cast), logged_in(cast.paul)
    (own, partner), other = (
        [member.player.name for member in entry.members.order_by("number")]
        for entry in competition.entries.order_by("number")
    )
    for player, mate in ((cast.paul_plays, partner), (cast.petra_plays, own)):
        page = paul.get(f"/players/{player.pk}/").content.decode()
        shown = unescape(re.sub("<[^>]*>|[\u2068\u2069]", "", page))
        assert f"With: {mate}Against: " in shown
        assert any(", ".join(each) in shown for each in (other, other[::-1]))


def test_nobody_is_preselected_as_the_player_who_leaves_and_a_missing_substitute_can_be_added(
    cast: Cast,
) -> None:
    competition, client = pairs_in_play(cast), logged_in(cast.olga)
    address = f"/admin/league/competition/{competition.pk}/do/substitute/"
    form = client.get(address).context["form"]
    assert next(iter(form.fields["out"].choices)) == ("", "---------")
    Player.objects.exclude(entered__entry__competition=competition).update(active=False)
    assert "/admin/league/player/add/" in client.get(address).content.decode()


def test_a_form_that_comes_too_late_names_whose_entry_it_was_about(cast: Cast) -> None:
    olga, people = logged_in(cast.olga), cast.people(4)
    competition = opened(cast, lineup="partners", team_size=2)
    act(cast.olga, competition, EnterPlayers, players=[each.pk for each in people[:2]])
    entry = competition.entries.get()
    sent = {"player.0": str(people[2].pk), "player.1": str(people[1].pk)}
    told = unescape(post(olga, competition, "enter-team", **sent).content.decode())
    assert f"{people[1]} can’t be chosen any more (entered as {entry.name}). Choose again." in told
    act(cast.olga, competition, EnterPlayers, players=[each.pk for each in people[2:]])
    act(cast.olga, competition, WithdrawEntry, entry=entry.pk)
    for verb, form in (
        ("withdraw", {"entries": [str(entry.pk)]}),
        ("substitute", {"out": f"{entry.pk} {people[0].pk}", "into": str(people[2].pk)}),
    ):
        told = unescape(post(olga, competition, verb, **form).content.decode())
        assert f"{entry.name} can’t be chosen any more (withdrawn). Choose again." in told


def test_score_sheets_of_partners_have_room_for_teams_and_say_whose_score_counts(cast: Cast) -> None:
    competition = pairs_in_play(cast, ruleset="scamper-scorecard")
    sheet = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/print/sheets.pdf")
    told = " ".join(text_of(sheet).split())
    assert BEST_PARTNER.id in told
    assert "Its best player’s total" in told and "The team’s total" not in told and "The team’s place" in told


def test_the_best_player_is_not_named_where_the_game_gives_a_team_its_score(cast: Cast) -> None:
    competition, olga = pairs_in_play(cast, ruleset="scram-scorecard"), logged_in(cast.olga)
    table, desk = competition.games.get(), f"/admin/league/competition/{competition.pk}"
    told = text_of(olga.get(f"{desk}/print/sheets.pdf"))
    pages = (f"{desk}/do/rule/?table={table.table_id}", f"/games/{table.pk}/scores/", f"/games/{table.pk}/")
    for shown in (" ".join(told.split()), *(olga.get(page).content.decode() for page in pages)):
        assert BEST_PARTNER.id not in shown


def test_score_sheets_of_a_game_of_teams_have_room_for_them_and_others_none(cast: Cast) -> None:
    told = {}
    for ruleset in ("scram-scorecard", "scamper-scorecard"):
        competition = in_play(cast, 4, stages=plan(4), ruleset=ruleset, name=ruleset)
        sheet = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/print/sheets.pdf")
        told[ruleset] = "The team’s place" in " ".join(text_of(sheet).split())
    assert told == {"scram-scorecard": True, "scamper-scorecard": False}


def test_the_desk_and_the_cards_of_a_table_say_how_partners_enter_and_score(cast: Cast) -> None:
    competition, olga = pairs_in_play(cast, ruleset="scamper-scorecard"), logged_in(cast.olga)
    table, desk = competition.games.get(), f"/admin/league/competition/{competition.pk}"
    assert "Teams of 2 who share a table." in olga.get(f"{desk}/change/").content.decode()
    for client, page in (
        (olga, f"{desk}/do/rule/?table={table.table_id}"),
        (olga, f"/games/{table.pk}/scores/"),
        (logged_in(cast.paul), f"/games/{table.pk}/"),
    ):
        assert client.get(page).content.decode().count(BEST_PARTNER.id) == 1, page


@pytest.mark.parametrize(
    ("line", "players"),
    [
        ("Wolf von und zu Berg, Bo Li", ["Wolf von und zu Berg", "Bo Li"]),
        ("Wolf von und zu Berg und Bo Li", ["Wolf von und zu Berg", "Bo Li"]),
        ("Berg, Wolf and Li, Bo", ["Berg, Wolf", "Li, Bo"]),
        ("Ann, Bo und Cy", ["Ann", "Bo", "Cy"]),
    ],
)
def test_a_line_is_read_by_what_gives_as_many_players(line: str, players: list[str]) -> None:
    (team,) = teams_of(line, len(players))
    assert [*team.players] == players and not wrong_lines(line, len(players))
