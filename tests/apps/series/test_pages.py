"""The pages, the API and the files of a series."""

import csv
import json
import re
from datetime import date
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pypdf import PdfReader

from league import verify
from league.apps.series import projections, queries
from league.apps.series.core import events as e
from league.apps.series.core.rule import Count, Rule
from league.apps.series.models import Series
from league.apps.series.readers import Shown
from league.apps.series.services import add_evening
from league.core.verbs.course import CancelCompetition
from league.hooks import papers
from league.models import Competition, Entry
from league.queries.competitions import state_of
from league.queries.orders import order_of
from league.services.automatic import compute_standings
from league.services.competitions import change_details
from league.services.players import change_player
from tests.apps.series.test_following import join
from tests.apps.series.year import evening, say, totals, typed, year
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened
from tests.league.test_admin_scope import logged_in

BEST_TWO = Rule(count=Count(best=2))


@pytest.fixture
def series(cast: Cast) -> Series:
    """Return a year of three evenings, of which the two best count; the third was typed in."""
    found = year(cast, BEST_TWO, evening(cast), evening(cast))
    players = cast.club.players.order_by("search_name", "pk")[:2]
    return say(cast, found, typed(*zip(players, ("60", "-3"), strict=True), on="2026-12-31"))


def page(client: Client, series: Series, query: str = "", status: int = 200) -> str:
    answer = client.get(reverse("series", args=[series.club.slug, series.slug]) + query)
    assert answer.status_code == status
    return answer.content.decode()


def test_the_page_has_the_table_with_what_counts(client: Client, series: Series) -> None:
    shown = page(client, series)
    leader = queries.table_of(series).table.rows[0]
    assert re.findall(r'id="row-([^"]+)"', shown)[0] == leader.person
    assert "60" in shown and " left out." in shown and "or more next time takes place" in shown
    assert "After evening 3" in shown and "typed in" in shown


def test_the_table_after_an_earlier_evening_tells_nothing_of_later_ones(
    client: Client, series: Series
) -> None:
    shown = page(client, series, "?after=2")
    assert "After evening 2" in shown
    assert re.findall(r"<strong>60", shown) == []
    assert "next time takes place" not in shown


@pytest.mark.parametrize("asked", ["0", "4", "-1", "x", "99999999999999999999"])
def test_an_evening_that_is_not_there_is_not_found(client: Client, series: Series, asked: str) -> None:
    page(client, series, f"?after={asked}", status=404)


def test_no_table_is_said_to_be_after_an_evening_that_was_cancelled(client: Client, cast: Cast) -> None:
    last = opened(cast, 4, name="Snowed in")
    series = year(cast, Rule(), evening(cast), last)
    act(cast.olga, last, CancelCompetition, reason="Snow")
    for query in ("", "?after=2"):
        shown = page(client, series, query)
        assert "After evening 1<" in shown and "fter evening 2" not in shown
        assert 'href="?after=1"' in shown and 'href="?after=2"' not in shown


def test_an_evening_that_was_cancelled_has_no_number_among_the_others(client: Client, cast: Cast) -> None:
    first, snowed, third = evening(cast), opened(cast, 4, name="Snowed in"), evening(cast)
    series = year(cast, Rule(), first, snowed, third)
    for number, each in enumerate((first, snowed, third), 1):
        change_details(by=cast.olga, competition=each, values={"begins_on": date(2026, 9, number)})
    act(cast.olga, snowed, CancelCompetition, reason="Snow")
    compute_standings(competition_id=snowed.pk)
    counts = [
        "Counts for:" in client.get(f"/competitions/{each.slug}/").content.decode()
        for each in (first, snowed)
    ]
    assert counts == [True, False]
    shown = page(client, series)
    assert "After evening 2<" in shown and 'href="?after=3"' in shown and "fter evening 3" not in shown
    path = reverse("series_chart", args=[series.club.slug, series.slug])
    assert re.findall(r'data-x="(\d)"', client.get(path).content.decode())[:2] == ["1", "2"]


def test_each_person_has_a_page_with_all_evenings(client: Client, series: Series) -> None:
    leader = queries.table_of(series).table.rows[0]
    path = reverse("series_person", args=[series.club.slug, series.slug, leader.person])
    shown = client.get(path).content.decode()
    assert shown.count("<tr>") == 1 + len(leader.cells)
    assert "Place 1 with" in shown and "Left out: it is not among the best." in shown


def test_a_stranger_has_no_page_in_a_series(client: Client, series: Series) -> None:
    path = reverse("series_person", args=[series.club.slug, series.slug, uuid4()])
    assert client.get(path).status_code == 404


def test_charts_have_ranks_and_totals_after_each_evening(client: Client, series: Series) -> None:
    shown = client.get(reverse("series_chart", args=[series.club.slug, series.slug])).content.decode()
    assert shown.count('data-x="1"') == 2 and shown.count('data-x="3"') == 2
    totals = [row.total for row in queries.table_of(series, until=1).table.rows]
    assert all(f'data-y="{total}"' in shown for total in totals)


def test_charts_have_ten_lines_and_the_readers_own(client: Client, cast: Cast) -> None:
    paul_last = [(player, str(at)) for at, player in enumerate(cast.people(14))]
    series = say(cast, year(cast), typed(*paul_last), typed(*paul_last, on="2026-09-10"))
    path = reverse("series_chart", args=[series.club.slug, series.slug])
    assert client.get(path).content.decode().count("<tr><th") == 2 * (1 + 10)
    own = logged_in(cast.paul).get(path).content.decode()
    assert own.count("<tr><th") == 2 * (1 + 11) and own.count(">Paul Pike</th>") == 2


def test_the_course_of_a_year_is_that_of_its_tables(series: Series) -> None:
    for number, places in queries.course_of(series).items():
        rows = queries.table_of(series, until=number).table.rows
        assert [*places.items()] == [(row.person, (row.rank, row.total)) for row in rows]


def test_a_course_that_is_kept_has_the_form_of_its_edition(cast: Cast) -> None:
    paul, petra = cast.paul_plays, cast.petra_plays
    series = say(cast, year(cast), typed((paul, "7/2"), (petra, "3")))
    after_one = {str(paul.pk): (1, Fraction(7, 2)), str(petra.pk): (2, Fraction(3))}
    assert (queries._KEPT_EDITION, queries.course_of(series)) == (1, {1: after_one})
    key = f"series-course:1:{series.pk}:{queries.version_of(series)}"
    assert cache.get(key) == {1: after_one}


def test_tables_after_earlier_evenings_are_not_for_search_engines(client: Client, series: Series) -> None:
    assert 'rel="nofollow" href="?after=2"' in page(client, series)
    assert '<meta name="robots" content="noindex">' in page(client, series, "?after=2")
    assert "noindex" not in page(client, series)


def test_a_page_is_not_sent_again_until_something_changes(client: Client, cast: Cast, series: Series) -> None:
    path = reverse("series", args=[series.club.slug, series.slug])
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    paul = cast.paul_plays
    change_player(by=cast.olga, player=paul, name="Somebody Else", account=cast.paul, active=True)
    answer = client.get(path, headers={"If-None-Match": tag})
    assert answer.status_code == 200 and "Somebody Else" in answer.content.decode()


def test_a_page_is_sent_again_when_namesakes_are_told_apart_in_another_way(
    client: Client, cast: Cast, series: Series
) -> None:
    path = reverse("series", args=[series.club.slug, series.slug])
    people = cast.club.players.filter(pk__in=queries.table_of(series).people)
    people.update(name="Ann", public_name="Ann", search_name="ann")
    tag = client.get(path)["ETag"]
    competition = finished(cast, 4, name="The last")
    assert Entry.objects.filter(competition=competition, members__player__in=people).exists()
    answer = client.get(path, headers={"If-None-Match": tag})
    assert answer.status_code == 200 and "in The last)" in answer.content.decode()


def test_the_sheet_of_an_evening_is_sent_again_when_somebody_in_the_year_alone_is_renamed(
    client: Client, cast: Cast, series: Series
) -> None:
    competition = queries.evenings_of(series)[0].row.competition
    assert competition
    *_others, other = cast.people(3)
    compute_standings(competition_id=competition.pk)
    say(cast, series, typed((other, "3"), on="2026-12-30"))
    path = reverse("competition_print", args=[competition.slug, "evening"])
    tag = client.get(path)["ETag"]
    change_player(by=cast.olga, player=other, name="Renamed", account=None, active=True)
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_club_and_competition_lead_to_the_series(client: Client, series: Series) -> None:
    path = escape(reverse("series", args=[series.club.slug, series.slug]))
    assert path in client.get(reverse("club", args=[series.club.slug])).content.decode()
    competition = queries.evenings_of(series)[0].row.competition
    assert competition
    assert path in client.get(reverse("competition", args=[competition.slug])).content.decode()


def test_programs_read_the_same_table(client: Client, series: Series) -> None:
    (told,) = client.get(reverse("api:series", args=[series.club.slug])).json()["results"]
    assert told["id"] == str(series.pk) and told["address"] == series.slug
    detail = client.get(reverse("api:series-detail", args=[series.pk])).json()
    assert [each["number"] for each in detail["evenings"]] == [1, 2, 3]
    assert detail["rule"]["count"]["best"] == 2
    table = client.get(reverse("api:series-table", args=[series.pk])).json()
    rows = queries.table_of(series).table.rows
    assert [(row["rank"], Fraction(row["total"])) for row in table["rows"]] == [
        (row.rank, row.total) for row in rows
    ]
    before = client.get(reverse("api:series-table", args=[series.pk]) + "?after=1").json()
    assert before["after"] == 1 and before["rows"] != table["rows"]
    assert client.get(reverse("api:series-table", args=[series.pk]) + "?after=4").status_code == 404


def test_the_table_is_a_file_for_spreadsheets(client: Client, series: Series) -> None:
    lines = client.get(reverse("api:series-table-csv", args=[series.pk])).content.decode().splitlines()
    assert lines[0].split(",")[:8] == [
        "rank",
        "name",
        "total",
        "played",
        "bonus",
        "player",
        "explanation",
        "corrected",
    ]
    sheet = client.get(reverse("api:series-table-csv", args=[series.pk]) + "?spreadsheet=de")
    assert sheet.content.decode().startswith(
        "\ufeffRang;Name;Summe;gespielt;Bonus;Spieler;Begründung;korrigiert;1: "
    )
    counted = queries.table_of(series)
    for line, row in zip(csv.DictReader(lines), Shown(counted).rows, strict=True):
        values = {cell.part: cell.value for cell in row.cells}
        found = [Fraction(each) if each else None for each in [*line.values()][8:]]
        assert found == [values.get(part.key) for part in counted.parts]
    named = [UUID(row["player"]) for row in csv.DictReader(lines)]
    assert named == [UUID(row.person) for row in Shown(counted).rows]


def test_all_faces_of_the_table_say_the_same(client: Client, cast: Cast, series: Series) -> None:
    lines = Shown(queries.table_of(series)).lines()
    assert any(len(line.why) > 1 for line in lines)
    told = [" ".join(line.why) for line in lines]
    table = client.get(reverse("api:series-table", args=[series.pk])).json()
    assert [row["explanation"] for row in table["rows"]] == told
    file = client.get(reverse("api:series-table-csv", args=[series.pk])).content.decode()
    assert [row["explanation"] for row in csv.DictReader(file.splitlines())] == told
    desk = logged_in(cast.olga).get(reverse("admin:series_series_change", args=[series.pk]))
    assert [each.line for each in desk.context["lines"]] == lines
    assert all(
        escape(why) in each
        for line in lines
        for why in line.why
        for each in (page(client, series), desk.content.decode())
    )


def test_log_and_file_can_be_verified(
    client: Client, series: Series, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = client.get(reverse("api:series-log", args=[series.pk])).content.decode().splitlines()
    assert json.loads(log[-1])["hash"] == series.head
    answer = client.get(reverse("api:series-export", args=[series.pk]))
    file = tmp_path / "year.jsonl"
    file.write_bytes(b"".join(answer.streaming_content))  # type: ignore[attr-defined]
    verify.main([str(file)])
    assert series.name in capsys.readouterr().out


def test_a_closed_series_promises_no_place(client: Client, cast: Cast, series: Series) -> None:
    closed = say(cast, series, e.Closed())
    shown = page(client, closed)
    assert "next time takes place" not in shown and ">final<" in shown


def test_the_sheet_of_an_evening_has_the_table_of_the_year(client: Client, series: Series) -> None:
    competition = queries.evenings_of(series)[0].row.competition
    assert competition
    (year_table,) = [each for tables in papers.YEAR_TABLES for each in tables(competition)]
    leader = queries.table_of(series).table.rows[0]
    assert year_table.title == "Year, after evening 3" and year_table.rows[0][0] == "1."
    assert year_table.rows[0][1] == queries.names_of([leader.person])[leader.person]
    assert year_table.rows[0][2] == "2/3" and year_table.fuller[0] == "Counting (left out)"
    assert re.fullmatch(r"60, \d \(\d\)", year_table.fuller[1])


def test_the_hall_shows_the_table_of_the_year_when_nobody_plays(client: Client, series: Series) -> None:
    competition = queries.evenings_of(series)[0].row.competition
    assert competition
    shown = client.get(reverse("competition_hall", args=[competition.slug])).content.decode()
    leader = Shown(queries.table_of(series)).lines()[0]
    assert 'data-key="year"' in shown and f'<span class="points">{leader.total}</span>' in shown


def test_the_hall_shows_the_year_in_a_round_only_where_it_is_asked(client: Client, cast: Cast) -> None:
    competition = in_play(cast, 4)
    say(cast, year(cast, BEST_TWO, competition), typed((cast.paul_plays, "60")))
    path = reverse("competition_hall", args=[competition.slug])
    assert 'data-key="year"' not in client.get(path).content.decode()
    asked = client.get(path, {"show": "year"}).content.decode()
    assert 'data-key="year"' in asked and 'data-key="names"' not in asked


def test_the_screens_of_the_hall_follow_a_name_in_the_year_alone(
    client: Client, cast: Cast, series: Series
) -> None:
    competition = queries.evenings_of(series)[0].row.competition
    assert competition
    *_others, other = cast.people(3)
    say(cast, series, typed((other, "3"), on="2026-12-30"))
    path = reverse("competition_hall_screens", args=[competition.slug])
    tag = client.get(path)["ETag"]
    change_player(by=cast.olga, player=other, name="Renamed", account=None, active=True)
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_the_table_can_be_printed_alone(client: Client, cast: Cast, series: Series) -> None:
    path = reverse("print_alone", args=["series-table", series.pk])
    assert path in page(client, series)
    answer = client.get(path)
    shown = PdfReader(BytesIO(answer.content)).pages[0].extract_text()
    assert "Year, Harbour Cards" in shown and "after evening 3" in shown
    assert all(line.name in shown for line in Shown(queries.table_of(series)).lines())
    assert client.get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    for gone in (["series-table", uuid4()], ["nothing", series.pk]):
        assert client.get(reverse("print_alone", args=gone)).status_code == 404


def test_the_files_of_the_table_after_an_earlier_evening_are_of_that_one(
    client: Client, series: Series
) -> None:
    shown = page(client, series, "?after=2").replace("&amp;", "&")
    table = f"/api/v1/series/{series.pk}/table"
    paper = reverse("print_alone", args=["series-table", series.pk])
    sent = [f"{paper}?after=2", f"{table}.csv?after=2&spreadsheet=en-gb", f"{table}/?after=2"]
    assert [each for each in sent if f'href="{each}"' not in shown] == []
    text = PdfReader(BytesIO(client.get(sent[0]).content)).pages[0].extract_text()
    assert "after evening 2" in text
    rows = client.get(sent[2]).json()["rows"]
    lines = client.get(f"{table}.csv?after=2").content.decode().splitlines()[1:]
    assert [line.split(",")[2] for line in lines] == [row["total"] for row in rows]
    assert lines != client.get(f"{table}.csv").content.decode().splitlines()[1:]
    for gone in (f"{paper}?after=4", f"{table}.csv?after=4"):
        assert client.get(gone).status_code == 404
    assert client.get(f"{table}.csv?after=x").status_code == 400


def test_a_persons_page_after_an_earlier_evening_is_of_that_one(client: Client, series: Series) -> None:
    shown = page(client, series, "?after=2")
    address = re.findall(r'href="([^"]+/[0-9a-f-]{36}/\?after=2)"', shown)[0]
    own = text_of(client.get(address))
    assert "After evening 2" in own and "Typed in" not in own
    assert client.get(address.replace("=2", "=4")).status_code == 404


def test_all_faces_name_the_evenings_that_were_corrected_or_removed(
    client: Client, cast: Cast, series: Series
) -> None:
    first, second, _ = queries.state_of(series).evenings
    name = queries.name_of(series, first)
    say(cast, series, e.EveningChanged(evening=first.id, weight=2, reason="it counts double"))
    say(cast, series, e.EveningRemoved(evening=second.id, reason="not of the year"))
    told = f"{name}, {name} (removed)"
    assert [*queries.corrections_of(series).values()] == [name, f"{name} (removed)"]
    own = reverse("series_person", args=[cast.club.slug, series.slug, next(iter(totals(series)))])
    table = f"/api/v1/series/{series.pk}/table"
    at = reverse("series", args=[cast.club.slug, series.slug])
    for address in (at, f"{at}chart/", f"{at}feed/", own):
        assert f"Corrected: {told}." in text_of(client.get(address)), address
    for reason in (f"{name}: it counts double", f"{name} (removed): not of the year"):
        assert reason in page(client, series)
    assert client.get(f"{table}/").json()["corrected"] == [name, f"{name} (removed)"]
    assert f"{name}; {name} (removed)" in client.get(f"{table}.csv").content.decode()
    competition = Competition.objects.get(pk=first.competition)
    (year_table,) = [each for tables in papers.YEAR_TABLES for each in tables(competition)]
    assert f"(corrected: {told})" in year_table.title
    assert not [*projections.differences(stopped=False)]


def test_a_feed_tells_who_leads_after_each_evening(client: Client, series: Series) -> None:
    path = reverse("series_feed", args=[series.club.slug, series.slug])
    assert path in page(client, series)
    feed = client.get(path).content.decode()
    assert re.findall("<title>(After evening [^<]*)</title>", feed) == [
        "After evening 3: Typed in",
        "After evening 2: Autumn",
        "After evening 1: Autumn",
    ]
    leader = Shown(queries.table_of(series)).lines()[0]
    assert f"1. {leader.name} {leader.total}" in feed and "?after=2" in feed
    assert client.get(path.replace(series.slug, "no")).status_code == 404


def test_the_next_evening_can_be_seated_by_the_year(cast: Cast, series: Series) -> None:
    competition = opened(cast, 6)
    assert order_of(competition.pk, state_of(competition), "series")[0] == ()
    add_evening(by=cast.olga, series=series, competition=competition)
    state = state_of(competition)
    order, _source = order_of(competition.pk, state, "series")
    ranks = {row.person: row.rank for row in queries.table_of(series).table.rows}
    first = [ranks.get(*state.entry(entry).players) for group in order for entry in group]
    known = [rank for rank in first if rank]
    assert known == sorted(known) and first == [*known, *[None] * (6 - len(known))]


def test_the_page_of_a_competition_is_sent_again_when_the_year_changes(
    client: Client, cast: Cast, series: Series
) -> None:
    competition = queries.evenings_of(series)[0].row.competition
    assert competition
    compute_standings(competition_id=competition.pk)
    pages = [reverse("competition", args=[competition.slug])]
    pages.append(reverse("competition_print", args=[competition.slug, "evening"]))
    tags = [client.get(page)["ETag"] for page in pages]
    assert [client.get(page)["ETag"] for page in pages] == tags
    say(cast, series, typed((cast.paul_plays, "90"), on="2026-12-30"))
    assert all(client.get(page)["ETag"] != tag for page, tag in zip(pages, tags, strict=True))


def test_an_evening_that_nobody_has_played_yet_is_none_after_which_there_is_a_table(
    client: Client, cast: Cast, series: Series
) -> None:
    played = queries.table_of(series).last
    path = reverse("series", args=[series.club.slug, series.slug])
    assert f"After evening {played}<" in client.get(path).content.decode()
    coming = opened(cast, 3, name="To come")
    change_details(by=cast.olga, competition=coming, values={"begins_on": date(2098, 1, 1)})
    add_evening(by=cast.olga, series=series, competition=Competition.objects.get(pk=coming.pk))
    page = client.get(path).content.decode()
    assert queries.evenings_of(Series.objects.get(pk=series.pk))[-1].number == played + 1
    assert f"After evening {played}<" in page and f"?after={played + 1}" not in page
    assert "no results yet" in page and "running" not in page
    path = reverse("series_chart", args=[series.club.slug, series.slug])
    assert client.get(path).context["race"]["evenings"] == [*range(1, played + 1)]


def test_home_has_ones_own_place_and_what_would_help(cast: Cast, series: Series) -> None:
    (line,) = (each for each in Shown(queries.table_of(series)).lines() if each.player == cast.paul_plays)
    shown = logged_in(cast.paul).get("/").content.decode()
    assert f"You are in place {line.rank} with {line.total}." in shown
    assert all(escape(sentence) in shown for sentence in line.more)
    assert "You are in place" not in logged_in(cast.nora).get("/").content.decode()


def test_the_page_says_who_is_ranked_where_that_is_not_everybody(client: Client, cast: Cast) -> None:
    everybody = year(cast, Rule(), evening(cast))
    chosen, followed = (year(cast, ranked="counted", follows=known) for known in ("", "member"))
    join(cast, cast.paul_plays)
    shown = [page(client, each) for each in (everybody, chosen, followed)]
    assert "Only these are ranked" not in shown[0]
    assert all("Only these are ranked: people whom the club chooses." in each for each in shown[1:])
    own = page(logged_in(cast.olga), followed)
    assert "Only these are ranked: Members." in own


def text_of(answer: Any) -> str:
    """Return the words of a page, without its tags."""
    return " ".join(re.sub("<[^>]+>", " ", answer.content.decode()).split())


def test_the_own_evening_leads_to_the_years_table_once_it_is_over(cast: Cast) -> None:
    over, goes_on = evening(cast), in_play(cast, 4)
    series = year(cast, Rule(), over, goes_on)
    table = reverse("series", args=[cast.club.slug, series.slug])
    for competition, shown in ((over, True), (goes_on, False)):
        told = logged_in(cast.paul).get(reverse("my_evening", args=[competition.slug])).content.decode()
        assert (f'href="{table}"' in told) == shown
