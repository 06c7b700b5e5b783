"""How a library that is a yardstick answers: first the number of moves, then the seconds of each run."""

import sys
import time
from collections.abc import Callable


def answer(moves: int, run: Callable[[], object]) -> None:
    """Write the number of moves, then for every line of input the seconds of processor time of a run."""
    sys.stdout.write(f"{moves}\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        begun = time.process_time()
        run()
        sys.stdout.write(f"{time.process_time() - begun}\n")
        sys.stdout.flush()
