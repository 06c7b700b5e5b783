"""Accounts and tokens."""

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.engine.refusals import Malformed
from league.choices import SINGLE_SCOPES
from league.core.verbs import ORGANISER_VERBS
from league.models import Account, Token
from league.queries.permissions import ScopeMissing
from league.services.accounts import create_account, create_token, kept_token, revoke_token, use_token
from league.services.players import create_player
from tests.factories import Cast


def test_an_account_can_be_made_without_a_password(db: None) -> None:
    assert not create_account(username="robot").has_usable_password()


@pytest.mark.parametrize(
    ("username", "password", "field"),
    [("olga", "a long good passphrase", "username"), ("x y", None, "username"), ("new", "short", "password")],
)
def test_an_invalid_account_is_refused_with_its_fields(
    cast: Cast, username: str, password: str | None, field: str
) -> None:
    with pytest.raises(Malformed) as refused:
        create_account(username=username, password=password)
    assert list(refused.value.errors) == [field]
    assert Account.objects.count() == 4


@pytest.mark.parametrize("name", ["www.evil.example", "evil.com", "evil.de", "Evil.ORG", "x.www.evil"])
def test_a_user_name_is_no_address_of_a_website(db: None, name: str) -> None:
    with pytest.raises(Malformed) as refused:
        create_account(username=name)
    assert refused.value.errors == {"username": ["This looks like the address of a website."]}


@pytest.mark.parametrize("name", ["http://evil.example", "Win at www.evil.example", "evil.shop"])
def test_no_name_is_an_address_of_a_website(cast: Cast, name: str) -> None:
    with pytest.raises(Malformed):
        create_player(by=cast.olga, club=cast.club, name=name)


@pytest.mark.parametrize(
    "name", ["anna.b", "a.long.name", "anna@cards.example.org", "St.Pauli", "Co.KG", "www"]
)
def test_other_names_with_dots_are_good(cast: Cast, name: str) -> None:
    assert create_player(by=cast.olga, club=cast.club, name=name)
    assert name == "Co.KG" or create_account(username=name)


def test_a_token_gives_access_until_it_is_revoked(cast: Cast) -> None:
    made = create_token(by=cast.paul, name="phone", scopes=["play", "read", "play"])
    used = use_token(secret=made.secret)
    assert isinstance(used, Token) and (used.account, used.scopes) == (cast.paul, ["play", "read"])
    revoke_token(by=cast.paul, token=used)
    assert use_token(secret=made.secret) is None


def test_only_a_hash_of_a_token_is_stored_and_its_secret_is_not_shown(cast: Cast) -> None:
    made = create_token(by=cast.paul, name="phone", scopes=["play"])
    kept = str(Token.objects.values_list().get())
    assert made.secret not in kept + repr(made) + repr(made.token)


def test_only_its_account_can_revoke_a_token_for_good(cast: Cast) -> None:
    token = create_token(by=cast.paul, name="phone", scopes=["play"]).token
    with pytest.raises(PermissionDenied):
        revoke_token(by=cast.olga, token=token)
    first = revoke_token(by=cast.paul, token=token).revoked_at
    assert revoke_token(by=cast.paul, token=token).revoked_at == first


@pytest.mark.parametrize(("days", "works_for"), [(30, 30), (365, 365), (None, 3660)])
def test_a_token_expires(cast: Cast, days: int | None, works_for: int) -> None:
    made = create_token(by=cast.paul, name="phone", scopes=["play"], days=days)
    use_token(secret=made.secret)
    with time_machine.travel(timezone.now() + timedelta(days=works_for, minutes=-9)):
        assert use_token(secret=made.secret)
        assert kept_token(made.secret)
    with time_machine.travel(timezone.now() + timedelta(days=works_for, minutes=9)):
        assert bool(use_token(secret=made.secret)) is (days is None)


@pytest.mark.parametrize("days", [0, -1, 3661])
def test_a_token_works_for_ten_years_at_most(cast: Cast, days: int) -> None:
    with pytest.raises(Malformed) as refused:
        create_token(by=cast.paul, name="phone", scopes=["play"], days=days)
    assert [*refused.value.errors] == ["days"]


@pytest.mark.parametrize("secret", ["", "trefoil_nothing", "\ud800", "\0"])
def test_an_unknown_secret_is_refused(db: None, secret: str) -> None:
    assert use_token(secret=secret) is None


def test_the_token_of_an_inactive_account_is_refused(cast: Cast) -> None:
    made = create_token(by=cast.paul, name="phone", scopes=["play"])
    Account.objects.filter(pk=cast.paul.pk).update(is_active=False)
    assert use_token(secret=made.secret) is None


def test_using_a_token_again_within_the_minute_costs_one_query(cast: Cast) -> None:
    made = create_token(by=cast.paul, name="phone", scopes=["play"])
    use_token(secret=made.secret)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        use_token(secret=made.secret)
    assert len(queries) == 1


@pytest.mark.parametrize(
    ("name", "scopes", "field"),
    [("", ["play"], "name"), ("a\0b", ["play"], "name"), ("a", ["rule"], "scopes"), ("a", [], "scopes")],
)
def test_an_invalid_token_is_refused_with_its_fields(
    cast: Cast, name: str, scopes: list[str], field: str
) -> None:
    with pytest.raises(Malformed) as refused:
        create_token(by=cast.paul, name=name, scopes=scopes)
    assert list(refused.value.errors) == [field]


@pytest.mark.parametrize(("bundle", "parts"), [
    ("read", {"read:private", "read:account"}),
    ("play", {"play:move", "play:enter"}),
    ("organise", {"club:organise", "club:rule"}),
])  # fmt: skip
def test_a_bundle_stands_for_its_parts(cast: Cast, bundle: str, parts: set[str]) -> None:
    used = use_token(secret=create_token(by=cast.paul, name="old", scopes=[bundle]).secret)
    assert used and used.scopes == [bundle]
    assert {scope for scope, _ in SINGLE_SCOPES if used.account.has_scope(scope)} == parts


def test_a_service_asks_for_the_scope_of_the_token(cast: Cast) -> None:
    used = use_token(secret=create_token(by=cast.olga, name="hall", scopes=["club:rule", "play"]).secret)
    assert used
    with pytest.raises(ScopeMissing):
        create_player(by=used.account, club=cast.club, name="Anna")
    with pytest.raises(PermissionDenied):
        create_token(by=used.account, name="more", scopes=["organise"])
    assert create_player(by=cast.olga, club=cast.club, name="Anna")


def test_whatever_scorekeepers_may_do_has_the_scope_of_rulings() -> None:
    theirs = {verb.scope for verb in ORGANISER_VERBS.values() if verb.audience.startswith("scorekeepers")}
    assert theirs == {"club:rule"}
    every = {scope for verb in ORGANISER_VERBS.values() for scope in (verb.scope, verb.own_scope)}
    assert every <= {scope for scope, _ in SINGLE_SCOPES}
