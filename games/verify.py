"""The command of the stand-alone verifier: ``python -m games.verify FILE``."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NoReturn

from games.lines import parsed
from games.transparency import notes, proofs
from games.transparency.merkle import WrongProof
from games.transparency.notes import WrongNote
from games.transparency.proofs import Logged, Proof, Proven
from games.verifier import GOOD, UNFINISHED, WRONG, WrongLog, check

OTHER_FILE: Final = (
    "If this is another file of the site: what is checked is sent by “Download the log” on a game's page,\n"
    "or by “Download everything” on the page of a competition's log.\n"
)

UNPROVEN: Final = "unchecked: whether the site published these logs so; give the proof with --head"
UNCHECKED: Final = "unchecked, since no file says it: whose accounts these are, and who was an arbiter"


class NotText(Exception):
    """A file that can't be read as text; the message says so."""


def lines_of(file: str) -> list[str]:
    """Return the lines of a downloaded file; raise OSError, and NotText where it is not text in UTF-8.

    An editor may have put a mark of the encoding before the first line.
    """
    try:
        return Path(file).read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise NotText(f"{file} is not text in UTF-8: it was changed or is damaged.") from None


class Arguments(ArgumentParser):
    """A parser of arguments whose errors have the exit code of a file that is wrong."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG, f"{message}\n")


def add_head(parser: ArgumentParser) -> None:
    """Add the options for the proof that a file is in the signed log of its site."""
    parser.add_argument("--head", metavar="PROOF", help="the proof that the log is in the site’s signed log")
    parser.add_argument("--key", help="the key of the signed log, as its page or a witness names it")
    parser.add_argument(
        "--witness",
        metavar="KEY",
        action="append",
        default=[],
        help="the key of a witness that must have signed",
    )


def add_comparison(parser: ArgumentParser) -> None:
    """Add the options by which FILE, a head of the signed log, is compared with another head."""
    parser.add_argument(
        "--with", metavar="HEAD", dest="other", help="another head of the signed log: FILE is one"
    )
    parser.add_argument(
        "--path", metavar="FILE", help="the API’s proof that the tree of one begins with that of the other"
    )


def compare(given: Namespace) -> int:
    """Compare two heads of the signed log, say what that proves or what is wrong; return the exit code."""
    try:
        heads = [proofs.read_head("\n".join(lines_of(file))) for file in (given.file, given.other)]
        path = _path_in(given.path) if given.path else None
        key = notes.read_key(given.key) if given.key else None
        witnesses = [notes.read_key(each) for each in given.witness]
        told = [*proofs.compared(heads, path, key=key, witnesses=witnesses)]
    except (OSError, NotText, WrongProof, WrongNote) as error:
        sys.stderr.write(f"{error}\n")
        return WRONG
    sys.stdout.write("\n".join(told) + "\n")
    return GOOD


def _path_in(file: str) -> list[bytes]:
    """Return the hashes in an answer of the API; raise OSError, `NotText` and WrongNote."""
    try:
        return [bytes.fromhex(each) for each in parsed(None, "".join(lines_of(file)))["path"]]
    except (WrongLog, KeyError, TypeError, ValueError):
        raise WrongNote(f"{file} is not the proof that the API answers") from None


def of_head(given: Namespace, log: Logged, parts: Sequence[Logged] = ()) -> Sequence[str]:
    """Return what the proof that was given proves of a file's log, in words; nothing without one.

    ``parts`` are the logs that it builds on, each with a proof below its own: without one nothing would
    bind what they say. Raises OSError, `NotText`, WrongProof and WrongNote.
    """
    if given.head is None:
        return [UNPROVEN] if parts else ()
    own, *others = proofs.read_proofs("\n".join(lines_of(given.head)))
    proven = _proven(given, own, log)
    known = {each.id: each for each in parts}
    for proof in others:
        if proof.id not in known:
            raise WrongProof(f"it has a proof for the {proof.kind} {proof.id}, which is not in the file")
    found = {proof.id: _proven(given, proof, known[proof.id]) for proof in others}
    told = [*proofs.in_words(proven)]
    for each in parts:
        told += _of_part(each, found.get(each.id), proven)
    return told


def _proven(given: Namespace, proof: Proof, log: Logged) -> Proven:
    entries = [json.loads(line) for line in log.lines if line.strip()]
    hashes = [entry["hash"] for entry in entries if "hash" in entry]
    key = notes.read_key(given.key) if given.key else None
    witnesses = [notes.read_key(each) for each in given.witness]
    return proofs.check(proof, log.kind, hashes, over=log.over, log=log.id, key=key, witnesses=witnesses)


def _of_part(part: Logged, proven: Proven | None, beside: Proven) -> Iterable[str]:
    if proven is None and part.over:
        raise WrongProof(f"it has no proof for {part.called}; get the newest proof")
    if proven is None:
        return [f"NOT in the signed log: {part.called}; nothing proves it"]
    same = proven.checkpoint == beside.checkpoint
    return [*proofs.entries_in_words(proven, part.called), *(() if same else [*proofs.in_words(proven)][1:])]


def main(arguments: Sequence[str]) -> int:
    """Verify the file that the argument names, print the report or the error, and return the exit code."""
    parser = Arguments("python -m games.verify", description="Check the file of a game.")
    parser.add_argument("file", metavar="FILE", help="the downloaded file")
    add_head(parser)
    add_comparison(parser)
    return run(parser.parse_args(arguments))


def run(given: Namespace) -> int:
    """Verify the file of a game, or compare heads, with the options that were given, as `main` does."""
    if given.other:
        return compare(given)
    try:
        lines = lines_of(given.file)
        report = check(lines)
        proven = of_head(given, Logged("game", lines, report.replayed))
    except (OSError, NotText, WrongLog) as error:
        sys.stderr.write(f"{error}\n{OTHER_FILE if getattr(error, 'seq', 0) == 1 else ''}")
        return WRONG
    except (WrongProof, WrongNote) as error:
        sys.stderr.write(f"{given.head} is wrong: {error}\n")
        return WRONG
    sys.stdout.write("\n".join([str(report), UNCHECKED, *proven]) + "\n")
    return GOOD if report.replayed else UNFINISHED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
