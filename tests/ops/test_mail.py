"""The mail server in the environment."""

from pathlib import Path

import pytest

from league.ops import mail
from league.ops.environment import BadSetting


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://mail.example", ("mail.example", 587, "", "", False, True)),
        ("smtp://anna:a%40b@mail.example:25/?tls=0", ("mail.example", 25, "anna", "a@b", False, False)),
        ("smtps://anna:secret@mail.example", ("mail.example", 465, "anna", "secret", True, False)),
    ],
)
def test_a_mail_server_is_configured_by_a_url(tmp_path: Path, url: str, expected: tuple[object, ...]) -> None:
    answer = mail.settings(url, tmp_path)
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_SSL", "USE_TLS")
    assert tuple(answer[f"EMAIL_{name}"] for name in names) == expected


@pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://"])
def test_an_invalid_mail_url_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadSetting, match="EMAIL_URL"):
        mail.settings(url, tmp_path)


def test_without_a_mail_server_emails_are_private_files(tmp_path: Path) -> None:
    folder = Path(mail.settings("", tmp_path / "mail")["EMAIL_FILE_PATH"])
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("sender", ["", "Trefoil", "@club.example"])
def test_a_sender_without_an_address_is_refused(sender: str) -> None:
    with pytest.raises(BadSetting, match="EMAIL_FROM"):
        mail.domain(sender)
