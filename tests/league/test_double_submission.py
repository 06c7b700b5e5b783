"""A desk form submitted twice creates one object; the same form opened again creates another."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Competition, Player
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in
from tests.league.test_setting_up import BY_HAND, usual

Post = Callable[..., Any]


def adds_a_player(client: Client, cast: Cast, token: str, **more: str) -> Any:
    shown = {"club": str(cast.club.pk), "name": "Ann Alder", "account": "", "active": "on", **more}
    return client.post("/admin/league/player/add/", {**shown, "csrfmiddlewaretoken": token})


def sets_up_a_competition(client: Client, cast: Cast, token: str, **_more: str) -> Any:
    form = client.get(BY_HAND).context["form"]
    shown = {**usual(form), "stage_count": len(form.stages), "name": "Autumn", "club": str(cast.club.pk)}
    return client.post(BY_HAND, {**shown, "csrfmiddlewaretoken": token})


@pytest.mark.parametrize(("post", "model"), [(adds_a_player, Player), (sets_up_a_competition, Competition)])
class TestAForm:
    def test_submitted_twice_creates_one_object_and_redirects_to_it_each_time(
        self, cast: Cast, post: Post, model: Any
    ) -> None:
        client, before = logged_in(cast.olga), model.objects.count()
        answers = [post(client, cast, "a" * 64) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [302, 302]
        assert answers[0]["Location"] == answers[1]["Location"]
        assert model.objects.count() == before + 1

    def test_opened_again_with_the_same_values_creates_another_object(
        self, cast: Cast, post: Post, model: Any
    ) -> None:
        client, before = logged_in(cast.olga), model.objects.count()
        for token in ("a" * 64, "b" * 64):
            assert post(client, cast, token, sure="on").status_code == 302
        assert model.objects.count() == before + 2
