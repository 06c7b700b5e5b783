"""Files that are relied on: on the disk before anybody goes on, whole, and in place of no other one."""

import errno
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from league.ops import folders, processes, secret


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by each call that brings something to the disk, or names it."""
    done: list[str] = []
    fsync, link, replace = os.fsync, os.link, os.replace

    def synced(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", synced)

    def named(how: Callable[..., None], *given: Any) -> None:
        done.append("name")
        how(*given)

    monkeypatch.setattr(os, "link", partial(named, link))
    monkeypatch.setattr(os, "replace", partial(named, replace))
    return done


@pytest.mark.parametrize("replace", [False, True])
def test_the_file_is_on_the_disk_before_its_name_and_that_before_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replace: bool
) -> None:
    done = noted(monkeypatch)
    folders.write(tmp_path / "a", "text", replace=replace)
    assert done == ["file", "name", "folder"]
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a", "text")]


def test_a_file_whose_name_alone_is_not_on_the_disk_is_said_to_be_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(OSError, match=r"Input/output error\. What was written is there, and whole"):
        folders.write(tmp_path / "a", "text")
    assert (tmp_path / "a").read_text() == "text"


def test_a_secret_is_on_the_disk_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = noted(monkeypatch)
    assert secret.kept_in(tmp_path / "key") == secret.kept_in(tmp_path / "key")
    assert done == ["file", "name", "folder"]


@pytest.mark.parametrize("links", [True, False])
def test_another_file_is_refused_and_the_same_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    if not links:
        monkeypatch.setattr(os, "link", refused)
    folders.write(tmp_path / "a", "one")
    with pytest.raises(FileExistsError):
        folders.write(tmp_path / "a", "two")
    folders.write(tmp_path / "a", "one")
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a", "one")]


def test_what_was_left_of_a_killed_writer_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.half").write_text("much more than is written now")
    folders.write(tmp_path / "a", "one")
    assert (tmp_path / "a").read_text() == "one"


def test_a_second_writer_waits_for_the_first_and_does_not_touch_its_half(tmp_path: Path) -> None:
    with folders.writing(tmp_path / "a") as first:
        first.write(b"one")
        second = Thread(target=folders.write, args=(tmp_path / "a", "two"), kwargs={"replace": True})
        second.start()
    second.join()
    assert (tmp_path / "a").read_text() == "two"


def test_a_pipe_or_a_device_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="could be replaced"):
        folders.write(tmp_path / "pipe", "here", replace=True)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_a_link_stays_and_the_file_that_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("there")
    (tmp_path / "link").symlink_to("real")
    folders.write(tmp_path / "link", "here", replace=True)
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "here"


def test_a_link_that_leads_to_itself_is_refused_as_a_file_that_is_there(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(FileExistsError):
        folders.write(loop, "good")


@pytest.mark.parametrize("use", [secret.kept_in, processes.Lock])
def test_a_pipe_in_place_of_a_file_is_refused_before_it_is_opened(
    tmp_path: Path, use: Callable[[Path], object]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises((OSError, secret.Damaged), match="no plain file"):
        use(tmp_path / "pipe")
