/**
 * Random edits on both sides, with outages between: both are equal at the end, no edit is lost, none comes back.
 * `AGENTX_STRESS=full` makes 1,000, those of the other side with the real `gh` through TLS where it is installed. `AGENTX_SEED` repeats a run.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { IS_FULL } from "../often.ts";
import { randomBelow } from "../random_below.ts";
import type { Fault } from "./fake/server.ts";
import { fastClock } from "./fast_clock.ts";
import { ghOf, HAS_GH } from "./gh.ts";
import { TempGitHub } from "./temp_github.ts";

const EDITS = IS_FULL ? 1_000 : 60;
const ISSUES = 5;
const EDITS_A_ROUND = 15;

/** What the title, the body and the rest of an issue have to be at the end. */
interface Expected {
  title: string;
  body: string;
  isClosed: boolean;
  labels: Set<string>;
  comments: Set<string>;
}

/** Changes issues there. */
interface There {
  edit(number: number, change: { title?: string; body?: string; state?: string }): Promise<void>;
  addLabel(number: number, label: string): Promise<void>;
  removeLabel(number: number, label: string): Promise<void>;
  comment(number: number, body: string): Promise<void>;
}

/** By hand in the fake's own state. */
function directly({ github: { state }, repository }: TempGitHub): There {
  const change = (number: number, values: Record<string, unknown>) => {
    Object.assign(repository.issues.get(number)!, values, { updated: state.now() });
    return Promise.resolve();
  };
  const labels = (number: number) => repository.issues.get(number)!.labels;
  return {
    edit: change,
    addLabel(number, label) {
      state.label(repository, label);
      return change(number, { labels: [...labels(number), label] });
    },
    removeLabel: (number, label) =>
      change(number, { labels: labels(number).filter((each) => each !== label) }),
    comment(number, body) {
      state.comment(repository, repository.issues.get(number)!, "ada", body);
      return Promise.resolve();
    },
  };
}

Deno.test("random edits of both sides with outages end equal: none lost, none sent back, nothing reopened", async () => {
  const seed = Number(Deno.env.get("AGENTX_SEED") ?? 42);
  const [below, belowForFaults] = [randomBelow(seed), randomBelow(seed + 1)];
  using _clock = fastClock();
  await using place = await TempGitHub.make();
  const { temp, github, repository } = place;
  await place.issues(ISSUES);
  await using gh = IS_FULL && HAS_GH ? await ghOf(github.url) : undefined;
  const there: There = gh ?? directly(place);
  const expected = new Map<number, Expected>();
  for (const { number, title } of repository.issues.values()) {
    expected.set(number, {
      ...{ title, body: "", isClosed: false },
      ...{ labels: new Set(), comments: new Set() },
    });
  }
  const here = async (...words: string[]) => {
    const { code, err } = await temp.run(["issue", ...words], { terminal: true });
    assertEquals(code, 0, `${words}: ${err}`);
  };
  let [isDown, faults, contests] = [false, 0, 0];
  const KINDS: Fault[] = [
    { kind: "status", status: 502, when: "before" },
    { kind: "status", status: 502, when: "after" },
    { kind: "drop", when: "after" },
    { kind: "half" },
  ];
  github.fault = ({ headers }) => {
    const isFault = isDown && headers["user-agent"].startsWith("agentx") &&
      belowForFaults(6) === 0;
    if (isFault) faults++;
    return isFault ? KINDS[belowForFaults(KINDS.length)] : undefined;
  };

  /** A title or a body that both sides changed is shown with both, and one is chosen. */
  const settle = async (both: Map<string, [ours: string, theirs: string]>) => {
    const { entries } = await temp.json(["inbox"]);
    const open = new Map(entries.map((entry: { id: string }) => [entry.id, JSON.stringify(entry)]));
    for (const [key, [ours, theirs]] of both) {
      const [number, field] = key.split(" ");
      const id = `ISS-${number}-${field}`;
      const shown = String(open.get(id));
      assert(shown.includes(ours) && shown.includes(theirs), `${id}: ${shown}`);
      await temp.run(["answer", id, "ab"[below(2)]], { terminal: true });
      const chosen = temp.issue(Number(number))[field as "title" | "body"];
      assert(chosen === ours || chosen === theirs, chosen);
      expected.get(Number(number))![field as "title" | "body"] = chosen;
      contests++;
    }
    assertEquals(open.size, both.size, [...open.keys()].join());
  };

  let both = new Map<string, [string, string]>();
  let touched = new Map<string, { ours?: string; theirs?: string }>();
  for (let count = 1; count <= EDITS; count++) {
    const number = 1 + below(ISSUES);
    const want = expected.get(number)!;
    const isOurs = below(2) === 0;
    const text = `Edit ${count}`;
    const kind = below(6);
    if (kind <= 1) {
      const field = kind === 0 ? "title" : "body";
      if (isOurs) await here("edit", `${number}`, `--${field}`, text);
      else await there.edit(number, { [field]: text });
      want[field] = text;
      const side = touched.get(`${number} ${field}`) ?? {};
      side[isOurs ? "ours" : "theirs"] = text;
      touched.set(`${number} ${field}`, side);
    } else if (kind === 2) { // one side each: the state of an issue has one owner
      want.isClosed = !want.isClosed;
      if (number % 2 === 1) {
        await there.edit(number, { state: want.isClosed ? "closed" : "open" });
      } else if (want.isClosed) await here("close", `${number}`);
      else await here("edit", `${number}`, "--status", "backlog");
    } else if (kind === 3) {
      const label = `label-${count}`;
      if (isOurs) await here("edit", `${number}`, "--label", label);
      else await there.addLabel(number, label);
      want.labels.add(label);
    } else if (kind === 4) {
      const common = [...want.labels].filter((label) =>
        temp.issue(number).labels.includes(label) &&
        repository.issues.get(number)!.labels.includes(label)
      );
      const label = common[below(common.length)];
      if (label === undefined) continue;
      if (isOurs) await here("edit", `${number}`, "--remove-label", label);
      else await there.removeLabel(number, label);
      want.labels.delete(label);
    } else {
      if (isOurs) await here("comment", `${number}`, "-c", text);
      else await there.comment(number, text);
      want.comments.add(text);
    }
    if (count % EDITS_A_ROUND !== 0 && count !== EDITS) continue;
    isDown = below(2) === 0;
    if (isDown) await temp.run(["sync"]); // may fail; what it did stays
    isDown = false;
    const { problems } = await place.sync();
    assertEquals(problems, []);
    both = new Map(
      [...touched].flatMap(([key, { ours, theirs }]) =>
        ours !== undefined && theirs !== undefined ? [[key, [ours, theirs]] as const] : []
      ),
    ) as Map<string, [string, string]>;
    await settle(both);
    if (both.size > 0) await place.sync(); // what was chosen is there before it is changed again
    touched = new Map();
  }

  github.fault = () => undefined;
  await place.sync();
  const writes = () => github.seen.filter(({ method }) => method !== "GET").length;
  const [before, lines] = [writes(), place.lines()];
  const { sent, changed, imported, posted } = await place.syncWhole();
  assertEquals([sent, changed, imported, posted], [[], [], [], 0]);
  assertEquals([writes(), place.lines()], [before, lines]);
  for (const [number, { title, body, isClosed, labels, comments }] of expected) {
    const ours = temp.issue(number);
    const theirs = repository.issues.get(number)!;
    const all = [title, body, isClosed, [...labels].sort()];
    const state = (closed: string) => closed === "closed";
    assertEquals([ours.title, ours.body, state(ours.state), ours.labels.toSorted()], all);
    assertEquals(
      [theirs.title, theirs.body ?? "", state(theirs.state), theirs.labels.toSorted()],
      all,
    );
    const bodies = (texts: string[]) =>
      texts.map((text) => text.replace(/^<!--.*-->\n/, "")).sort();
    assertEquals(bodies(ours.comments.map(({ body }) => body)), [...comments].sort());
    assertEquals(bodies(place.comments(number).map(({ body }) => body)), [...comments].sort());
  }
  assert(contests > 0 && faults > 0);
  console.log(
    `${EDITS} edits, seed ${seed}: ${contests} chosen by hand, ${faults} faults, ${
      gh ? "gh" : "no gh"
    }`,
  );
});
