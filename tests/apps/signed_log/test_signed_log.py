"""The signed log: what is entered, what is signed, and who may sign."""

import json
import shutil
import stat
from datetime import timedelta
from pathlib import Path
from typing import Any

import pgtrigger
import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from games import log as games
from games.engine.replay import Actor
from games.models import Game
from games.transparency import merkle, notes, proofs
from games.transparency.notes import COSIGNATURE, Key
from league import log
from league.admin.well import all_told
from league.apps.signed_log import leaves, signing
from league.apps.signed_log.check import differences, remarks
from league.apps.signed_log.models import (
    LeafKind,
    LogEpoch,
    LogHead,
    LogKey,
    LogLeaf,
    LogSalt,
    SignedLog,
)
from league.apps.signed_log.queries import Tree, newest_head, proof_of_competition, proof_of_game
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import ClubChange, Competition, Player, PlayerRecord
from league.ops.environment import BadSetting
from league.services.clubs import change_club
from league.services.players import change_player, forget_player
from tests.api.test_races import at_once
from tests.factories import Cast
from tests.factories import cast as a_cast
from tests.games.transparency.signing import LOG, WITNESS
from tests.league.acting import act
from tests.league.playing import opened, play


@pytest.fixture
def key_file(tmp_path: Path, settings: Any) -> Path:
    """Return the file of the key that signs."""
    settings.LOG_KEY_FILE = str(tmp_path / "log_key")
    return tmp_path / "log_key"


pytestmark = pytest.mark.usefixtures("key_file")


def kinds() -> list[str]:
    return [f"{leaf.kind} {leaf.seq}" for leaf in LogLeaf.objects.order_by("index")]


def signed() -> LogHead:
    signing.enter_and_sign()
    head = newest_head()
    assert head is not None
    return head.row


class TestWhatIsEntered:
    def test_is_each_game_with_its_opening_and_its_end(self, cast: Cast) -> None:
        game = cast.game("tally")
        leaves.enter_all()
        play(game)
        leaves.enter_all()
        entries = games.entries(game)
        found = LogLeaf.objects.filter(kind="game").values_list("subject", "seq", "head")
        expected = [(game.pk, each.seq, bytes.fromhex(each.hash)) for each in (entries[0], entries[-1])]
        assert [(subject, seq, bytes(head)) for subject, seq, head in found] == expected

    def test_is_a_running_game_once_a_minute(self, cast: Cast) -> None:
        game = cast.game("tally")
        for seconds, seqs in ((0, [1]), (30, [1]), (61, [1, 2]), (90, [1, 2])):
            with time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False):
                if seconds == 30:
                    move = {"type": "say", "number": 1}
                    games.append(game_id=game.pk, seq=2, actor=Actor("seat", 0), move=move, account=None)
                leaves.enter_all()
            assert [*LogLeaf.objects.filter(kind="game").values_list("seq", flat=True)] == seqs

    def test_is_no_game_of_practice(self, cast: Cast) -> None:
        cast.game("tally")
        Game.objects.update(practice=True)
        leaves.enter_all()
        assert not LogLeaf.objects.filter(kind="game").exists()

    def test_is_each_event_change_and_record_once(self, cast: Cast) -> None:
        competition = opened(cast, 4)
        change_club(by=cast.olga, club=cast.club, name="Quay", timezone="UTC")
        leaves.enter_all()
        before = kinds()
        assert [each for each in before if each.startswith("competition")] == [
            f"competition {seq}" for seq in range(1, competition.seq + 1)
        ]
        assert LogLeaf.objects.filter(kind="club").count() == ClubChange.objects.count()
        assert LogLeaf.objects.filter(kind="player").count() == PlayerRecord.objects.count() == 4
        leaves.enter_all()
        assert kinds() == before

    def test_names_no_person(self, cast: Cast) -> None:
        opened(cast, 4)
        leaves.enter_all()
        committed = LogLeaf.objects.filter(kind__in=["club", "competition", "player"])
        assert LogSalt.objects.count() == committed.count()
        assert len({bytes(salt) for salt in LogSalt.objects.values_list("salt", flat=True)}) == len(committed)

    def test_names_nobody_who_was_removed(self, cast: Cast) -> None:
        player = cast.people(3)[2]
        change_player(by=cast.olga, player=player, name="Quentin", account=None, active=True)
        signed()
        player.refresh_from_db()
        forget_player(by=cast.olga, player=player)
        signed()
        assert [*differences({})] == []
        assert [*remarks()] == ["Not compared, since people were removed: 2 leaves of the signed log."]

    def test_is_a_tree_of_many_leaves_with_its_nodes(self, cast: Cast) -> None:
        new = [leaves.New(LeafKind.GAME, cast.club.pk, seq, bytes(32)) for seq in range(700)]
        signed_log = leaves.locked()
        for start in range(0, 700, 100):
            leaves.append(signed_log, new[start : start + 100])
        tree, hashes = Tree(), [bytes(leaf.hash) for leaf in LogLeaf.objects.order_by("index")]
        root = merkle.root(tree, 700)
        for index in (0, 255, 256, 699):
            merkle.check_inclusion(hashes[index], index, 700, merkle.inclusion(tree, index, 700), root)
        assert tree(8, 1) == merkle.node_hash(tree(7, 2), tree(7, 3))
        with pytest.raises(KeyError):
            tree(8, 2)

    def test_is_also_what_was_written_while_the_clock_was_behind(self, cast: Cast) -> None:
        leaves.enter_all()
        with time_machine.travel(timezone.now() - timedelta(hours=1), tick=False):
            late = cast.game("tally")
            change_club(by=cast.olga, club=cast.club, name="Quay", timezone="UTC")
        opened(cast, 4)
        Competition.objects.update(changed_at=timezone.now() - timedelta(hours=1))
        leaves.enter_all(whenever=True)
        assert LogLeaf.objects.filter(kind="game", subject=late.pk).exists()
        assert [*leaves.left_out(stopped=False)] == []


class TestAPlayersRecord:
    def test_is_written_whenever_account_or_identity_change(self, cast: Cast) -> None:
        first, second = cast.paul_plays, cast.people(3)[2]
        Player.objects.filter(pk=first.pk).update(account=None, merged_into=second)
        Player.objects.filter(pk=second.pk).update(account=cast.paul)
        rows = PlayerRecord.objects.filter(player__in=[first.pk, second.pk]).order_by("pk")
        assert [(row.player, row.seq, row.account, row.merged_into) for row in rows] == [
            (first.pk, 1, cast.paul.pk, None),
            (second.pk, 1, None, None),
            (first.pk, 2, None, second.pk),
            (second.pk, 2, cast.paul.pk, None),
        ]
        Player.objects.filter(pk=second.pk).update(name="Other")
        assert rows.count() == 4

    def test_says_that_a_player_was_removed(self, cast: Cast) -> None:
        player = cast.people(3)[2]
        forget_player(by=cast.olga, player=player)
        assert [*PlayerRecord.objects.filter(player=player.pk).values_list("removed", flat=True)] == [
            False,
            True,
        ]


class TestAHead:
    def test_is_signed_by_a_key_that_only_its_owner_can_read(self, cast: Cast, key_file: Path) -> None:
        signed()
        head = newest_head()
        assert head is not None
        note = notes.read_note(head.note)
        assert notes.is_signed_by(note, head.key)
        checkpoint = notes.read_checkpoint(note.text)
        assert (checkpoint.origin, checkpoint.size) == (head.key.name, LogLeaf.objects.count())
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
        assert kinds()[-2:] == ["epoch 1", "key 1"]

    def test_is_signed_again_only_when_something_is_new(self, cast: Cast) -> None:
        first = signed()
        assert signed() == first
        cast.game("tally")
        second = signed()
        proof = merkle.consistency(Tree(), first.size, second.size)
        merkle.check_consistency(first.size, second.size, proof, bytes(first.root), bytes(second.root))

    def test_is_never_dated_before_the_one_before_it(self, cast: Cast) -> None:
        first = signed()
        cast.game("tally")
        with time_machine.travel(timezone.now() - timedelta(hours=1), tick=False):
            second = signed()
        dates = [notes.read_checkpoint(notes.read_note(each.note).text).at for each in (first, second)]
        assert (dates[1], second.at) == (dates[0], first.at)
        entered = [*LogLeaf.objects.order_by("index").values_list("at", flat=True)]
        assert entered == sorted(entered)

    def test_is_not_signed_with_another_key(self, cast: Cast, key_file: Path) -> None:
        signed()
        key_file.unlink()
        cast.game("tally")
        with pytest.raises(signing.CannotSign, match="not the key in force"):
            signed()

    @pytest.mark.parametrize("file", ["", ".head"])
    @pytest.mark.parametrize("content", [b"", b"\xe9garbage", b"example/1\n70\n", None])
    def test_is_not_signed_where_the_key_or_the_head_beside_it_is_damaged(
        self, cast: Cast, key_file: Path, file: str, content: bytes | None
    ) -> None:
        signed()
        damaged = key_file.with_name(f"{key_file.name}{file}")
        if content is None:
            damaged.unlink()
            damaged.mkdir()
        else:
            damaged.write_bytes(content)
        cast.game("tally")
        with pytest.raises(signing.CannotSign, match=r"damaged\. Put|cannot be read: Is a directory"):
            signed()

    def test_is_signed_by_both_keys_when_the_key_is_replaced(self, cast: Cast) -> None:
        old = newest_head_of(signed()).key
        signing.rotate_key()
        head = newest_head()
        assert head is not None
        note = notes.read_note(head.note)
        assert notes.is_signed_by(note, old)
        assert notes.is_signed_by(note, head.key)
        assert old != head.key
        assert kinds()[-1] == "key 2"
        cast.game("tally")
        assert not notes.is_signed_by(notes.read_note(signed().note), old)

    def test_is_not_signed_where_the_database_is_behind_until_an_epoch_is_declared(
        self, cast: Cast, key_file: Path
    ) -> None:
        signed()
        published = key_file.with_name("log_key.head").read_text()
        size = notes.read_checkpoint(notes.read_note(published).text).size
        key_file.with_name("log_key.head").write_text(published.replace(f"\n{size}\n", f"\n{size + 5}\n"))
        cast.game("tally")
        with pytest.raises(signing.Behind, match="new_epoch"):
            signed()
        epoch = signing.declare_epoch("restored from last night’s backup")
        head = signed()
        assert (head.epoch, epoch.number) == (epoch, 2)
        assert head.note.startswith(f"{epoch.origin}\n")
        assert epoch.previous.count("\n") > 3
        assert not signing.go_on_after_restore()

    @pytest.mark.parametrize("cut", [False, True], ids=["heads-are-stored", "database-cut-to-none"])
    def test_is_not_signed_where_the_one_beside_the_key_is_missing(
        self, cast: Cast, key_file: Path, cut: bool
    ) -> None:
        signed()
        key_file.with_name("log_key.head").unlink()
        cast.game("tally")
        with pgtrigger.ignore():
            for rows in (LogHead, LogSalt, LogLeaf, LogKey, LogEpoch, SignedLog) if cut else ():
                rows._default_manager.all().delete()
        for refused in (signed, signing.rotate_key):
            with pytest.raises(signing.CannotSign, match=r"head, the head .* is missing.*new_epoch REASON"):
                refused()
        (told,) = (each for each in all_told() if each.title == "Signed log")
        assert not told.well and "log_key.head" in told.sentence
        assert "log_key.head, the head that was signed last, is missing" in next(differences({}))
        signing.declare_epoch("The folder of the key was lost.")
        assert signed().epoch.reason == "The folder of the key was lost."
        assert [*differences({})] == []

    def test_is_signed_where_the_first_time_was_interrupted(
        self, cast: Cast, key_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch, pytest.raises(TypeError):
            patch.setattr(signing, "_signed", None)
            signed()
        assert signed().note == key_file.with_name("log_key.head").read_text()

    def test_is_not_signed_in_an_epoch_that_only_the_database_knows(self, cast: Cast, key_file: Path) -> None:
        signed()
        with transaction.atomic():
            signing._begun(leaves.locked(), 2, "nothing", key_file.with_name("log_key.head").read_text())
        with pytest.raises(signing.Behind):
            signed()

    def test_is_signed_in_an_epoch_that_another_machine_with_the_key_began(
        self, cast: Cast, key_file: Path, settings: Any
    ) -> None:
        signed()
        other = key_file.parent / "other"
        shutil.copytree(key_file.parent, other)
        epoch = signing.declare_epoch("The database was restored.")
        settings.LOG_KEY_FILE = str(other / "log_key")
        cast.game("tally")
        assert signed().epoch == epoch

    def test_is_not_signed_where_leaves_were_changed(self, cast: Cast, key_file: Path) -> None:
        signed()
        file = key_file.with_name("log_key.head")
        checkpoint = notes.read_checkpoint(notes.read_note(file.read_text()).text)
        lines = file.read_text().split("\n")
        lines[2] = "A" * 43 + "="
        file.write_text("\n".join(lines))
        cast.game("tally")
        with pytest.raises(signing.CannotSign, match=f"The first {checkpoint.size} leaves"):
            signed()


def newest_head_of(row: LogHead) -> Any:
    head = newest_head()
    assert head is not None
    assert head.row == row
    return head


class TestAProof:
    def test_fits_the_file_of_a_game(self, cast: Cast) -> None:
        game = play(cast.game("tally"))
        signed()
        proof = proof_of_game(game)
        assert proof is not None
        hashes = [json.loads(line)["hash"] for line in games.lines(game) if '"hash"' in line]
        proven = proofs.check(proofs.read_proof(str(proof)), "game", hashes, key=newest_head_of(signed()).key)
        assert proven.seq == len(hashes)

    def test_fits_a_competitions_public_log_and_opens_nothing_that_is_withheld(self, cast: Cast) -> None:
        competition = opened(cast, 8)
        act(cast.olga, competition, StartCompetition)
        act(cast.olga, competition, DrawRound)
        signed()
        competition.refresh_from_db()
        hashes = [entry.hash for entry in log.public_entries(competition)]
        assert len(hashes) < competition.seq
        assert proofs.check(_proof(competition), "competition", hashes).seq == len(hashes)
        act(cast.olga, competition, PublishRound)
        competition.refresh_from_db()
        signed()
        hashes = [entry.hash for entry in log.public_entries(competition)]
        assert proofs.check(_proof(competition), "competition", hashes).seq == competition.seq

    def test_is_missing_before_the_first_head(self, cast: Cast) -> None:
        assert proof_of_game(cast.game("tally")) is None


def _proof(competition: Any) -> proofs.Proof:
    proof = proof_of_competition(competition)
    assert proof is not None
    return proofs.read_proof(str(proof))


def test_no_dump_of_the_database_has_the_key(cast: Cast, key_file: Path, tmp_path: Path) -> None:
    signed()
    secret = key_file.read_text()
    call_command("dumpdata", "signed_log", output=str(tmp_path / "dump.json"))
    assert secret not in (tmp_path / "dump.json").read_text()


@pytest.mark.django_db(transaction=True)
def test_of_signers_at_once_one_enters_and_signs(transactional_db: None) -> None:
    games_opened = [a_cast().game("tally").pk]
    at_once([signing.enter_and_sign] * 4)
    assert LogHead.objects.count() == 1
    head = LogHead.objects.get()
    assert [*LogLeaf.objects.order_by("index").values_list("index", flat=True)] == [*range(head.size)]
    assert [*LogLeaf.objects.filter(kind=LeafKind.GAME).values_list("subject", flat=True)] == games_opened


def test_a_kept_head_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "head"
    file.write_bytes(b"\xff")
    with pytest.raises(CommandError, match="head is not text in UTF-8"):
        call_command("verify_logs", "--head", str(file))


def test_a_head_is_compared_in_each_form_in_which_it_is_published(cast: Cast) -> None:
    row = signed()
    root = bytes(row.root).hex()
    line = f"X-Signed-Log: {row.size} leaves,\n root {root}"
    for kept in (
        row.note,
        json.dumps({"size": row.size, "note": row.note}),
        line,
        f"Results\n\n{line}\n\nBye",
    ):
        assert [*differences({"head": [kept]})] == []
    wrong, *_ = differences({"head": [line.replace(f"{row.size} leaves", f"{row.size - 1} leaves")]})
    assert "the given head 1" in wrong
    (wrong,) = differences({"head": ['{"note": 5}']})
    assert wrong.endswith("the given head 1 is wrong: it is not a text with signatures below it")


def test_what_is_no_key_of_a_witness_is_refused(key_file: Path, settings: Any) -> None:
    for wrong in (str(LOG), str(WITNESS)[:-4], str(WITNESS)[1:]):
        settings.LOG_WITNESSES = [str(WITNESS), wrong]
        with pytest.raises(BadSetting, match="LOG_WITNESSES has"):
            signing.check_witnesses()


@pytest.mark.parametrize("file", ["log_key", "log_key.next", "witness/key"])
def test_a_site_is_not_its_own_witness(tmp_path: Path, settings: Any, file: str) -> None:
    settings.DATA_DIR, settings.LOG_KEY_FILE = tmp_path, str(tmp_path / "log_key")
    own = Key("cards.example/witness", signing.public(signing.kept_in(tmp_path / file)), COSIGNATURE)
    settings.LOG_WITNESSES = [str(WITNESS), str(own)]
    with pytest.raises(BadSetting, match="can't be its own witness"):
        signing.check_witnesses()
    (tmp_path / file).write_text("damaged")
    signing.check_witnesses()
