"""Evenings of other clubs: verified files, matched with people, in the log with their heads."""

import contextlib
import html
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse

from games.engine.refusals import Illegal, Malformed, Refusal
from games.engine.values import replace
from games.verifier import UNFINISHED, WRONG
from league import verify
from league.apps.series import bringing, projections, queries, services
from league.apps.series.core import events as e
from league.apps.series.core.evenings import parts_of
from league.apps.series.core.rule import Count, Rule
from league.apps.series.core.state import Evening
from league.apps.series.models import HandedIn, Series
from league.core import portable
from league.models import Player
from league.ops.processes import eventually
from tests import patience
from tests.api.test_races import somebody_waits
from tests.apps.series.year import evening, say, totals, year
from tests.factories import AccountFactory, Cast, ClubFactory, PlayerFactory
from tests.league.test_admin_scope import logged_in
from tests.recorded import FILES

FILE = FILES / "swiss-01.jsonl"
OTHERS = Rule(count=Count(brought=True))


def brought(*players: Player, called: str = "") -> e.EveningBrought:
    """Return the event with which players bring the recorded evening, by lines of who is called otherwise."""
    file, report = bringing.read(FILE.read_bytes())
    return bringing.brought(file, report, bringing.matched(file, players, bringing.lines_in(called)))


@pytest.fixture
def series(cast: Cast) -> Series:
    """A year to which Paul and Petra brought an evening."""
    event = brought(cast.paul_plays, cast.petra_plays, called="Paul Pike = Player 2\npetra plum=Player 3")
    return say(cast, year(cast, OTHERS), event)


def points_in(file: Path) -> dict[str, str]:
    _file, report = bringing.read(file.read_bytes())
    names = {entry.players[0]: entry.name for entry in report.state.entries}
    shares = parts_of(Evening(id=1, on="2026-01-01"), report.state).whole.shares
    return {names[share.person]: str(share.points) for share in shares}


def test_what_people_had_there_counts_here(cast: Cast, series: Series) -> None:
    theirs = points_in(FILE)
    own = {cast.paul_plays.pk: theirs["Player 2"], cast.petra_plays.pk: theirs["Player 3"]}
    assert totals(series) == own
    (told,) = queries.evenings_of(series)
    assert told.evening.brought and told.evening.brought.club == "Recorded"
    assert told.evening.field == len(theirs)


def test_pages_and_the_api_say_from_which_club_it_is(cast: Cast, client: Any, series: Series) -> None:
    page = client.get(reverse("series", args=[series.club.slug, series.slug])).content.decode()
    assert "from Recorded" in page and "typed in" not in page
    detail = client.get(reverse("api:series-detail", args=[series.pk])).json()
    assert [each["brought_from"] for each in detail["evenings"]] == ["Recorded"]


def test_a_series_must_say_that_it_counts_them(cast: Cast) -> None:
    event = brought(cast.paul_plays, called="Paul Pike = Player 2")
    series = year(cast)
    with pytest.raises(Illegal, match="does not count evenings of other clubs"):
        say(cast, series, event)
    say(cast, series, e.RuleChanged(reason="open", rule=OTHERS), event)
    assert len(totals(series)) == 1
    say(cast, series, e.RuleChanged(reason="closed", rule=Rule()))
    assert totals(series) == {}


def test_an_evening_is_brought_once_and_can_not_be_retyped(cast: Cast, series: Series) -> None:
    with pytest.raises(Illegal, match="already"):
        say(cast, series, brought(cast.paul_plays, called="Paul Pike = Player 4"))
    (told,) = queries.evenings_of(series)
    with pytest.raises(Illegal, match="no such thing"):
        say(cast, series, e.EveningChanged(told.evening.id, field=50))
    with pytest.raises(Illegal, match="already"):
        say(cast, series, brought(PlayerFactory.create(club=cast.club, name="Player 2")))
    say(cast, series, e.EveningRemoved(told.evening.id, reason="wrong people"))
    say(cast, series, brought(cast.paul_plays, called="Paul Pike = Player 4"))


def test_others_bring_theirs_of_the_same_file_later(cast: Cast, series: Series, tmp_path: Path) -> None:
    pia = PlayerFactory.create(club=cast.club, name="Player 4")
    say(cast, series, brought(pia))
    (told,) = queries.evenings_of(series)
    assert totals(series)[pia.pk] == points_in(FILE)["Player 4"] and len(told.evening.shares) == 3
    assert verified(series, tmp_path, str(FILE)) == UNFINISHED and not [
        *projections.differences(stopped=False)
    ]


def test_who_has_the_same_account_or_name_is_found(cast: Cast) -> None:
    file, _report = bringing.read(FILE.read_bytes())
    by_name = PlayerFactory.create(club=cast.club, name="player 3")
    theirs = next(pk for pk, name in file.players.items() if name == "Player 4")
    PlayerFactory.create(pk=theirs, club=ClubFactory.create(), name="Otherwise", account=cast.paul)
    people = bringing.matched(file, [cast.paul_plays, by_name], {})
    assert people[theirs] == str(cast.paul_plays.pk) and len(people) == 2
    with pytest.raises(Malformed, match="Petra Plum: say who that is"):
        bringing.matched(file, [cast.petra_plays], {})


def test_a_file_that_was_changed_or_is_not_over_is_refused(cast: Cast) -> None:
    lines = FILE.read_text(encoding="utf-8")
    for wrong in (lines.replace('"score": ', '"score": 1', 1), "", "\x00", lines[:-30]):
        with pytest.raises(Malformed, match="The file is not right"):
            bringing.read(wrong.encode())


def verified(series: Series, folder: Path, *beside: str) -> int:
    (folder / "file").write_text("\n".join(queries.lines(series)), encoding="utf-8")
    return verify.main([str(folder / "file"), *(part for each in beside for part in ("--beside", each))])


def test_the_verifier_compares_it_with_the_file_beside(
    series: Series, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verified(series, tmp_path) == UNFINISHED
    number = next(each.number for each in queries.evenings_of(series) if each.evening.brought)
    told = f"evening {number}, brought from another club: taken as given; give its file with --beside FILE"
    assert told in capsys.readouterr().out
    assert verified(series, tmp_path, str(FILE)) == UNFINISHED
    assert "brought from another club: verified with its file" in capsys.readouterr().out
    assert verified(series, tmp_path, str(FILES / "knockout-01.jsonl")) == WRONG
    assert "no evening was brought from the file" in capsys.readouterr().err


def test_the_verifier_names_what_is_not_in_the_file(
    cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = brought(cast.paul_plays, called="Paul Pike = Player 2")
    more = replace(event, shares=(replace(event.shares[0], points="1000"),))
    assert verified(say(cast, year(cast, OTHERS), more), tmp_path, str(FILE)) == WRONG
    assert "the file beside: its people had something else" in capsys.readouterr().err
    other = replace(event, brought=replace(event.brought, head="0" * 64))
    assert verified(say(cast, year(cast, OTHERS), other), tmp_path, str(FILE)) == WRONG
    assert "the file beside: it has the head" in capsys.readouterr().err


def test_a_secretary_brings_it_on_the_desk(cast: Cast) -> None:
    series, olga = year(cast, OTHERS, evening(cast)), logged_in(cast.olga)
    path = reverse("admin:series_series_act", args=[series.pk, "bring"])
    assert 'enctype="multipart/form-data"' in olga.get(path).content.decode()
    form = {"seq": series.seq + 1, "players": [cast.paul_plays.pk], "weight": 1}
    refused = olga.post(path, {**form, "file": SimpleUploadedFile("f", b"no file")})
    assert "The file is not right" in refused.content.decode()
    upload = SimpleUploadedFile("f", FILE.read_bytes())
    olga.post(path, {**form, "file": upload, "called": "Paul Pike = Player 2"})
    event = json.loads([*queries.log_lines(Series.objects.get())][-1])["event"]
    assert (event["type"], event["brought"]["club"]) == ("evening_brought", "Recorded")
    assert [share["player"] for share in event["shares"]] == [str(cast.paul_plays.pk)]


# ---- Handed in by players ------------------------------------------------------------------------


def hand_in(client: Any, series: Series, called: str = "", content: bytes | None = None) -> str:
    """Hand in the recorded evening on the page; return what it answers."""
    address = reverse("series_hand_in", args=[series.club.slug, series.slug])
    upload = SimpleUploadedFile("f", FILE.read_bytes() if content is None else content)
    answer = client.post(address, {"file": upload, "called": called}, follow=True)
    return html.unescape(answer.content.decode())


def test_what_a_player_hands_in_counts_once_an_organiser_accepts_it(cast: Cast) -> None:
    series, paul, olga = year(cast, OTHERS), logged_in(cast.paul), logged_in(cast.olga)
    public = reverse("series", args=[series.club.slug, series.slug])
    assert "hand-in/" in paul.get(public).content.decode()
    assert "say who that is" in hand_in(paul, series)
    assert "counts once an organiser" in hand_in(paul, series, "Player 2")
    assert totals(series) == {} and "Accept or refuse" in olga.get("/admin/").content.decode()
    desk = reverse("admin:series_series_change", args=[series.pk])
    assert "as “Player 2”: rank" in olga.get(desk).content.decode()
    decide = reverse("admin:series_series_decide", args=[series.pk])
    assert paul.post(decide, {"accept": HandedIn.objects.get().pk}).status_code in (302, 403, 404)
    assert totals(series) == {}
    olga.post(decide, {"accept": HandedIn.objects.get().pk})
    assert totals(series) == {cast.paul_plays.pk: points_in(FILE)["Player 2"]}
    assert not HandedIn.objects.exists() and "already" in hand_in(paul, series, "Player 3")
    assert "counts once" in hand_in(logged_in(cast.petra), series, "Player 3")
    olga.post(decide, {"refuse": HandedIn.objects.get().pk})
    assert len(totals(series)) == 1 and not HandedIn.objects.exists()


def test_what_is_accepted_may_not_be_an_evening_already_under_another_head(cast: Cast) -> None:
    series = year(cast, OTHERS)
    hand_in(logged_in(cast.paul), series, "Player 2")
    handed = HandedIn.objects.get()
    event = brought(cast.petra_plays, called="petra plum = Player 3")
    say(cast, series, replace(event, brought=replace(event.brought, competition=str(uuid4()), head="0" * 64)))
    with pytest.raises(Illegal, match="already"):
        bringing.decide(by=cast.olga, series=series, handed=str(handed.pk), accepted=True)
    assert len(totals(series)) == 1 and HandedIn.objects.exists()
    bringing.decide(by=cast.olga, series=series, handed=str(handed.pk), accepted=False)
    with pytest.raises(Illegal, match="Somebody else"):
        bringing.decide(by=cast.olga, series=series, handed=str(handed.pk), accepted=True)


@pytest.mark.django_db(transaction=True)
def test_who_hands_in_again_while_an_organiser_accepts_waits_for_that(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    series, perform, sent = year(cast, OTHERS), services.perform, list[Future[None]]()
    told: dict[str, Any] = {"by": cast.paul, "series": series, "content": FILE.read_bytes()}
    first = bringing.hand_in(**told, called="Player 2")

    def again() -> None:
        with contextlib.closing(connection):
            bringing.hand_in(**told, called="Player 2")

    with ThreadPoolExecutor(1) as other:

        def late(**given: Any) -> Any:
            sent.append(other.submit(again))
            assert eventually(somebody_waits, patience.SECONDS)
            return perform(**given)

        monkeypatch.setattr(services, "perform", late)
        bringing.decide(by=cast.olga, series=series, handed=str(first.pk), accepted=True)
        with pytest.raises(Illegal, match="already"):
            sent[0].result(patience.SECONDS)
    assert len(totals(series)) == 1 and not HandedIn.objects.exists()


def test_a_bad_file_or_a_stranger_hands_in_nothing(cast: Cast) -> None:
    series, paul = year(cast, OTHERS), logged_in(cast.paul)
    assert "The file is not right" in hand_in(paul, series, "Player 2", b"no file")
    forged = FILE.read_text(encoding="utf-8").replace('"score": ', '"score": 1', 1)
    assert "The file is not right" in hand_in(paul, series, "Player 2", forged.encode())
    assert "not linked to a player" in hand_in(logged_in(AccountFactory.create()), series, "Player 2")
    address = reverse("series_hand_in", args=[series.club.slug, year(cast).slug])
    assert paul.get(address).status_code == 404
    with pytest.raises(PermissionDenied):
        bringing.hand_in(by=AccountFactory.create(), series=series, content=FILE.read_bytes())
    assert not HandedIn.objects.exists() and totals(series) == {}


ODD: Final[list[Any]] = [
    None,
    True,
    -1,
    1.5,
    10**30,
    "",
    " ",
    "x" * 105,
    "x" * 150,
    "x" * 9000,
    "a\x00b",
    "\ud800",
    [],
    {},
]
DAYS: Final = ["2026-02-30", "0000-01-01", "9999-12-31", "0001-01-01", "٢٠٢٦-٠٢-٠١", "24:00", "23:59:61"]


def with_values(first: Mapping[str, Any] = {}, details: Mapping[str, Any] = {}, name: Any = "") -> bytes:
    """Return the recorded file with such values in its header, its details and as the name of a player."""
    header, *lines, _count = FILE.read_text(encoding="utf-8").splitlines()
    at = next(at for at, line in enumerate(lines) if '"Player 2"' in line)
    lines[at] = json.dumps({**json.loads(lines[at]), "name": name}) if name != "" else lines[at]
    told = [json.dumps({"details": details})] if details else []
    made = [json.dumps({**json.loads(header), **first}), *told, *lines]
    return "\n".join([*made, json.dumps({"lines": len(made)})]).encode()


def odd_files() -> Iterator[bytes]:
    for value in ODD:
        yield from (with_values({key: value}) for key in ("trefoil", "competition", "address", "club", "x"))
        yield with_values(name=value)
    for key in (*vars(portable.NOTHING_TOLD), "x"):
        yield from (with_values(details={key: value}) for value in [*ODD, *DAYS])


def test_no_odd_value_of_a_file_is_more_than_refused(cast: Cast) -> None:
    series, players = year(cast, OTHERS), portable.read(FILE.read_text().split("\n")).players
    theirs = next(pk for pk, name in players.items() if name == "Player 2")
    PlayerFactory.create(pk=theirs, club=ClubFactory.create(), name="Otherwise", account=cast.paul)
    taken = 0
    for content in odd_files():
        with contextlib.suppress(Refusal):
            bringing.hand_in(by=cast.paul, series=series, content=content)
            taken += 1
    assert taken
    assert "The file is not right" in hand_in(
        logged_in(cast.paul), series, content=with_values(details={"begins_on": "2026-02-30"})
    )
