"""The export of a competition with its games in one file."""

from games.verifier import GOOD
from league.core import portable, verifier
from tests.api.web import EVERYBODY, ROOT
from tests.factories import Cast
from tests.league.playing import finished


def test_the_export_is_one_file_that_verifies(cast: Cast) -> None:
    competition = finished(cast)
    answer = EVERYBODY.get(f"{ROOT}/competitions/{competition.pk}/export/")
    assert answer["Content-Disposition"] == 'attachment; filename="autumn.trefoil.jsonl"'
    lines = b"".join(answer).decode().splitlines()
    assert verifier.check(portable.read(lines)).code == GOOD


def test_the_log_page_links_to_the_export(cast: Cast) -> None:
    competition = finished(cast)
    page = EVERYBODY.get(f"/competitions/{competition.slug}/log/").content.decode()
    assert f'href="{ROOT}/competitions/{competition.pk}/export/"' in page
