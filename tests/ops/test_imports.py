"""What a web process imports when it starts, and that requests import nothing more."""

import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import pytest
from django.db import connection
from PIL import Image

from games import log
from games.engine import replay
from league.core.verbs.rulings import SetResult
from league.models import Account, Competition
from league.ops import offload
from league.projections.standings import compute_standings
from league.services.accounts import create_token
from tests import factories
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.league.test_admin_scope import logged_in

Request: TypeAlias = tuple[int, str, str, Mapping[str, str], bytes]
"""The status that it must get, method, path, headers and body."""
FOR_FILES: Final = {"openpyxl", "fpdf", "fontTools", "PIL", "uharfbuzz", "httpx", "numpy"}
"""Libraries for spreadsheets, prints, pictures and webhooks."""
REQUESTS: Final = """
import base64, io, json, sys
from league.ops import offload
from league.ops.asgi import pages

tags = {}

def ask(method, path, headers, body):
    path, _, query = path.partition("?")
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "SERVER_NAME": "localhost"}
    environ |= {"SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1"}
    environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body))}
    environ |= {"wsgi.multithread": True, "wsgi.url_scheme": "http", "wsgi.errors": sys.stderr, **headers}
    environ |= {"wsgi.input": io.BytesIO(body)}
    if "HTTP_IF_NONE_MATCH" in headers:
        environ["HTTP_IF_NONE_MATCH"] = tags[path]
    answer, before = [], {*sys.modules}
    list(pages(environ, lambda *begun: answer.extend(begun)))
    tags[path] = dict(answer[1]).get("ETag")
    return int(answer[0][:3]), sorted({*sys.modules} - before)

if offload.POSSIBLE:
    offload.begin()
answers = [ask(*each, base64.b64decode(body)) for *each, body in json.load(sys.stdin)]
print(json.dumps([answers, sorted(sys.modules)]))
"""


def asked(requests: Sequence[Any]) -> tuple[list[Any], set[str]]:
    """Return status and imports of each request, made one after another in a new process, and its modules."""
    database = connection.settings_dict
    url = f"postgresql://{database['USER']}@/{database['NAME']}?host={quote(database['HOST'])}"
    given = json.dumps([(*each, b64encode(body).decode()) for *each, body in requests])
    answer = subprocess.run(
        [sys.executable, "-c", REQUESTS],
        env={**os.environ, "DATABASE_URL": url},
        input=given,
        capture_output=True,
        text=True,
        check=True,
    )
    answers, modules = json.loads(answer.stdout.splitlines()[-1])
    return answers, {*modules}


def photo() -> bytes:
    file = BytesIO()
    Image.new("RGB", (30, 20)).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return factories.cast()


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """A competition whose first round is decided and counted."""
    made = in_play(cast, 8, ruleset="scamper")
    seats = [{"seat": seat, "rank": seat + 1, "score": seat} for seat in range(4)]
    for table in tables(made):
        act(cast.olga, made, SetResult, table=table.pk, seats=seats, reason="real cards")
    compute_standings(made.pk)
    return made


def of_anybody(competition: Competition) -> Iterator[Request]:
    api, shown = f"/api/v1/competitions/{competition.pk}", f"/competitions/{competition.slug}"
    for path in ("/", "/rules/", "/account/login/", "/api/v1/competitions/", "/api/v1/rulesets/"):
        yield 200, "GET", path, {}, b""
    for path in ("/", "/feed/", "/rounds/", "/print/pairings.pdf", "/print/standings.pdf"):
        yield 200, "GET", f"{shown}{path}", {}, b""
    for path in ("/", "/standings/", "/tables/", "/calendar.ics", "/results.csv", "/sheets.pdf", "/export/"):
        yield 200, "GET", f"{api}{path}", {}, b""
    yield 200, "GET", f"/clubs/{competition.club.slug}/calendar.ics", {}, b""
    yield 304, "GET", f"{api}/standings/", {"HTTP_IF_NONE_MATCH": "its tag"}, b""
    yield 404, "GET", "/nowhere/", {}, b""
    yield 401, "GET", "/api/v1/me/", {"HTTP_AUTHORIZATION": "Bearer nobody"}, b""


def of_a_player(cast: Cast) -> Iterator[Request]:
    game = cast.game("scamper")
    position = log.latest(game)
    seat = replay.awaited(position)[0]
    move = replay.write_move(position.ruleset, position.ruleset.default_move(position.state, seat))
    by = (cast.paul, cast.petra)[seat]
    token = {"HTTP_AUTHORIZATION": f"Bearer {create_token(by=by, name='a', scopes=['read', 'play']).secret}"}
    path = f"/api/v1/games/{game.pk}/"
    yield 200, "GET", path, token, b""
    yield 201, "POST", f"{path}moves/", token, json.dumps({"seq": 2, "move": move}).encode()
    yield 200, "GET", path, token, b""
    yield 304, "GET", path, {**token, "HTTP_IF_NONE_MATCH": "its tag"}, b""
    for each in (f"/games/{game.pk}/", "/tables/mine/", "/account/", "/"):
        yield 200, "GET", each, {"HTTP_COOKIE": session(by)}, b""


def of_the_organiser(cast: Cast, competition: Competition) -> Iterator[Request]:
    secret = create_token(by=cast.olga, name="all", scopes=["read", "organise"]).secret
    token = {"HTTP_AUTHORIZATION": f"Bearer {secret}"}
    row = f"/admin/league/competition/{competition.pk}"
    files = (f"{row}/export/results.xlsx", f"{row}/export/everything.csv", "/admin/league/player/export.xlsx")
    prints = (f"{row}/print/names.pdf", f"{row}/print/cards.pdf?codes=no", "/rules/scamper/sheet-4.pdf")
    for path in ("/admin/", f"{row}/change/", "/admin/league/player/", *files, *prints):
        yield 200, "GET", path, {"HTTP_COOKIE": session(cast.olga)}, b""
    picture = {**token, "CONTENT_TYPE": "image/png"}
    yield 200, "PUT", f"/api/v1/competitions/{competition.pk}/picture/", picture, photo()
    webhook = json.dumps({"url": "https://hooks.example.org/", "kinds": ["game_over"]}).encode()
    yield 201, "POST", f"/api/v1/clubs/{competition.club.slug}/webhooks/", token, webhook


def session(account: Account) -> str:
    """Return the cookie of somebody who is logged in."""
    return f"sessionid={logged_in(account).cookies['sessionid'].value}"


@pytest.mark.skipif(not offload.POSSIBLE, reason="files are made by forks on Linux alone")
def test_a_web_process_imports_all_before_its_first_request_and_no_library_for_files(
    cast: Cast, competition: Competition
) -> None:
    requests = [*of_anybody(competition), *of_a_player(cast), *of_the_organiser(cast, competition)]
    answers, modules = asked([request for _status, *request in requests])
    wrong = {
        request[2]: answer
        for request, answer in zip(requests, answers, strict=True)
        if answer != [request[0], []]
    }
    assert wrong == {}
    assert not FOR_FILES & modules
