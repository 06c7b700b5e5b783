"""Games that need other fields and another formula than any that comes with the server, made in the form."""

from typing import Any

import pytest

from games.engine import shapes
from games.rules.card_game import ruleset_of
from games.rules.card_game.definition import JUST_POINTS, Definition
from games.rules.card_game.formula import worked_out
from games.rules.card_game.shipped import CANASTA, HEARTS
from league.apps.own_games.drafting import CHANGE
from league.apps.own_games.formula_form import name_for
from league.apps.own_games.models import OwnGame
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in


class Sheet:
    """The form of a copy as somebody fills it in, button by button."""

    def __init__(self, cast: Cast, game: Definition, language: str = "en") -> None:
        self.client = logged_in(cast.olga)
        self.client.cookies["django_language"] = language
        self.at = f"/admin/own_games/owngame/add/?of={ruleset_of(game).key}"
        self.show(self.client.get(self.at))

    def show(self, answer: Any) -> None:
        self.answer, self.form = answer, answer.context["form"]
        values = {each.html_name: each.value() for each in self.form}
        self.fields = {name: value for name, value in values.items() if value not in (None, False)}

    def press(self, button: str, value: str = "1", **typed: Any) -> "Sheet":
        self.fields |= typed
        self.show(self.client.post(self.at, {**self.fields, button: value}))
        return self

    def field(self, title: str, kind: str = "number", per: str = "seat") -> str:
        """Add something that is written; return the beginning of the names of its fields."""
        self.press(CHANGE, "add field", **{"new.title": title, "new.kind": kind, "new.per": per})
        return f"fields.{len(self.form.game.fields) - 1}."

    def line(self, name: str, kind: str) -> str:
        self.press(CHANGE, "add line", **{"line.name": name, "line.kind": kind})
        return f"steps.{len(self.form.game.steps) - 1}."

    def keep(self, **typed: Any) -> Definition:
        answer = self.client.post(self.at, {**self.fields, **typed, "doubted": "1"})
        assert answer.status_code == 302, answer.context["form"].errors
        return shapes.read(Definition, OwnGame.objects.get(retired_at=None).definition)


def cases(line: str, *rows: tuple[str, str], otherwise: str = "0") -> dict[str, str]:
    """Return what is typed into the rows of a line."""
    typed = {f"{line}otherwise": otherwise}
    for at, (then, when) in enumerate(rows):
        typed |= {f"{line}cases.{at}.then": then, f"{line}cases.{at}.when": when}
    return typed


def scored(game: Definition, **written: tuple[int, ...]) -> tuple[int, ...]:
    seats = len(next(iter(written.values())))
    return worked_out(game, seats, 1, written)[game.score]


def tricks_bid(sheet: Sheet) -> str:
    """Let a copy of just points have bids and tricks instead; return its line of points."""
    most = {f"{sheet.field('Bid')}most": "13", f"{sheet.field('Tricks')}most": "13"}
    return sheet.press(CHANGE, "remove fields.0", **most).line("Points", "cases")


def test_oh_hell_is_made_from_just_points(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS)
    points = tricks_bid(sheet)
    rows = cases(points, ("10 + tricks", "tricks = bid"), otherwise="0")
    game = sheet.keep(title="Oh Hell", seats="3; 4; 5", deals="10", **rows)
    assert [(each.name, each.title, each.most) for each in game.fields] == [
        ("bid", "Bid", 13),
        ("tricks", "Tricks", 13),
    ]
    assert [step.name for step in game.steps] == ["tricks_less_bid", "points"]
    assert scored(game, bid=(3, 2, 0, 1), tricks=(3, 3, 0, 0)) == (13, 0, 10, 0)


def test_wizard_loses_ten_for_each_trick_too_many_or_too_few(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS)
    off = sheet.line("Off", "sum")
    points = tricks_bid(sheet)
    rows = cases(points, ("20 + 10 × Tricks", "off = 0"), ("−10 × off", "off > 0"), ("10 × off", "off < 0"))
    game = sheet.keep(title="Wizard", seats="3; 4; 5; 6", **rows, **{f"{off}sum": "tricks − bid"})
    assert scored(game, bid=(3, 2, 0), tricks=(3, 0, 1)) == (50, -20, -10)


def test_euchre_is_made_from_a_game_of_partners(cast: Cast) -> None:
    sheet = Sheet(cast, CANASTA)
    sheet.press(CHANGE, "remove fields.0").press(CHANGE, "remove fields.0")
    sheet.field("Maker", "player")
    most = {f"{sheet.field('Tricks of the makers', per='deal')}most": "5"}
    sheet.field("Alone", "tick", "deal")
    sheet.press(CHANGE, "remove fields.0", **most).press(CHANGE, "remove steps.0")
    ours = sheet.line("Made", "table")
    points = sheet.line("Points", "cases")
    rows = cases(
        points,
        ("4", "made and alone and tricks_of_the_makers = 5"),
        ("2", "made and Tricks of the makers = 5"),
        ("1", "made and tricks_of_the_makers = 3 to 4"),
        ("2", "not made and tricks_of_the_makers ≤ 2"),
    )
    rows |= {f"{ours}of": "maker", f"{ours}gather": "sum partners"}
    game = sheet.keep(title="Euchre", seats="4", sides="2", target="10", **rows)
    tick = next(each for each in game.fields if each.kind == "tick")
    assert (tick.name, tick.optional, game.score) == ("alone", True, "points")

    def deal(maker: int, tricks: int, *, alone: int = 0) -> tuple[int, ...]:
        makers = tuple(int(seat == maker) for seat in range(4))
        return scored(game, maker=makers, tricks_of_the_makers=(tricks,) * 4, alone=(alone,) * 4)

    assert deal(0, 3) == deal(2, 4) == (1, 0, 1, 0)
    assert deal(1, 5) == (0, 2, 0, 2)
    assert deal(0, 5, alone=1) == (4, 0, 4, 0)
    assert deal(3, 2) == (2, 0, 2, 0)


def test_what_has_another_title_is_called_so_in_rules_errors_and_names(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS).press("_try", **{"fields.0.title": "Bid"})
    line = sheet.line("Bid squared", "sum")
    typed = {f"{line}sum": "10 + bids", "fields.0.least": "0", "fields.0.most": "13"}
    refused = sheet.press("_preview", title="Ours", **typed)
    assert "Names are: Bid, Bid squared." in str(refused.form.errors)
    typed[f"{line}sum"] = "20 / points"
    listed = sheet.press("_preview", **typed).answer.content.decode()
    assert "Bid squared, is</a>: There is no division here" in listed
    game = sheet.keep(**{f"{line}sum": "bid × points"})
    assert game.steps[0].name == "bid_squared"
    assert ruleset_of(game).explained == ["Bid squared = Bid × Bid"]
    page = sheet.client.get(f"/rules/{ruleset_of(game).key}/").content.decode()
    assert "Bid squared = Bid" in page and "bid_squared" not in page and "<code>points" not in page


def test_a_line_has_the_name_of_nothing_that_is_written(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS).press("_try", **{"fields.0.title": "Bid"})
    line = sheet.line("Bid", "sum")
    refused = sheet.press("_preview", title="Ours", **{f"{line}sum": "2 × points"})
    assert refused.form.errors == {f"{line}name": ["This name is taken."]}


def test_a_deal_is_tried_at_once(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS)
    points = tricks_bid(sheet)
    typed = {"try.bid.0": "3", "try.tricks.0": "3", "try.bid.1": "2", "try.tricks.1": "0", "try.bid.2": "99"}
    sheet.press("_try", **cases(points, ("10 + tricks", "tricks = bid")), title="Oh Hell", seats="3", **typed)
    tried = sheet.answer.context["trial"]
    assert [*tried.scores] == [13, 0, 10]
    assert [cell.wrong for cell in tried.rows[0][1]] == [False, False, True]
    assert not OwnGame.objects.exists()


def test_a_tried_deal_that_is_refused_says_why(cast: Cast) -> None:
    sheet = Sheet(cast, HEARTS).press("_try", **{"try.taken.0": "5"})
    assert [*sheet.answer.context["trial"].broken] == ["The points of a deal add up to 26."]


def test_all_that_was_typed_stays_when_something_is_added_or_taken_away(cast: Cast) -> None:
    sheet = Sheet(cast, CANASTA)
    sheet.press(
        CHANGE,
        "remove fields.1",
        title="Ours",
        target="x",
        **{"fields.2.title": "Hand", "fields.2.most": "7"},
    )
    assert (sheet.fields["title"], sheet.fields["target"]) == ("Ours", "x")
    assert (sheet.fields["fields.1.title"], sheet.fields["fields.1.most"]) == ("Hand", "7")
    assert [each.name for each in sheet.form.game.fields] == ["melds", "left"]
    refused = sheet.press("_preview").form.errors
    assert "target" in refused and "“bonuses” is no name here" in str(refused["steps.0.sum"])
    assert sheet.fields["steps.0.sum"] == "melds + bonuses − left"


def test_what_is_added_needs_a_name(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS).press(CHANGE, "add field", title="Ours")
    assert [*sheet.form.errors] == ["new.title"] and sheet.fields["title"] == "Ours"
    assert [*sheet.press(CHANGE, "add line").form.errors] == ["line.name"]


def test_the_last_field_stays_and_nonsense_changes_nothing(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS)
    for nonsense in ("remove fields.0", "remove fields.7", "remove title", "x"):
        assert len(sheet.press(CHANGE, nonsense, draft="{").form.game.fields) == 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"otherwise": "10 × (tricks − bid)"}, {"steps.0.otherwise": "Brackets"}),
        ({"cases.0.then": "10 + trick"}, {"steps.0.cases.0.then": "“trick” is no name here"}),
        ({"cases.0.when": "tricks"}, {}),
        ({"cases.0.when": ""}, {"steps.0.cases.0.when": "Say when it counts"}),
        ({"cases.0.then": ""}, {"steps.0.cases.0.then": "Say what counts then"}),
        ({"cases.0.then": "points"}, {"steps.0.name": "Nothing before it has the name Points."}),
        ({"cases.0.then": "", "cases.0.when": ""}, {"steps.0.cases.0.then": "Fill in at least one row"}),
    ],
)
def test_a_formula_that_cannot_be_read_is_told_at_its_field(
    cast: Cast, changes: dict[str, str], said: dict[str, str]
) -> None:
    sheet = Sheet(cast, JUST_POINTS)
    points = tricks_bid(sheet)
    typed = cases(points, ("10 + tricks", "tricks = bid")) | {
        f"{points}{name}": value for name, value in changes.items()
    }
    sheet.press("_preview", **typed, title="Ours")
    errors = {name: str(each[0]) for name, each in sheet.form.errors.items()}
    assert [*errors] == [*said] and all(errors[name].startswith(said[name]) for name in said)
    assert {name: sheet.form[name].value() for name in typed} == typed


def test_a_choice_has_the_values_that_are_filled_in(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS)
    trump = sheet.field("Trump", "choice", "deal")
    values = {
        f"{trump}values.0.name": "Clubs",
        f"{trump}values.0.worth": "2",
        f"{trump}values.1.name": "Hearts",
    }
    refused = sheet.press("_preview", **values, title="Ours").form.errors
    assert [*refused] == [f"{trump}values.1.worth"]
    game = sheet.keep(**{f"{trump}values.1.worth": "4"})
    assert [(each.name, each.worth) for each in game.fields[1].values] == [("Clubs", 2), ("Hearts", 4)]


def test_there_are_always_empty_rows_below_those_that_are_filled_in(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS)
    points = tricks_bid(sheet)
    many = [(str(at), f"tricks = {at}") for at in range(9)]
    sheet.press("_try", **cases(points, *many[:2]))
    assert f"{points}cases.4.then" in sheet.form.fields
    sheet.press("_try", **cases(points, *many, otherwise="99"))
    assert f"{points}cases.11.then" in sheet.form.fields
    assert scored(sheet.keep(title="Steps"), bid=(0, 0), tricks=(8, 9)) == (8, 99)


@pytest.mark.parametrize(
    ("typed", "seats"),
    [
        ("3, 4, 5", (3, 4, 5)),
        ("3-5", (3, 4, 5)),
        ("3 – 5; 7", (3, 4, 5, 7)),
        ("3 to 7", (3, 4, 5, 6, 7)),
        ("2; 4 bis 6", (2, 4, 5, 6)),
    ],
)
def test_sizes_of_tables_are_typed_as_lists_show_them(cast: Cast, typed: str, seats: tuple[int, ...]) -> None:
    sheet = Sheet(cast, JUST_POINTS, "de" if "bis" in typed else "en")
    assert sheet.keep(title="Ours", seats=typed).seats == seats


def test_a_check_is_added_in_the_empty_row(cast: Cast) -> None:
    check = {"checks.1.of": "highest", "checks.1.one_of": "13; 26", "checks.1.says": "The queen is there."}
    game = Sheet(cast, HEARTS).keep(title="Ours", **check)
    assert [(each.of, each.one_of) for each in game.checks] == [("together", (26,)), ("highest", (13, 26))]


def test_in_german_titles_and_words_are_german(cast: Cast) -> None:
    sheet = Sheet(cast, JUST_POINTS, "de")
    sheet.field("Höchste Ansage")
    sheet.field("Stiche")
    points = sheet.line("Punkte des Spiels", "cases")
    rows = cases(points, ("10 + Stiche", "Stiche = Höchste Ansage und Stiche = 3 bis 5"))
    game = sheet.keep(title="Rufer", score="punkte_des_spiels", **rows)
    assert [each.name for each in game.fields] == ["points", "hochste_ansage", "stiche"]
    assert scored(game, points=(0, 0), hochste_ansage=(4, 2), stiche=(4, 2)) == (14, 0)


def test_names_are_made_from_titles() -> None:
    assert name_for("Größte Straße!", ()) == "grosste_strasse"
    assert name_for("9 tricks", ()) == "value_9_tricks"
    assert name_for("Очки", ()) == "value"
    assert name_for("Deal", ("deal_2",)) == "deal_3"
    assert name_for("A very long title of a field", ()) == "a_very_long_title_of_a_f"
