/**
 * `agentx sync` in mode github: what is on GitHub comes into the local issues, once.
 *
 * @module
 */

import { cpuUsage } from "node:process";

import { assert, assertEquals } from "@std/assert";
import { TempGitHub } from "./temp_github.ts";

Deno.test("sync reads types, fields, labels, comments, parents and dependencies", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  const [priority, effort] = repository.fields;
  const login = state.issue(repository, "ada", {
    title: "Login",
    body: "It fails, see #2",
    type: "Bug",
    labels: ["bug", "color: red"],
    assignees: ["ada"],
    fields: new Map<number, string | number>([[priority.id, "P1"], [effort.id, 3]]),
  });
  for (const label of login.labels) state.label(repository, label);
  const logout = state.issue(repository, "eve", { title: "Logout" });
  login.blockedBy.add(logout.id);
  logout.parent = state.issue(repository, "ada", { title: "Sessions" }).id;
  state.comment(repository, login, "eve", "Seen, too");
  state.issue(repository, "ada", {
    title: "Fix",
    pull: { head: "work", base: "main", merged: null },
  });

  const read = await place.sync();
  assertEquals([read.imported, read.changed, read.problems], [[1, 2, 3], [], []]);
  const issue = temp.issue(1);
  assertEquals([issue.title, issue.body, issue.author], ["Login", "It fails, see #2", "ada"]);
  assertEquals([issue.source, issue.assignee], ["github:acme/shop#1", "ada"]);
  assertEquals(
    issue.labels.toSorted(),
    ["Effort: 3", "blocked_by:#2", "bug", "color: red", "priority:p1", "type:bug"].toSorted(),
  );
  assertEquals(issue.comments.map(({ author, body }) => [author, body]), [["eve", "Seen, too"]]);
  assertEquals(temp.issue(2).parent, temp.issue(3).uid);

  const { waiting } = await temp.json(["ready"]);
  assertEquals(
    waiting.map(({ number }: { number: number }) => number),
    [1, 3],
    "3 waits for its part",
  );
  assert((await temp.run(["deps", "1"])).out.includes("#2"));
  assertEquals((await temp.json(["issue", "list"])).issues.length, 3);
});

Deno.test("sync reads 1,000 issues with comments once, then only what is new", async () => {
  await using place = await TempGitHub.make();
  const { github, repository, temp } = place;
  for (let number = 1; number <= 1_000; number++) {
    const issue = github.state.issue(repository, "ada", { title: `Issue ${number}` });
    if (number % 4 === 0) github.state.comment(repository, issue, "eve", `About ${number}`);
  }
  assertEquals((await place.sync()).imported.length, 1_000);
  assertEquals(temp.issue(1_000).comments[0].body, "About 1000");
  const before = place.lines();

  for (let time = 1; time <= 3; time++) {
    const asked = github.seen.length;
    const { imported, changed } = await place.sync();
    assertEquals([imported, changed, github.seen.length - asked], [[], [], 3]);
  }
  assertEquals(github.seen.at(-2)!.headers["if-none-match"] !== undefined, true);
  const { imported, changed } = await place.syncWhole();
  assertEquals([imported, changed], [[], []]);
  assertEquals(place.lines(), before);

  github.state.issue(repository, "ada", { title: "One more" });
  assertEquals((await place.sync()).imported, [1_001]);
});

Deno.test("sync takes over what changed there, and leaves what was changed here", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  const issue = state.issue(repository, "ada", { title: "Login", body: "old", labels: ["bug"] });
  await place.sync();
  await temp.run(["issue", "edit", "1", "--status", "in-progress", "--label", "mine"]);
  await temp.run(["issue", "comment", "1", "-c", "here"]);

  Object.assign(issue, { title: "Log in", labels: ["enhancement"], updated: state.now() });
  assertEquals((await place.sync()).changed, [1]);
  const now = temp.issue(1);
  assertEquals([now.title, now.status], ["Log in", "In Progress"]);
  assertEquals(now.labels.toSorted(), ["enhancement", "mine"]);
  assertEquals(now.comments.map(({ body }) => body), ["here"]);
  assertEquals((await place.sync()).changed, []);
});

Deno.test("sync shows a title that was changed on both sides to the human", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  const issue = state.issue(repository, "ada", { title: "Login" });
  await place.sync();
  await temp.run(["issue", "edit", "1", "--title", "Ours"]);
  Object.assign(issue, { title: "Theirs", updated: state.now() });
  await place.sync();
  const inbox = JSON.stringify(await temp.json(["inbox"]));
  assert(inbox.includes("Ours") && inbox.includes("Theirs"), inbox);
});

Deno.test("a merged pull request with Closes #N closes its issue here; reopened there, it is open here", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  const issue = state.issue(repository, "ada", { title: "Login" });
  const pull = state.issue(repository, "ada", {
    title: "Fix",
    body: "Closes #1",
    pull: { head: "work", base: "main", merged: null },
  });
  await place.sync();
  await temp.run(["ready", "--claim", "engineer", "--issue", "1"]);
  state.merge(repository, pull);
  assertEquals((await place.sync()).changed, [1]);
  assertEquals([temp.issue(1).state, temp.issue(1).assignee], ["closed", null]);
  Object.assign(issue, { state: "open", reason: "reopened", closed: null, updated: state.now() });
  await place.sync();
  assertEquals(temp.issue(1).state, "open");
});

Deno.test("an issue that was closed on both sides is opened again with the one on GitHub", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  const issue = state.issue(repository, "ada", { title: "Login" });
  await place.sync();
  await temp.run(["issue", "close", "1"]);
  Object.assign(issue, { state: "closed", closed: state.now(), updated: state.now() });
  await place.sync();
  assertEquals(temp.issue(1).state, "closed");
  Object.assign(issue, { state: "open", closed: null, updated: state.now() });
  await place.sync();
  assertEquals(temp.issue(1).state, "open");
});

Deno.test("an edited comment is shown once, with its text of now; a deleted one goes with the next whole read", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  const issue = state.issue(repository, "ada", { title: "Login" });
  const first = state.comment(repository, issue, "eve", "frist");
  state.comment(repository, issue, "ada", "second");
  await place.sync();
  Object.assign(first, { body: "first", updated: state.now() });
  await place.sync();
  const bodies = () => temp.issue(1).comments.map(({ body }) => body);
  assertEquals(bodies(), ["first", "second"]);
  repository.comments.delete(first.id);
  await place.syncWhole();
  assertEquals(bodies(), ["second"]);
});

Deno.test("a whole read that gets fewer comments than GitHub counts takes none away", async () => {
  await using place = await TempGitHub.make();
  const { github, repository, temp } = place;
  const issue = github.state.issue(repository, "ada", { title: "Login" });
  github.state.comment(repository, issue, "eve", "Seen");
  await place.sync();
  github.fault = ({ path }) =>
    path.endsWith("/issues/comments")
      ? { kind: "status", status: 200, when: "before", body: "[]" }
      : undefined;
  await place.syncWhole();
  assertEquals(temp.issue(1).comments.map(({ body }) => body), ["Seen"]);
});

Deno.test("an issue that `issue import` read from gh is not read twice", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  const issue = state.issue(repository, "ada", { title: "Login", body: "It fails" });
  const comment = state.comment(repository, issue, "eve", "Seen");
  const exported = [{
    number: 1,
    title: "Login",
    body: "It fails",
    state: "OPEN",
    url: "https://github.com/acme/shop/issues/1",
    author: { login: "ada" },
    createdAt: issue.created,
    comments: [{ author: { login: "eve" }, body: "Seen", createdAt: comment.created }],
  }];
  await temp.run(["issue", "import", "-"], { stdin: JSON.stringify(exported) });
  const before = place.lines();
  assertEquals((await place.sync()).imported, []);
  assertEquals(place.lines(), before);
});

Deno.test("sync cuts a title that is longer than one here, and takes over its next text", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  const issue = state.issue(repository, "ada", { title: "x".repeat(256) });
  await place.sync();
  assertEquals(temp.issue(1).title, `${"x".repeat(197)}...`);
  const before = place.lines();
  await place.syncWhole();
  assertEquals(place.lines(), before);
  Object.assign(issue, { title: "Short", updated: state.now() });
  await place.sync();
  assertEquals(temp.issue(1).title, "Short");
});

Deno.test("an archived repository, and an issue that does not fit, are named; the others are read", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  state.issue(repository, "ada", { title: "Login" });
  state.issue(repository, "ada", { title: "\ud800" });
  state.comment(repository, state.issue(repository, "human", { title: "Logout" }), "human", "Seen");
  repository.archived = true;
  const { imported, problems } = await place.sync();
  assertEquals([imported.length, problems.length], [2, 2]);
  assert(problems[0].includes("archived") && problems[1].includes("acme/shop#2"), problems);
  const authors = temp.issue(imported[1]).comments.map(({ author }) => author);
  assertEquals([temp.issue(imported[1]).author, ...authors], ["@human", "@human"]);
});

Deno.test("a deleted and a moved issue are named, and stay here", async () => {
  await using place = await TempGitHub.make();
  const { github, repository, temp } = place;
  const all = [1, 2, 3].map((number) =>
    github.state.issue(repository, "ada", { title: `Issue ${number}` })
  );
  await place.sync();
  all[0].gone = true;
  github.state.transfer(all[1], github.state.repository("acme/other"));
  const { problems } = await place.syncWhole();
  assertEquals(problems, [
    "acme/shop#1 was deleted there; #1 here stays",
    "acme/shop#2 was moved to another repository; #2 here stays",
  ]);
  assertEquals((await temp.json(["issue", "list"])).issues.length, 3);
});

Deno.test("sync reads a renamed repository under its new name without a second copy of its issues", async () => {
  await using place = await TempGitHub.make();
  const { github, repository, temp } = place;
  github.state.issue(repository, "ada", { title: "Login" });
  await place.sync();
  github.state.rename("acme/shop", "acme/store");
  const renamed = await temp.run(["sync"]);
  assertEquals(renamed.code, 1);
  assert(renamed.err.includes("renamed"), renamed.err);
  await temp.run(["config", "set", "github.repository", "acme/store"]);
  await place.turnOn();
  github.state.issue(repository, "ada", { title: "Logout" });
  assertEquals((await place.sync()).imported, [2]);
});

Deno.test("10,000 comments are read in a bounded time", async () => {
  await using place = await TempGitHub.make();
  const { github, repository, temp } = place;
  const issue = github.state.issue(repository, "ada", { title: "Long" });
  const now = Date.now();
  const comments = Array.from({ length: 10_000 }, (_, index) => ({
    id: 50_000 + index,
    html_url: `${github.url}/acme/shop/issues/1#issuecomment-${index}`,
    issue_url: `${github.url}/repos/acme/shop/issues/1`,
    user: { login: "eve" },
    body: `Comment ${index}`,
    created_at: new Date(now - 20_000_000 + index * 1_000).toISOString(),
    updated_at: new Date(now - 20_000_000 + index * 1_000).toISOString(),
  }));
  // The fake makes all of its comments for each page: here the pages are made before.
  github.fault = ({ path, query }) => {
    if (!path.endsWith("/issues/comments")) return undefined;
    const page = Number(new URLSearchParams(query).get("page") ?? 1);
    const next = `${github.url}/repos/acme/shop/issues/comments?per_page=100&page=${page + 1}`;
    const headers: Record<string, string> = page < 100 ? { link: `<${next}>; rel="next"` } : {};
    const body = JSON.stringify(comments.slice((page - 1) * 100, page * 100));
    return { kind: "status", status: 200, when: "before", headers, body };
  };
  const begun = cpuUsage();
  await place.sync();
  // The time of the processor: a machine at work elsewhere does not lengthen it.
  const { user, system } = cpuUsage(begun);
  assertEquals(temp.issue(issue.number).comments.length, 10_000);
  assert(user + system < 20_000_000, `${user + system} microseconds`);
});

Deno.test("an issue that has another number here keeps it", async () => {
  await using place = await TempGitHub.make();
  const { github: { state }, repository, temp } = place;
  await temp.run(["issue", "create", "Ours"]);
  const issue = state.issue(repository, "ada", { title: "Theirs" });
  assertEquals((await place.sync()).imported, [2]);
  Object.assign(issue, { title: "Changed", updated: state.now() });
  await place.sync();
  assertEquals([temp.issue(1).title, temp.issue(2).title], ["Ours", "Changed"]);
});

Deno.test("an Enterprise Server that knows an older version of the API is read and written", async () => {
  await using place = await TempGitHub.make({ enterprise: true });
  await place.issues(2);
  const { code, err } = await place.temp.run(["issue", "edit", "1", "-t", "Renamed"]);
  assertEquals(code, 0, err);
  await place.sync();
  assertEquals(place.temp.issue(2).title, "Issue 2");
  assertEquals(place.repository.issues.get(1)?.title, "Renamed");
});
