"""Settings that are changed on the desk and by programs: the form, the rows, and who is told."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.clocks import Clock
from league.admin.competitions import SettingsForm
from league.core.presets import PRESETS
from league.core.verbs.draw import DrawRound
from league.core.verbs.settings import ChangeSettings
from league.core.verbs.start import StartCompetition
from league.models import AccountEvent, Club, Competition, Member
from league.queries.competitions import state_of
from league.queries.events import events_of
from league.services.competitions import given_by, open_competition
from league.words.event_text import stored_sentences
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_setting_up import usual


def page(competition: Competition) -> str:
    return reverse("admin:league_competition_act", args=[competition.pk, "change-settings"])


def send(client: Client, competition: Competition, **changed: Any) -> Any:
    """Send the form as it is shown but for some fields."""
    form: SettingsForm = client.get(page(competition)).context["form"]
    sent = {**usual(form.setup), **hidden(form), "reason": "", **changed}
    return client.post(page(competition), {name: each for name, each in sent.items() if each is not None})


def hidden(form: SettingsForm) -> dict[str, Any]:
    """Return what the form has beside its fields."""
    return {"stage_count": len(form.setup.stages), "made_from": form.made_from, "seq": form.made_from + 1}


def last(competition: Competition) -> dict[str, Any]:
    return dict(events_of(competition).order_by("-seq")[0].event)


SPECIAL: dict[str, Any] = {
    "stages": [{**PLAN, "hours": 5, "scoring": {"best": 2, "place_points": ["5", "3"]}, "line": "all"}],
    "entering": {"places": 30, "check_in": True},
    "clock": Clock(move=60, reminder=20, quiet="22:00-07:00"),
    "overdue": "forfeit",
    "aided": True,
    "open_hands": 3,
}


@pytest.mark.parametrize("ruleset", ["tally", "scoops", "scram-scorecard"])
@pytest.mark.parametrize("special", [{}, SPECIAL], ids=["usual", "special"])
def test_the_form_that_nobody_touched_changes_nothing(cast: Cast, ruleset: str, special: Any) -> None:
    if ruleset.endswith("scorecard"):
        special = {name: each for name, each in special.items() if name in ("stages", "entering")}
    competition = opened(cast, 3, ruleset=ruleset, **special)
    send(logged_in(cast.olga), competition)
    assert state_of(Competition.objects.get()).seq == competition.seq


@pytest.mark.parametrize("key", ["knockout_cup", "groups_and_cup", "ladder"])
def test_the_form_of_any_format_that_nobody_touched_changes_nothing(cast: Cast, key: str) -> None:
    preset = PRESETS[key].for_tables((4,))
    assert preset
    given: Any = {**given_by(preset, "Autumn"), "ruleset": "tally"}
    opened = open_competition(by=cast.olga, club=cast.club, **given)
    answer = send(logged_in(cast.olga), opened, name="Spring")
    assert answer.status_code == 302
    assert last(Competition.objects.get())["now"] == {"name": "Spring"}


def test_pairs_are_offered_their_settings_as_they_are(cast: Cast) -> None:
    competition = opened(cast, lineup="partners", team_size=2, stages=[{**PLAN, "table_size": 2}])
    send(logged_in(cast.olga), competition, name="Spring")
    assert last(Competition.objects.get())["now"] == {"name": "Spring"}


def test_what_is_changed_is_in_the_log_in_the_rows_and_on_the_page(cast: Cast) -> None:
    competition = opened(cast, 3, **SPECIAL)
    changed = {"name": "Spring", "stages.0.rounds": 3, "waits.close_round": 10, "clock.quiet": None}
    send(logged_in(cast.olga), competition, **{**changed, "stages.0.scoring.best": 0, "reason": "Too long"})
    now = Competition.objects.get()
    assert (now.name, now.stages.get().plan["rounds"]) == ("Spring", 3)
    assert last(now)["was"]["stages"] == {"1": {"rounds": 2, "scoring": {"best": 2}}}
    assert last(now)["was"]["clock"] == {"quiet": "22:00-07:00"}
    (sentence,) = stored_sentences(list(events_of(now).order_by("-seq")[:1]))
    assert "Name: Autumn → Spring" in sentence
    assert "; Rounds: 2 → 3" in sentence
    assert "Number of best rounds that count: 2 → all of them" in sentence
    assert "Automatic pace: minutes before a round is closed: 0 → 10" in sentence
    assert "Too long" in sentence


def test_what_is_wrong_is_told_at_its_field_and_what_was_typed_stays(cast: Cast) -> None:
    competition = opened(cast, 3)
    answer = send(logged_in(cast.olga), competition, **{"name": "Spring", "stages.0.rounds": 0})
    setup = answer.context["form"].setup
    assert setup.stages[0].errors.keys() == {"rounds"}
    assert setup["name"].value() == "Spring"
    assert state_of(Competition.objects.get()).opening.name == "Autumn"


# ---- Two organisers at once ----------------------------------------------------------------------


def both(cast: Cast, competition: Competition, **second: Any) -> Any:
    """Let somebody change name and rounds while another has the form open, who then sends it."""
    form: SettingsForm = logged_in(cast.olga).get(page(competition)).context["form"]
    now = {"name": "Spring", "stages": [{"rounds": 3}], "entering": {"places": 20}}
    act(cast.nora, competition, ChangeSettings, settings=now)
    sent = {**usual(form.setup), **hidden(form), "reason": "", **second}
    return logged_in(cast.olga).post(page(competition), sent)


@pytest.fixture
def two(cast: Cast) -> Competition:
    """A competition of a club with two organisers."""
    Member.objects.update_or_create(
        club=cast.club, account=cast.nora, defaults={"role": Member.Role.ORGANISER}
    )
    return opened(cast, 3)


def test_the_second_organiser_is_told_and_gets_the_form_with_what_it_is_now(
    cast: Cast, two: Competition
) -> None:
    answer = both(cast, two, **{"waits.close_round": 10, "stages.0.hours": "5 h"})
    page = answer.content.decode()
    assert "Somebody else was faster" in page
    assert "Name: Autumn → Spring" in page
    setup = answer.context["form"].setup
    shown = {name: setup[name].value() for name in ("name", "entering.places", "waits.close_round")}
    assert shown == {"name": "Spring", "entering.places": 20, "waits.close_round": "10"}
    assert setup.stages[0]["rounds"].value() == 3
    assert setup.stages[0]["hours"].value() == "5 h"


def test_the_second_organiser_writes_only_what_they_altered(cast: Cast, two: Competition) -> None:
    form = both(cast, two, **{"waits.close_round": 10, "stages.0.hours": "5 h"}).context["form"]
    again = {**usual(form.setup), **hidden(form), "reason": "Later"}
    assert logged_in(cast.olga).post(page(two), again).status_code == 302
    assert last(Competition.objects.get())["now"] == {
        "waits": {"close_round": 10},
        "stages": {"1": {"hours": 5}},
    }


def test_a_form_that_was_wrong_meanwhile_does_not_take_the_others_change_back(
    cast: Cast, two: Competition
) -> None:
    answer = both(cast, two, **{"waits.close_round": "ten"})
    assert "Name: Autumn → Spring" in answer.content.decode()
    form = answer.context["form"]
    seq = Competition.objects.get().seq + 1
    sent = {**form.data.dict(), **hidden(form), "seq": seq, "waits.close_round": 10}
    assert logged_in(cast.olga).post(page(two), sent).status_code == 302
    assert last(Competition.objects.get())["now"] == {"waits": {"close_round": 10}}


@pytest.mark.parametrize("made_from", ["", "0", "999", "x"])
def test_a_form_that_says_nothing_of_when_it_was_made_is_compared_with_now(
    cast: Cast, made_from: str
) -> None:
    competition = opened(cast, 3)
    send(logged_in(cast.olga), competition, name="Spring", made_from=made_from)
    assert last(Competition.objects.get())["now"] == {"name": "Spring"}


def test_what_can_not_change_is_not_offered_and_not_taken(cast: Cast) -> None:
    competition = opened(cast, 3)
    form = logged_in(cast.olga).get(page(competition))
    assert 'name="stages.0.table_size"' not in form.content.decode()
    send(logged_in(cast.olga), competition, **{"name": "Spring", "stages.0.table_size": 3})
    assert state_of(Competition.objects.get()).plans[0].table_size == 4


def test_the_button_is_gone_once_a_draw_was_made(cast: Cast) -> None:
    competition, client = opened(cast, 4), logged_in(cast.olga)
    desk = reverse("admin:league_competition_change", args=[competition.pk])
    assert page(competition) in client.get(desk).content.decode()
    act(cast.olga, competition, StartCompetition)
    act(cast.olga, Competition.objects.get(), DrawRound)
    assert page(competition) not in client.get(desk).content.decode()


def test_who_has_entered_is_told_by_their_feed(cast: Cast) -> None:
    competition = opened(cast, 2)
    act(cast.olga, competition, ChangeSettings, settings={"name": "Spring"})
    told = AccountEvent.objects.filter(kind="settings_changed")
    assert {each.account for each in told} == {cast.paul, cast.petra}


def test_a_clock_that_gets_quiet_hours_has_them_in_the_zone_of_the_club(cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(timezone="Europe/Berlin")
    competition = opened(cast)
    act(cast.olga, competition, ChangeSettings, settings={"clock": {"move": 60, "quiet": "22:00-07:00"}})
    assert state_of(Competition.objects.get()).opening.clock["zone"] == "Europe/Berlin"
