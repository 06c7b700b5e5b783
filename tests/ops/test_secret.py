"""Files of secrets that are damaged: named, and nothing of their content is told."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from league.ops import secret, signing_key, vapid


@pytest.mark.parametrize("kept_in", [signing_key.kept_in, vapid.kept_in])
@pytest.mark.parametrize("flip", [0, 1])
def test_a_damaged_one_is_named_without_what_it_holds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kept_in: Callable[[Path], object], flip: int
) -> None:
    file = tmp_path / "key"
    kept_in(file)
    good = file.read_bytes()
    file.write_bytes(bytes([good[0] ^ 0x80]) + good[1:] if flip else b"?" + good[1:])
    with pytest.raises(secret.Damaged, match="is damaged") as told:
        kept_in(file)
    logging.getLogger().error("%r", told.value, exc_info=told.value)
    assert good[20:40].decode() not in caplog.text + repr(told.value.__context__)


def test_an_empty_one_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    with pytest.raises(secret.Damaged):
        signing_key.read(tmp_path / "key")
