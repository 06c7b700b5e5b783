"""Setting up a competition in one form, from a preset or by hand."""

from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games import rules
from games.rules.card_game import CardGame
from league.admin.fields import DurationField
from league.admin.stage_form import ONLY, StageForm
from league.core import formats
from league.core.presets import PRESETS
from league.core.state.plan import StagePlan
from league.core.state.rooms import Room, Rooms
from league.models import Club, Competition
from league.queries.rounds import rooms_of
from league.words.competitions import BEST_PARTNER
from league.words.options import stage_rules
from league.words.settings import OUTCOMES
from league.words.times import duration_text
from tests.factories import Cast
from tests.league.playing import finished, in_play, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask

ADD = "/admin/league/competition/add/"
BY_HAND = f"{ADD}?ruleset=scoops&plan={ONLY}rounds"


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def usual(form: Any) -> dict[str, Any]:
    """Return what a browser would send of a form that nobody has touched."""
    bound = [field for part in (form, *form.stages) for field in part]
    given = {field.html_name: "on" if field.initial is True else field.value() for field in bound}
    return {name: each for name, each in given.items() if each not in (None, "") and each is not False}


def send(client: Client, address: str, **changed: Any) -> Any:
    """Fill the form in as far as it must be, and change some of it."""
    form = client.get(address).context["form"]
    count = {"stage_count": len(form.stages)}
    shown = {**usual(form), **count, "name": "Autumn", **changed}
    return client.post(address, {name: value for name, value in shown.items() if value is not None})


def errors(answer: Any) -> dict[str, str]:
    return {field.html_name: " ".join(field.errors) for field in answer.context["form"].fields_with_errors}


def opening() -> dict[str, Any]:
    shown: dict[str, Any] = Competition.objects.get().events.get().event
    return shown


def test_a_preset_names_its_stages_in_the_language_of_who_sets_it_up(olga: Client) -> None:
    form = olga.get(f"{ADD}?ruleset=scoops&plan=club_night&lang=de").context["form"]
    assert form.stages[0].fields["name"].initial == "Abend"


@pytest.mark.parametrize(
    ("ruleset", "told"), [("scamper", True), ("scram", False), ("scram-scorecard", False)]
)
def test_the_form_says_that_the_best_partner_counts_only_where_the_game_scores_players(
    olga: Client, ruleset: str, told: bool
) -> None:
    page = olga.get(f"{ADD}?ruleset={ruleset}&plan=club_night").content.decode()
    assert (BEST_PARTNER.id in page) == told


def test_the_form_starts_with_game_and_preset(olga: Client, cast: Cast) -> None:
    page = olga.get(ADD).content.decode()
    assert all(text in page for text in ("Scoops", "Groups, then a cup", "Rounds for everybody"))


@pytest.mark.parametrize(
    "query", ["ruleset=chess", "ruleset=", "ruleset=scoops&plan=guess", "ruleset=scoops&options=guess"]
)
def test_an_unknown_game_or_preset_is_not_found(olga: Client, query: str) -> None:
    assert olga.get(f"{ADD}?{query}").status_code == 404


@pytest.mark.parametrize("ruleset", [ruleset.key for ruleset in rules.RULESETS])
@pytest.mark.parametrize("plan", [*PRESETS, f"{ONLY}swiss"])
def test_a_preset_needs_only_a_name(olga: Client, cast: Cast, ruleset: str, plan: str) -> None:
    answer = send(olga, f"{ADD}?ruleset={ruleset}&plan={plan}")
    assert answer.status_code == 302, errors(answer)
    preset = PRESETS.get(plan)
    if preset:
        stages = [stage.format for stage in preset.stages]
        assert [stage["format"] for stage in opening()["stages"]] == stages


def test_a_kind_that_a_game_cannot_have_leads_back_to_the_choice(olga: Client, cast: Cast) -> None:
    skat = next(each for each in rules.games() if str(each.title) == "Skat")
    answer = olga.get(f"{ADD}?ruleset={skat.key}&plan=double_elimination_cup", follow=True)
    assert answer.redirect_chain == [(ADD, 302)]
    assert "needs a game for two players or two sides" in answer.content.decode()
    assert olga.get(f"{ADD}?ruleset={skat.key}&plan=knockout_cup").status_code == 200


def test_two_sides_are_partners_where_the_game_is_one_of_teams(olga: Client, cast: Cast) -> None:
    send(olga, f"{ADD}?ruleset=scram&plan=double_elimination_cup")
    assert (opening()["lineup"], opening()["team_size"], opening()["stages"][0]["table_size"]) == (
        "partners",
        2,
        2,
    )


JASS = next(each.key for each in rules.games() if str(each.title) == "Schieber Jass")


@pytest.mark.parametrize(("game", "folded"), [("scram", False), (JASS, False), ("scoops", True)])
def test_who_enters_is_open_where_partners_play(olga: Client, cast: Cast, game: str, *, folded: bool) -> None:
    form = olga.get(f"{ADD}?ruleset={game}&plan=club_night").context["form"]
    (teams,) = (each for each in form.folded if str(each.title) == "Teams")
    assert teams.folded is folded
    assert ("change partners from round to round" in str(form["lineup"].help_text)) is not folded


def test_a_preset_opens_with_its_settings(olga: Client, cast: Cast) -> None:
    send(olga, f"{ADD}?ruleset=scoops&plan=groups_and_cup")
    groups, cup = opening()["stages"]
    assert (groups["groups"], groups["scoring"]["bye"], cup["intake"]) == (
        4,
        "middle",
        {"source": "best", "best": 2},
    )


def test_every_field_of_the_form_is_in_the_opening(olga: Client, cast: Cast) -> None:
    changed = {
        "pace": "automatic",
        "options.target": "5",
        "entering.places": "40",
        "clock.move": "2 days",
        "clock.quiet": "22:00-08:00",
        "overdue": "forfeit",
        "aided": "on",
        "open_hands": "30",
        "stages.0.rounds": "3",
        "stages.0.hours": "7 days 1 h",
        "stages.0.scoring.place_points": "3; 1; 0,5",
        "stages.0.tie_breaks.1": "head_to_head",
        **{f"stages.0.{name}": "last" for name in OUTCOMES},
    }
    send(olga, BY_HAND, **changed)
    shown = opening()
    assert (shown["pace"], shown["options"]["target"], shown["entering"]) == ("automatic", 5, {"places": 40})
    assert shown["clock"] == {"move": 172800, "quiet": "22:00-08:00", "zone": cast.club.timezone}
    (stage,) = shown["stages"]
    assert (stage["rounds"], stage["tie_breaks"]) == (3, ["head_to_head", "game_score"])
    assert (stage["hours"], shown["overdue"], shown["aided"]) == (169, "forfeit", True)
    assert shown["open_hands"] == 30
    asked = dict.fromkeys(("bye", "walkover", "requested", "late"), "last")
    assert stage["scoring"] == {"place_points": ["3", "1", "1/2"], **asked}


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "This field is required"),
        ("slug", "a b", "valid “slug”"),
        ("options.target", "11", "less than or equal to 10"),
        ("clock.move", "soon", "numbers with units"),
        ("clock.move", "99 days", "between 0 and 5184000"),
        ("clock.quiet", "night", "hours such as 22:00-08:00"),
        ("entering.places", "3000", "less than or equal to 2000"),
        ("stages.0.rounds", "0", "needs a number of rounds"),
        ("stages.0.hours", "9000 hours", "between 0 and 8784"),
        ("stages.0.table_size", "10", "less than or equal to 9"),
        ("stages.0.scoring.place_points", "three", "a number or fraction such as 7/2"),
        ("stages.0.tie_breaks.0", "beauty", "Something that you chose can’t be chosen any more."),
        ("stages.0.params.ladder.reach", "-1", "greater than or equal to 0"),
    ],
)
def test_an_error_is_shown_at_its_field(
    olga: Client, cast: Cast, field: str, value: str, sentence: str
) -> None:
    answer = send(olga, BY_HAND, **{field: value})
    assert sentence in errors(answer)[field]
    assert not Competition.objects.exists()


def test_all_that_is_wrong_is_told_at_once_and_what_was_typed_is_kept(olga: Client, cast: Cast) -> None:
    opened(cast, slug="autumn")
    wrong = {
        "name": "",
        "slug": "autumn",
        "options.target": "11",
        "details.begins_at": "19:30",
        "stages.0.hours": "soon",
        "stages.0.scoring.place_points": "three",
        "stages.1.intake.best": "0",
        "stages.1.format": "swiss",
        "stages.1.rounds": "0",
        "stages.1.intake.sizes": "9; 9",
        "stages.1.table_size": "99",
    }
    answer = send(olga, f"{ADD}?ruleset=scoops&plan=groups_and_cup", **wrong)
    told = errors(answer)
    expected = {*wrong} - {"details.begins_at", "stages.1.format"}
    assert told.keys() == {*expected, "details.begins_on"}
    shown = {field.html_name: field.value() for field in answer.context["form"].fields_with_errors}
    assert {name: shown[name] for name in expected} == {name: wrong[name] for name in expected}


@pytest.mark.parametrize(
    ("format_", "ignored"),
    [
        ("rounds", ""),
        ("round_robin", ""),
        ("swiss", ""),
        ("knockout", "rounds"),
        ("open_play", "scoring.bye"),
        ("ladder", "tie_breaks.0 tie_breaks.4 line line_level scoring.bye"),
    ],
)
def test_options_without_effect_in_a_format_are_neither_shown_nor_announced(
    olga: Client, cast: Cast, format_: str, ignored: str
) -> None:
    given = {"rounds": "3", "scoring.bye": "none", "tie_breaks.0": "wins", "line": "seed", "table_size": "2"}
    typed = {f"stages.0.{name}": value for name, value in given.items()}
    send(olga, BY_HAND, **typed, **{"stages.0.format": format_})
    (stage,) = opening()["stages"]
    (form,) = olga.get(BY_HAND).context["form"].stages
    hidden = {name for name, field in form.fields.items() if format_ in getattr(field, "hidden_for", ())}
    assert {*ignored.split()} <= hidden
    assert not any(name in hidden for name in given if name not in ignored.split())
    assert (stage["rounds"], stage.get("line")) == (
        0 if "rounds" in hidden else 3,
        None if "line" in hidden else "seed",
    )
    assert ("bye" in stage.get("scoring", ()), "tie_breaks" in stage) == (
        "scoring.bye" not in hidden,
        "tie_breaks.0" not in hidden,
    )


def test_the_style_sheet_hides_the_options_of_every_format() -> None:
    rules_ = (settings.BASE_DIR / "static/trefoil/desk.css").read_text()
    assert all(f"[value={key}]:checked) [data-hidden-for~={key}]" in rules_ for key in formats.BY_KEY)


def test_an_error_opens_the_part_that_it_is_in(olga: Client, cast: Cast) -> None:
    answer = send(olga, BY_HAND, **{"clock.move": "soon"})
    assert [group.title for group in answer.context["form"].folded if group.has_errors] == ["Time to move"]


def test_who_plays_with_real_cards_is_asked_nothing_about_tables_of_the_site(
    olga: Client, cast: Cast
) -> None:
    shown = olga.get(f"{ADD}?ruleset=scoops-scorecard&plan=club_night").context["form"]
    assert not {"Time to move", "Help at the table"} & {str(group.title) for group in shown.folded}
    send(olga, f"{ADD}?ruleset=scoops-scorecard&plan=club_night", **{"clock.move": "soon", "aided": "on"})
    made = opening()
    assert not made.get("clock") and not made.get("aided")


def test_an_error_of_a_later_stage_is_shown_in_that_stage(olga: Client, cast: Cast) -> None:
    address = f"{ADD}?ruleset=scoops&plan=groups_and_cup"
    assert [*errors(send(olga, address, **{"stages.1.intake.best": "0"}))] == ["stages.1.intake.best"]


def test_teams_that_no_table_can_seat_are_an_error_at_the_team_size(olga: Client, cast: Cast) -> None:
    answer = send(olga, BY_HAND, lineup="partners", team_size="9")
    assert "no table for teams" in errors(answer)["team_size"]


@pytest.mark.parametrize(
    ("game", "typed", "teams"),
    [("scram", "4", 2), ("scram", "2", 2), ("scamper", "4", 2), ("scoops", "6", 3)],
)
def test_players_at_a_table_become_teams_where_partners_share_it(
    olga: Client, cast: Cast, game: str, typed: str, teams: int
) -> None:
    size = {"stages.0.table_size": typed}
    send(olga, BY_HAND.replace("scoops", game), lineup="partners", team_size="2", **size)
    assert opening()["stages"][0]["table_size"] == teams


def test_players_who_are_no_whole_teams_are_an_error_at_the_tables_size(olga: Client, cast: Cast) -> None:
    answer = send(olga, BY_HAND, lineup="partners", team_size="2", **{"stages.0.table_size": "5"})
    assert errors(answer) == {
        "stages.0.table_size": "5 players can’t be split into teams of 2 who share a table."
    }


@pytest.mark.parametrize("game", ["scamper", "scoops"])
def test_partners_sit_at_a_usual_table_without_a_change_and_at_the_same_in_a_later_stage(
    olga: Client, cast: Cast, game: str
) -> None:
    send(olga, BY_HAND.replace("scoops", game), lineup="partners", team_size="2")
    competition = Competition.objects.get()
    assert opening()["stages"][0]["table_size"] == 2
    form = ask(olga, competition, "add-stage").context["form"]
    assert (form.stage["table_size"].label, form.stage["table_size"].value()) == ("Players at a table", 4)


def test_the_form_says_that_somebody_sits_out_where_tables_do_not_come_out_even(olga: Client) -> None:
    cribbage = rules.of("card-game", CardGame.shipped["cribbage"])
    page = olga.get(f"{ADD}?ruleset={cribbage.key}&plan=evening_of_two").content.decode()
    assert "23 players sit at 11 tables of 2. 1 of 23 sits out (a bye). Each draw says who." in page


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (
            "knockout",
            "23 players sit at 7 tables of 2. 9 of 23 sit out (byes). That is in round 1 alone: the best",
        ),
        ("double_elimination", "23 players sit at 7 tables of 2. 9 of 23 sit out (byes). That is in round"),
        ("swiss", "23 players sit at 11 tables of 2. 1 of 23 sits out (a bye). Each draw says who."),
    ],
)
def test_tables_of_two_are_not_said_to_seat_three(form: str, told: str) -> None:
    plan = StagePlan("Cup", form, rounds=0, table_size=2, params={})
    field = StageForm(None, plan=plan, number=0, sizes=(2, 3, 4), initial=None).fields["table_size"]
    assert told in str(field.help_text) and "of 3" not in str(field.help_text)


def test_the_form_of_a_cup_says_that_nobody_can_ask_for_a_bye(olga: Client) -> None:
    page = olga.get(f"{ADD}?ruleset=scoops&plan={ONLY}knockout").content.decode()
    group = page.split("<summary>Only for: Knockout</summary>")[1].split("</details>")[0]
    assert "nobody can ask for a bye" in group


def test_the_number_of_tables_in_the_room_is_its_only_question_and_left_empty(
    olga: Client, cast: Cast
) -> None:
    address = f"{ADD}?ruleset=scoops&plan=club_night"
    page = olga.get(address).content.decode()
    told = "A draw seats 23 players as the room allows: "
    assert f"{told}4 tables: 3 × 6 and 1 × 5; 5 tables: 3 × 5 and 2 × 4; 6 tables: 5 × 4 and 1 × 3." in page
    send(olga, address)
    assert Competition.objects.get().rooms == {}
    done = olga.get(send(olga, address, name="Spring", tables=5).url).content.decode()
    assert f"Spring is set up. {told}5 tables: 3 × 5 and 2 × 4." in done
    made = Competition.objects.get(name="Spring")
    assert rooms_of(made) == Rooms((Room(last=5),))
    assert [each.event["type"] for each in made.events.order_by("seq")] == ["opened", "rooms_set"]


def test_the_example_is_of_those_who_are_entered_or_came_last(olga: Client, cast: Cast) -> None:
    address = f"{ADD}?ruleset=scoops&plan=club_night"
    finished(cast, 12)
    page = olga.get(address).content.decode()
    assert "With 4, 12 players sit at 3 tables of 4." in page and "23 players" not in page
    coming = opened(cast, 7)
    settings = reverse("admin:league_competition_act", args=[coming.pk, "change-settings"])
    stage = olga.get(settings).context["form"].setup.stages[0]
    assert " 7 players sit at " in stage.fields["table_size"].help_text


def test_a_slug_in_use_is_refused(olga: Client, cast: Cast) -> None:
    opened(cast, slug="autumn")
    assert "already" in errors(send(olga, BY_HAND, slug="autumn"))["slug"]


def test_the_form_is_only_for_clubs_of_the_organiser(olga: Client, cast: Cast) -> None:
    elsewhere = Club.objects.exclude(pk=cast.club.pk).get()
    assert "club" in errors(send(olga, BY_HAND, club=elsewhere.pk))


def test_a_stage_is_added_and_removed_without_losing_what_was_typed(olga: Client, cast: Cast) -> None:
    answer = send(olga, BY_HAND, _more="1", **{"stages.0.rounds": "7", "clock.move": "soon", "name": ""})
    form = answer.context["form"]
    first, second = form.stages
    assert (first["rounds"].value(), form["clock.move"].value(), form.fields_with_errors) == ("7", "soon", [])
    assert (second["format"].value(), second["intake.best"].value()) == ("knockout", 2)
    assert not first["params.ladder.reach"].errors
    shown = {**usual(form), "stage_count": 2, "_fewer": "1"}
    (only,) = olga.post(BY_HAND, shown).context["form"].stages
    assert only["rounds"].value() == "7"
    assert not Competition.objects.exists()


def test_added_stages_are_in_the_opening(olga: Client, cast: Cast) -> None:
    form = send(olga, BY_HAND, _more="1").context["form"]
    answer = olga.post(BY_HAND, {**usual(form), "stage_count": 2, "name": "Autumn"})
    assert answer.status_code == 302, errors(answer)
    assert [stage["format"] for stage in opening()["stages"]] == ["rounds", "knockout"]


@pytest.mark.parametrize("count", ["0", "99", "-1", "x", "²", ""])
def test_an_invalid_number_of_stages_is_handled(olga: Client, cast: Cast, count: str) -> None:
    assert send(olga, BY_HAND, stage_count=count, name="").status_code == 200


@pytest.mark.parametrize("key", [ruleset.key for ruleset in rules.RULESETS])
def test_every_option_of_every_game_is_offered_with_its_help(olga: Client, key: str) -> None:
    form = olga.get(f"{ADD}?ruleset={key}").context["form"]
    options = [field for name, field in form.fields.items() if name.startswith("options.")]
    assert options
    assert all(field.help_text for field in options)


def test_the_presets_of_a_game_fill_its_options_in(olga: Client, cast: Cast) -> None:
    form = olga.get(f"{ADD}?ruleset=scamper&options=basic").context["form"]
    assert form["options.wild_cards"].value() == "jokers"


class TestDurations:
    @pytest.mark.parametrize(
        ("text", "seconds"),
        [
            ("2 days", 172800),
            ("1d", 86400),
            ("1 h 30 min", 5400),
            ("90 Minutes", 5400),
            ("1 day, 12 hours", 129600),
            ("0 s", 0),
            ("", None),
        ],
    )
    def test_are_read(self, text: str, seconds: int | None) -> None:
        assert DurationField().clean(text) == seconds

    @pytest.mark.parametrize("seconds", [60, 5400, 129600, 1, 172801])
    def test_survive_writing_and_reading(self, seconds: int) -> None:
        assert DurationField().clean(duration_text(seconds)) == seconds

    def test_are_written_and_read_in_the_readers_language(self) -> None:
        with translation.override("de"):
            assert duration_text(129600) == "1 Tag 12 Stunden"
            assert DurationField().clean("1 Tag, 2 hours 30 min") == 95400

    @pytest.mark.parametrize("text", ["45 min", "1 h 30 min", "90"])
    def test_of_rounds_are_whole_hours(self, text: str) -> None:
        field = DurationField(whole_hours=True)
        with pytest.raises(ValidationError, match="Write whole hours or days"):
            field.clean(text)
        assert field.clean("120 min") == 7200

    def test_need_known_units(self) -> None:
        with pytest.raises(ValidationError):
            DurationField().clean("3 moons")


def test_seats_are_counted_from_one_in_the_form_and_from_zero_in_the_log(olga: Client, cast: Cast) -> None:
    address = f"{ADD}?ruleset=scamper-scorecard"
    assert olga.get(address).context["form"]["options.first_dealer"].value() == 1
    refused = send(olga, address, **{"options.first_dealer": "0"})
    assert errors(refused) == {"options.first_dealer": "Enter a number from 1 to 10."}
    assert refused.context["form"]["options.first_dealer"].value() == "0"
    send(olga, address, **{"options.first_dealer": "2"})
    assert opening()["options"]["first_dealer"] == 1


def test_labelled_values_of_options_are_chosen_by_their_labels(olga: Client, cast: Cast) -> None:
    field = olga.get(f"{ADD}?ruleset=scamper").context["form"]["options.wild_cards"]
    assert ("jokers_and_deuces", "Jokers and twos are wild") in field.field.choices


def test_a_preset_of_options_keeps_everything_else_that_was_typed(olga: Client, cast: Cast) -> None:
    address = f"{ADD}?ruleset=scamper"
    page = olga.get(address).content.decode()
    assert 'formaction="?ruleset=scamper&amp;options=basic"' in page
    answer = send(olga, f"{address}&options=basic", _options="1", name="Winter", **{"entering.places": "30"})
    form = answer.context["form"]
    assert (form["name"].value(), form["entering.places"].value()) == ("Winter", "30")
    assert not form.is_bound
    usual_options = olga.get(f"{address}&options=basic").context["form"]
    for field in usual_options:
        if field.name.startswith("options."):
            assert form[field.name].value() == field.value()
    assert not Competition.objects.exists()


def test_a_match_of_cribbage_says_that_a_game_of_it_is_a_whole_card(cast: Cast) -> None:
    client = logged_in(cast.olga)
    cribbage = rules.of("card-game", CardGame.shipped["cribbage"])
    form = client.get(f"{ADD}?ruleset={cribbage.key}&plan={ONLY}knockout").context["form"]
    asked = str(form.stages[0]["best_of"].help_text)
    assert "a whole score card, of 9 deals at most" in asked and "set “Deals” to 1" in asked
    scoops = client.get(f"{ADD}?ruleset=scoops-scorecard&plan={ONLY}knockout").context["form"]
    assert "score card" not in str(scoops.stages[0]["best_of"].help_text)


@pytest.mark.parametrize(("deals", "told"), [(9, True), (1, False)])
def test_the_rules_of_a_stage_say_what_a_game_of_a_match_is(cast: Cast, deals: int, told: bool) -> None:
    options = {**CardGame.shipped["cribbage"], "rounds": deals}
    stage = {"name": "Cup", "format": "knockout", "rounds": 0, "table_size": 2, "best_of": 3}
    competition = in_play(cast, 2, ruleset="card-game", options=options, stages=[stage])
    said = stage_rules(competition.stages.get())
    assert "Best of 3" in said and ("a whole score card" in said) == told
