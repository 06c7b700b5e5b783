"""What a club knows of its people: periods, categories, who has left or died, and what is forgotten."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.test import Client

from games.engine.refusals import Illegal, Malformed
from league.apps.people.membership import add_period, keep_category, keep_facts, let_go, remove_category
from league.apps.people.models import Category, Period, Person, Rule, Standing
from league.apps.people.queries import (
    Facts,
    category_members,
    contradicted,
    facts_of,
    own_data,
    periods_of,
    united,
    within,
)
from league.apps.people.tasks import follow_days
from league.apps.signed_log.leaves import enter_all
from league.apps.signed_log.models import LogSalt
from league.models import ClubChange, Email, Invitation, Player
from league.queries.clubs import players_of
from league.services import emails
from league.services.competitions import change_details
from league.services.invitations import invite, invite_players, send_invitation_again
from league.services.players import remove_player
from league.words.club_changes import change_in_words
from tests.api.web import bearer
from tests.apps.exchange.test_players import Desk, outcomes
from tests.factories import Cast, PlayerFactory
from tests.league.playing import finished
from tests.league.test_admin_scope import logged_in

A, B, C, D = date(2025, 1, 1), date(2025, 3, 31), date(2025, 4, 1), date(2025, 12, 31)
M, G, P = (Standing.MEMBER, Standing.GUEST, Standing.PAID)


def keep(cast: Cast, player: Player, *parts: Any, **own: Any) -> None:
    """Let the club know this of a player, in place of what it knew."""
    periods = tuple((str(what), None, since, until) for what, since, until in parts)
    keep_facts(by=cast.olga, club=cast.club, facts={player: Facts(**own, periods=periods)})
    player.refresh_from_db()


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


@pytest.mark.parametrize(
    ("given", "united_"),
    [
        ([(A, B), (C, D)], [(A, D)]),
        ([(C, D), (A, B)], [(A, D)]),
        ([(A, B), (date(2025, 4, 2), D)], [(A, B), (date(2025, 4, 2), D)]),
        ([(A, D), (B, C)], [(A, D)]),
        ([(A, None), (C, D)], [(A, None)]),
        ([(None, B), (A, None)], [(None, None)]),
        ([(A, A), (A, A)], [(A, A)]),
        ([(A, date.max), (C, None)], [(A, None)]),
    ],
)
def test_periods_that_meet_are_one(given: Any, united_: Any) -> None:
    assert [each[2:] for each in united(("member", None, *days) for days in given)] == united_


def test_periods_of_two_kinds_stay_apart() -> None:
    assert len(united([("member", None, A, B), ("guest", None, C, D)])) == 2


@pytest.mark.parametrize(
    ("on", "members", "paid"),
    [
        (A - timedelta(days=1), "", ""),
        (A, "Paul", "Paul"),
        (B, "Paul", "Paul"),
        (C, "Paul", ""),
        (D, "Paul Petra", ""),
        (D + timedelta(days=400), "Petra", ""),
    ],
)
def test_it_can_be_asked_who_was_what_on_a_day(cast: Cast, on: date, members: str, paid: str) -> None:
    keep(cast, cast.paul_plays, (M, A, D), (P, A, B))
    keep(cast, cast.petra_plays, (G, A, B), (M, D, None))
    names = {cast.paul_plays.pk: "Paul", cast.petra_plays.pk: "Petra"}
    kinds = (Standing.MEMBER, Standing.PAID)
    told = [sorted(names[pk] for pk in within(periods_of(cast.club, kind), on)) for kind in kinds]
    assert told == [members.split(), paid.split()]


def test_who_has_left_is_nothing_from_the_day_after(cast: Cast) -> None:
    keep(cast, cast.paul_plays, (M, A, None), (P, C, None), left_on=B)
    assert periods_of(cast.club, M) == {cast.paul_plays.pk: [(A, B)]}
    assert periods_of(cast.club, P) == {}


# ---- Categories ------------------------------------------------------------------------------------


def category(cast: Cast, rule: Rule, **given: Any) -> Category:
    values = {"name": rule.value, "least": None, "most": None, "since": None, **given}
    return keep_category(by=cast.olga, club=cast.club, category=None, rule=rule, **values)


@pytest.mark.parametrize(
    ("rule", "given", "spans"),
    [
        (Rule.BORN, {"least": 2008}, [(None, None)]),
        (Rule.BORN, {"most": 2008}, []),
        (Rule.BORN, {"least": 2000, "most": 2010}, [(None, None)]),
        (Rule.AGE, {"most": 18}, [(None, date(2028, 12, 31))]),
        (Rule.AGE, {"least": 60}, [(date(2070, 1, 1), None)]),
        (Rule.AGE, {"least": 12, "most": 16}, [(date(2022, 1, 1), date(2026, 12, 31))]),
        (Rule.SINCE, {"since": A}, [(C, None)]),
        (Rule.SINCE, {"since": D}, []),
        (Rule.FIRST, {"most": 3}, [(None, None)]),
        (Rule.TICKED, {}, []),
    ],
)
def test_a_category_follows_its_rule(cast: Cast, rule: Rule, given: Any, spans: Any) -> None:
    keep(cast, cast.paul_plays, (M, C, None), born=2010)
    found = periods_of(cast.club, category(cast, rule, **given))
    assert [*found.get(cast.paul_plays.pk, [])] == spans


def test_newcomers_are_that_until_their_last_first_evening(cast: Cast) -> None:
    newcomers = category(cast, Rule.FIRST, most=2)
    for day in (B, A, D):
        change_details(
            by=cast.olga, competition=finished(cast, 4, name=f"On {day}"), values={"begins_on": day}
        )
    late = PlayerFactory.create(club=cast.club)
    spans = periods_of(cast.club, newcomers)
    assert (spans[cast.paul_plays.pk], spans[late.pk]) == ([(None, B)], [(None, None)])
    assert cast.paul_plays.pk not in category_members(cast.club, newcomers, C)


def test_people_are_ticked_for_a_category_from_one_day_to_another(cast: Cast) -> None:
    group = category(cast, Rule.TICKED)
    both = [cast.paul_plays, cast.petra_plays]
    assert add_period(by=cast.olga, club=cast.club, players=both, what=group, since=A, until=B) == 2
    assert add_period(by=cast.olga, club=cast.club, players=both, what=group, since=A, until=B) == 0
    assert category_members(cast.club, group, B) == {each.pk for each in both}
    remove_category(by=cast.olga, category=group)
    assert not Period.objects.exists()
    assert list(contradicted({})) == []


@pytest.mark.parametrize(
    ("rule", "given", "field"),
    [
        (Rule.BORN, {}, "least"),
        (Rule.AGE, {"least": 20, "most": 10}, "most"),
        (Rule.AGE, {"most": 2008}, "most"),
        (Rule.FIRST, {}, "most"),
        (Rule.SINCE, {}, "since"),
    ],
)
def test_a_rule_without_what_it_needs_is_refused(cast: Cast, rule: Rule, given: Any, field: str) -> None:
    with pytest.raises(Malformed) as refusal:
        category(cast, rule, **given)
    assert list(refusal.value.errors) == [field]
    assert not Category.objects.exists()


# ---- Pass numbers, and those who leave -------------------------------------------------------------


def test_a_pass_number_is_one_players_of_a_club(cast: Cast) -> None:
    keep(cast, cast.paul_plays, pass_number="17")
    with pytest.raises(Malformed, match="Paul Pike has the pass number 17"):
        keep(cast, cast.petra_plays, pass_number="17")
    keep_facts(
        by=cast.olga,
        club=cast.club,
        facts={cast.paul_plays: Facts(pass_number="18"), cast.petra_plays: Facts(pass_number="17")},
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        Person.objects.filter(player=cast.petra_plays).update(pass_number="18")


def test_who_left_is_offered_for_nothing_and_keeps_the_name(cast: Cast) -> None:
    robin = PlayerFactory.create(club=cast.club, name="Robin")
    invitation = invite(by=cast.olga, club=cast.club, email="r@cards.example", role="player", player=robin)
    keep(cast, robin, (M, A, None), left_on=cast.club.today)
    assert (robin.active, robin.name) == (False, "Robin")
    assert robin not in players_of(cast.club, active=True)
    invitation.refresh_from_db()
    assert invitation.revoked_at and invitation.email == ""
    assert invite_players(by=cast.olga, club=cast.club, players=[robin]) == []
    with pytest.raises(Malformed):
        invite(by=cast.olga, club=cast.club, email="r@cards.example", role="player", player=robin)


def test_an_invitation_is_not_sent_again_to_who_is_no_longer_active(cast: Cast) -> None:
    robin = PlayerFactory.create(club=cast.club, name="Robin")
    invitation = invite(by=cast.olga, club=cast.club, email="r@cards.example", role="player", player=robin)
    Player.objects.filter(pk=robin.pk).update(active=False)
    with pytest.raises(Illegal):
        send_invitation_again(by=cast.olga, invitation=Invitation.objects.get(pk=invitation.pk))


def test_who_leaves_later_is_here_until_that_day(cast: Cast) -> None:
    day = cast.club.today + timedelta(days=1)
    keep(cast, cast.paul_plays, left_on=day)
    let_go()
    assert Player.objects.get(pk=cast.paul_plays.pk).active
    Person.objects.update(left_on=day - timedelta(days=1))
    follow_days()
    assert not Player.objects.get(pk=cast.paul_plays.pk).active


def test_who_is_back_is_active_again(cast: Cast) -> None:
    keep(cast, cast.paul_plays, left_on=B)
    assert not cast.paul_plays.active
    keep(cast, cast.paul_plays)
    assert cast.paul_plays.active


def test_no_email_of_the_club_goes_to_who_has_died(cast: Cast) -> None:
    cast.paul.email = "paul@cards.example"
    cast.paul.save()
    for key in "ab":
        kind, about = Email.Kind.NEW_DEVICE, {"browser": "", "system": "", "at": "2026-01-01T00:00:00+00:00"}
        emails.write_for([cast.paul], kind=kind, key=key, about=about, club=cast.club if key == "a" else None)
    keep(cast, cast.paul_plays, left_on=B, died=True)
    emails.send_emails()
    assert Email.objects.get(club=cast.club).status == Email.Status.DROPPED
    assert Email.objects.get(club=None).status == Email.Status.SENT


@pytest.mark.parametrize("own", [{"died": True}, {"born": 1700}, {"pass_number": "x" * 41}])
def test_what_cannot_be_is_refused_and_nothing_changes(cast: Cast, own: Any) -> None:
    with pytest.raises(Malformed):
        keep(cast, cast.paul_plays, **own)
    assert not Person.objects.exists()


@pytest.mark.parametrize("who", ["paul", "nora"])
def test_only_organisers_keep_it(cast: Cast, who: str) -> None:
    with pytest.raises(PermissionDenied):
        keep_facts(by=getattr(cast, who), club=cast.club, facts={cast.paul_plays: Facts(born=1990)})


# ---- The record ------------------------------------------------------------------------------------


def test_the_record_says_which_facts_changed_and_commits_to_them(cast: Cast) -> None:
    keep(cast, cast.paul_plays, (M, A, None), born=1990)
    change = ClubChange.objects.get(kind="player_changed")
    assert change.values["fields"] == [None, "born, periods"]
    assert "1990" not in str(change.values["fields"]) and len(change.values["sealed"][1]) == 64
    assert (
        change_in_words(change)
        == "olga changed a player: Paul Pike (what changed: year of birth, from when until when)."
    )
    assert list(contradicted({})) == []


@pytest.mark.parametrize(
    "tamper",
    [
        lambda: Person.objects.update(born=2010),
        lambda: Person.objects.update(salt="00" * 16),
        lambda: Period.objects.update(until=D),
        lambda: Period.objects.all().delete(),
        lambda: Person.objects.all().delete(),
    ],
)
def test_what_is_changed_past_the_service_is_named(cast: Cast, tamper: Callable[[], object]) -> None:
    keep(cast, cast.paul_plays, (M, A, None), born=1990)
    tamper()
    assert [*contradicted({})] == [
        f"player {cast.paul_plays.pk}: what the club knows of it was changed past the service"
    ]


def test_what_is_kept_past_the_service_is_named(cast: Cast) -> None:
    Person.objects.create(player=cast.paul_plays, club=cast.club)
    assert "changed past the service" in str([*contradicted({})])


def test_all_of_it_is_forgotten_with_the_person(cast: Cast) -> None:
    finished(cast, 4)
    keep(cast, cast.paul_plays, (M, A, None), born=1990, pass_number="17")
    enter_all()
    about = ClubChange.objects.filter(about=cast.paul_plays.pk).values_list("pk", flat=True)
    assert LogSalt.objects.filter(leaf__seq__in=[*about], leaf__subject=cast.club.pk).exists()
    remove_player(by=cast.olga, player=cast.paul_plays)
    assert not (Person.objects.exists() or Period.objects.exists())
    assert not LogSalt.objects.filter(leaf__seq__in=[*about], leaf__subject=cast.club.pk).exists()
    assert list(contradicted({})) == []


def test_ones_own_data_have_it(cast: Cast) -> None:
    keep(cast, cast.paul_plays, (M, A, None), born=1990)
    tables = own_data(cast.paul)["tables"]
    assert (tables["people.person"][0]["born"], tables["people.period"][0]["standing"]) == (1990, "member")
    assert "salt" not in tables["people.person"][0]


# ---- Pages -----------------------------------------------------------------------------------------


def page_of(client: Client, path: str) -> str:
    return str(client.get(path).content.decode())


def rows(*parts: tuple[str, str, str]) -> dict[str, str]:
    """Return the fields of the form's periods."""
    sent = {"periods-TOTAL_FORMS": str(len(parts)), "periods-INITIAL_FORMS": "0"}
    for at, part in enumerate(parts):
        sent |= {f"periods-{at}-{name}": v for name, v in zip(("what", "since", "until"), part, strict=True)}
    return sent


def test_the_desk_shows_and_keeps_what_is_known(cast: Cast, olga: Client) -> None:
    path = f"/admin/league/player/{cast.paul_plays.pk}/"
    sent = {"born": "1990", "pass_number": "17", **rows(("member", "2025-01-01", ""), ("", "", ""))}
    olga.post(f"{path}person/", sent)
    assert facts_of([cast.paul_plays.pk])[cast.paul_plays.pk] == Facts(
        1990, "17", periods=(("member", None, A, None),)
    )
    shown = page_of(olga, f"{path}change/")
    assert all(text in shown for text in ("since 1 Jan 2025", "1990", "17"))


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (("guest", "2025-03-31", ""), "would be a guest and a member on the same days"),
        (("member", "2025-04-01", "2025-01-01"), "The last day is before the first one."),
        (("", "2025-04-01", ""), "Choose what these days are about"),
        (("nothing", "", ""), "can’t be chosen any more"),
    ],
)
def test_a_wrong_period_is_shown_again_with_what_was_typed(
    cast: Cast, olga: Client, part: Any, sentence: str
) -> None:
    member = ("member", "2025-01-01", "2025-03-31")
    sent = {"born": "1990", **rows(member, part)}
    answer = olga.post(f"/admin/league/player/{cast.paul_plays.pk}/person/", sent)
    text = answer.content.decode()
    assert sentence in text
    assert 'value="1990"' in text
    assert not Person.objects.exists()


def test_two_organisers_do_not_overwrite_each_other(cast: Cast, olga: Client) -> None:
    path = f"/admin/league/player/{cast.paul_plays.pk}/person/"
    seen = page_of(olga, path).partition('name="seen" value="')[2].partition('"')[0]
    keep(cast, cast.paul_plays, born=1980)
    answer = olga.post(path, {"born": "1990", "seen": seen, **rows()})
    assert "Somebody else was faster" in answer.content.decode()
    assert facts_of([cast.paul_plays.pk])[cast.paul_plays.pk].born == 1980


def test_the_list_of_players_is_filtered_by_it_once_there_is_any(cast: Cast, olga: Client) -> None:
    path = "/admin/league/player/"
    assert "known=member" not in page_of(olga, path)
    keep(cast, cast.paul_plays, (M, A, None))
    shown = page_of(olga, f"{path}?known=member")
    assert "Paul Pike" in shown
    assert "Petra Plum" not in shown
    assert "Petra Plum" in page_of(olga, f"{path}?known=nothing")


def test_the_clubs_page_keeps_categories_and_enters_for_many(cast: Cast, olga: Client) -> None:
    path = f"/admin/league/club/{cast.club.pk}/people/"
    assert f'href="{path}"' in page_of(olga, f"/admin/league/club/{cast.club.pk}/change/")
    olga.post(f"{path}?category=new", {"name": "Juniors", "rule": "age", "most": "18"})
    olga.post(f"{path}?category=new", {"name": "B group", "rule": "ticked"})
    group = Category.objects.get(name="B group")
    sent = {"what": group.pk, "since": "2025-01-01", "people": [cast.paul_plays.pk, cast.petra_plays.pk]}
    olga.post(f"{path}?many={group.pk}", sent)
    assert len(category_members(cast.club, group, B)) == 2
    assert "Juniors" in page_of(olga, path) and "2 people" in page_of(olga, path)
    olga.post(f"{path}?category={group.pk}", {"remove": "yes", "sure": "1"})
    assert [*Category.objects.values_list("name", flat=True)] == ["Juniors"]
    assert "Add a category" in olga.post(f"{path}?category=new", {"name": "", "rule": "age"}).content.decode()


@pytest.mark.parametrize("who", ["paul", "nora"])
def test_nobody_else_reads_it(cast: Cast, who: str) -> None:
    keep(cast, cast.paul_plays, (M, A, None), born=1990)
    other = logged_in(getattr(cast, who))
    for path in (f"player/{cast.paul_plays.pk}/person/", f"club/{cast.club.pk}/people/"):
        assert other.get(f"/admin/league/{path}").status_code in (302, 403, 404)
        assert other.post(f"/admin/league/{path}", {"born": "1", **rows()}).status_code in (302, 403, 404)
    assert facts_of([cast.paul_plays.pk])[cast.paul_plays.pk].born == 1990


def test_public_pages_and_files_have_nothing_of_it(cast: Cast) -> None:
    keep(cast, cast.paul_plays, (M, A, None), born=1907, pass_number="PASS-1")
    anyone = Client()
    for path in (
        f"/players/{cast.paul_plays.pk}/",
        f"/clubs/{cast.club.slug}/players/",
        f"/api/v1/players/{cast.paul_plays.pk}/",
        f"/api/v1/clubs/{cast.club.slug}/players/",
        f"/api/v1/clubs/{cast.club.slug}/players.csv",
    ):
        for reader in (anyone, logged_in(cast.petra)):
            text = reader.get(path).content.decode()
            assert "1907" not in text and "PASS-1" not in text


# ---- Files -----------------------------------------------------------------------------------------


def test_an_export_for_organisers_has_the_columns_that_say_something(cast: Cast, olga: Client) -> None:
    path = "/admin/league/player/export.csv"
    assert "born" not in page_of(olga, path)
    keep(cast, cast.paul_plays, (M, A, None), born=1990, pass_number="17")
    head, *lines = page_of(olga, path).lstrip("\ufeff").splitlines()
    assert head.endswith("membership,since,pass number,year of birth")
    assert any(line.endswith("member,2025-01-01,17,1990") for line in lines)


@pytest.mark.parametrize(
    ("known", "cells", "facts"),
    [
        ((), "guest;;;;", Facts(periods=(("guest", None, None, None),))),
        ((), ";2019;;;", Facts(periods=(("member", None, date(2019, 1, 1), None),))),
        ((), ";;;17;1990", Facts(1990, "17")),
        ((), ";;;;1990-05-17", Facts(1990)),
        ([(M, A, None)], ";;2025-03-31;;", Facts(left_on=B, periods=(("member", None, A, None),))),
        ([(M, A, None)], "member;2025-04-01;;;", Facts(periods=(("member", None, C, None),))),
        ([(M, A, None)], "member;2025-01-01;;;", Facts(periods=(("member", None, A, None),))),
        (
            [(G, A, None), (P, A, D)],
            "member;2025-04-01;;;",
            Facts(periods=(("guest", None, A, B), ("member", None, C, None), ("paid", None, A, D))),
        ),
    ],
)
def test_a_file_of_players_brings_it(cast: Cast, known: Any, cells: str, facts: Facts) -> None:
    keep(cast, cast.paul_plays, *known)
    row = f"Paul Pike;{cells}\n"
    page = Desk(cast, cast.olga).confirms(f"Name;Membership;Since;Left on;Pass number;Year of birth\n{row}")
    assert "changed" in page
    assert facts_of([cast.paul_plays.pk])[cast.paul_plays.pk] == facts
    assert outcomes(Desk(cast, cast.olga).previews("Name;Since\nPaul Pike;\n")) == ["unchanged"]


def test_a_file_makes_members_and_its_wrong_cells_are_named(cast: Cast) -> None:
    desk = Desk(cast, cast.olga)
    text = "Name;Since;Born;Membership\nAda;2020-02-30;;\nBo;2020;90;\nCy;2020;1990;x\nDi;2020;1990;\n"
    page = desk.previews(text)
    assert outcomes(page) == ["error", "error", "error", "new"]
    assert all(f"<strong>{title}</strong>" in page for title in ("since", "year of birth", "membership"))
    desk.confirms(text, out_2="on", out_3="on", out_4="on")
    di = Player.objects.get(name="Di")
    assert within(periods_of(cast.club, Standing.MEMBER), C) == {di.pk}


def test_what_is_exported_is_imported_without_a_change(cast: Cast, olga: Client) -> None:
    keep(cast, cast.paul_plays, (G, A, None), born=1990, pass_number="017")
    exported = olga.get("/admin/league/player/export.csv").content.decode()
    assert outcomes(Desk(cast, cast.olga).previews(exported)) == ["unchanged", "unchanged"]


def test_a_pass_number_that_somebody_has_stops_the_import(cast: Cast) -> None:
    keep(cast, cast.paul_plays, pass_number="17")
    page = Desk(cast, cast.olga).confirms("Name;Pass number\nAda;17\n")
    assert "Paul Pike has the pass number 17." in page
    assert not Player.objects.filter(name="Ada").exists()


# ---- The API ---------------------------------------------------------------------------------------


def test_a_program_of_an_organiser_reads_it(cast: Cast) -> None:
    group = category(cast, Rule.TICKED, name="B group")
    keep(cast, cast.paul_plays, (M, A, None), born=1990)
    add_period(by=cast.olga, club=cast.club, players=[cast.paul_plays], what=group, since=None, until=B)
    (person,) = bearer(cast.olga).get(f"/api/v1/clubs/{cast.club.slug}/people/").json()["results"]
    assert (person["player"]["name"], person["born"], person["left_on"]) == ("Paul Pike", 1990, None)
    assert person["periods"] == [
        {"what": "category", "category": "B group", "since": None, "until": "2025-03-31"},
        {"what": "member", "category": None, "since": "2025-01-01", "until": None},
    ]
