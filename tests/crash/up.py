"""`manage.py up`, but for pauses of a second at most: here everything ends again and again."""

import sys

from league.ops import supervisor, up

if __name__ == "__main__":
    supervisor.LONGEST_PAUSE = 1
    up.main(sys.argv[1:])
