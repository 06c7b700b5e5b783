"""The spelling of an entry's name is corrected, whatever the state of the competition."""

import pytest

from games.engine.refusals import Illegal
from league.core.entering import with_names
from league.core.events import read
from league.core.state.competition import Competition
from league.core.state.updates import refuse_taken_name
from league.core.verbs.course import FinishCompetition
from league.core.verbs.entries import CorrectName, NameCorrected, corrections
from tests.core.crosstable import after, entered, plan, played, published, started
from tests.core.deciding import decide, substitute
from tests.core.ids import uid

FOUR = "Ann Ben Cem Dana"


def corrected(state: Competition, entry: str, name: str) -> Competition:
    return after(state, *decide(state, CorrectName(uid(entry), name)))


def test_the_event_has_the_name_before_and_the_name_after() -> None:
    assert decide(entered(FOUR), CorrectName(uid("Ann"), "Anne")) == (
        NameCorrected(uid("Ann"), "Anne", former="Ann"),
    )


def test_the_same_name_again_writes_nothing() -> None:
    assert decide(entered(FOUR), CorrectName(uid("Ann"), "Ann")) == ()


def test_the_name_of_another_entry_is_refused_while_that_takes_part() -> None:
    with pytest.raises(Illegal, match="There is an entry named Ben already"):
        corrected(entered(FOUR), "Ann", "Ben")


def test_an_event_about_another_name_than_the_entry_has_is_refused() -> None:
    event = read({"type": "name_corrected", "entry": uid("Ann"), "name": "Anne", "former": "Anna"})
    with pytest.raises(Illegal, match="The entry is named Ann"):
        after(entered(FOUR), event)


def test_a_published_round_and_its_standings_stay_as_they_are() -> None:
    state = played(started(FOUR), "Ann > Ben > Cem > Dana")
    changed = corrected(state, "Ann", "Anne")
    assert changed.stages == state.stages
    assert changed.entry(uid("Ann")).name == "Anne"


def test_a_finished_competition_has_the_right_name_and_is_not_marked_as_corrected() -> None:
    state = played(started(FOUR, plan(rounds=1)), "Ann > Ben > Cem > Dana")
    state = corrected(after(state, *decide(state, FinishCompetition())), "Ann", "Anne")
    assert (state.status, state.entry(uid("Ann")).name) == ("finished", "Anne")
    assert [stage.corrected for stage in state.stages] == [False]


def names_after(state: Competition, wrong: str, right: str) -> list[str]:
    """Return the names of entries once a player has another name, each player being named as their entry."""
    players = {player: entry.name for entry in state.entries for player in entry.players}
    now = {player: right if name == wrong else name for player, name in players.items()}
    state = with_names(after(state, *corrections(state, players, now)), now)
    return [entry.name for entry in state.entries]


def test_an_entry_follows_the_name_of_its_player() -> None:
    assert names_after(published(started(FOUR), FOUR), "Ben", "Benn") == ["Ann", "Benn", "Cem", "Dana"]


def test_a_name_that_another_entry_has_is_followed_with_a_number() -> None:
    state = entered(FOUR)
    assert names_after(state, "Ben", "Ann") == ["Ann", "Ann (2)", "Cem", "Dana"]


def test_an_entry_with_a_number_follows_the_name_of_its_player() -> None:
    state = corrected(entered("Ann Ben"), "Ben", "Ann (2)")
    players = {uid("player Ann"): "Ann", uid("player Ben"): "Ann"}
    now = {**players, uid("player Ben"): "Anja"}
    named = with_names(after(state, *corrections(state, players, now)), now)
    assert [entry.name for entry in named.entries] == ["Ann", "Anja"]


def test_the_log_is_not_told_the_name_that_a_player_has_now() -> None:
    players = {uid("player Ann"): "Ann"}
    assert list(corrections(entered("Ann"), players, {uid("player Ann"): "Anne"})) == [
        NameCorrected(uid("Ann"), "", former="Ann")
    ]


def test_entries_without_names_of_their_own_are_told_apart_by_numbers() -> None:
    state = with_names(nameless("Ann Ben Cem"), dict.fromkeys(map(uid, ("player Ann", "player Ben")), "Ann"))
    assert [entry.name for entry in state.entries] == ["Ann", "Ann (2)", ""]
    assert [entry.own_name for entry in corrected(state, "Ben", "Benn").entries] == ["", "Benn", ""]


def test_a_name_that_the_log_has_is_taken_though_another_one_is_shown() -> None:
    state = with_names(entered("Ann"), {uid("player Ann"): "Former player 1"}, {uid("player Ann")})
    assert state.entry(uid("Ann")).name == "Former player 1"
    for name in ("Ann", "Former player 1"):
        with pytest.raises(Illegal, match="already"):
            refuse_taken_name(state, name)


def test_an_entry_that_is_named_after_a_substitute_gets_the_new_name_of_that_player() -> None:
    state = started(FOUR)
    ids = {"entry": uid("Ann"), "out": uid("player Ann"), "into": uid("player Eve")}
    state = corrected(after(state, *substitute(state, **ids)), "Ann", "Eve")
    names = {uid("player Ann"): "Ann", uid("player Eve"): "Eve"}
    (event,) = corrections(state, names, {**names, uid("player Eve"): "Eva"})
    assert (event.name, event.former) == ("Eva", "Eve")


def nameless(names: str) -> Competition:
    """Return the state in which entries have no names of their own."""
    state = entered(names)
    return after(state, *(NameCorrected(entry.id, "", entry.name) for entry in state.entries))


def test_an_entry_with_a_name_of_its_own_keeps_it() -> None:
    state = corrected(entered("Ann Ben"), "Ben", "The Pikes")
    players = {uid("player Ann"): "Ann", uid("player Ben"): "Ben"}
    assert list(corrections(state, players, {**players, uid("player Ben"): "Benn"})) == []
