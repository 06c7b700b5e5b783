"""The page that tells how a round was drawn."""

from django.test import Client

from league import log
from league.core.verbs.cut_off import GiveText
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, opened
from tests.web.test_public import text


class TestHowARoundWasDrawn:
    def test_is_told_with_texts_discarded_drafts_and_the_command(self, client: Client, cast: Cast) -> None:
        competition = opened(cast, 8)
        act(cast.olga, competition, StartCompetition)
        act(cast.olga, competition, GiveText, text="three blind mice")
        act(cast.olga, competition, DrawRound)
        act(cast.olga, competition, DrawRound, reason="a table was missing")
        address = f"/competitions/{competition.slug}/rounds/"
        assert "How was this drawn?" not in text(client, address)
        act(cast.olga, competition, PublishRound)
        page = text(client, address)
        for part in ("with 8 entries present", "a table was missing", "python3 -m league.verify FILE"):
            assert part in page
        assert "three blind mice" not in page
        origin = log.latest(Competition.objects.get(pk=competition.pk)).stages[0].rounds[0].origins[-1]
        assert origin.reveal.preimage in page and origin.root in page

    def test_names_who_gave_a_text(self, client: Client, cast: Cast) -> None:
        competition = opened(cast, 8)
        act(cast.olga, competition, StartCompetition)
        act(cast.olga, competition, GiveText, text="three blind mice")
        for verb in (DrawRound, PublishRound):
            act(cast.olga, competition, verb)
        assert "Organisers: three blind mice" in text(client, f"/competitions/{competition.slug}/rounds/")

    def test_names_the_texts_that_the_groups_used_up(self, client: Client, cast: Cast) -> None:
        competition = opened(cast, 8, stages=[{**PLAN, "groups": 2}])
        act(cast.olga, competition, GiveText, text="three blind mice")
        for verb in (StartCompetition, DrawRound, PublishRound):
            act(cast.olga, competition, verb)
        page = text(client, f"/competitions/{competition.slug}/rounds/")
        assert (
            "How were the groups drawn?" in page and "Nobody gave a text for the draw of this round" in page
        )
        assert page.count("Organisers: three blind mice") == 2
