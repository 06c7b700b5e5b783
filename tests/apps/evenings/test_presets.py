"""Presets of a club's own: kept from a competition, offered where one is set up, renamed and removed."""

from typing import Any

import pytest
from django.test import Client

from games.engine import shapes
from league.apps.evenings.models import KeptPreset
from league.apps.evenings.services import keep_preset
from league.models import Competition
from league.queries.competitions import state_of
from league.services.accounts import create_token
from tests.factories import Cast
from tests.league.playing import PLAN, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_setting_up import ADD, send

PRESETS = "/admin/league/competition/presets/"
SPECIAL: dict[str, Any] = {
    "stages": [{**PLAN, "rounds": 3, "table_size": 2, "scoring": {"best": 2}}],
    "lineup": "partners",
    "team_size": 2,
    "pace": "automatic",
    "entering": {"check_in": True},
    "entropy": "beacon",
    "overdue": "forfeit",
    "waits": {"close_round": 5},
}


def opening(competition: Competition) -> dict[str, Any]:
    return {
        name: each for name, each in shapes.write(state_of(competition).opening).items() if name != "root"
    }


def kept(cast: Cast, **announced: Any) -> tuple[Competition, KeptPreset]:
    competition = opened(cast, **(announced or SPECIAL))
    return competition, keep_preset(by=cast.olga, competition=competition, name="Our Thursday")


def test_a_competition_set_up_by_it_in_the_form_has_all_its_settings(cast: Cast) -> None:
    competition, preset = kept(cast)
    client = logged_in(cast.olga)
    assert "Our Thursday" in client.get(ADD).content.decode()
    send(client, f"{ADD}?ruleset=tally&plan=club-{preset.pk}", name="Autumn")
    made = Competition.objects.exclude(pk=competition.pk).get()
    assert opening(made) == opening(competition)


def test_a_program_opens_a_competition_by_it(cast: Cast) -> None:
    competition, preset = kept(cast)
    secret = create_token(by=cast.olga, name="test", scopes=["organise"]).secret
    body = {"club": cast.club.slug, "name": "Autumn", "ruleset": "tally", "club_preset": str(preset.pk)}
    headers = {"Authorization": f"Bearer {secret}"}
    path = "/api/v1/competitions/"
    given: dict[str, Any] = {"content_type": "application/json", "headers": headers}
    answer = Client().post(path, body, **given)
    assert answer.status_code == 201, answer.content
    assert opening(Competition.objects.get(pk=answer.json()["id"])) == opening(competition)
    for wrong in ({"club_preset": "no"}, {"ruleset": "scoops"}):
        refused = Client().post(path, {**body, **wrong}, **given)
        assert (refused.status_code, [*refused.json()["errors"]]) == (400, ["club_preset"])


def test_it_is_kept_renamed_and_removed_on_the_desk(cast: Cast) -> None:
    competition, client = opened(cast), logged_in(cast.olga)
    page = f"/admin/league/competition/{competition.pk}/keep/"
    assert client.get(page).context["form"]["name"].value() == "Autumn"
    client.post(page, {"name": "Thursday"})
    preset = KeptPreset.objects.get()
    client.post(PRESETS, {"preset": preset.pk, "name": "Friday"})
    assert KeptPreset.objects.get().name == "Friday"
    asked = client.post(PRESETS, {"preset": preset.pk, "remove": "1"}).content.decode()
    assert "“Friday” is offered no more" in asked
    client.post(PRESETS, {"preset": preset.pk, "remove": "1", "sure": "1"})
    assert not KeptPreset.objects.exists()


@pytest.mark.parametrize("name", ["", "Our Thursday", "x" * 101])
def test_a_name_that_is_wrong_or_taken_is_told_and_what_was_typed_stays(cast: Cast, name: str) -> None:
    competition, _preset = kept(cast)
    client = logged_in(cast.olga)
    form = client.post(f"/admin/league/competition/{competition.pk}/keep/", {"name": name}).context["form"]
    assert form.errors.keys() == {"name"} and form["name"].value() == name
    assert KeptPreset.objects.count() == 1


def test_organisers_of_other_clubs_neither_see_nor_change_it(cast: Cast) -> None:
    _competition, preset = kept(cast)
    nora = logged_in(cast.nora)
    assert "Our Thursday" not in nora.get(ADD).content.decode() + nora.get(PRESETS).content.decode()
    assert nora.get(f"{ADD}?ruleset=tally&plan=club-{preset.pk}").status_code == 404
    assert nora.post(PRESETS, {"preset": preset.pk, "remove": "1"}).status_code == 404
    assert logged_in(cast.olga).post(PRESETS, {"preset": "x", "name": "y"}).status_code == 404


def test_one_that_this_release_can_not_read_is_not_offered(cast: Cast) -> None:
    _competition, preset = kept(cast)
    KeptPreset.objects.update(settings={**preset.settings, "stages": [{"name": "x"}]})
    assert "Our Thursday" not in logged_in(cast.olga).get(ADD).content.decode()
