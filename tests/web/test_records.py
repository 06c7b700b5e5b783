"""What pages of players and clubs tell at a glance: form, best games, rivals, what is next, and records."""

import re
from datetime import date, timedelta
from typing import Any

from django.test import Client

from games import rules
from games.engine.values import replace
from league.callers import ByAccount
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.entries import SubstitutePlayer
from league.core.verbs.rounds import CloseRound, PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Details, Player
from league.projections import ratings as rating_lists
from league.projections import standings
from league.services.automatic import record_result
from league.services.play import make_move
from tests.api.web import ROOT
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act
from tests.league.playing import PLAN, finished, in_play, opened, play_all
from tests.league.test_rating_lists import MARIA, ruled
from tests.web.conftest import record_all
from tests.web.test_public import text


def test_a_player_shows_form_best_games_and_rivals_who_let_everybody_see_them(
    client: Client, cast: Cast
) -> None:
    competition = opened(cast, 0, stages=[{**PLAN, "table_size": 2}])
    for player in (cast.paul_plays, cast.petra_plays):
        act(cast.olga, competition, EnterPlayers, players=[player.pk])
    act(cast.olga, competition, StartCompetition)
    for number in (1, 2):
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, PublishRound)
        record_all(competition, number)
        act(cast.olga, competition, CloseRound)
    page = text(client, f"/players/{cast.paul_plays.pk}/")
    assert page.count('href="/games/') >= 5
    best = max(seat.score or 0 for seat in cast.paul_plays.seats.all())
    assert re.search(rf"\b{best} points? in Tally", page)
    assert re.search("met 2 times: [0-2] ahead, 0 tied, [0-2] behind", page)
    cast.petra_plays.audience = "club"
    cast.petra_plays.save()
    assert "met 2 times" not in text(client, f"/players/{cast.paul_plays.pk}/")


def test_a_game_that_somebody_left_is_nobodys_best_nor_is_one_without_points(
    client: Client, cast: Cast
) -> None:
    for ruleset in ("scoops", "scamper"):
        game = cast.game(ruleset)
        make_move(ByAccount(cast.paul), game_id=game.pk, seq=game.seq + 1, move={"type": "resign"})
    level = cast.game("tally", {"rounds": 1})
    for seq, account in ((2, cast.paul), (3, cast.petra)):
        make_move(ByAccount(account), game_id=level.pk, seq=seq, move={"type": "say", "number": 1})
    for player in (cast.paul_plays, cast.petra_plays):
        assert "in Scoops</a></h3>" not in text(client, f"/players/{player.pk}/")
        assert "in Scamper</a></h3>" not in text(client, f"/players/{player.pk}/")
        assert "1 point in Tally" in text(client, f"/players/{player.pk}/")


def test_records_say_how_many_others_played_as_many_games_and_when_ratings_count(
    client: Client, cast: Cast, played: Competition
) -> None:
    rating_lists.compute_ratings(played.pk)
    others = played.entries.count() - 1
    season = f"/clubs/{cast.club.slug}/seasons/{played.opened_at.year}/"
    for address in (f"/clubs/{cast.club.slug}/", season):
        page = text(client, address)
        assert f"and {others} others" in page and "from 10 games on" in page


def test_a_club_shows_what_is_next_who_won_last_and_records_of_those_who_are_seen(
    client: Client, cast: Cast, played: Competition
) -> None:
    rating_lists.compute_ratings(played.pk)
    address = f"/clubs/{cast.club.slug}/"
    assert "Most games" in text(client, address)
    cast.club.players.update(audience="club")
    assert "Most games" not in text(client, address)
    won = finished(cast, name="Winter")
    coming = opened(cast, name="Spring")
    Details.objects.create(competition=coming, begins_on=date(2999, 5, 3), place="The pier")
    page = text(client, address)
    assert page.index("Next event") < page.index("Spring") < page.index("Fri 3 May 2999 · The pier")
    assert page.index("Last winners") < page.index(f"/competitions/{won.slug}/winners/") < page.index("1st")


def test_who_won_last_is_told_of_the_latest_evening_also_after_an_earlier_one_is_corrected(
    client: Client, cast: Cast
) -> None:
    first, last = (finished(cast, name=name) for name in ("Evening 1", "Evening 2"))
    same_day = finished(cast, name="Late on the day of evening 1")
    for competition, day in ((first, 6), (same_day, 6), (last, 13)):
        Details.objects.create(competition=competition, begins_on=date(2025, 1, day))
    Competition.objects.filter(pk=first.pk).update(changed_at=last.changed_at + timedelta(days=1))
    winners = text(client, f"/clubs/{cast.club.slug}/").split("Last winners")[1].split("</ol>")[0]
    assert f"/competitions/{last.slug}/winners/" in winners
    home = text(client, "/").split('id="finished"')[1]
    assert home.index(last.slug) < home.index(same_day.slug) < home.index(f"{first.slug}/")


def test_a_clubs_game_with_mended_words_is_one_game_and_another_of_its_title_is_told_apart(
    client: Client, cast: Cast
) -> None:
    fifty = replace(MARIA, target=50)
    for name, game in (("May", MARIA), ("June", replace(MARIA, summary="Hearts.")), ("July", fifty)):
        competition = ruled(cast, game, name)
    slug, other = f"/clubs/{cast.club.slug}/", "Black Maria with other numbers"
    for address in (slug, f"{slug}ratings/", f"{slug}seasons/{competition.opened_at.year}/"):
        page = text(client, address)
        assert page.count(f">{other}<") == page.count(">Black Maria<") > 0
    page = text(client, f"/players/{cast.paul_plays.pk}/")
    assert page.count("<h3>Black Maria</h3>") == page.count(f"<h3>{other}</h3>") == 1
    shown = text(client, f"{slug}ratings/?game={competition.ruleset.partition('@')[0]}")
    keys = sorted({*re.findall(r'href="\?game=([^&"]+)', shown)})
    assert rules.game_key(competition.ruleset) in keys and len(keys) == 2
    assert client.get(f"{slug}ratings/?game=card-game-%00").status_code == 404


def test_lists_of_competitions_and_games_are_filtered_by_the_clubs_game(client: Client, cast: Cast) -> None:
    mended = [ruled(cast, each, each.summary[:9]) for each in (MARIA, replace(MARIA, summary="Hearts."))]
    ruled(cast, replace(MARIA, target=50), "Fifty")
    key = rules.game_key(mended[0].ruleset)
    for kind, linked in (("competitions", "[a-z0-9-]+"), ("games", "[0-9a-f-]{36}")):
        page = text(client, f"/clubs/{cast.club.slug}/{kind}/?ruleset={key}")
        assert len({*re.findall(f'href="/{kind}/{linked}/"', page)}) == 2
        for name, count in ((key, 2), (mended[1].ruleset, 1), (mended[1].ruleset[:-2], 1)):
            listed = client.get(f"{ROOT}/{kind}/?club={cast.club.slug}&ruleset={name}").json()
            assert len(listed["results"]) == count


def test_a_place_is_told_of_who_was_replaced_and_of_who_came_but_none_before_a_result(
    client: Client, cast: Cast
) -> None:
    competition, into = in_play(cast, 4, stages=[{**PLAN, "rounds": 2}]), PlayerFactory.create(club=cast.club)
    standings.compute_standings(competition.pk)
    assert " of 4</strong>" not in entered(client, cast.paul_plays)
    for number in (1, 2):
        for game in play_all(competition, number):
            record_result(game_id=game)
        act(cast.olga, competition, CloseRound)
        if number == 1:
            swap: dict[str, Any] = {"out": cast.paul_plays.pk, "into": into.pk, "points": "stand_in"}
            entry = competition.entries.get(members__player=cast.paul_plays)
            act(cast.olga, competition, SubstitutePlayer, entry=entry.pk, **swap)
            for verb in (DrawRound, PublishRound):
                act(cast.olga, competition, verb)
    act(cast.olga, competition, FinishCompetition)
    standings.compute_standings(competition.pk)
    for player in (cast.paul_plays, into):
        shown = entered(client, player)
        assert " of 4</strong>" in shown and f"{into.name} in round 2" in shown


def entered(client: Client, player: Player) -> str:
    """Return the list of competitions on a player's page."""
    return text(client, f"/players/{player.pk}/").split('id="entries"')[1].split("</ul>")[0]
