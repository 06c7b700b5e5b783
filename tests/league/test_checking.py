"""Results that another account checks, and objections in time: services, desk, verifier and rows."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games import database_time
from games.engine.refusals import Illegal
from league.core.portable import WrongFile
from league.core.verbs.checking import CheckResult, SetChecking
from league.core.verbs.entries import SubstitutePlayer
from league.core.verbs.objections import DecideObjection, PostResults
from league.core.verbs.rounds import WithdrawRound
from league.core.verbs.rulings import SetResult
from league.core.verbs.tables import ReopenTable
from league.models import Account, Competition, Member
from league.queries.competitions import state_of
from league.words.competitions import review_line
from league.words.event_text import sentence_of
from league.words.messages import isolated
from tests.factories import AccountFactory, Cast, MemberFactory, PlayerFactory
from tests.league.acting import act, act_own
from tests.league.playing import in_play, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, page_text, post, table
from tests.league.test_verify import checked, exported, rechained, seq_of

DISMISSED: dict[str, Any] = {"decision": "dismissed", "reason": "The sheet says 7"}
SEATS = tuple({"seat": seat, "score": 10 - seat} for seat in range(4))


@pytest.fixture
def sue(cast: Cast) -> Account:
    """A scorekeeper."""
    account: Account = AccountFactory.create(username="sue")
    MemberFactory.create(club=cast.club, account=account, role=Member.Role.SCOREKEEPER)
    return account


def typed(cast: Cast, by: Account | None = None) -> tuple[Competition, int]:
    """Return a competition whose one result was typed by one person, and the number of its event."""
    competition = in_play(cast, 4)
    act(cast.olga, competition, SetChecking, required=True)
    rule(by or cast.olga, competition)
    competition.refresh_from_db()
    return competition, competition.seq


def rule(by: Account, competition: Competition, **more: Any) -> None:
    act(by, competition, SetResult, table=tables(competition)[0].pk, seats=SEATS, **more)


def check(by: Account, competition: Competition, result: int, **more: Any) -> None:
    act(by, competition, CheckResult, table=tables(competition)[0].pk, result=result, **more)
    competition.refresh_from_db()


class TestASecondPerson:
    def test_checks_what_somebody_else_has_typed(self, cast: Cast, sue: Account) -> None:
        competition, result = typed(cast)
        assert competition.unchecked == 1
        check(sue, competition, result)
        assert competition.unchecked == 0

    def test_is_never_the_one_who_typed_it(self, cast: Cast, sue: Account) -> None:
        competition, result = typed(cast, sue)
        with pytest.raises(Illegal, match="somebody else"):
            check(sue, competition, result)
        check(cast.olga, competition, result)
        assert competition.unchecked == 0

    def test_who_typed_it_is_offered_no_check(self, cast: Cast, sue: Account) -> None:
        competition, _result = typed(cast)
        desk, client = logged_in(cast.olga), logged_in(sue)
        assert "to be checked" not in page_text(desk.get("/admin/"))
        shown = page_text(desk.get(f"/admin/league/competition/{competition.pk}/change/"))
        assert "What you entered yourself is to be checked by somebody else." in shown
        assert "To be checked by a second person" in page_text(client.get("/scores/"))
        assert "To be checked by a second person" not in page_text(desk.get("/scores/"))

    def test_who_did_not_type_it_is_asked_on_the_first_page(self, cast: Cast, sue: Account) -> None:
        typed(cast, sue)
        assert "1 result is to be checked." in page_text(logged_in(cast.olga).get("/admin/"))

    def test_is_told_on_the_sheet_of_results(self, cast: Cast, sue: Account) -> None:
        competition = in_play(cast, 4)
        sheet = reverse("round_scores", args=[tables(competition)[0].round_id])
        assert "needs no confirmation" in page_text(logged_in(sue).get(sheet))
        act(cast.olga, competition, SetChecking, required=True)
        shown = page_text(logged_in(sue).get(sheet))
        assert "somebody else checks it" in shown and "needs no confirmation" not in shown

    def test_is_offered_beside_a_table_until_it_is_checked(self, cast: Cast, sue: Account) -> None:
        competition, result = typed(cast, sue)
        page, offered = f"/admin/league/competition/{competition.pk}/change/", "do/check-result/?table="
        assert f'"../{offered}' in page_text(logged_in(cast.olga).get(page))
        check(cast.olga, competition, result)
        assert f'"../{offered}' not in page_text(logged_in(cast.olga).get(page))

    def test_compares_on_the_desk_and_is_shown_each_difference(self, cast: Cast, sue: Account) -> None:
        competition, result = typed(cast, sue)
        client, scores = logged_in(cast.olga), {f"score.{seat}": 10 - seat for seat in range(4)}
        where = table(competition)
        assert "What was entered" in page_text(ask(client, competition, "check-result", where))
        wrong = {**scores, "score.2": 3}
        answer = post(client, competition, "check-result", where, result=result, **wrong)
        assert "Entered before: 8" in page_text(answer)
        competition.refresh_from_db()
        assert competition.unchecked == 1
        post(client, competition, "check-result", where, result=result, **scores)
        competition.refresh_from_db()
        assert competition.unchecked == 0

    def test_who_keeps_scores_compares_on_a_page_of_their_own(self, cast: Cast, sue: Account) -> None:
        competition, result = typed(cast)
        client, home = logged_in(sue), page_text(logged_in(sue).get("/scores/"))
        page = f"/competitions/{competition.slug}/check/{tables(competition)[0].pk}/"
        assert page in home and "What was entered" in page_text(client.get(page))
        scores = {f"score.{seat}": 10 - seat for seat in range(4)}
        wrong = client.post(page, {"result": result, **scores, "score.2": 3})
        assert "Entered before: 8" in page_text(wrong) and wrong.status_code == 422
        assert "Type all scores, or none." in page_text(client.post(page, {"result": result, "score.2": 8}))
        assert "has changed meanwhile" in page_text(client.post(page, {"result": result + 1, **scores}))
        client.post(page, {"result": result, **scores})
        competition.refresh_from_db()
        assert competition.unchecked == 0 and "Nothing waits" in page_text(client.get(page))

    def test_is_told_on_the_page_that_somebody_else_checks_what_they_typed(
        self, cast: Cast, sue: Account
    ) -> None:
        competition, result = typed(cast, sue)
        page = f"/competitions/{competition.slug}/check/{tables(competition)[0].pk}/"
        assert "somebody else must check it" in page_text(logged_in(sue).get(page))
        assert "somebody else must check it" in page_text(logged_in(sue).post(page, {"result": result}))
        assert logged_in(cast.paul).get(page).status_code == 403
        competition.refresh_from_db()
        assert competition.unchecked == 1

    def test_is_asked_for_on_the_desk_and_in_the_standings(self, cast: Cast, sue: Account) -> None:
        competition, _result = typed(cast, sue)
        desk = logged_in(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/")
        assert "To be checked by a second person" in desk.content.decode()
        shown = Client().get(f"/competitions/{competition.slug}/").content.decode()
        assert "1 result is not checked yet" in shown

    def test_is_proved_by_the_verifier(self, cast: Cast, sue: Account) -> None:
        competition, result = typed(cast)
        check(sue, competition, result)
        lines = exported(competition)
        checked(lines)
        with pytest.raises(WrongFile, match="can't check it"):
            checked(by_another(lines, seq_of(lines, "result_checked"), str(cast.olga.pk)))


def by_another(lines: Any, seq: int, account: str) -> Any:
    """Return the file with an entry of another account, and all hashes made anew."""
    number = next(at for at, line in enumerate(lines) if line.startswith('{"seq"')) + seq - 1
    head, _, rest = lines[number].partition('"account": "')
    changed = [*lines[:number], f'{head}"account": "{account}"{rest[37:]}', *lines[number + 1 :]]
    return rechained(changed, seq, lambda event: None)


class TestAnObjection:
    def posted(self, cast: Cast) -> tuple[Competition, Any]:
        competition = in_play(cast, 4)
        rule(cast.olga, competition)
        until = database_time.now() + timedelta(minutes=30)
        act(cast.olga, competition, PostResults, until=until)
        competition.refresh_from_db()
        return competition, until

    def test_is_listed_for_everybody_in_the_api(self, cast: Cast) -> None:
        competition, _until = self.posted(cast)
        where = str(tables(competition)[0].pk)
        act_own(cast.paul, competition, "object", table=where, what="I had 12")
        address = f"/api/v1/competitions/{competition.pk}/objections/"
        (row,) = Client().get(address).json()
        assert (row["table"], row["what"], row["decision"]) == (where, "I had 12", "")
        told = {"objection": row["number"], "decision": "dismissed", "reason": "The sheet says 10"}
        act(cast.olga, competition, DecideObjection, **told)
        (row,) = Client().get(address).json()
        assert (row["decision"], row["reason"]) == ("dismissed", "The sheet says 10")

    def test_is_made_by_a_player_in_time_and_not_a_second_later(self, cast: Cast) -> None:
        competition, until = self.posted(cast)
        where = str(tables(competition)[0].pk)
        late = time_machine.travel(until + timedelta(seconds=1), tick=False)
        with late, pytest.raises(Illegal, match="time for objections is over"):
            act_own(cast.paul, competition, "object", table=where, what="I had 12")
        act_own(cast.paul, competition, "object", table=where, what="I had 12")
        act_own(cast.paul, competition, "object", table=where, what="I had 12")
        competition.refresh_from_db()
        assert competition.objections == 1
        checked(exported(competition))

    def test_is_decided_by_an_organiser_alone_and_its_author_sees_it(self, cast: Cast) -> None:
        competition, _until = self.posted(cast)
        where = str(tables(competition)[0].pk)
        act_own(cast.paul, competition, "object", table=where, what="I had 12")
        competition.refresh_from_db()
        number = competition.seq
        fields: dict[str, Any] = {"objection": number, "decision": "dismissed", "reason": "The sheet says 7."}
        act(cast.olga, competition, DecideObjection, **fields)
        competition.refresh_from_db()
        assert competition.objections == 0
        shown = logged_in(cast.paul).get(f"/competitions/{competition.slug}/").content.decode()
        assert "the result stands: The sheet says 7." in shown

    def test_leads_to_its_tables_result_and_back(self, cast: Cast) -> None:
        competition, _until = self.posted(cast)
        where = str(tables(competition)[0].pk)
        act_own(cast.paul, competition, "object", table=where, what="I had 12")
        client = logged_in(cast.olga)
        address = f"../rule/?table={where}&amp;then=decide-objection"
        assert address in page_text(ask(client, competition, "decide-objection"))
        here = f"/admin/league/competition/{competition.pk}/do"
        rule_ = f"{here}/rule/?table={where}&then=decide-objection"
        assert f'href="{here}/decide-objection/"' in page_text(client.get(rule_))
        competition.refresh_from_db()
        sent: dict[str, Any] = {f"score.{seat}": 20 - seat for seat in range(4)}
        sent |= {"seq": competition.seq + 1, "reason": "The sheet says so"}
        assert client.post(rule_, sent)["Location"] == f"{here}/decide-objection/"

    def test_to_a_table_of_a_withdrawn_round_is_shown_and_waits_for_nobody(self, cast: Cast) -> None:
        competition, _until = self.posted(cast)
        where = str(tables(competition)[0].pk)
        act_own(cast.paul, competition, "object", table=where, what="I had 12")
        act(cast.olga, competition, ReopenTable, table=where, reason="not theirs")
        act(cast.olga, competition, WithdrawRound, reason="a mistake")
        competition.refresh_from_db()
        assert competition.objections == 0
        page = f"/competitions/{competition.slug}/"
        for shown in (page, f"{page}my-evening/"):
            assert "the round was withdrawn" in page_text(logged_in(cast.paul).get(shown))
        assert "I had 12" in page_text(ask(logged_in(cast.olga), competition, "decide-objection"))
        checked(exported(competition))

    @pytest.mark.parametrize("what", ["I had 12. " * 60, "I had 12\u202eb\x07"])
    def test_that_is_refused_stands_in_its_form_once_more(self, cast: Cast, what: str) -> None:
        competition, _until = self.posted(cast)
        client, where = logged_in(cast.paul), str(tables(competition)[0].pk)
        sent = {"object-table": where, "object-what": what}
        address = f"/competitions/{competition.slug}/me/object/"
        shown = client.post(address, sent, follow=True)
        assert 'value="I had 12' in shown.content.decode()
        assert [str(each)[:14] for each in shown.context["messages"]] == ["What is wrong:"]
        again = client.get(f"/competitions/{competition.slug}/").content.decode()
        assert 'value="I had 12' not in again and 'maxlength="500"' in again

    @pytest.mark.parametrize(("hours", "told"), [(2, "20:00"), (26, "30 Nov 2026, 20:00")])
    def test_has_its_day_where_that_is_not_today(self, cast: Cast, hours: int, told: str) -> None:
        competition, _until = self.posted(cast)
        competition.club.timezone = "UTC"
        with time_machine.travel("2026-11-29T18:00:00Z", tick=False):
            competition.objections_until = database_time.now() + timedelta(hours=hours)
            assert review_line(competition) == f"objections until {told}"

    def test_is_made_on_the_pages_by_who_was_replaced_at_the_table(self, cast: Cast) -> None:
        competition, _until = self.posted(cast)
        entry = competition.entries.get(members__player=cast.paul_plays)
        stand_in = PlayerFactory.create(club=cast.club)
        told: dict[str, Any] = {"entry": entry.pk, "out": cast.paul_plays.pk, "into": stand_in.pk}
        act(cast.olga, competition, SubstitutePlayer, **told)
        client, where = logged_in(cast.paul), str(tables(competition)[0].pk)
        page = f"/competitions/{competition.slug}/"
        sent = {"object-table": where, "object-what": "I had 12"}
        assert "I had 12" in page_text(client.post(f"{page}me/object/", sent, follow=True))
        assert "I had 12" in page_text(client.get(f"{page}my-evening/"))

    def test_that_was_decided_meanwhile_is_not_decided_by_an_older_form(self, cast: Cast) -> None:
        competition, _until = self.posted(cast)
        where = str(tables(competition)[0].pk)
        act_own(cast.paul, competition, "object", table=where, what="I had 12")
        competition.refresh_from_db()
        client, number = logged_in(cast.olga), competition.seq
        page = f"/admin/league/competition/{competition.pk}/do/decide-objection/"
        form = client.get(page).context["form"]
        chosen = form.fields["objection"].choices[0][0]
        act(cast.olga, competition, DecideObjection, objection=number, **DISMISSED)
        sent = {"objection": chosen, "decision": "dismissed", "reason": "A 7"}
        assert "decided meanwhile" in page_text(client.post(page, sent))
        again = client.get(page).context["form"].fields["objection"].choices[0][0]
        client.post(page, {**sent, "objection": again})
        competition.refresh_from_db()
        (objection,) = state_of(competition).objections
        assert objection.reason == "A 7"

    def test_is_told_of_where_the_competition_is_finished(self, cast: Cast) -> None:
        competition, until = self.posted(cast)
        where = str(tables(competition)[0].pk)
        act_own(cast.paul, competition, "object", table=where, what="I had 12")
        page = f"/admin/league/competition/{competition.pk}/do/finish/"
        shown = page_text(logged_in(cast.olga).get(page))
        assert "Who played may still object to the posted results, until" in shown
        assert "1 objection is not decided." in shown
        with time_machine.travel(until + timedelta(seconds=1), tick=False):
            assert "may still object" not in page_text(logged_in(cast.olga).get(page))

    def test_is_decided_in_the_log_with_its_reason_once(self, cast: Cast) -> None:
        event = {"type": "objection_decided", "objection": 68, "decision": "corrected", "reason": "A 7"}
        assert isolated("A 7") in sentence_of(event)
        assert sentence_of(event).count("A 7") == 1

    def test_is_offered_with_its_time_on_the_page(self, cast: Cast) -> None:
        competition, _until = self.posted(cast)
        page = f"/competitions/{competition.slug}/"
        assert "Objections until" in logged_in(cast.paul).get(page).content.decode()
        before = Client().get(page)["ETag"]
        Competition.objects.update(objections_until=database_time.now() - timedelta(seconds=1))
        later = Client().get(page, headers={"if-none-match": before})
        assert later.status_code == 200 and "ended" in later.content.decode()
