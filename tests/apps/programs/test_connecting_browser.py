"""A program is connected in a real browser, whose policy for forms lets it lead back to the program alone."""

from playwright.sync_api import Page

from tests.apps.programs.test_oauth import asking, registered
from tests.browsing import LogIn
from tests.factories import cast as a_cast


def test_the_answer_leads_to_the_program(page: Page, site: str, log_in: LogIn, problems: list[str]) -> None:
    cast = a_cast()
    log_in(page, cast.paul)
    # Nobody listens there.
    back = "http://127.0.0.1:9/back"
    program = registered(cast.nora, redirect_uris="http://127.0.0.1/back").program
    page.goto(f"{site}{asking(program, redirect_uri=back)}")
    with page.expect_request(lambda request: request.url.startswith(back)) as sent:
        page.get_by_role("button", name="Connect", exact=True).click()
    assert "code=" in sent.value.url
    page.close()
    problems.clear()  # It complains that nobody is there.
