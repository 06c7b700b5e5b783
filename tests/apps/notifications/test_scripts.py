"""Notifications turned on and off, and shown by the service worker, in a browser that notes what is asked."""

from typing import Any

from league.ops import folders
from tests.scripts.node import found

STATIC = folders.TOP / "league/apps/notifications/static/notifications"

_BROWSER = """
  const done = [];
  const shown = (hidden) => ({ hidden, addEventListener(_event, press) { this.press = press; } });
  const [form, on, off, failed, without] = [true, false, false, true, false].map(shown);
  form.action = "/push/";
  const part = shown(!given.shown), parts = { form, "[data-do=on]": on, "[data-do=off]": off,
    "[data-failed]": failed, ...given.quiet ? {} : { "[data-without]": without } };
  const subscription = (endpoint) => ({ endpoint,
    options: { applicationServerKey: Uint8Array.from(given.key).buffer },
    unsubscribe: async () => { done.push(`drop ${endpoint}`); manager.held = null; } });
  const manager = {
    held: given.held ? subscription(given.held) : null,
    getSubscription: async () => manager.held,
    subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
      done.push(["subscribe", userVisibleOnly, ...applicationServerKey]);
      return manager.held = subscription("https://push.example/new");
    },
  };
  const registration = { pushManager: manager };
  const serviceWorker = { register: async (path) => done.push(`register ${path}`),
    ready: Promise.resolve(registration), getRegistration: async () => registration };
  const dataset = { push: "_-4B", worker: "/worker.js", subscribed: given.held ? "1" : "0" };
  Object.defineProperty(globalThis, "navigator", { value: given.secure ? { serviceWorker } : {} });
  Object.assign(globalThis, {
    window: globalThis,
    PushManager: {},
    Notification: { permission: given.before, requestPermission: async () => given.permission },
    FormData: class { *[Symbol.iterator]() { yield ["csrfmiddlewaretoken", "t"]; } },
    fetch: async (to, { body }) => {
      done.push(`${to} ${body.get("endpoint")}`);
      return { ok: given.ok, status: 400, json: async () => ({ told: Boolean(given.told) }) };
    },
    document: { querySelector: () => Object.assign(part, {
      dataset, querySelector: (name) => parts[name] || null }) },
  });
  const visible = () => Object.keys(parts).filter((name) => !part.hidden && !parts[name].hidden);
  return import(given.script)
    .then(() => given.press && parts[`[data-do=${given.press}]`].press())
    // What follows a press waits for nothing but promises, which are all kept before a timer runs.
    .then(() => new Promise((resolve) => { setTimeout(resolve); }))
    .then(() => ({ done, visible: visible() }));
"""
ON, OFF, FAILED = "[data-do=on]", "[data-do=off]", "[data-failed]"


def pressed(press: str = "", **given: Any) -> tuple[Any, Any]:
    """Return what is asked of browser and server when a button is pressed, and which parts are shown then."""
    usual = {
        "permission": "granted",
        "before": "default",
        "ok": True,
        "secure": True,
        "held": None,
        "key": [],
    }
    script = (STATIC / "push.js").as_uri()
    answer = found("dealing.js", _BROWSER, {**usual, **given, "press": press, "script": script})
    return answer["done"], answer["visible"]


def test_a_browser_that_subscribes_tells_the_server_its_address() -> None:
    subscribed = ["register /worker.js", ["subscribe", True, 255, 238, 1], "/push/ https://push.example/new"]
    assert pressed("on") == (subscribed, ["form", OFF])
    held = "https://push.example/old"
    assert pressed("on", held=held)[0] == [subscribed[0], f"drop {held}", *subscribed[1:]]
    ours = [255, 238, 1]
    assert pressed("on", held=held, key=ours)[0] == [subscribed[0], f"/push/ {held}"]


def test_where_permission_is_denied_nothing_is_subscribed_and_the_page_says_so() -> None:
    assert pressed("on", permission="denied") == ([], ["form", ON, FAILED])


def test_where_the_server_refuses_the_page_says_so() -> None:
    asked, visible = pressed("on", ok=False)
    assert asked[-1] == "/push/ https://push.example/new"
    assert visible == ["form", ON, FAILED]


def test_who_unsubscribes_is_forgotten_by_server_and_browser() -> None:
    held = "https://push.example/old"
    assert pressed(held=held) == ([], ["form", OFF])
    assert pressed("off", held=held) == (["/push/ ", f"drop {held}"], ["form", ON])


def test_a_page_without_https_offers_no_button() -> None:
    assert pressed(secure=False, shown=True) == ([], [ON, OFF, "[data-without]"])


def test_a_page_that_says_nothing_where_it_cannot_be_shows_its_part_only_where_it_can() -> None:
    assert pressed(quiet=True) == ([], ["form", ON])
    assert pressed(quiet=True, before="denied") == pressed(quiet=True, secure=False) == ([], [])


def test_an_address_at_which_the_browser_is_told_of_something_else_stays() -> None:
    assert pressed("off", held="https://push.example/old", told=True)[0] == ["/push/ "]


# ---- The service worker ---------------------------------------------------------------------------

_SCOPE = """
  const done = [], heard = {};
  const page = (state) => ({
    visibilityState: state, focus: async () => done.push("focus"), navigate: async (to) => done.push(to),
  });
  globalThis.self = {
    told: { title: "Trefoil", news: "News", icon: "/icon.png", path: "/" },
    addEventListener: (name, listener) => { heard[name] = listener; },
    clients: {
      matchAll: async () => given.open.map(page), openWindow: async (to) => done.push(`open ${to}`),
    },
    registration: {
      showNotification: async (title, { body, tag, data }) => done.push([title, body, tag, data]),
    },
  };
  globalThis.fetch = async () => (given.told
    ? { ok: true, json: async () => ({ body: given.told, path: "/there/" }) } : Promise.reject("offline"));
  const work = [], notification = { data: "/account/#tables", close: () => done.push("close") };
  return import(given.worker)
    .then(() => heard[given.event]({ notification, waitUntil: (each) => work.push(each) }))
    .then(() => Promise.all(work)).then(() => done);
"""


def done(event: str, *pages: str, told: str = "") -> Any:
    """Return what the worker does at an event while pages of the site are open, each visible or hidden."""
    worker = (STATIC / "notifications.js").as_uri()
    return found("dealing.js", _SCOPE, {"event": event, "open": pages, "told": told, "worker": worker})


def test_every_push_shows_the_words_of_the_server_or_that_there_is_news() -> None:
    assert done("push", told="You are challenged") == [["Trefoil", "You are challenged", "turn", "/there/"]]
    for pages in ((), ("hidden",), ("visible",)):
        assert done("push", *pages) == [["Trefoil", "News", "turn", "/"]]


def test_a_click_on_it_leads_where_the_server_said() -> None:
    assert done("notificationclick", "hidden") == ["close", "focus", "/account/#tables"]
    assert done("notificationclick") == ["close", "open /account/#tables"]
