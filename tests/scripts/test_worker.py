"""The service worker's notifications, in a scope that notes what it does."""

from typing import Any

from tests.scripts.node import SCRIPTS, found

_SCOPE = """
  const done = [], heard = {};
  const page = (state) => ({
    visibilityState: state, focus: async () => done.push("focus"), navigate: async (to) => done.push(to),
  });
  globalThis.self = {
    given: { title: "Trefoil", turn: "Your turn", icon: "/icon.png", tables: "/account/#tables" },
    addEventListener: (name, listener) => { heard[name] = listener; },
    clients: {
      matchAll: async () => given.open.map(page), openWindow: async (to) => done.push(`open ${to}`),
    },
    registration: { showNotification: async (title, { body, tag }) => done.push([title, body, tag]) },
  };
  globalThis.fetch = async () => (given.told
    ? { ok: true, json: async () => ({ body: given.told }) } : Promise.reject("offline"));
  const work = [], notification = { close: () => done.push("close") };
  return import(given.worker)
    .then(() => heard[given.event]({ notification, waitUntil: (each) => work.push(each) }))
    .then(() => Promise.all(work)).then(() => done);
"""


def done(event: str, *pages: str, told: str = "") -> Any:
    """Return what the worker does at an event while pages of the site are open, each visible or hidden."""
    worker = (SCRIPTS / "worker.js").as_uri()
    return found("dealing.js", _SCOPE, {"event": event, "open": pages, "told": told, "worker": worker})


def test_every_push_shows_a_notification_in_the_words_of_the_server_or_says_your_turn() -> None:
    assert done("push", told="You are challenged") == [["Trefoil", "You are challenged", "turn"]]
    for pages in ((), ("hidden",), ("visible",)):
        assert done("push", *pages) == [["Trefoil", "Your turn", "turn"]]


def test_a_click_on_it_leads_to_the_tables() -> None:
    assert done("notificationclick", "hidden") == ["close", "focus", "/account/#tables"]
    assert done("notificationclick") == ["close", "open /account/#tables"]
