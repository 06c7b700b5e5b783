"""Functions that are called in another process, so that this one does not load what they import."""

import json
import subprocess
import sys
from functools import cache
from typing import Any, Final

import pytest

from league.ops import offload

# A program of its own: a process must not fork while it has threads, as that of a test run has.
_PROGRAM: Final = """
import json, os, sys
import django
from django.conf import settings
from django.utils import translation
from league.ops import offload

def raised(*called):
    try:
        offload.call(*called)
    except Exception as error:
        return [type(error).__name__, len(error.__notes__) if hasattr(error, "__notes__") else 0]

class Odd(Exception):
    def __init__(self, one, two):
        super().__init__(one)

def odd():
    raise Odd("one", "two")

settings.configure()
django.setup()
offload.begin()
with translation.override("de"):
    said = {"language": offload.call(translation.get_language)}
said["imports"] = [offload.call(exec, "import wave"), "wave" in sys.modules]
said["processes"] = len({os.getpid(), offload.call(os.getpid), offload.call(os.getpid)})
said["errors"] = [raised(int, "four"), raised(os._exit, 3)]
said["afterwards"] = offload.call(len, "four")
said["unreadable"] = [raised(odd), offload.call(len, "four")]
print(json.dumps(said))
"""

pytestmark = pytest.mark.skipif(not offload.POSSIBLE, reason="processes fork on Linux alone")


@cache
def said() -> Any:
    command = [sys.executable, "-c", _PROGRAM]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_function_is_called_in_the_same_other_process_in_the_same_language() -> None:
    assert said()["language"] == "de"
    assert said()["processes"] == 2
    assert said()["imports"] == [None, False]


def test_errors_come_back_with_their_traceback_and_a_process_that_ends_is_replaced() -> None:
    assert said()["errors"] == [["ValueError", 1], ["Ended", 0]]
    assert said()["afterwards"] == 4


def test_what_is_left_of_an_error_that_cannot_be_read_is_not_the_next_answer() -> None:
    assert said()["unreadable"] == [["TypeError", 0], 4]


def test_where_no_process_was_begun_it_is_called_here() -> None:
    assert offload.call(sys.getsizeof, said) == sys.getsizeof(said)
