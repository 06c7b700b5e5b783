"""What a web process imports when it starts, and that requests import nothing more."""

import os
import subprocess
import sys
from typing import Final
from urllib.parse import quote

import pytest
from django.db import connection

FOR_FILES: Final = {"openpyxl", "fpdf", "fontTools", "PIL", "uharfbuzz", "icalendar", "httpx", "numpy"}
"""Libraries for spreadsheets, prints, pictures, calendars and webhooks, imported where one is made."""
REQUESTS: Final = """
import io, sys
from league.ops.asgi import application
from league.ops.wsgi import application

def ask(method, path, body=b"", **more):
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": "", "SERVER_NAME": "localhost"}
    environ |= {"SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1"}
    environ |= {"CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body))}
    environ |= {"wsgi.multithread": True, "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(body)}
    environ |= {"wsgi.errors": sys.stderr, **more}
    status = []
    list(application(environ, lambda line, headers: status.append(line)))
    return int(status[0][:3])

before, game = {*sys.modules}, "/api/v1/games/00000000-0000-4000-8000-000000000000/"
log_in = {"HTTP_AUTHORIZATION": "Bearer nobody"}
answers = [
    ask("GET", "/"), ask("GET", "/rules/"), ask("GET", "/account/login/"), ask("GET", "/admin/login/"),
    ask("GET", "/api/v1/competitions/"), ask("GET", "/api/v1/rulesets/"), ask("GET", "/nowhere/"),
    ask("GET", game), ask("POST", game + "moves/", b'{"seq": 2, "move": {}}', **log_in),
]
print(answers, sorted({*sys.modules} - before), sorted(FOR_FILES & {*sys.modules}))
"""


def printed(statements: str, **environment: str) -> str:
    """Return what statements print in a process of their own."""
    command = [sys.executable, "-c", statements]
    answer = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return answer.stdout.splitlines()[-1]


@pytest.mark.django_db(transaction=True)
def test_a_web_process_imports_everything_before_its_first_request_but_libraries_for_files() -> None:
    database = connection.settings_dict
    url = f"postgresql://{database['USER']}@/{database['NAME']}?host={quote(database['HOST'])}"
    answer = printed(f"FOR_FILES = {FOR_FILES}\n{REQUESTS}", DATABASE_URL=url)
    assert answer == "[200, 200, 200, 302, 200, 200, 404, 404, 401] [] []"
