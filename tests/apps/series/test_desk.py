"""Series on the desk: set up by one question, their evenings, and who counts."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.values import replace
from league import hooks
from league.apps.series import queries
from league.apps.series.core.rule import NEWEST, Count, Drops, Rule
from league.apps.series.models import Series
from league.models import Account, Player
from tests import factories
from tests.apps.series.year import evening, say, totals, typed, year
from tests.factories import Cast, PlayerFactory
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in

ADD = "/admin/series/series/add/"


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def page(series: Series, act: str = "", query: str = "") -> str:
    """Return the address of a series' page, or of an act."""
    if act == "rule":
        return reverse("admin:series_series_rule", args=[series.pk])
    name, more = ("act", [act]) if act else ("change", [])
    return reverse(f"admin:series_series_{name}", args=[series.pk, *more]) + query


def filled_in(client: Client, address: str, **changed: Any) -> dict[str, Any]:
    """Return what a form sends that is opened and changed."""
    form = client.get(address).context["form"]
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in sent.items() if value not in (None, False, "")}
    return {**sent, **changed}


def send(client: Client, series: Series, act: str, query: str = "", **fields: Any) -> Any:
    """Send the form of an act, as it is opened but for some fields; return the answer."""
    series.refresh_from_db()
    address = page(series, act, query)
    answer = client.post(address, {"seq": series.seq + 1, **filled_in(client, address, **fields)})
    series.refresh_from_db()
    return answer


def errors(answer: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = answer.context["form"].errors if answer.context else {}
    return found


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", answer.content.decode()))


def test_series_are_in_the_menu_of_the_desk(olga: Client) -> None:
    shown = olga.get("/admin/").content.decode()
    assert re.search(r'<a[^>]* href="/admin/series/series/"[^>]*>\s*Series\s*</a>', shown)


# ---- Set up --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "more", "rule"),
    [
        ("everything", {}, Rule()),
        ("best", {"best": 3}, Rule(count=Count(best=3))),
        ("average", {"least": 12}, Rule(divide="mean", over=12)),
        ("own", {"rule.count.drops.every": 5}, Rule(count=Count(drops=Drops(every=5)))),
    ],
)
def test_one_question_sets_up_a_series(
    olga: Client, cast: Cast, answer: str, more: dict[str, Any], rule: Rule
) -> None:
    olga.post(ADD, filled_in(olga, ADD, name="2027", counts=answer, **more))
    written = queries.state_of(Series.objects.get(name="2027")).rule
    assert written == replace(rule, edition=NEWEST)


def test_points_for_places_are_typed_beside_the_answer(olga: Client, cast: Cast) -> None:
    olga.post(ADD, filled_in(olga, ADD, name="2027", counts="places", places="3; 2; 1"))
    value = queries.state_of(Series.objects.get()).rule.value
    assert (value.by, value.places) == ("places", ("3", "2", "1"))


def test_a_clubs_rule_fills_the_form_in_and_what_was_typed_stays(olga: Client, cast: Cast) -> None:
    answer = olga.post(ADD, filled_in(olga, ADD, name="2027", start="altenburg", _start=1))
    form = answer.context["form"]
    assert form["name"].value() == "2027"
    assert (form["counts"].value(), form["rule.count.drops.every"].value()) == ("own", 5)
    assert "This is the rule of SC „18 und weg“ Altenburg" in text(answer)
    olga.post(ADD, filled_in(olga, ADD) | {name: v for name in form.fields if (v := form[name].value())})
    rule = queries.state_of(Series.objects.get()).rule
    assert (rule.unit, rule.count.drops, rule.minimum.played) == ("list", Drops(5, 25, 5, "earned"), 25)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": ""}, "name"),
        ({"counts": "all"}, "counts"),
        ({"counts": "best", "best": "0"}, "best"),
        ({"counts": "average", "least": "many"}, "least"),
        ({"counts": "places", "places": "first"}, "places"),
        ({"ranked": "friends"}, "ranked"),
        ({"rule.value.least": "-1"}, "rule.value.least"),
        ({"rule.lists": "1"}, "rule.lists"),
        ({"rule.count.months": "121"}, "rule.count.months"),
        ({"rule.absence.value": "5"}, "rule.absence.value"),
        ({"counts": "best", "rule.count.drops.every": "5"}, "rule.count.drops.every"),
    ],
)
def test_a_wrong_rule_is_told_at_its_field_and_what_was_typed_is_kept(
    olga: Client, cast: Cast, wrong: dict[str, Any], field: str
) -> None:
    answer = olga.post(ADD, filled_in(olga, ADD, **{"name": "2027", **wrong}))
    assert [*errors(answer)] == [field]
    assert answer.context["form"][field].value() == wrong[field]
    assert not Series.objects.exists()


def test_another_rule_shows_what_it_changes_and_needs_a_reason(olga: Client, cast: Cast) -> None:
    ann, ben = cast.people(2)
    series = say(
        cast, year(cast), typed((ann, "5"), (ben, "3")), typed((ann, "1"), (ben, "2"), on="2026-09-10")
    )
    series = say(cast, series, typed((ann, "1"), (ben, "2"), on="2026-09-17"))
    rule = {"counts": "places", "places": "2"}
    shown = send(olga, series, "rule", **rule, _try=1).context["tried"]
    assert [(each.was_rank, each.line.rank, each.line.total) for each in shown.lines] == [
        ("2", "1", "4"),
        ("1", "2", "2"),
    ]
    assert errors(send(olga, series, "rule", **rule)).keys() == {"reason"}
    send(olga, series, "rule", **rule, reason="as was agreed")
    assert list(totals(series).values()) == ["4", "2"]


# ---- Evenings ------------------------------------------------------------------------------------


def test_competitions_are_added_by_ticks_with_their_weight(olga: Client, cast: Cast) -> None:
    series, played = year(cast), [evening(cast), evening(cast)]
    send(olga, series, "add", competitions=[str(each.pk) for each in played], final="on", weight=2)
    found = [(each.evening.weight, each.evening.final) for each in queries.evenings_of(series)]
    assert found == [(2, True)] * 2
    assert "Add evenings" in text(olga.get(page(series)))
    assert errors(send(olga, series, "add", competitions=[])).keys() == {"competitions"}


def test_who_has_left_since_may_stand_in_an_evening_of_the_past(olga: Client, cast: Cast) -> None:
    series = year(cast)
    Player.objects.filter(pk=cast.petra_plays.pk).update(active=False)
    send(olga, series, "type-in", on="2026-11-05", name="November", totals="Paul Pike 3\nPetra Plum 4")
    assert totals(series)[cast.petra_plays.pk] == "4"
    (told,) = queries.evenings_of(series)
    send(olga, series, "correct", f"?evening={told.evening.id}", totals="Petra Plum 5", reason="miscounted")
    assert totals(series)[cast.petra_plays.pk] == "5"
    same = PlayerFactory.create(club=cast.club, name="Petra Plum")
    answer = send(olga, series, "type-in", on="2026-11-12", name="Next", totals="Petra Plum 4")
    asked = answer.context["form"].asked_who
    assert {pk for pk, _told in asked[0][3]} == {str(same.pk), str(cast.petra_plays.pk)}


def test_an_evening_is_typed_in_and_corrected_later(olga: Client, cast: Cast) -> None:
    series = year(cast)
    pasted = "Paul Pike\t1.5\t12\nPetra Plum\t−3\n"
    send(olga, series, "type-in", on="2026-11-05", name="November", totals=pasted)
    (told,) = queries.evenings_of(series)
    assert [(each.points, each.deals) for each in told.evening.totals] == [("3/2", 12), ("-3", 0)]
    query = f"?evening={told.evening.id}"
    form = olga.get(page(series, "correct", query)).context["form"]
    assert form["totals"].value() == "Paul Pike\t3/2\t12\nPetra Plum\t−3"
    send(olga, series, "correct", query, totals="Paul Pike 7\nPetra Plum −3", reason="miscounted")
    assert list(totals(series).values()) == ["7", "-3"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"on": "yesterday"}, "on"),
        ({"on": "2026-02-30"}, "on"),
        ({"name": ""}, "name"),
        ({"totals": ""}, "totals"),
        ({"totals": "Paul Pike"}, "totals"),
        ({"totals": "Paul Pike 1\nPaul Pike 2"}, "totals"),
        ({"totals": "Paul Pike 1/0"}, "totals"),
        ({"totals": "Nobody Known 3"}, "totals"),
        ({"field": "-1"}, "field"),
        ({"tables": "x"}, "tables"),
        ({"weight": "11"}, "weight"),
    ],
)
def test_a_wrong_evening_is_told_at_its_field_and_what_was_typed_is_kept(
    olga: Client, cast: Cast, wrong: dict[str, Any], field: str
) -> None:
    series = year(cast)
    right = {"on": "2026-11-05", "name": "November", "totals": "Paul Pike 3"}
    answer = send(olga, series, "type-in", **{**right, **wrong})
    assert [*errors(answer)] == [field]
    assert answer.context["form"][field].value() == wrong[field]
    assert not queries.evenings_of(series)


def test_the_box_adds_no_name_that_is_like_a_known_one_until_that_is_answered(
    olga: Client, cast: Cast
) -> None:
    series = year(cast)
    told = {"on": "2026-11-05", "name": "November", "totals": "Paul Pikke 3\nZsa Zsa Gray 5"}
    before = Player.objects.count()
    for _again in range(2):
        answer = send(olga, series, "type-in", **told, add="on")
        assert "did you mean Paul Pike?" in text(answer) and "somebody new" in text(answer)
        assert Player.objects.count() == before
    send(olga, series, "type-in", **told, add="on", **{"is:Paul Pikke": ""})
    assert Player.objects.count() == before + 2


def test_unknown_names_are_asked_about_and_added(olga: Client, cast: Cast) -> None:
    series = year(cast)
    told = {"on": "2026-11-05", "name": "November", "totals": "Paul Pikke 3\nAda Lane 5"}
    answer = send(olga, series, "type-in", **told)
    assert "did you mean Paul Pike?" in text(answer)
    assert 'name="is:Paul Pikke" value="Paul Pike"' in answer.content.decode()
    answer = send(olga, series, "type-in", **told, **{"is:Paul Pikke": "Paul Pike"})
    assert answer.context["form"]["totals"].value() == "Paul Pike 3\nAda Lane 5"
    send(olga, series, "type-in", **{**told, "totals": "Paul Pike 3\nAda Lane 5"}, add="on")
    assert set(totals(series)) == {Player.objects.get(name="Ada Lane").pk, cast.paul_plays.pk}


def test_all_unknown_names_are_asked_about_on_one_page(olga: Client, cast: Cast) -> None:
    series = year(cast)
    told = {"on": "2026-11-05", "name": "November", "totals": "Pikke, Paul 3\nPetra Plumm 5\nPlumm, Peter 1"}
    answer = send(olga, series, "type-in", **told)
    asked = [name for name, *_rest in answer.context["form"].asked_like]
    assert asked == ["Paul Pikke", "Petra Plumm", "Peter Plumm"]
    said = {"is:Paul Pikke": "Paul Pike", "is:Petra Plumm": "Petra Plum", "is:Peter Plumm": ""}
    send(olga, series, "type-in", **told, **said)
    peter = Player.objects.get(name="Peter Plumm").pk
    assert totals(series) == {cast.petra_plays.pk: "5", cast.paul_plays.pk: "3", peter: "1"}


def test_a_name_with_the_last_name_first_is_that_of_the_same_player(olga: Client, cast: Cast) -> None:
    series = year(cast)
    send(olga, series, "type-in", on="2026-11-05", name="November", totals="Pike, Paul 3\nPLUM, Petra\t5")
    assert totals(series) == {cast.petra_plays.pk: "5", cast.paul_plays.pk: "3"}


def test_it_is_asked_who_is_meant_by_a_name_that_two_have(olga: Client, cast: Cast) -> None:
    series, other = year(cast), PlayerFactory.create(club=cast.club, name="Paul Pike")
    told = {"on": "2026-11-05", "name": "November", "totals": "Paul Pike 3"}
    answer = send(olga, series, "type-in", **told)
    (_name, field, _kind, players) = answer.context["form"].asked_who[0]
    assert {pk for pk, _label in players} == {str(other.pk), str(cast.paul_plays.pk)}
    send(olga, series, "type-in", **told, **{field: str(other.pk)})
    assert set(totals(series)) == {other.pk}


def test_an_evening_is_changed_and_removed_with_a_reason(olga: Client, cast: Cast) -> None:
    series = year(cast, Rule(), evening(cast))
    query = f"?evening={queries.evenings_of(series)[0].evening.id}"
    send(olga, series, "change", query, final="on", weight=3)
    (told,) = queries.evenings_of(series)
    assert (told.evening.final, told.evening.weight) == (True, 3)
    assert errors(again := send(olga, series, "remove", query)).keys() == {"reason"}
    assert "competition stays as it is" in text(again)
    send(olga, series, "remove", query, reason="not of the year")
    assert not queries.evenings_of(series)
    series = say(cast, series, typed((cast.paul_plays, "3")))
    query = f"?evening={queries.evenings_of(series)[0].evening.id}"
    assert "They can be typed in again" in text(olga.get(page(series, "remove") + query))


def test_evenings_that_are_run_again_join_until_an_organiser_says_no_longer(olga: Client, cast: Cast) -> None:
    series = year(cast)
    assert "joins them by itself" in text(olga.get(page(series)))
    answer = olga.post(reverse("admin:series_series_gather", args=[series.pk]), {"off": 1}, follow=True)
    assert "Let them join by themselves" in text(answer)
    assert not Series.objects.get().gathers


def test_people_declare_an_evening_before_it_begins(olga: Client, cast: Cast) -> None:
    series = year(cast, Rule(count=Count(declared=4)), opened(cast, 4))
    query = f"?evening={queries.evenings_of(series)[0].evening.id}"
    assert "Who declared it" in text(olga.get(page(series)))
    send(olga, series, "declare", query, players=[str(cast.paul_plays.pk)])
    assert [player for player, _evening in queries.state_of(series).declared] == [str(cast.paul_plays.pk)]
    Player.objects.filter(pk=cast.petra_plays.pk).update(active=False)
    offered = olga.get(page(series, "declare", query)).context["form"].fields["players"].queryset
    assert cast.paul_plays in offered and cast.petra_plays not in offered
    send(olga, series, "declare", query, players=[])
    assert not queries.state_of(series).declared


# ---- People --------------------------------------------------------------------------------------


def test_who_counts_is_said_with_days_and_taken_back(olga: Client, cast: Cast) -> None:
    series = say(cast, year(cast, ranked="counted"), typed((cast.paul_plays, "5"), (cast.petra_plays, "3")))
    assert not totals(series)
    wrong: dict[str, Any] = {
        "players": [str(cast.paul_plays.pk)],
        "since": "2026-09-01",
        "until": "2026-08-01",
    }
    assert errors(send(olga, series, "count", **wrong)).keys() == {"until"}
    send(olga, series, "count", players=[str(cast.paul_plays.pk)], since="2026-09-01")
    assert set(totals(series)) == {cast.paul_plays.pk}
    assert "Paul Pike, since" in text(olga.get(page(series)))
    send(olga, series, "uncount", rows=["0"])
    assert not totals(series)


def test_who_counts_is_taken_over_from_what_a_club_knows(
    olga: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    paul, petra = cast.paul_plays.pk, cast.petra_plays.pk
    known: dict[UUID, list[tuple[date | None, date | None]]] = {
        paul: [(None, None)],
        petra: [(date(2026, 9, 4), None)],
    }
    members = hooks.KnownAs("members", "Members", known)
    monkeypatch.setattr(hooks, "KNOWN_AS", [lambda _club: [members]])
    olga.post(ADD, filled_in(olga, ADD, name="2027", ranked="members"))
    series = say(cast, Series.objects.get(), typed((cast.paul_plays, "5"), (cast.petra_plays, "3")))
    assert set(totals(series)) == {paul}
    known[petra] = [(date(2026, 9, 1), date(2026, 9, 30))]
    hooks.people_known(cast.club)
    assert set(totals(series)) == {paul, petra}
    assert len(queries.state_of(series).counted) == 2
    before = series.seq
    hooks.people_known(cast.club)
    series.refresh_from_db()
    assert series.seq == before
    shown = text(olga.get(page(series)))
    assert "known in the club as Members count by themselves" in shown and "Count people" not in shown
    send(olga, series, "rule", reason="as agreed", counts="best", best=2)
    assert Series.objects.get().follows == "members"


def test_who_counts_is_followed_until_an_organiser_says_no_longer(
    olga: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: dict[UUID, list[tuple[date | None, date | None]]] = {cast.paul_plays.pk: [(None, None)]}
    members = hooks.KnownAs("members", "Members", known)
    monkeypatch.setattr(hooks, "KNOWN_AS", [lambda _club: [members]])
    series = say(cast, year(cast, ranked="counted"), typed((cast.paul_plays, "5"), (cast.petra_plays, "3")))
    send(olga, series, "count-like", group="members")
    assert set(totals(series)) == {cast.paul_plays.pk}
    olga.post(reverse("admin:series_series_unfollow", args=[series.pk]))
    known[cast.petra_plays.pk] = [(None, None)]
    hooks.people_known(cast.club)
    assert set(totals(series)) == {cast.paul_plays.pk}
    assert "Count people" in text(olga.get(page(series)))


def test_prizes_are_noted_where_the_rule_knows_them(olga: Client, cast: Cast) -> None:
    series = year(cast, Rule(without=("Cup",)))
    series = say(cast, series, typed((cast.paul_plays, "5"), (cast.petra_plays, "3")))
    send(olga, series, "prize", player=str(cast.paul_plays.pk), on="2026-05-01", prize="Cup")
    assert "No rank, as the winner of this prize: Cup." in text(olga.get(page(series)))
    send(olga, series, "take-back-prize", rows=["0"])
    assert not queries.state_of(series).prizes
    assert "Note a prize" not in text(olga.get(page(year(cast))))


# ---- Two organisers, and who may -----------------------------------------------------------------


def test_a_series_is_renamed_closed_and_reopened(olga: Client, cast: Cast) -> None:
    series = year(cast)
    send(olga, series, "rename", name="Year 2027")
    send(olga, series, "close")
    assert text(olga.get(page(series))).count("Reopen the series") == 1
    assert olga.get(page(series, "add")).status_code == olga.get(page(series, "rule")).status_code == 302
    send(olga, series, "reopen", reason="one more evening")
    assert (queries.state_of(series).name, queries.state_of(series).closed) == ("Year 2027", False)


@pytest.mark.parametrize(
    ("act", "fields"),
    [("rename", {"name": "Mine"}), ("rule", {"counts": "best", "best": 2, "reason": "fewer"})],
)
def test_the_second_organiser_reads_what_the_first_did_and_keeps_the_text(
    olga: Client, cast: Cast, act: str, fields: dict[str, Any]
) -> None:
    series = year(cast)
    stale = series.seq + 1
    say(cast, series, typed((cast.paul_plays, "5")))
    sent = {**filled_in(olga, page(series, act)), **fields, "seq": stale}
    answer = olga.post(page(series, act), sent)
    assert "Somebody else was faster." in text(answer)
    assert "ago, olga: Evening typed in" in text(answer)
    assert answer.context["form"][next(iter(fields))].value() == next(iter(fields.values()))
    assert series.events.count() == 2


@pytest.mark.parametrize("seq", ["abc", "-1", "", "9" * 20])
def test_a_form_that_does_not_tell_when_it_was_made_is_refused(olga: Client, cast: Cast, seq: str) -> None:
    series, held = year(cast), opened(cast)
    assert send(olga, series, "rename", name="Else", seq=seq).status_code == 400
    address = f"/admin/league/competition/{held.pk}/do/start/"
    assert olga.post(address, {"seq": seq}).status_code == 400
    assert (series.events.count(), series.name) == (1, "Year")


def test_a_rule_that_is_tried_says_what_the_first_organiser_did_meanwhile(olga: Client, cast: Cast) -> None:
    series = year(cast)
    stale = series.seq + 1
    say(cast, series, typed((cast.paul_plays, "5")))
    sent = {**filled_in(olga, page(series, "rule")), "seq": stale, "_try": "1"}
    answer = olga.post(page(series, "rule"), sent)
    assert "ago, olga: Evening typed in" in text(answer)


def test_two_clicks_write_once(olga: Client, cast: Cast) -> None:
    series = year(cast)
    sent = {**filled_in(olga, page(series, "type-in")), "seq": 2, "on": "2026-11-05", "name": "November"}
    for _click in range(2):
        answer = olga.post(page(series, "type-in"), {**sent, "totals": "Ada Lane 5", "add": "on"})
        assert answer.status_code == 302
    assert series.events.count() == 2 and Player.objects.filter(name="Ada Lane").count() == 1


def test_only_who_directs_the_club_sees_and_does_anything(cast: Cast) -> None:
    series = year(cast)
    scorer = factories.AccountFactory.create(username="scorer")
    factories.MemberFactory.create(club=cast.club, account=scorer, role="scorekeeper")
    for act in ("", "rule", "add", "close"):
        assert logged_in(cast.nora).get(page(series, act)).status_code == 404
        assert logged_in(scorer).get(page(series, act)).status_code == 302
        assert logged_in(scorer).post(page(series, act)).status_code == 302
    assert series.events.count() == 1


def test_a_platform_owner_sees_a_series_and_changes_nothing(cast: Cast) -> None:
    series, owner = year(cast), Account.objects.create(username="root", is_superuser=True)
    client = logged_in(owner)
    assert "Change the rule" not in text(client.get(page(series)))
    assert client.post(page(series, "close")).status_code == 403


# ---- From other pages ----------------------------------------------------------------------------


def test_a_competition_leads_to_its_series_and_is_added_to_others(olga: Client, cast: Cast) -> None:
    played = evening(cast)
    address = reverse("admin:league_competition_change", args=[played.pk])
    leads = r"/admin/series/series/[0-9a-f-]{36}/"
    assert not re.search(leads, olga.get(address).content.decode())
    series = year(cast)
    assert re.search(leads, page(series))
    add = page(series, "add", f"?competition={played.pk}")
    assert add in olga.get(address).content.decode()
    assert olga.get(add).context["form"]["competitions"].value() == [str(played.pk)]
    send(olga, series, "add", competitions=[str(played.pk)])
    assert f"{page(series)}#table" in olga.get(address).content.decode()


def test_series_are_found_from_the_clubs_page(olga: Client, cast: Cast) -> None:
    club = olga.get(reverse("admin:league_club_change", args=[cast.club.pk])).content.decode()
    assert reverse("admin:series_series_changelist") in club
    assert "Set up a series" in text(olga.get(reverse("admin:series_series_changelist")))
