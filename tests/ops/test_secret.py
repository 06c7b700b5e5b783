"""Files of secrets that are damaged: named, and nothing of their content is told."""

import logging
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import partial
from pathlib import Path
from secrets import token_bytes

import pytest

from league.ops import secret
from league.ops.environment import BadSetting
from tests import patience
from tests.ops.service import manage


@pytest.mark.parametrize("flip", [0, 1])
def test_a_damaged_one_is_named_without_what_it_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, flip: int
) -> None:
    file = tmp_path / "key"
    secret.kept_in(file, lambda: b64encode(token_bytes(32)).decode())
    good = file.read_bytes()
    file.write_bytes(bytes([good[0] ^ 0x80]) + good[1:] if flip else b"?" + good[1:])
    with pytest.raises(secret.Damaged, match="is damaged") as told:
        secret.held_in(file, partial(b64decode, validate=True))
    logging.getLogger().error("%r", told.value, exc_info=told.value)
    assert good[20:40].decode() not in caplog.text + repr(told.value.__context__)


def test_an_empty_one_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    with pytest.raises(secret.Damaged):
        secret.held_in(tmp_path / "key", int)


@pytest.mark.parametrize("held", [b"", b" \n", b"\xff" * 60, b"short" * 9])
def test_a_key_of_the_site_that_protects_nothing_is_refused(tmp_path: Path, held: bytes) -> None:
    (tmp_path / "secret_key").write_bytes(held)
    with pytest.raises(secret.Damaged, match="secret_key is damaged"):
        secret.of_site("", tmp_path / "secret_key")
    with pytest.raises(BadSetting, match="SECRET_KEY has fewer than 50 characters"):
        secret.of_site("short" * 9, tmp_path / "none")
    assert len(secret.of_site("", tmp_path / "none")) > 50


def test_a_command_tells_of_a_damaged_one_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("hidden")
    (command := manage(tmp_path, "check")).wait(patience.SECONDS)
    assert command.communicate()[0].startswith(f"{tmp_path}/secret_key is damaged. Put its content")
    assert command.returncode == 1


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (Path.touch, "Not a directory"),
        (lambda mail: mail.symlink_to("gone"), "It is a link that leads to no folder"),
    ],
    ids=["file", "link"],
)
def test_a_command_tells_of_a_folder_that_is_none_in_a_sentence(
    tmp_path: Path, spoil: Callable[[Path], None], why: str
) -> None:
    spoil(tmp_path / "mail")
    (command := manage(tmp_path, "check")).wait(patience.SECONDS)
    assert command.communicate()[0].startswith(f"{tmp_path}/mail can't be used: {why}. Trefoil")
    assert command.returncode == 1
