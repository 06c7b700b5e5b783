// Plays a game of Scoops to its end with the types that are made of the OpenAPI document.

import type { components, paths } from "./schema.d.ts";

declare const process: { env: Record<string, string | undefined> };

type Schemas = components["schemas"];
type Choice = Schemas["ScoopsV1Choice"];
type Move = Schemas["ScoopsV1Move"];
type Game = Schemas["ScoopsV1Game"];
type Sent = paths["/api/v1/games/{id}/moves/"]["post"]["requestBody"]["content"]["application/json"];

const address = `${process.env.TREFOIL}/games/${process.env.GAME}/`;
const tokens = (process.env.TOKENS ?? "").split(" ");

async function call(seat: number, path = "", body?: Sent): Promise<Game> {
  const answer = await fetch(address + path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${tokens[seat]}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const game = (await answer.json()) as Schemas["KnownGame"];
  if (game.ruleset !== "scoops@1") throw new Error(`a game of ${game.ruleset}`);
  return game; // by its `ruleset` the compiler knows that it is one of Scoops
}

function first<T>(values: readonly T[]): T {
  if (values[0] === undefined) throw new Error("nothing is offered");
  return values[0];
}

function made(choice: Choice): Move {
  switch (choice.type) {
    case "assign": {
      const { special, rule, goal } = choice.fields;
      return { type: "assign", special: first(special.values), rule: first(rule.values), goal: first(goal.values) };
    }
    case "draw":
      return { type: "draw", from: first(choice.fields.from.values) };
    case "discard":
      return { type: "discard", card: first(choice.fields.card.values) };
    case "lay_down": {
      const { groups, discard } = choice.fields;
      return { type: "lay_down", groups: first(groups.values), discard: discard && first(discard.values) };
    }
    case "meld":
      return { type: "meld", groups: first(choice.fields.groups.values) };
    case "float": {
      const { meld, cards, end } = choice.fields;
      return { type: "float", meld: first(meld.values), cards: first(cards.values), end: end && first(end.values) };
    }
    case "keep":
      return { type: "keep" };
    case "knock":
      return { type: "knock" };
    case "ready":
      return { type: "ready" };
  }
}

let game = await call(0);
while (game.status === "active") {
  const seat = first(game.to_act);
  game = game.you === seat ? game : await call(seat);
  game = await call(seat, "moves/", { seq: game.seq + 1, move: made(first(game.choices)) });
}
console.log(game.status, game.view.phase, game.result?.seats.length);
