import { assertEquals } from "@std/assert";

import { REPO, shop } from "./shop.ts";

type Ask = Awaited<ReturnType<typeof shop>>["ada"];

/** The status of a refusal with the fields and codes of its errors. */
async function refusal(...request: [ask: Ask, ...Parameters<Ask>]): Promise<unknown[]> {
  const [ask, ...rest] = request;
  const { status, body } = await ask(...rest);
  const errors = (body.errors ?? []) as { field: string; code: string }[];
  return [status, ...errors.map(({ field, code }) => `${field} ${code}`)];
}

Deno.test("FakeGitHub makes and changes an issue with all that an account with push access sets", async () => {
  const { github, ada } = await shop();
  await using _github = github;
  const milestone = (await ada("POST", `${REPO}/milestones`, { title: "1.0" })).body.number;
  const made = (await ada("POST", `${REPO}/issues`, {
    ...{ title: "Login", body: "It fails", type: "bug" },
    ...{ labels: ["BUG", "new"], assignees: ["tom"], milestone },
  })).body;
  const names = made.labels.map(({ name }: { name: string }) => name);
  assertEquals([names, made.assignee.login, made.type.name], [["bug", "new"], "tom", "Bug"]);
  assertEquals([made.milestone.title, made.milestone.open_issues], ["1.0", 1]);
  const changed = (await ada("PATCH", `${REPO}/issues/1`, {
    ...{ title: "Log in", body: null, state: "closed", state_reason: "not_planned" },
    ...{ labels: [], assignees: [], milestone: null, type: null },
  })).body;
  assertEquals(
    [changed.title, changed.body, changed.state, changed.state_reason, changed.closed_by.login],
    ["Log in", null, "closed", "not_planned", "ada"],
  );
  assertEquals(
    [changed.labels, changed.assignees, changed.milestone, changed.type],
    [[], [], null, null],
  );
  const again = (await ada("PATCH", `${REPO}/issues/1`, { state: "open" })).body;
  assertEquals([again.state_reason, again.closed_at, again.closed_by], ["reopened", null, null]);
  const reason = await ada("PATCH", `${REPO}/issues/1`, { state_reason: "completed" });
  assertEquals(reason.body.state_reason, "reopened");
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub refuses what GitHub's validation of an issue refuses, and changes nothing then", async () => {
  const { github, repository, ada } = await shop();
  await using _github = github;
  await ada("POST", `${REPO}/issues`, { title: "Login" });
  const bad = [
    [{ title: " " }, "title missing_field"],
    [{ title: "x".repeat(257) }, "title custom"],
    [{ title: "Logout", body: "x".repeat(65537) }, "body custom"],
    [{ title: "Logout", assignees: ["nobody"] }, "assignees invalid"],
    [{ title: "Logout", milestone: 7 }, "milestone invalid"],
    [{ title: "Logout", type: "Epic" }, "type invalid"],
    [{ title: "Logout", labels: ["x".repeat(51), "new"] }, "name custom"],
  ] as const;
  for (const [values, error] of bad) {
    assertEquals(await refusal(ada, "POST", `${REPO}/issues`, values), [422, error]);
    assertEquals(await refusal(ada, "PATCH", `${REPO}/issues/1`, values), [422, error]);
  }
  assertEquals([repository.issues.size, repository.issues.get(1)!.title], [1, "Login"]);
  assertEquals(repository.labels.has("new"), false);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub keeps an issue from an account without the right, a deleted one from all", async () => {
  const { github, state, repository, ada, tom, eve } = await shop();
  await using _github = github;
  await eve("POST", `${REPO}/issues`, { title: "Hello" });
  const dropped = { labels: ["bug"], assignees: ["tom"], milestone: 9, type: "Bug" };
  const { status, body } = await eve("PATCH", `${REPO}/issues/1`, { title: "Hi", ...dropped });
  assertEquals([status, body.title, body.labels, body.type], [200, "Hi", [], null]);
  await ada("POST", `${REPO}/issues`, { title: "Mine" });
  assertEquals(await refusal(eve, "PATCH", `${REPO}/issues/2`, { title: "No" }), [403]);
  assertEquals((await tom("PATCH", `${REPO}/issues/2`, { state: "closed" })).status, 200);

  repository.issues.get(2)!.gone = true;
  assertEquals(await refusal(ada, "GET", `${REPO}/issues/2`), [410]);
  assertEquals(await refusal(ada, "PATCH", `${REPO}/issues/2`, { title: "No" }), [410]);
  const store = state.repository("acme/store", { organization: true, private: true });
  await ada("POST", `${REPO}/issues/1/comments`, { body: "Seen" });
  state.transfer(repository.issues.get(1)!, store);
  assertEquals(await refusal(ada, "GET", `${REPO}/issues/1`), [404]);
  store.permissions.set("ada", "read");
  const moved = await ada("GET", `${REPO}/issues/1`);
  assertEquals([moved.status, moved.headers.get("location")], [301, moved.body.url]);
  const there = (await ada("GET", moved.body.url)).body;
  assertEquals([there.title, there.comments], ["Hi", 1]);
  store.archived = true;
  assertEquals(await refusal(ada, "POST", "/repos/acme/store/issues", { title: "No" }), [403]);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub sends a change of a renamed repository on with its method", async () => {
  const { github, state, ada } = await shop();
  await using _github = github;
  state.rename("acme/shop", "acme/store");
  const moved = await ada("POST", `${REPO}/issues`, { title: "Hello" });
  assertEquals([moved.status, moved.body.message], [307, "Temporary Redirect"]);
  assertEquals((await ada("POST", moved.body.url, { title: "Hello" })).status, 201);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub sets labels, assignees and milestones by their own operations", async () => {
  const { github, ada, tom, eve } = await shop();
  await using _github = github;
  await ada("POST", `${REPO}/issues`, { title: "Login" });
  const issue = `${REPO}/issues/1`;
  const label = { name: "p1", color: "ff0000", description: "soon" };
  assertEquals((await ada("POST", `${REPO}/labels`, label)).body.color, "ff0000");
  assertEquals(await refusal(ada, "POST", `${REPO}/labels`, { name: "P1" }), [
    422,
    "name already_exists",
  ]);
  const color = { name: "p2", color: "red" };
  assertEquals(await refusal(ada, "POST", `${REPO}/labels`, color), [422, "color invalid"]);
  assertEquals((await tom("POST", `${issue}/labels`, { labels: ["p1"] })).body[0].name, "p1");
  assertEquals(await refusal(tom, "POST", `${issue}/labels`, { labels: ["p9"] }), [
    403,
    "label unauthorized",
  ]);
  await ada("PUT", `${issue}/labels`, { labels: ["bug"] });
  assertEquals((await ada("GET", `${issue}/labels`)).body.length, 1);
  assertEquals(await refusal(ada, "DELETE", `${issue}/labels/p1`), [404]);
  assertEquals((await ada("DELETE", `${issue}/labels`)).status, 204);

  const assignees = { assignees: ["ada", "nobody"] };
  assertEquals((await eve("POST", `${issue}/assignees`, assignees)).body.assignees, []);
  const assigned = (await ada("POST", `${issue}/assignees`, assignees)).body.assignees;
  assertEquals(assigned.map(({ login }: { login: string }) => login), ["ada"]);
  assertEquals((await ada("GET", `${REPO}/assignees/tom`)).status, 204);
  assertEquals(await refusal(ada, "GET", `${REPO}/assignees/eve`), [404]);
  await ada("GET", `${REPO}/assignees`);
  assertEquals((await ada("DELETE", `${issue}/assignees`, assignees)).body.assignees, []);

  const milestone = { title: "1.0", due_on: "2026-12-01T00:00:00Z" };
  assertEquals((await ada("POST", `${REPO}/milestones`, milestone)).status, 201);
  assertEquals(await refusal(ada, "POST", `${REPO}/milestones`, milestone), [
    422,
    "title already_exists",
  ]);
  assertEquals(await refusal(eve, "POST", `${REPO}/milestones`, { title: "2.0" }), [403]);
  assertEquals((await ada("GET", `${REPO}/milestones`)).body[0].due_on, milestone.due_on);
  assertEquals((await ada("GET", `${REPO}/milestones/1`)).body.title, "1.0");
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub lists the issues that a query asks for", async () => {
  const { github, state, repository, ada } = await shop();
  await using _github = github;
  await ada("POST", `${REPO}/milestones`, { title: "1.0" });
  const values = { milestone: 1, assignees: ["tom"], type: "Bug", labels: ["bug"] };
  state.issue(repository, "ada", { title: "Login", ...values });
  state.issue(repository, "eve", { title: "Logout" });
  const listed = async (query: string) => {
    const { body } = await ada("GET", `${REPO}/issues?${query}`);
    return body.map(({ number }: { number: number }) => number);
  };
  for (const query of ["milestone=1", "milestone=*", "assignee=tom", "type=Bug", "labels=bug"]) {
    assertEquals(await listed(query), [1], query);
  }
  for (const query of ["milestone=none", "assignee=none", "creator=eve", "type=none"]) {
    assertEquals(await listed(query), [2], query);
  }
  assertEquals(await listed("direction=asc"), [1, 2]);
  assertEquals(github.problems, []);
});
