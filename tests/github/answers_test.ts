/**
 * Decisions by comments on GitHub: whose count, and that each counts once.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { commandIn } from "../../lib/github/comment_commands.ts";
import { askWords, DANGEROUS } from "../gate/samples.ts";
import { TempGitHub } from "./temp_github.ts";

/** An escalation that is posted on issue 1; bob decides. */
async function asked(isOn = true) {
  const place = await TempGitHub.make({ isOn });
  place.configure({ deciders: ["bob"] });
  await place.issues(2);
  const id = await place.escalate(1);
  await place.sync();
  return { place, id, named: place.publicId(id) };
}

const statusOf = (place: TempGitHub, issue = 1) =>
  place.temp.ledger(issue).clarifications[0].status;

Deno.test("a decider decides an escalation by a letter or in words, once, as that login", async () => {
  const { place, named } = await asked();
  await using _place = place;
  place.comment(
    1,
    "bob",
    `Fine.\r\n/agentx answer ${named} PostgreSQL, behind a repository\r\n\r\nSent from my phone`,
  );
  const { problems } = await place.sync();
  assertEquals(problems, []);
  const [{ status, thread }] = place.temp.ledger(1).clarifications;
  const { body, login, from, verified } = thread.at(-1)!;
  assertEquals([status, body, login, from, verified], [
    ...["resolved", "PostgreSQL, behind a repository", "bob", "human", false],
  ]);
  assert(place.comments(1).at(-1)!.body.includes("Decided by ` human (bob) `"));
  await place.syncWhole();
  assertEquals(place.temp.ledger(1).clarifications[0].thread.length, thread.length);
  assertEquals(place.comments(1).length, 3);
});

Deno.test("an id may be left out where one question is open on the issue, and no other workspace asks there", async () => {
  const { place } = await asked();
  await using _place = place;
  const other = place.comment(
    1,
    "carl",
    "<!-- agentx:1 CLR-9-001@aaaaaa/1 0123456789abcdef -->\nasks",
  );
  place.comment(1, "bob", "/agentx answer SQLite");
  const [why] = (await place.sync()).problems;
  assert(why.includes("another workspace asks there"), why);
  place.repository.comments.delete(other.id);
  await place.escalate(1, "Which cache?");
  await place.sync();
  place.comment(1, "bob", "/agentx answer SQLite");
  assert((await place.sync()).problems[0].includes("2 questions are open there"));
  await place.temp.run(["answer", "CLR-1-002", "none"], { terminal: true });
  place.comment(1, "bob", "/agentx resolve SQLite");
  assertEquals((await place.sync()).problems, []);
  assertEquals(statusOf(place), "resolved");
});

Deno.test("nothing is decided by a stranger, a writer who is no decider, the account that posts, an edited or an older comment", async () => {
  const { place, named, id } = await asked();
  await using _place = place;
  const line = `/agentx resolve ${named} SQLite`;
  place.repository.permissions.set("carl", "write");
  place.configure({ deciders: ["bob", "eve", "ada"] });
  place.repository.permissions.delete("eve");
  for (const login of ["eve", "carl", "ada"]) place.comment(1, login, line);
  place.comment(2, "bob", line);
  const edited = place.comment(1, "bob", "hello");
  edited.body = line;
  edited.updated = place.github.state.now();
  place.comment(1, "bob", `> ${line}\n\n\`\`\`\n${line}\n\`\`\`\n<!--\n${line}\n-->\n    ${line}`);
  place.comment(1, "bob", `/agentx answer ${id}@aaaaaa SQLite`);
  const { problems } = await place.sync();
  assertEquals(statusOf(place), "escalated");
  const reasons = [
    "may not write",
    "not in your github.deciders",
    "agentx posts as ada",
    "was not asked",
    "was changed",
  ];
  for (const reason of reasons) {
    assert(problems.join("\n").includes(reason), `${reason}: ${problems}`);
  }
  assertEquals(problems.length, reasons.length);
  assertEquals(place.github.state.notified.flatMap(({ names }) => names), ["bob"]);

  // A right that comes later makes no old comment count.
  place.repository.permissions.set("eve", "write");
  await place.syncWhole();
  assertEquals(statusOf(place), "escalated");
});

Deno.test("a comment from before the question decides nothing", async () => {
  await using place = await TempGitHub.make();
  place.configure({ deciders: ["bob"] });
  await place.issues(1);
  place.comment(1, "bob", "/agentx answer a");
  const id = await place.escalate(1);
  place.comment(1, "bob", `/agentx answer ${place.publicId(id)} SQLite`);
  const { problems } = await place.sync();
  assertEquals(statusOf(place), "escalated");
  assert(problems[0].includes("0 questions are open there"), String(problems));
  assert(problems[1].includes("was not asked there"), String(problems));
  assertEquals((await place.syncWhole()).problems, []);
  assertEquals(statusOf(place), "escalated");
});

Deno.test("a decider answers a question of the gate by its letter; one about security nobody decides on GitHub", async () => {
  await using place = await TempGitHub.make();
  place.configure({ deciders: ["bob"] });
  await place.issues(1);
  await place.temp.run([...askWords({ issue: "1", session: "s1" }), "--no-wait"]);
  await place.sync();
  place.comment(1, "bob", `/Agentx  Answer ask\u2013001@${place.publicId("").slice(1)} B`);
  assertEquals((await place.sync()).problems, []);
  const questions = () =>
    JSON.parse(place.temp.read(".agentx/state/agent-interactions.json")).agent_interactions;
  const [{ decision, login, verified }] = questions();
  assertEquals([decision.label, login, verified], ["b", "bob", false]);

  const security = { session: "s2", ...DANGEROUS, question: "Which cipher?" };
  await place.temp.run([...askWords({ issue: "1", ...security }), "--no-wait"]);
  await place.sync();
  place.comment(1, "bob", `/agentx answer ${place.publicId("ASK-002")} a`);
  const { problems } = await place.sync();
  assertEquals(questions()[1].outcome, null);
  assert(problems[0].includes("was not asked there"), String(problems));
});

Deno.test("a letter that is not offered, and one that would run an agent, decide nothing", async () => {
  const { place, named } = await asked();
  await using _place = place;
  place.comment(1, "bob", `/agentx answer ${named} z`);
  const { problems } = await place.sync();
  assert(problems[0].includes("Cannot take"), String(problems));
  assertEquals(statusOf(place), "escalated");
});

Deno.test("an outage while a permission is looked up loses no decision", async () => {
  const { place, named } = await asked();
  await using _place = place;
  place.comment(1, "bob", `/agentx answer ${named} SQLite`);
  place.github.fault = ({ path }) =>
    path.endsWith("/permission") ? { kind: "status", status: 503, when: "before" } : undefined;
  assertEquals((await place.temp.run(["sync"])).code, 1);
  assertEquals(statusOf(place), "escalated");
  place.github.fault = () => undefined;
  await place.sync();
  assertEquals(statusOf(place), "resolved");
});

Deno.test("commandIn() reads a line as people write it, and none in a quote, in code or in a comment of HTML", () => {
  const id = "CLR-42-001@3f2a1c";
  const lines: [string, string | undefined, string?][] = [
    [`/agentx answer ${id} a`, id, "a"],
    [`text\r\n/agentx resolve ${id}   two words \r\nmore`, id, "two words"],
    [`/AGENTX Answer clr\u201142\u2011001@3F2A1C a`, id, "a"],
    ["/agentx answer a", undefined, "a"],
    [`/agentx answer ${id}`, id, ""],
    [`> /agentx answer ${id} a`, undefined],
    [`text /agentx answer ${id} a`, undefined],
    [`/agentx status ${id}`, undefined],
    [`@agentx answer ${id} a`, undefined],
    [`~~~\n/agentx answer ${id} a\n~~~`, undefined],
    [`\`\`\`\`\n\`\`\`\n/agentx answer ${id} a`, undefined],
    [`<!-- /agentx answer ${id} a`, undefined],
  ];
  for (const [body, named, answer] of lines) {
    const command = commandIn(body);
    assertEquals([command?.id, command?.answer], [named, answer], body);
  }
});
