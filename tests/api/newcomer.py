"""A program that knows the address of the OpenAPI document, and the tokens of two players.

Everything else it takes from the document: addresses, methods, scopes, bodies, links and types. It is run by
`test_newcomer`.
"""

import json
import os
import random
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import Request, urlopen

SOURCE = os.environ["SCHEMA"]
CHANCE = random.Random(7)


def fetched(address: str, token: str = "", method: str = "GET", body: object = None) -> tuple[int, Any]:
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(address, data, headers, method=method)) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        return error.code, json.load(error)


DOCUMENT = fetched(SOURCE)[1]
OPERATIONS = {
    operation["operationId"]: (path, method, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}


def resolved(schema: Any) -> Any:
    """Return a schema, or what it refers to."""
    while "$ref" in schema:
        part: Any = DOCUMENT
        for name in schema["$ref"].removeprefix("#/").split("/"):
            part = part[name]
        schema = part
    return schema


def variant(schema: Any, value: str) -> Any:
    """Return which of several schemas the value of the discriminator names."""
    schema = resolved(schema)
    if "discriminator" not in schema:
        return next(filter(None, (variant(each, value) for each in schema.get("oneOf", ()))), None)
    name = schema["discriminator"]["mapping"].get(value)
    return name and resolved({"$ref": name})


class Person:
    """Somebody with a token."""

    def __init__(self, token: str) -> None:
        self.token = token

    def call(self, operation: str, body: object = None, query: Any = None, **parameters: str) -> Any:
        path, method, described = OPERATIONS[operation]
        allowed = {scope for each in described["security"] for scope in each.get("token", ())}
        assert not allowed or allowed & {"play:move", "play:enter", "read:private"}, operation
        assert ("requestBody" in described) == (body is not None), operation
        address = urljoin(urljoin(SOURCE, DOCUMENT["servers"][0]["url"]), path.format(**parameters))
        address += f"?{urlencode(query)}" if query else ""
        status, answer = fetched(address, self.token, method.upper(), body)
        assert str(status) in described["responses"], (operation, status)
        assert status < 300, answer
        return answer


def follow(operation: str, link: str, answer: Any) -> tuple[str, dict[str, str]]:
    """Return the operation to which the answer of another one links, and its parameters."""
    responses = OPERATIONS[operation][2]["responses"]
    found = responses.get("201", responses.get("200"))["links"][link]
    parameters = {
        name: answer[where.removeprefix("$response.body#/")] for name, where in found["parameters"].items()
    }
    return found["operationId"], parameters


def made(game: Any) -> Any:
    """Return a move that the game offers, with the types that the document has for it."""
    choice = CHANCE.choice(game["choices"])
    declared = variant({"$ref": "#/components/schemas/Game"}, game["ruleset"])
    item = variant(declared["properties"]["choices"]["items"], choice["type"])
    fields = item["properties"]["fields"]
    given = {name: CHANCE.choice(choice["fields"][name]["values"]) for name in fields["required"]}
    return {"type": item["properties"]["type"]["const"], **given}


def main() -> None:
    host, guest = (Person(token) for token in os.environ["TOKENS"].split())
    club = host.call("me_retrieve")["clubs"][0]
    rival = guest.call("me_retrieve")["clubs"][0]["player"]["id"]
    body = variant(
        OPERATIONS["games_create"][2]["requestBody"]["content"]["application/json"]["schema"], "scoops@1"
    )
    (example,) = body["examples"]
    options = {"target": 1, "round_limit": 1, "turn_limit": 2}
    players = [club["player"]["id"], rival]
    opened = host.call(
        "games_create", {**example, "club": club["club"], "players": players, "options": options}
    )
    assert opened["status"] == "invited"
    (listed,) = guest.call("games_list", query={"awaited": "me"})["results"]
    operation, where = follow("games_create", "games_accept_create", listed)
    game = guest.call(operation, {}, **where)
    while game["status"] == "active":
        person = (host, guest)[game["to_act"][0]]
        game = person.call("games_retrieve", id=game["id"])
        operation, where = follow("games_retrieve", "games_moves_create", game)
        game = person.call(operation, {"seq": game["seq"] + 1, "move": made(game)}, **where)
    sys.stdout.write(f"{game['status']} {len(game['result']['seats'])}\n")


if __name__ == "__main__":
    main()
