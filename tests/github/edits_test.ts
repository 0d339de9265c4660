/**
 * What is changed here of an issue is changed on GitHub: once, without an echo, and nothing of the other side is lost.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { BAD_ANSWERS } from "./bad_answers.ts";
import type { Fault } from "./fake/server.ts";
import type { Issue } from "./fake/records.ts";
import { mentionsIn } from "./fake/mentions.ts";
import { fastClock } from "./fast_clock.ts";
import { TempGitHub } from "./temp_github.ts";

/** The requests that changed something, since an index. */
function changes(place: TempGitHub, from = 0): string[] {
  return place.github.seen.slice(from).filter(({ method }) => method !== "GET")
    .map(({ method, path, body }) => `${method} ${path.replace(/^.*\/shop/, "")} ${body}`);
}

/** Changes an issue there, as a person does. */
function change(place: TempGitHub, number: number, values: Partial<Issue>): void {
  const issue = place.repository.issues.get(number)!;
  Object.assign(issue, values, { updated: place.github.state.now() });
}

async function edit(place: TempGitHub, ...words: string[]): Promise<void> {
  const { code, err } = await place.temp.run(["issue", "edit", ...words]);
  assertEquals(code, 0, err);
}

Deno.test("sync sends title, body and state that changed here, and nothing else", async () => {
  await using place = await TempGitHub.make();
  await place.issues(3);
  const from = place.github.seen.length;
  await edit(place, "1", "--title", "Log in");
  await edit(place, "2", "--body", "It fails");
  await place.temp.run(["issue", "close", "3"]);
  assertEquals((await place.sync()).sent, [1, 2, 3]);
  assertEquals(changes(place, from), [
    'PATCH /issues/1 {"title":"Log in"}',
    'PATCH /issues/2 {"body":"It fails"}',
    'PATCH /issues/3 {"state":"closed"}',
  ]);
  const [one, two, three] = place.repository.issues.values();
  assertEquals([one.title, two.body, three.state, three.reason], [
    "Log in",
    "It fails",
    "closed",
    "completed",
  ]);

  const lines = place.lines();
  for (let time = 0; time < 2; time++) {
    const { sent, changed } = await place.syncWhole();
    assertEquals([sent, changed], [[], []]);
  }
  assertEquals([changes(place, from).length, place.lines()], [3, lines]);
  await place.temp.run(["issue", "edit", "3", "--status", "backlog"]);
  await place.sync();
  assertEquals(three.state, "open");
});

Deno.test("edits of both sides meet: other fields go both ways, and the next change there is seen", async () => {
  await using place = await TempGitHub.make();
  await place.issues(1);
  await edit(place, "1", "--title", "Ours");
  change(place, 1, { body: "Theirs" });
  await place.sync();
  const issue = place.repository.issues.get(1)!;
  assertEquals([issue.title, place.temp.issue(1).body], ["Ours", "Theirs"]);
  change(place, 1, { title: "Later" });
  await place.sync();
  assertEquals([place.temp.issue(1).title, issue.title], ["Later", "Later"]);
});

Deno.test("a title that both sides changed is sent once a human has chosen", async () => {
  await using place = await TempGitHub.make();
  await place.issues(1);
  await edit(place, "1", "--title", "Ours");
  change(place, 1, { title: "Theirs" });
  await place.sync();
  assertEquals(place.repository.issues.get(1)!.title, "Theirs");
  change(place, 1, { title: "Theirs again" }); // does not settle it
  await place.sync();
  const { entries: [{ id, options }] } = await place.temp.json(["inbox"]);
  const ours = options.find(({ text }: { text: string }) => text.endsWith("Ours"));
  await place.temp.run(["answer", id, ours.label], { terminal: true });
  await place.sync();
  assertEquals([place.repository.issues.get(1)!.title, place.temp.issue(1).title], [
    "Ours",
    "Ours",
  ]);
  assertEquals((await place.temp.json(["inbox"])).entries, []);
});

Deno.test("an edit under faults arrives, and is not sent when GitHub made it before its answer was lost", async () => {
  using _clock = fastClock();
  const faults: Fault[] = [
    { kind: "status", status: 502, when: "before" },
    { kind: "status", status: 502, when: "after" },
    { kind: "drop", when: "after" },
    { kind: "half" },
  ];
  for (const fault of faults) {
    await using place = await TempGitHub.make();
    await place.issues(1);
    await edit(place, "1", "--title", "Ours");
    let left = 1;
    place.github.fault = ({ method }) => method === "PATCH" && left-- > 0 ? fault : undefined;
    const from = place.github.seen.length;
    assertEquals((await place.sync()).problems, []);
    const isMade = fault.kind === "half" || "when" in fault && fault.when === "after";
    // The runtime itself sends a PATCH again whose connection was dropped.
    if (fault.kind !== "drop") assertEquals(changes(place, from).length, isMade ? 1 : 2);
    assertEquals(place.repository.issues.get(1)!.title, "Ours");
    assertEquals(place.temp.issue(1).title, "Ours");
  }
});

Deno.test("an edit that GitHub refuses is named and kept; the others go on, and another edit of it is tried", async () => {
  await using place = await TempGitHub.make();
  await place.issues(3);
  for (const number of ["1", "2", "3"]) await edit(place, number, "--title", `Ours ${number}`);
  place.github.fault = ({ method, path }) =>
    method === "PATCH" && path.endsWith("/issues/2")
      ? { kind: "status", status: 422, when: "before", body: '{"message":"Validation Failed"}' }
      : undefined;
  const { sent, problems } = await place.sync();
  assertEquals([sent, problems], [[1, 3], ["#2 is not changed on GitHub: Validation Failed"]]);
  const from = place.github.seen.length;
  assertEquals((await place.sync()).problems.length, 1);
  assertEquals([changes(place, from), place.temp.issue(2).title], [[], "Ours 2"]);
  place.github.fault = () => undefined;
  await edit(place, "2", "--title", "Other");
  assertEquals((await place.sync()).sent, [2]);
});

Deno.test("text that was changed here mentions nobody there, and is the same here afterwards", async () => {
  await using place = await TempGitHub.make();
  await place.issues(1);
  const text = "@everyone &#64;eve &commat;eve <b>@eve</b> a@b.example `@std/assert`\n\n@ada";
  change(place, 1, { body: "@ada" });
  await place.sync();
  await edit(place, "1", "--body", text);
  await place.sync();
  assertEquals(mentionsIn(place.repository.issues.get(1)!.body!), ["ada"]);
  assertEquals(place.temp.issue(1).body, text);
  const { sent, changed } = await place.syncWhole();
  assertEquals([sent, changed], [[], []]);
});

Deno.test("nothing is changed there at the level none, and by a consent that did not speak of it", async () => {
  await using place = await TempGitHub.make();
  await place.issues(1);
  place.configure({ post: "none" });
  await edit(place, "1", "--title", "Ours");
  const from = place.github.seen.length;
  await place.sync();
  place.temp.user.configure({});
  const path = `${place.temp.user.path}/state/agentx/trust.json`;
  const trust = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, trust.replace(" edits", ""));
  await place.sync();
  assertEquals(changes(place, from), []);
  Deno.writeTextFileSync(path, trust);
  await place.sync();
  assert(changes(place, from).length === 1);
});

Deno.test("labels, type, fields, status, assignee, milestone, parent and dependencies go where GitHub has a place", async () => {
  await using place = await TempGitHub.make();
  const { repository, temp } = place;
  await place.issues(3);
  change(place, 1, { labels: ["bug"], assignees: ["ada"] });
  await place.sync();
  const labels = ["type:feature", "priority:p1", "Effort: 3", "blocked_by:#2", "mine"];
  await edit(place, "1", ...labels.flatMap((label) => ["--label", label]), "--remove-label", "bug");
  await edit(place, "1", "--status", "in-review", "--milestone", "1.0", "--parent", "3");
  await temp.run(["issue", "edit", "1", "--assignee", "none"], { terminal: true });
  assertEquals((await place.sync()).problems, []);
  const [one, two, three] = repository.issues.values();
  const [priority, effort] = repository.fields;
  assertEquals(one.labels, ["mine", "status:in-review"]);
  assertEquals([one.type, one.fields.get(priority.id), one.fields.get(effort.id)], [
    "Feature",
    "P1",
    3,
  ]);
  assertEquals([one.assignees, one.parent, [...one.blockedBy]], [[], three.id, [two.id]]);
  assertEquals(repository.milestones.get(one.milestone!)?.title, "1.0");

  const lines = place.lines();
  const { sent, changed } = await place.syncWhole();
  assertEquals([sent, changed, place.lines()], [[], [], lines]);
  const before = temp.issue(1);
  await edit(place, "1", ...labels.flatMap((label) => ["--remove-label", label]));
  await edit(place, "1", "--status", "backlog", "--milestone", "none", "--no-parent");
  assertEquals((await place.sync()).problems, []);
  assertEquals([one.labels, one.type, one.fields.size, one.blockedBy.size], [[], null, 0, 0]);
  assertEquals([one.milestone, one.parent], [null, undefined]);
  change(place, 1, { labels: ["mine", "status:in-progress"] });
  await place.sync();
  assertEquals([temp.issue(1).labels, temp.issue(1).status], [["mine"], "In Progress"]);
  assert(before.status === "In Review");
});

Deno.test("a personal repository has labels for all of that; a token that may not write is named, and sends nothing", async () => {
  await using place = await TempGitHub.make({ organization: false });
  await place.issues(1);
  await edit(place, "1", "--label", "type:bug", "--label", "priority:p0", "--status", "ready");
  await place.sync();
  const [issue] = place.repository.issues.values();
  assertEquals(issue.labels.toSorted(), ["priority:p0", "status:ready", "type:bug"]);
  const { sent, changed } = await place.syncWhole();
  assertEquals([sent, changed], [[], []]);

  place.repository.permissions.set("ada", "read");
  await place.turnOn();
  await edit(place, "1", "--title", "Ours");
  const from = place.github.seen.length;
  const { problems } = await place.sync();
  assert(problems[0].includes("may not write"), problems[0]);
  assertEquals([changes(place, from), place.temp.issue(1).title], [[], "Ours"]);
});

Deno.test("an issue that was made here is made there once, with its fields; comments of people follow", async () => {
  await using place = await TempGitHub.make();
  const { repository, temp } = place;
  await place.issues(1);
  place.github.state.issue(repository, "eve", { title: "Another" }); // takes the number 2 there
  await temp.run(["issue", "create", "Login", "--body", "## Dependencies\n\nBlocked by #3"]);
  await temp.run(["issue", "create", "Logout", "--label", "type:bug", "--parent", "2"]);
  await temp.run(["issue", "comment", "2", "-c", "Words of @eve"], { terminal: true });
  await temp.run(["issue", "comment", "2", "-c", "of an agent", "--as", "engineer"]);
  const { problems, sent } = await place.sync();
  assertEquals([problems, sent], [[], [2, 3]]);
  const [, , login, logout] = repository.issues.values();
  assertEquals([login.title, logout.title, logout.type, logout.parent], [
    "Login",
    "Logout",
    "Bug",
    login.id,
  ]);
  assert(login.body?.startsWith("## Dependencies\n\nBlocked by #4"), login.body!);
  assertEquals([temp.issue(2).source, temp.issue(3).source], [
    "github:acme/shop#3",
    "github:acme/shop#4",
  ]);
  const [comment, ...others] = place.comments(3);
  assertEquals([mentionsIn(comment.body), others], [[], []]);
  assert(comment.body.endsWith("Words of @\u200beve"), comment.body);

  const again = await place.syncWhole();
  assertEquals([again.sent, again.changed, again.posted, again.problems], [[], [], 0, []]);
  assertEquals((await temp.json(["issue", "list"])).issues.length, 4);
  assertEquals(temp.issue(2).body, "## Dependencies\n\nBlocked by #3");
  assertEquals(temp.issue(2).comments.length, 2);
});

Deno.test("an issue whose making had no answer is looked for, also after a kill, and made once", async () => {
  using _clock = fastClock();
  await using place = await TempGitHub.make();
  const { repository, temp, github } = place;
  await temp.run(["issue", "create", "Login"]);
  let left = 3;
  github.fault = ({ method, path }) => {
    const isMaking = method === "POST" && path.endsWith("/issues");
    if (isMaking && left-- > 0) return { kind: "status", status: 502, when: "after" };
    return left > 0 && method === "GET" && left < 3 ? { kind: "drop", when: "before" } : undefined;
  };
  await temp.run(["sync"]);
  github.fault = () => undefined;
  assertEquals((await place.sync()).problems, []);
  assertEquals([repository.issues.size, temp.issue(1).source], [1, "github:acme/shop#1"]);
  await edit(place, "1", "--title", "Log in");
  await place.sync();
  assertEquals(repository.issues.get(1)!.title, "Log in");
});

Deno.test("no bad answer loses an edit: it arrives once GitHub answers again", async () => {
  using _clock = fastClock();
  await using place = await TempGitHub.make();
  await place.issues(1);
  const issue = place.repository.issues.get(1)!;
  for (const [name, fault] of BAD_ANSWERS) {
    for (const method of ["GET", "PATCH"]) {
      const title = `${name}, ${method}`;
      await edit(place, "1", "--title", title);
      place.github.fault = (seen) =>
        seen.method === method && seen.path.endsWith("/issues/1") ? fault : undefined;
      await place.temp.run(["sync"]);
      place.github.fault = () => undefined;
      await place.sync();
      assertEquals([issue.title, place.temp.issue(1).title], [title, title]);
    }
  }
});

Deno.test("an archived repository, and an issue that was deleted or moved, keep edits here and are named", async () => {
  await using place = await TempGitHub.make();
  const { repository, github, temp } = place;
  await place.issues(3);
  for (const number of ["1", "2", "3"]) await edit(place, number, "--title", `Ours ${number}`);
  const [one, two, three] = repository.issues.values();
  one.gone = true;
  github.state.transfer(two, github.state.repository("acme/other", { organization: true }));
  const { sent, problems } = await place.syncWhole();
  assertEquals([sent, problems.length, three.title], [[3], 2, "Ours 3"]);
  assertEquals([temp.issue(1).title, temp.issue(2).title], ["Ours 1", "Ours 2"]);

  repository.archived = true;
  await edit(place, "3", "--title", "Later");
  await place.turnOn();
  const archived = await place.syncWhole();
  assert(archived.problems.some((each: string) => each.includes("archived")), archived.problems);
  assertEquals([three.title, temp.issue(3).title], ["Ours 3", "Later"]);
});
