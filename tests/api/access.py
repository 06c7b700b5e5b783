"""Whom each operation of the API lets in, by role and by scope: what docs/access.md says.

``WRITE_ACCESS=yes python -m pytest -n 0 tests/api/test_access.py`` writes the page again.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import cycle
from typing import Any, Final

from django.db import transaction
from django.test import TestCase
from django.utils import timezone
from rest_framework.test import APIClient

from api.views.docs import document
from games import log
from games.engine import replay
from league import tasks
from league.apps.between.models import Partner
from league.apps.series.core.rule import Rule
from league.apps.series.services import open_series
from league.choices import SINGLE_SCOPES
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.hooks import upkeep
from league.models import Account, Competition, Token
from league.ops.folders import TOP
from league.services.accounts import create_token
from league.services.competitions import open_competition
from tests.api.desks import BODIES, STAGE
from tests.api.web import NOBODY, ROOT, bearer, logged_in
from tests.factories import AccountFactory, Cast, MemberFactory
from tests.league.acting import act

PAGE: Final = TOP / "docs" / "access.md"
WRITES: Final = "WRITE_ACCESS"
"""The environment variable with which the test writes the page instead of comparing it."""

SCOPES: Final = tuple(scope for scope, _ in SINGLE_SCOPES)
SESSION: Final = "web session"
EVERY: Final = "a token of all scopes"
ROLES: Final = {
    "stranger": "an account that is a member of no club",
    "elsewhere": "the owner of another club",
    "member": "a member whose account has no player",
    "player": "a player of the club, who has a seat at the table",
    "scorekeeper": "a scorekeeper of the club",
    "organiser": "an organiser of the club",
    "owner": "an owner of the club",
}
REFUSED: Final = (401, 403, 404)
MALFORMED: Final = (400, 413, 415)
"""Answers that say nothing about who is let in, where the body was refused before the caller."""
CHECKED: Final = f"{ROOT}/signed-log/witnesses/"
"""Open to everybody, and only what a witness signed is well formed."""


@dataclass(frozen=True)
class Call:
    """A call of an operation; ``about`` says which, where the page has several of it.

    ``fill`` are values for the path. Where there is a ``secret``, whoever reads another one than the public
    is let in; otherwise whoever is not refused.
    """

    method: str
    path: str
    body: object = None
    about: str = ""
    fill: Mapping[str, object] = field(default_factory=dict)
    secret: Callable[[Any], object] | None = None

    @property
    def name(self) -> str:
        """Return the operation as the page has it."""
        address = f"`{self.method.upper()} {self.path.removeprefix(f'{ROOT}/')}`"
        return f"{address} {self.about}".rstrip()


class World:
    """A competition that is played, one with a round that is not published, and everybody who calls."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._played, self._drawn = _competition(cast), _competition(cast)
        act(cast.olga, self._played, PublishRound)
        Partner.objects.create(competition=self._played, club=cast.club)
        self._announced = self._announce(cast.olga, self._played)
        imports = f"{ROOT}/clubs/{cast.club.slug}/imports/"
        sent = bearer(cast.olga).generic("POST", imports, "x", "application/jsonl").json()
        self._import = sent.get("id", NOBODY)
        webhooks = f"{ROOT}/clubs/{cast.club.slug}/webhooks/"
        hook = {"url": "https://club.example/", "kinds": ["result"]}
        self._webhook = _made(cast.olga, webhooks, hook)
        self._own_game = _made(cast.olga, f"{ROOT}/clubs/{cast.club.slug}/own-games/", {"definition": {}})
        self._delivery = _made(cast.olga, f"{webhooks}{self._webhook}/test/", {})
        tasks.sweep()
        # Chance decides who begins, and only Paul is asked.
        games = (cast.game("scoops") for _ in range(64))
        self._game = next(game for game in games if replay.to_act(log.latest(game)) == (0,))
        with TestCase.captureOnCommitCallbacks(execute=True):
            upkeep.swept()
        self._seek, self._own_seek = self._seek_of(cast.petra), self._seek_of(cast.paul, private=True)
        links = bearer(cast.paul).get(f"{ROOT}/seeks/{self._own_seek}/links/").json()
        self._friend = _made(cast.petra, f"{ROOT}/me/friends/", {"player": str(cast.paul_plays.pk)})
        self._muted = _made(cast.paul, f"{ROOT}/me/muted/", {"player": str(cast.petra_plays.pk)})
        self._link = links[0]["id"] if self._own_seek != NOBODY else NOBODY
        self._series = open_series(by=cast.olga, club=cast.club, name="Year", rule=Rule())
        self._accounts: dict[str, Account] = {}
        self._clients: dict[tuple[str, str], APIClient] = {}
        self._tokens: dict[tuple[str, str], Token] = {}
        self._likely: frozenset[str] = frozenset()
        self._on_page = scopes_on_page()
        self._turns = cycle(ROLES)
        for role in ROLES:
            self._let_call(role)
        self._others = create_token(by=cast.petra, name="another's", scopes=["read"]).token

    def _announce(self, account: Account, competition: Competition) -> object:
        path = f"{ROOT}/competitions/{competition.pk}/hall/announcements/"
        return _made(account, path, {"text": "Tea is ready"})

    def _seek_of(self, account: Account, **more: object) -> object:
        return _made(
            account, f"{ROOT}/seeks/", {"club": self._cast.club.slug, "ruleset": "scoops", "seats": 3, **more}
        )

    def _let_call(self, role: str) -> None:
        """Give a role's account a client for each scope, and one for the web session."""
        known = {"player": self._cast.paul, "owner": self._cast.olga, "elsewhere": self._cast.nora}
        account = known.get(role) or AccountFactory.create(username=role)
        if role not in (*known, "stranger"):
            MemberFactory.create(
                club=self._cast.club, account=account, role="player" if role == "member" else role
            )
        self._accounts[role] = account
        for scope in SCOPES:
            self._give_token(role, scope, [scope])
        self._give_token(role, EVERY, SCOPES)
        self._tokens[role, SESSION] = self._tokens[role, EVERY]
        self._clients[role, SESSION] = logged_in(account)

    def _give_token(self, role: str, name: str, scopes: Sequence[str]) -> None:
        made = create_token(by=self._accounts[role], name="a token", scopes=scopes)
        # Otherwise each call would note the use of its token again.
        Token.objects.filter(pk=made.token.pk).update(last_used_at=timezone.now() + timedelta(days=1))
        self._tokens[role, name] = made.token
        self._clients[role, name] = APIClient(HTTP_AUTHORIZATION=f"Bearer {made.secret}")

    def let_in(self, call: Call) -> Mapping[str, frozenset[str]]:
        """Return the scopes with which each role is let in; everybody with any where nobody need log in."""
        public = self._answer(call, APIClient(), None)
        asks = call.method == "get" or call.path == CHECKED
        assert asks or public.status_code not in MALFORMED, (call.name, public.content)
        if public.status_code not in REFUSED and call.secret is None:
            # A token can only add to what is public: each scope once, and each role once, are enough.
            callers = [("stranger", SESSION), *zip(cycle(ROLES), SCOPES, strict=False)]
            assert all(self._is_let_in(call, *caller, public) for caller in callers), call.name
            return {"everybody": frozenset()}
        found: dict[str, frozenset[str]] = {}
        self._likely = self._on_page.get(call.name, frozenset())
        self._by_session = next(self._turns)
        for role in ROLES:
            if scopes := self._scopes_of(call, role, public, is_first=not found):
                found[role] = scopes
                self._likely = scopes - {SESSION}
        return found

    def _scopes_of(self, call: Call, role: str, public: Any, *, is_first: bool) -> frozenset[str]:
        """Return the scopes with which a role is let in.

        More scopes never let in less: where a token of several is refused, so is one of each. That is tried
        with all scopes, and with all but those of the page, or that let in the last role. The session allows
        what a token does: that is tried with the first role that is let in, and with the refused in turn.
        """
        token = self._is_let_in(call, role, EVERY, public)
        is_tried = is_first if token else role == self._by_session or not self._likely
        session = self._is_let_in(call, role, SESSION, public) if is_tried else token
        others = [scope for scope in SCOPES if scope not in self._likely]
        asked: Collection[str] = SCOPES if token else ()
        if asked and others and not self._is_let_in(call, role, self._token_of(role, others), public):
            asked = self._likely
        scopes = frozenset(scope for scope in asked if self._is_let_in(call, role, scope, public))
        return scopes | {SESSION} if session else scopes

    def _token_of(self, role: str, scopes: Sequence[str]) -> str:
        """Return the name of a token of several scopes, which the role is given if it has none."""
        name = ", ".join(scopes)
        if (role, name) not in self._tokens:
            self._give_token(role, name, scopes)
        return name

    def _is_let_in(self, call: Call, role: str, scope: str, public: Any) -> bool:
        answer = self._answer(call, self._clients[role, scope], self._tokens[role, scope])
        assert answer.status_code < 500, (call.name, role, scope)
        if answer.status_code in REFUSED or call.secret is None:
            return answer.status_code not in REFUSED
        return call.secret(answer.json()) != call.secret(public.json())

    def _answer(self, call: Call, client: APIClient, token: Token | None) -> Any:
        """Return the answer to a call; what it changed is rolled back."""
        own = {
            "games": self._game.pk,
            "competitions": self._played.pk,
            "players": self._cast.paul_plays.pk,
            "seeks": self._seek,
            "series": self._series.pk,
        }
        its_id = own.get(call.path.split("/")[3]) or (token or self._others).pk
        if "/imports/" in call.path:
            its_id = self._import
        if "/own-games/" in call.path:
            its_id = self._own_game
        if "/me/friends/" in call.path:
            its_id = self._friend
        if "/me/muted/" in call.path:
            its_id = self._muted
        if "/webhooks/" in call.path:
            its_id = self._webhook
        if "/links/" in call.path:
            its_id = self._own_seek
        fills = {
            "id": its_id,
            "link": self._link,
            "delivery": self._delivery,
            "slug": self._cast.club.slug,
            "seq": 1,
            "key": "scoops",
            "version": 1,
        }
        path = call.path.format(**{**fills, "code": "stale", "announcement": self._announced, **call.fill})
        body = "" if call.body is None else json.dumps(call.body)
        with transaction.atomic():
            files = {"picture": "image/png", "imports": "application/jsonl"}
            media_type = files.get(path.rstrip("/").rpartition("/")[2], "application/json")
            answer = client.generic(call.method, path, body, media_type)
            transaction.set_rollback(True)
        return answer

    def calls(self) -> Iterator[Call]:
        """Yield a call of every operation of the schema, and others of operations that do several things."""
        for path, item in document()["paths"].items():
            yield from (Call(method, path, self._body(method, path)) for method in item)
        game, below = f"{ROOT}/games/{{id}}/", f"{ROOT}/competitions/{{id}}/"
        yield Call("get", game, about="(the cards of the seat)", secret=lambda got: got["view"].get("hand"))
        yield Call("get", game, about="(its choices)", secret=lambda got: got["choices"])
        penalty = {"type": "penalty", "seat": 0, "points": 5, "reason": "late"}
        yield Call("post", f"{game}moves/", {"seq": 99, "move": penalty}, "(as the arbiter)")
        for what in ("rounds/", "tables/", "events/", "stream/?wait=0"):
            yield Call(
                "get",
                f"{below}{what}",
                about="(of a round that is not published)",
                fill={"id": self._drawn.pk},
                secret=lambda got: got["results"],
            )
        if self._seek != NOBODY:
            yield Call(
                "get",
                f"{ROOT}/clubs/{{slug}}/stream/?wait=0",
                about="(its open seeks)",
                secret=lambda got: got["results"][0]["data"]["seeks"],
            )
        token = f"{ROOT}/tokens/{{id}}/"
        yield Call("delete", token, about="(of another account)", fill={"id": self._others.pk})

    def _body(self, method: str, path: str) -> object:
        """Return a body that is well formed, and about nothing that there is."""
        bodies: Mapping[str, object] = {
            "games/": {"club": self._cast.club.slug, "ruleset": "scoops", "players": [str(NOBODY)] * 2},
            "games/{id}/moves/": {"seq": 99, "move": {"type": "resign"}},
            "games/{id}/moves/batch/": {"seq": 99, "moves": [{"type": "resign"}]},
            "seeks/": {"club": self._cast.club.slug, "ruleset": "scoops", "seats": 2},
            "seeks/{id}/withdraw/": {},
            "tokens/": {"name": "new", "scopes": ["read"]},
            "competitions/": {"club": self._cast.club.slug, "name": "New", "ruleset": "none"},
            "clubs/{slug}/players/": {"name": "New"},
            "me/clubs/{slug}/": {"asks": True},
            "me/clubs/{slug}/privacy/": {"audience": "club", "findable": True},
            "clubs/{slug}/own-games/": {"definition": {}},
            "games/{id}/company/": {"phrase": "well"},
            "me/friends/": {"player": str(self._cast.petra_plays.pk)},
            "me/muted/": {"player": str(self._cast.petra_plays.pk)},
            "clubs/{slug}/reports/": {"player": str(self._cast.petra_plays.pk), "words": "She shouts."},
            "clubs/{slug}/away/": {"since": "2027-03-01", "until": "2100-03-01"},
            "clubs/{slug}/webhooks/": {"url": "https://club.example/", "kinds": ["result"]},
            "competitions/{id}/hall/timer/": {"minutes": 5} if method == "put" else {"add_minutes": 1},
            "competitions/{id}/me/answer/": {"reply": "yes"},
            "competitions/{id}/hall/announcements/": {"text": "Tea is ready"},
        }
        own = {
            "give-text": {"text": "x"},
            "open-table": {"entries": [str(NOBODY)]},
            "challenge": {"opponent": str(NOBODY)},
            **{f"{verb}-challenge": {"challenge": 1} for verb in ("accept", "refuse", "withdraw")},
        }
        below = path.removeprefix(f"{ROOT}/")
        verb = below.removesuffix("preview/").rstrip("/").rpartition("/")[2]
        return bodies.get(below, (own if "/me/" in below else BODIES).get(verb, {}))


def _made(by: Account, path: str, body: Mapping[str, object]) -> object:
    """Return the id of what an app makes of a POST, one that nothing has where the site has no such app."""
    made = bearer(by).post(path, body).json()
    return made.get("webhook", made).get("id", NOBODY)


def _competition(cast: Cast) -> Competition:
    """Return a competition of Paul against Petra whose first round is drawn."""
    made = open_competition(
        by=cast.olga, club=cast.club, name="Winter", ruleset="scoops", options={}, stages=[STAGE]
    )
    for player in (cast.paul_plays, cast.petra_plays):
        act(cast.olga, made, EnterPlayers, players=[player.pk])
    act(cast.olga, made, StartCompetition)
    act(cast.olga, made, DrawRound)
    return made


# ---- The page ------------------------------------------------------------------------------------

HEAD: Final = """# Access

Every operation of the API, who is let in, and the scopes of which a token needs one. Whoever is not let in
gets 401, 403 or 404; others can still be refused because of the rules, the state or the body. The web
session allows all that a token may do; *any* means that a token of any scope is enough.

The role of an account is that of its membership. An invitation that was sent to an address makes nobody a
member before that address, or somebody who may give the role, [confirms it](desk.md#accounts-for-players).

This page is made by calling each operation in each role, with tokens of one scope and of several and with the
web session. A test compares it; this writes it again:

```
WRITE_ACCESS=yes python3 -m pytest -n 0 tests/api/test_access.py
```

"""
HEADER: Final = (("operation", "who", "scopes"), ("---", "---", "---"))


def scopes_on_page() -> Mapping[str, frozenset[str]]:
    """Return the scopes that the page has for each operation; where it has several sets, the last."""
    rows = re.findall(r"^\| (`.*) \|.*\| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: frozenset(re.findall("`(.+?)`", scopes)) for name, scopes in rows}


def page(world: World) -> str:
    """Return docs/access.md as it should be."""
    roles = "".join(f"- *{role}*: {about}\n" for role, about in ROLES.items())
    rows = sorted(row for call in world.calls() for row in _rows(call, world.let_in(call)))
    table = "".join(
        f"| {' | '.join(row)} |\n" for row in (("operation", "who", "scopes"), ("---",) * 3, *rows)
    )
    return f"{HEAD}{roles}\n{table}"


def _rows(call: Call, found: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str, str]]:
    """Yield a row for each set of scopes, with the roles that it lets in."""
    if not found:
        yield call.name, "no one", "–"
    for scopes in dict.fromkeys(found.values()):
        roles = [role for role, theirs in found.items() if theirs == scopes]
        yield call.name, ", ".join(roles), _shown(scopes)


def _shown(scopes: frozenset[str]) -> str:
    """Return scopes as the page has them; whatever a token may do, the web session may, too."""
    if not scopes:
        return "no log-in needed"
    assert SESSION in scopes, scopes
    if scopes == {SESSION}:
        return "web session only"
    return "any" if scopes == {*SCOPES, SESSION} else ", ".join(f"`{s}`" for s in SCOPES if s in scopes)
