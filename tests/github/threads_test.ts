/**
 * Whole threads on GitHub: every entry as a comment, answers by comments, and labels that follow.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { TempGitHub } from "./temp_github.ts";

const ACTIVE = "clarification:active";
const STALE = "clarification:stale";

/** A workspace whose threads are posted, with a question on issue 1. */
async function asked() {
  const place = await TempGitHub.make({ isOn: false });
  place.configure({ post: "threads", deciders: ["bob"] });
  await place.turnOn();
  await place.issues(2);
  const words = ["--issue", "1", "--from", "engineer", "--to", "architect", "--topic", "Database"];
  await place.temp.run(["clarify", "ask", ...words, "PostgreSQL or SQLite?"]);
  return place;
}

const labels = (place: TempGitHub, issue = 1) => place.repository.issues.get(issue)!.labels;

Deno.test("each entry of a thread is a comment; an account that may write answers an agent's question", async () => {
  await using place = await asked();
  await place.sync(); // a command posts in a bounded time, which a machine at work may exceed
  const [{ body }] = place.comments(1);
  assert(body.includes("Question of ` engineer `, round 1") && body.includes("Database"), body);
  assert(body.includes(`/agentx answer ${place.publicId("CLR-1-001")} ...`), body);
  assertEquals(place.github.state.notified, []);
  place.repository.permissions.set("carl", "write");
  place.comment(1, "eve", `/agentx answer ${place.publicId("CLR-1-001")} SQLite`);
  place.comment(1, "carl", "/agentx answer PostgreSQL");
  const { problems } = await place.sync();
  assertEquals(problems.length, 1);
  const [{ status, thread }] = place.temp.ledger(1).clarifications;
  const { body: answer, from, login } = thread.at(-1)!;
  assertEquals([status, answer, from, login], ["answered", "PostgreSQL", "human", "carl"]);
  assert(place.comments(1).at(-1)!.body.includes("Answer of ` human (carl) `, round 1"));
  // The next round is another question: the older comment does not answer it.
  const router = await (await openWorkspaceParts({ root: place.temp.root })).router();
  await router.followUp({ clarificationId: "CLR-1-001", question: "Which version?" });
  await place.sync();
  await place.syncWhole();
  assertEquals(place.temp.ledger(1).clarifications[0].status, "pending");
});

Deno.test("labels follow the threads, and only ours are removed", async () => {
  await using place = await asked();
  labels(place).push("bug");
  place.repository.issues.get(2)!.labels.push(ACTIVE); // set by somebody else
  await place.sync();
  assertEquals(labels(place), ["bug", ACTIVE]);
  const { labels: here } = place.temp.issue(1);
  assert(!here.includes(ACTIVE), String(here));

  const ledger = place.temp.ledger(1);
  ledger.clarifications[0].status = "stale";
  place.temp.write(place.temp.ledgerPath(1), JSON.stringify(ledger));
  await place.sync();
  assertEquals(labels(place), ["bug", ACTIVE, STALE]);
  place.repository.issues.get(1)!.labels = ["bug", STALE]; // somebody removed one
  await place.sync();
  assertEquals(labels(place), ["bug", STALE, ACTIVE]);

  await place.temp.run(["clarify", "resolve", "CLR-1-001", "done", "--as", "engineer"]);
  await place.sync();
  assertEquals([labels(place), labels(place, 2)], [["bug"], [ACTIVE]]);
  assertEquals((await place.sync()).problems, []);
});

Deno.test("a label without an answer is tried again; an account that may not set labels is named, and posts all the same", async () => {
  await using place = await asked();
  let faults = 0;
  place.github.fault = ({ method, path }) =>
    method === "POST" && path.endsWith("/labels") && faults++ === 0
      ? { kind: "status", status: 502, when: "after" }
      : undefined;
  await place.sync();
  await place.temp.run(["clarify", "resolve", "CLR-1-001", "done", "--as", "engineer"]);
  await place.sync();
  assertEquals([faults, labels(place)], [1, []]);

  place.repository.permissions.set("ada", "read");
  await place.escalate(2);
  const { posted, problems } = await place.sync();
  assertEquals([posted, problems.length], [2, 1]);
  assert(problems[0].includes("takes no label"), problems[0]);
});

Deno.test("at the level escalations a label shows what a human decides, and nothing else", async () => {
  await using place = await asked();
  place.configure({ deciders: ["bob"] });
  await place.escalate(2);
  await place.sync();
  assertEquals([labels(place), labels(place, 2)], [[], [ACTIVE]]);
});
