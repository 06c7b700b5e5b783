"""A witness signs heads that continue what it saw, and refuses all others."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import pytest
from django.core.management import CommandError, call_command

from games.transparency import merkle, notes
from games.transparency.merkle import WrongProof
from games.transparency.notes import Checkpoint, Key, WrongNote
from league.apps.signed_log.management.commands.witness import NotAnswered, Site, Witness, key_of
from league.ops import posting
from league.ops.secret import Damaged
from tests.games.transparency.signing import LOG, signed
from tests.games.transparency.test_merkle import LEAVES, nodes_of

OTHER = Key("club.example/1", bytes(32))
THEN, LATER = "2020-01-01T00:00:00.000000Z", "2020-01-02T00:00:00.000000Z"
CHANGED = [bytes(32), *LEAVES[1:]]


class Server:
    """A site with so many leaves, some of them perhaps changed, which answers as the API does."""

    def __init__(
        self, size: int, *, leaves: Sequence[bytes] = LEAVES, origin: str = LOG.name, at: str = THEN
    ) -> None:
        self.size, self.nodes, self.at = size, nodes_of([*leaves]), at
        self.key = Key(origin, LOG.public)
        self.taken: list[str] = []
        self.takes = True

    def head(self) -> Any:
        checkpoint = Checkpoint(self.key.name, self.size, merkle.root(self.nodes, self.size), self.at)
        return {"note": str(signed(checkpoint, by=self.key)), "key": str(self.key)}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            self.taken.append(json.loads(request.content)["line"])
            return httpx.Response(200 if self.takes else 400)
        if request.url.path.endswith("consistency/"):
            sizes = (int(request.url.params[name]) for name in ("first", "second"))
            return httpx.Response(
                200, json={"path": [e.hex() for e in merkle.consistency(self.nodes, *sizes)]}
            )
        return httpx.Response(200, json=self.head())


def look(folder: Path, server: Any, known: Key | None = None, accepted: str = "") -> str:
    def ask(url: str, sent: object = None, **_: Any) -> bytes:
        answer: httpx.Response = server(httpx.Request("GET" if sent is None else "POST", url, json=sent))
        if not answer.is_success:
            raise posting.Unreachable
        return answer.content

    with mock.patch.object(posting, "ask", ask):
        return Witness(folder, "witness", known, accepted).look(Site("https://club.example/"))


def test_a_head_that_continues_the_last_one_is_signed(tmp_path: Path) -> None:
    for size, said in ((3, "A first look, so its past is unknown here"), (3, "Good"), (20, "Good")):
        server = Server(size)
        assert look(tmp_path, server) == f"{said}: club.example/1, {size} leaves, {THEN}; signed."
        note = notes.read_note(server.head()["note"] + server.taken[0] + "\n")
        assert notes.cosigned_at(note, key_of(tmp_path, "witness"))


@pytest.mark.parametrize(
    ("server", "why"),
    [
        (Server(9), "had 10 leaves and has 9"),
        (Server(12, leaves=CHANGED), "another root of the smaller tree"),
        (Server(10, leaves=CHANGED), "two different logs of 10 leaves"),
        (Server(12, origin="club.example/0"), "came after"),
        (Server(12, origin="club.example/x"), "came after"),
        (Server(3, leaves=CHANGED, origin="club.example/2"), "contradicts the last head, of"),
        (Server(12, leaves=CHANGED, origin="club.example/9999999"), "--accept club.example/9999999"),
        (Server(12, origin="club.example/1/1"), "another one, club.example/1"),
        (Server(12, origin="other.example/1"), "had the log club.example and shows another one"),
        (Server(12, at="2019-12-31T23:59:59.000000Z"), "before the last one"),
        (Server(12, at="2150-01-01T00:00:00.000000Z"), "ahead of the clock"),
        (Server(12, at="yesterday"), "no time"),
        (Server(12, at="0000-00-00"), "no time"),
    ],
    ids=lambda value: None if isinstance(value, Server) else value,
)
def test_a_head_that_does_not_is_refused_also_the_next_time(tmp_path: Path, server: Server, why: str) -> None:
    look(tmp_path, Server(10))
    for _ in range(2):
        with pytest.raises(WrongProof, match=why):
            look(tmp_path, server)
    assert not server.taken
    assert "Good" in look(tmp_path, Server(11, at=LATER))


def test_a_head_of_another_key_or_log_than_the_given_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongNote, match=r"not signed by the known key"):
        look(tmp_path, Server(3), OTHER)
    with pytest.raises(WrongProof, match=r"the key given is of the log other.example"):
        look(tmp_path, Server(3), Key("other.example/1", LOG.public))


def test_a_new_epoch_that_continues_what_was_seen_is_told(tmp_path: Path) -> None:
    look(tmp_path, Server(10))
    assert look(tmp_path, Server(12, origin="club.example/2")).startswith("A new epoch, which continues")


def test_an_epoch_that_does_not_is_signed_where_a_person_names_it_and_the_former_head_is_kept(
    tmp_path: Path,
) -> None:
    look(tmp_path, Server(10))
    rewritten = Server(5, leaves=CHANGED, origin="club.example/2")
    assert "had 10 leaves and has 5" in look(tmp_path, rewritten, accepted="club.example/2")
    assert look(tmp_path, rewritten).startswith("Good")
    kept = [json.loads(file.read_text()) for file in tmp_path.glob("*.json")]
    assert [each["former"] for each in kept if "former" in each] == [[Server(10).head()["note"]]]


def test_another_log_at_an_address_is_watched_where_a_person_names_it(tmp_path: Path) -> None:
    look(tmp_path, Server(10))
    other = Server(3, origin="other.example/1")
    assert "A first look" in look(tmp_path, other, accepted="other.example/1")
    assert "Good" in look(tmp_path, other)
    with pytest.raises(WrongProof, match=r"had the log other.example"):
        look(tmp_path, Server(10))


@pytest.mark.parametrize(
    "text", ["null", "[]", "{}", '{"note": 5}', "[" * 50_000, '{"note": "\\ud800"}', "<html>", "\x00"]
)
def test_any_other_answer_is_told_as_one_sentence_that_names_the_site(tmp_path: Path, text: str) -> None:
    with pytest.raises(NotAnswered, match=r"club.example did not answer as it should: signed-log/ is"):
        look(tmp_path, lambda request: httpx.Response(200, text=text))


@pytest.mark.parametrize("path", [None, 5, [1], ["x"], {}, "zz"])
def test_a_proof_of_any_other_form_is_told_the_same_way(tmp_path: Path, path: Any) -> None:
    look(tmp_path, Server(3))
    server, found = Server(5), []

    def answer(request: httpx.Request) -> httpx.Response:
        found.append(request)
        return server(request) if len(found) == 1 else httpx.Response(200, json={"path": path})

    with pytest.raises((NotAnswered, WrongProof)):
        look(tmp_path, answer)
    assert not server.taken


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"note', bytes(100), b"\xff"])
def test_a_file_of_the_witness_that_is_damaged_is_not_blamed_on_the_site(
    tmp_path: Path, content: bytes
) -> None:
    look(tmp_path, Server(3))
    for file in tmp_path.glob("*.json"):
        whole = file.read_bytes()
        file.write_bytes(content)
        with pytest.raises(Damaged, match=f"{file.name}, a file of this witness, is damaged"):
            look(tmp_path, Server(5))
        file.write_bytes(whole)


def test_a_site_that_takes_no_signature_is_watched_all_the_same(tmp_path: Path) -> None:
    server = Server(3)
    server.takes = False
    assert look(tmp_path, server).endswith("the site did not take the signature.")


@pytest.mark.parametrize(
    ("url", "key", "why"),
    [("http://127.0.0.1:1", "none", "is not a key"), ("http://127.0.0.1:x", "", "not a valid web address")],
    ids=["key", "address"],
)
def test_wrong_arguments_are_told(tmp_path: Path, settings: Any, url: str, key: str, why: str) -> None:
    settings.DATA_DIR = tmp_path
    with pytest.raises(CommandError, match=why):
        call_command("witness", url, key=key, once=True)


def test_a_site_that_is_away_is_named(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    with pytest.raises(CommandError, match=r"127.0.0.1:1 did not answer as it should: "):
        call_command("witness", "http://127.0.0.1:1", once=True)
