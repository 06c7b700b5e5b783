"""The keys of witnesses, where they are none."""

from pathlib import Path

from tests import patience
from tests.games.transparency.signing import WITNESS
from tests.ops.service import manage


def test_a_command_refuses_a_witness_that_is_none_in_a_sentence(tmp_path: Path) -> None:
    (command := manage(tmp_path, "check", LOG_WITNESSES=f"{WITNESS}, none")).wait(patience.SECONDS)
    assert command.communicate()[0].startswith("LOG_WITNESSES has 'none': it is not a key of the form")
    assert command.returncode == 1
