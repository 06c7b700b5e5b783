"""What the public reads for names: rows that follow the choices of a club and its people."""

from importlib import import_module

import pytest
from django.db import connection
from django.utils.translation import override

from games.engine.refusals import Illegal
from league.models import Competition, Entry, Player
from league.projections import public_names
from league.queries.competitions import state_of
from league.services import gate
from league.services.clubs import change_club
from league.services.players import change_player, choose_names, choose_privacy, create_player
from tests.factories import Cast
from tests.league.playing import opened

pytestmark = pytest.mark.django_db


def shown(cast: Cast, names: str) -> None:
    change_club(by=cast.olga, club=cast.club, name=cast.club.name, timezone="UTC", names=names)


def told(player: Player) -> str:
    player.refresh_from_db()
    return player.public_name


def test_names_in_public_follow_the_club_and_above_it_each_person(cast: Cast) -> None:
    assert told(cast.paul_plays) == "Paul Pike"
    shown(cast, "short")
    assert (told(cast.paul_plays), told(cast.petra_plays)) == ("Paul P.", "Petra P.")
    choose_privacy(
        by=cast.paul, player=cast.paul_plays, audience="everybody", findable=False, names="members"
    )
    assert told(cast.paul_plays) == f"Member {cast.paul_plays.number}"
    shown(cast, "full")
    assert told(cast.paul_plays).startswith("Member ") and told(cast.petra_plays) == "Petra Plum"
    choose_privacy(by=cast.paul, player=cast.paul_plays, audience="everybody", findable=False, names="")
    assert told(cast.paul_plays) == "Paul Pike"


def test_an_organiser_chooses_for_who_has_no_account(cast: Cast) -> None:
    pia = create_player(by=cast.olga, club=cast.club, name="Pia Penn")
    choose_names(by=cast.olga, player=pia, names="short")
    assert told(pia) == "Pia P."
    with pytest.raises(Illegal):
        choose_names(by=cast.olga, player=cast.paul_plays, names="short")


def test_a_newcomer_of_one_short_name_and_a_new_name_are_told_apart(cast: Cast) -> None:
    shown(cast, "short")
    paula = create_player(by=cast.olga, club=cast.club, name="Paul Pohl")
    assert told(paula) == f"Paul P. {paula.number}" and told(cast.paul_plays) == "Paul P."
    change_player(by=cast.olga, player=paula, name="Paula Pohl", account=None, active=True)
    assert told(paula) == "Paula P."


def test_what_is_computed_from_a_log_names_a_member_in_the_readers_language(cast: Cast) -> None:
    competition = opened(cast, 3)
    shown(cast, "members")
    for language, word in (("de", "Mitglied "), ("en", "Member "), ("de", "Mitglied ")):
        with override(language):
            names = [entry.name for entry in state_of(Competition.objects.get(pk=competition.pk)).entries]
        assert names and all(name.startswith(word) for name in names)


def test_entries_follow_and_all_of_it_is_made_anew_and_compared(cast: Cast) -> None:
    competition: Competition = opened(cast, 3)
    shown(cast, "members")
    names = {*Entry.objects.filter(competition=competition).values_list("public_name", flat=True)}
    assert names and all(name.startswith("Member ") for name in names)
    assert not [*gate.of_club(cast.club.pk)] and not [*gate.of_competition(competition.pk)]
    Player.objects.filter(pk=cast.paul_plays.pk).update(public_name="Paul Pike")
    Entry.objects.filter(competition=competition).update(public_name="Paul Pike")
    assert [*gate.of_club(cast.club.pk)] and [*gate.of_competition(competition.pk)]
    public_names.rebuild(cast.club.pk)
    assert not [*gate.of_club(cast.club.pk)] and not [*gate.of_competition(competition.pk)]


def test_people_of_one_number_get_numbers_of_their_own_by_an_upgrade(cast: Cast) -> None:
    opened(cast, 2)
    shown(cast, "members")
    others = [create_player(by=cast.olga, club=cast.club, name=f"Pia {last}") for last in ("Penn", "Pohl")]
    kept, last = cast.paul_plays, max(each.number or 0 for each in others)
    kept.refresh_from_db()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("DROP INDEX unique_player_number")
        Player.objects.filter(pk__in=[each.pk for each in others]).update(number=kept.number)
        cursor.execute(import_module("league.migrations.0022_one_number_each")._APART)
        cursor.execute("ALTER TABLE league_player ADD CONSTRAINT one_each UNIQUE (club_id, number)")
    numbers = [Player.objects.get(pk=each.pk).number for each in (kept, *others)]
    assert numbers[0] == kept.number and len({*numbers}) == 3 and last > (kept.number or 0)
    public_names.rebuild(cast.club.pk)
    assert [told(each) for each in others] == [f"Member {number}" for number in numbers[1:]]
