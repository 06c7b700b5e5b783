"""The signed log by the API: its head, proofs, leaves, and witnesses."""

from pathlib import Path
from typing import Any

import pytest

from games.transparency import merkle, notes, proofs
from games.transparency.notes import COSIGNATURE, Key
from league.apps.signed_log import signing
from tests.api.web import ROOT
from tests.apps.signed_log.test_signed_log import key_file
from tests.factories import Cast
from tests.league.playing import play

__all__ = ["key_file"]

pytestmark = pytest.mark.usefixtures("key_file")


def get(client: Any, path: str) -> Any:
    return client.get(f"{ROOT}/{path}")


def test_whoever_has_a_head_can_check_all_later_ones(cast: Cast, client: Any) -> None:
    assert get(client, "signed-log/").status_code == 404
    signing.enter_and_sign()
    first = get(client, "signed-log/").json()
    game = play(cast.game("tally"))
    signing.enter_and_sign()
    second = get(client, "signed-log/").json()
    note = notes.read_note(second["note"])
    assert notes.is_signed_by(note, notes.read_key(second["key"]))
    sizes = first["size"], second["size"]
    path = get(client, f"signed-log/consistency/?first={sizes[0]}&second={sizes[1]}").json()["path"]
    roots = bytes.fromhex(first["root"]), bytes.fromhex(second["root"])
    merkle.check_consistency(*sizes, [bytes.fromhex(each) for each in path], *roots)
    leaves = get(client, f"signed-log/leaves/?start={sizes[0]}&end=99").json()
    assert [leaf["index"] for leaf in leaves] == [*range(*sizes)]
    found = get(client, f"signed-log/inclusion/?leaf={leaves[-1]['hash']}&size={sizes[1]}").json()
    leaf, path = bytes.fromhex(leaves[-1]["hash"]), [bytes.fromhex(each) for each in found["path"]]
    merkle.check_inclusion(leaf, found["index"], sizes[1], path, roots[1])
    proof = proofs.read_proof(get(client, f"games/{game.pk}/proof/").content.decode())
    assert (proof.id, proof.seq) == (str(game.pk), game.seq)
    assert second["witnessed"] is None


@pytest.mark.parametrize(
    "path",
    [
        f"signed-log/inclusion/?leaf={'0' * 64}&size=1",
        f"signed-log/inclusion/?leaf={'0' * 64}&size=1000",
        "signed-log/consistency/?first=1&second=1000",
        "signed-log/consistency/?first=2&second=1",
    ],
)
def test_what_is_not_published_is_not_found(cast: Cast, client: Any, path: str) -> None:
    signing.enter_and_sign()
    assert get(client, path).status_code == 404


def test_a_known_witness_signs_a_head(cast: Cast, client: Any, tmp_path: Path, settings: Any) -> None:
    secret = signing.kept_in(tmp_path / "witness")
    key = Key("other.example", signing.public(secret), COSIGNATURE)
    signing.enter_and_sign()
    head = get(client, "signed-log/").json()
    text = notes.read_note(head["note"]).text
    line = str(notes.cosignature(key, 1, secret.sign(notes.cosigned_message(text, 1))))
    sent = {"size": head["size"], "line": line}

    def post() -> Any:
        return client.post(f"{ROOT}/signed-log/witnesses/", sent, content_type="application/json")

    assert post().json()["errors"] == {"line": ["This witness is not known here."]}
    settings.LOG_WITNESSES = [str(key)]
    for _ in range(2):
        assert post().json()["witnessed"]["witnesses"] == ["other.example"]
    note = notes.read_note(get(client, "signed-log/").json()["note"])
    assert notes.cosigned_at(note, key) == 1
    sent["line"] = str(notes.cosignature(key, 2, secret.sign(b"something else")))
    assert post().status_code == 400
    sent["size"] += 1
    assert "size" in post().json()["errors"]


def test_every_answer_has_a_tag_and_is_not_sent_again(cast: Cast, client: Any) -> None:
    game = cast.game("tally")
    signing.enter_and_sign()
    leaf = get(client, "signed-log/leaves/?start=0&end=1").json()[0]["hash"]
    queries = ("", f"inclusion/?leaf={leaf}&size=1", "consistency/?first=1&second=1", "leaves/?start=0&end=1")
    for path in (*(f"signed-log/{query}" for query in queries), f"games/{game.pk}/proof/"):
        first = get(client, path)
        again = client.get(f"{ROOT}/{path}", headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), path
