"""Two organisers at once: the second reads what the first did, and keeps what they typed."""

import re
from collections.abc import Callable

import pytest
from django.db.models import Model
from django.test import Client

from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.results import VoidTable
from league.core.verbs.rounds import CloseRound, WithdrawRound
from league.models import Account, Competition, Member
from league.services.clubs import add_member, change_club
from league.services.players import write_contacts
from tests import factories
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.league.test_admin_scope import logged_in
from tests.web.conftest import record_all

IDENTIFIER = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-")


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


@pytest.fixture
def otto(cast: Cast) -> Account:
    account = factories.AccountFactory.create(username="otto")
    factories.MemberFactory.create(club=cast.club, account=account, role="organiser")
    return account


def send(client: Client, competition: Competition, verb: str, seq: int, **fields: object) -> str:
    """Send a verb's form that was loaded before entry ``seq``; return what the next page says."""
    table = f"?table={fields.pop('table')}" if "table" in fields else ""
    address = f"/admin/league/competition/{competition.pk}/do/{verb}/{table}"
    return client.post(address, {**fields, "seq": seq}, follow=True).content.decode()


def errors(page: str) -> str:
    return " ".join(re.findall(r'role="alert".*?</div>', page, re.DOTALL))


def test_a_preview_says_what_the_first_did_before_it_is_given_back_with_another_number(
    olga: Client, otto: Account, cast: Cast
) -> None:
    competition = in_play(cast, 4)
    seq = competition.seq + 1
    act(otto, competition, VoidTable, table=tables(competition)[0].pk, reason="wrong pack")
    entry = str(competition.entries.order_by("pk")[0].pk)
    page = send(olga, competition, "withdraw", seq, entries=entry, reason="ill", _preview="1")
    assert "nothing is written yet" in page
    assert "is void (wrong pack)." in errors(page)


def test_the_second_reads_what_the_first_did_and_keeps_the_text(
    olga: Client, otto: Account, cast: Cast
) -> None:
    competition = in_play(cast, 4)
    act(otto, competition, VoidTable, table=tables(competition)[0].pk, reason="wrong pack")
    seq = competition.seq + 1
    page = send(olga, competition, "pause", seq, reason="the fire alarm rings")
    assert "Somebody else was faster." in page
    assert "otto: Round 1, table 1 (" in page
    assert "is void (wrong pack)." in page
    assert "Just now, otto: " in page
    assert "the fire alarm rings" in page
    assert not IDENTIFIER.search(errors(page))
    competition.refresh_from_db()
    assert competition.status == "running"


def test_what_was_read_is_not_told_again(olga: Client, otto: Account, cast: Cast) -> None:
    competition = in_play(cast, 4)
    act(otto, competition, VoidTable, table=tables(competition)[0].pk, reason="wrong pack")
    send(olga, competition, "pause", competition.seq + 1)
    competition.refresh_from_db()
    assert "Since you opened this page" not in send(olga, competition, "pause", competition.seq + 1)
    competition.refresh_from_db()
    assert competition.status == "paused"


def test_a_choice_that_is_gone_is_not_named_by_its_id(olga: Client, otto: Account, cast: Cast) -> None:
    competition = in_play(cast, 4)
    entry = competition.entries.get(name="Paul Pike")
    act(otto, competition, WithdrawEntry, entry=entry.pk, reason="ill")
    page = send(olga, competition, "withdraw", competition.seq + 1, entries=entry.pk, reason="left early")
    assert "can’t be chosen any more" in page
    assert "otto: Withdrawn from round 2 on: Paul Pike (ill)." in page
    assert "left early" in page
    shown = re.findall(r'class="tf-wrong".*?</div>', page, re.DOTALL)
    assert shown
    assert not any(IDENTIFIER.search(each) for each in shown)


def test_a_table_that_is_gone_leads_back_to_the_competition(olga: Client, otto: Account, cast: Cast) -> None:
    competition = in_play(cast, 4)
    table = tables(competition)[0]
    act(otto, competition, WithdrawRound, reason="wrong hall")
    page = send(olga, competition, "void", competition.seq + 1, table=table.pk, reason="wrong pack")
    assert "This table no longer exists." in page
    assert "otto: Round 1 is withdrawn (wrong hall)." in page


def test_what_is_done_already_leads_back_to_the_competition(olga: Client, otto: Account, cast: Cast) -> None:
    competition = in_play(cast, 4)
    record_all(competition)
    competition.refresh_from_db()
    act(otto, competition, CloseRound)
    page = send(olga, competition, "close-round", competition.seq + 1)
    assert "Somebody else was faster. Just now, otto: Round 1 is closed." in page
    assert "do/close-round/" not in page


class TestARow:
    """A club, a member or a player: what the club's record calls changes."""

    @pytest.fixture
    def rows(self, cast: Cast, otto: Account) -> dict[str, Model]:
        member = Member.objects.get(club=cast.club, account=cast.paul)
        return {"club": cast.club, "player": cast.paul_plays, "member": member}

    @pytest.fixture
    def first(self, cast: Cast, otto: Account) -> dict[str, Callable[[], object]]:
        """What Otto does while Olga has the form open."""
        paul, club = cast.paul_plays, cast.club
        return {
            "club": lambda: change_club(by=otto, club=club, name="Dock Cards", timezone=club.timezone),
            "member": lambda: add_member(by=otto, club=club, account=cast.paul, role="scorekeeper"),
            "player": lambda: write_contacts(by=otto, club=club, contacts={paul: {"phone": "01 234"}}),
        }

    @pytest.mark.parametrize(
        ("kind", "typed", "done", "after"),
        [
            ("club", {"name": "Pier Cards"}, "otto changed the club: Dock Cards", "Dock Cards"),
            ("member", {"role": "organiser"}, "otto changed a member’s role: paul", "scorekeeper"),
            ("player", {"name": "Paul Perch"}, "otto changed a player’s contact: Paul Pike", "Paul Pike"),
        ],
        ids=["club", "member", "player"],
    )
    def test_is_not_overwritten(
        self,
        olga: Client,
        rows: dict[str, Model],
        first: dict[str, Callable[[], object]],
        kind: str,
        typed: dict[str, str],
        done: str,
        after: str,
    ) -> None:
        address = f"/admin/league/{kind}/{rows[kind].pk}/change/"
        form = olga.get(address).context["adminform"].form
        values = {name: form[name].value() or "" for name in form.fields} | {"seen": form.seen}
        first[kind]()
        sent = {**values, **typed}
        refused = olga.post(address, sent)
        text, (field, value) = refused.content.decode(), next(iter(typed.items()))
        assert "Somebody else was faster." in text and done in text
        again = refused.context["adminform"].form
        assert again[field].value() == value
        rows[kind].refresh_from_db()
        assert getattr(rows[kind], field) == after
        assert olga.post(address, {**sent, "seen": again.seen}).status_code == 302
        rows[kind].refresh_from_db()
        assert getattr(rows[kind], field) == value

    def test_sent_twice_is_saved_once(self, olga: Client, cast: Cast) -> None:
        address = f"/admin/league/player/{cast.paul_plays.pk}/change/"
        form = olga.get(address).context["adminform"].form
        values = {name: form[name].value() or "" for name in form.fields}
        sent = {**values, "name": "Paul Perch", "seen": form.seen}
        assert [olga.post(address, sent).status_code for _ in range(2)] == [302, 302]
