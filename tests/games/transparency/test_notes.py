"""Signed notes, checkpoints and cosignatures in the forms of C2SP."""

from dataclasses import replace

import pytest

from games.transparency import notes
from games.transparency.notes import Checkpoint, Key, Note, WrongNote, read_checkpoint, read_key, read_note
from tests.games.transparency.signing import LOG, SEEN, WITNESS, signed, witnessed

# The example of https://c2sp.org/signed-note
EXAMPLE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
HEAD = Checkpoint("club.example/1", 7, bytes(range(32)), "2026-11-22T18:00:00.000000Z")


def test_the_example_of_the_specification_is_signed_by_its_key() -> None:
    note, key = read_note(EXAMPLE), read_key(EXAMPLE_KEY)
    assert (str(note), str(key)) == (EXAMPLE, EXAMPLE_KEY)
    assert notes.is_signed_by(note, key)


def test_a_text_that_was_changed_is_refused() -> None:
    note = read_note(EXAMPLE.replace("an example", "another"))
    with pytest.raises(WrongNote, match="not that of the key"):
        notes.is_signed_by(note, read_key(EXAMPLE_KEY))


def test_a_signature_of_an_unknown_key_says_nothing() -> None:
    assert not notes.is_signed_by(read_note(EXAMPLE), LOG)
    assert notes.cosigned_at(read_note(EXAMPLE), WITNESS) is None


def test_a_checkpoint_is_written_and_read_in_one_form() -> None:
    note = read_note(str(signed(HEAD)))
    assert note.text == (
        "club.example/1\n7\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\ntime 2026-11-22T18:00:00.000000Z\n"
    )
    assert read_checkpoint(note.text) == HEAD
    assert notes.is_signed_by(note, LOG)


def test_a_witness_signs_the_head_with_the_time_at_which_it_saw_it() -> None:
    note = read_note(str(witnessed(signed(HEAD))))
    assert notes.cosigned_at(note, WITNESS) == SEEN
    assert notes.is_signed_by(note, LOG)
    other = Note(replace(HEAD, size=8).text, note.signatures)
    with pytest.raises(WrongNote, match="not that of the key"):
        notes.cosigned_at(other, WITNESS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n",
        "a\n\n",
        "a\n\nb\n",
        "a\n\n— b YQ==\n",
        "a\n\n— b c\n",
        "a\r\n\n" + EXAMPLE[29:],
        EXAMPLE[:-1],
    ],
    ids=range(8),
)
def test_a_text_that_is_no_signed_note_is_refused(text: str) -> None:
    with pytest.raises(WrongNote):
        read_note(text)


@pytest.mark.parametrize(
    "key", ["", "a", "a+b+c", EXAMPLE_KEY.replace("530d", "530e"), EXAMPLE_KEY[:-4]], ids=range(5)
)
def test_a_text_that_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(WrongNote):
        read_key(key)


@pytest.mark.parametrize(
    "text", ["", "a\n", "a\n1\n", "a\n01\nAA==\n", "a\n1\nAA==\n", "a\n1\nAAAA\n\n"], ids=range(6)
)
def test_a_text_that_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(WrongNote):
        read_checkpoint(text)


def test_a_key_is_another_one_under_another_name_or_for_another_purpose() -> None:
    ids = {key.id for key in (LOG, WITNESS, Key("club.example/2", LOG.public), replace(LOG, kind=4))}
    assert len(ids) == 4
