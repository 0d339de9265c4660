import { assertEquals } from "@std/assert";

import document from "./openapi.json" with { type: "json" };
import { OPERATIONS } from "./routes.ts";
import { REPO, shop } from "./shop.ts";

Deno.test("FakeGitHub answers each of its operations as GitHub's description says", async () => {
  const { github, repository, ada } = await shop();
  await using _github = github;
  const made = await ada("POST", `${REPO}/issues`, {
    title: "Login",
    body: "it fails",
    labels: ["bug"],
    type: "bug",
  });
  assertEquals([made.status, made.body.number, made.body.type.name], [201, 1, "Bug"]);
  const second = await ada("POST", `${REPO}/issues`, { title: "Logout" });
  await ada("PATCH", `${REPO}/issues/2`, { state: "closed", state_reason: "not_planned" });
  const comment = await ada("POST", `${REPO}/issues/1/comments`, { body: "seen" });
  await ada("PATCH", `${REPO}/issues/comments/${comment.body.id}`, { body: "seen twice" });
  await ada("POST", `${REPO}/issues/1/labels`, { labels: ["new"] });
  await ada("POST", `${REPO}/labels`, { name: "other" });
  await ada("DELETE", `${REPO}/issues/1/labels/new`);
  await ada("POST", `${REPO}/issues/1/dependencies/blocked_by`, { issue_id: second.body.id });
  await ada("POST", `${REPO}/issues/1/sub_issues`, { sub_issue_id: second.body.id });
  assertEquals((await ada("GET", `${REPO}/issues/2/parent`)).body.number, 1);
  const field = repository.fields[0]!.id;
  await ada("POST", `${REPO}/issues/1/issue-field-values`, {
    issue_field_values: [{ field_id: field, value: "P0" }],
  });
  const one = (await ada("GET", `${REPO}/issues/1`)).body;
  assertEquals(one.issue_field_values[0].single_select_option.name, "P0");
  assertEquals([
    one.comments,
    one.issue_dependencies_summary.total_blocked_by,
    one.sub_issues_summary.percent_completed,
  ], [1, 1, 100]);
  const head = (await ada("GET", `${REPO}/git/ref/heads/main`)).body.object.sha;
  const commit = (await ada("GET", `${REPO}/git/commits/${head}`)).body;
  const claim = await ada("POST", `${REPO}/git/commits`, {
    message: "claim",
    tree: commit.tree.sha,
    parents: [],
  });
  const ref = { ref: "refs/agentx/claims/one", sha: claim.body.sha };
  assertEquals((await ada("POST", `${REPO}/git/refs`, ref)).status, 201);
  assertEquals((await ada("POST", `${REPO}/git/refs`, ref)).status, 422);
  const claims = await ada("GET", `${REPO}/git/matching-refs/agentx/claims/`);
  assertEquals(claims.body.map((each: { ref: string }) => each.ref), [ref.ref]);
  const entry = { path: "claim.json", mode: "100644", type: "blob", content: "{}" };
  const tree = await ada("POST", `${REPO}/git/trees`, { tree: [entry] });
  const filled = { message: "claim", tree: tree.body.sha, parents: [] };
  assertEquals((await ada("POST", `${REPO}/git/commits`, filled)).status, 201);
  const other = await ada("POST", `${REPO}/git/commits`, {
    message: "claim",
    tree: commit.tree.sha,
    parents: [claim.body.sha],
  });
  const path = `${REPO}/git/refs/agentx/claims/one`;
  assertEquals((await ada("PATCH", path, { sha: other.body.sha, force: false })).status, 200);
  assertEquals((await ada("PATCH", path, { sha: claim.body.sha, force: false })).status, 422);
  await ada("POST", `${REPO}/git/refs`, { ref: "refs/heads/work", sha: claim.body.sha });
  const pull = await ada("POST", `${REPO}/pulls`, {
    title: "Fix",
    head: "work",
    base: "main",
    body: "Closes #1",
  });
  github.state.merge(repository, repository.issues.get(pull.body.number)!);
  assertEquals((await ada("GET", `${REPO}/issues/1`)).body.state, "closed");
  assertEquals((await ada("GET", `${REPO}/pulls/${pull.body.number}`)).body.merged, true);
  for (
    const path of [
      "/user",
      "/orgs/acme/issue-fields",
      REPO,
      `${REPO}/issue-types`,
      `${REPO}/collaborators/ada/permission`,
      `${REPO}/labels`,
      `${REPO}/issues?state=all&since=2026-11-01T00:00:00Z&sort=updated&direction=asc&per_page=2`,
      `${REPO}/issues/1/comments`,
      `${REPO}/issues/1/labels`,
      `${REPO}/issues/1/sub_issues`,
      `${REPO}/issues/1/dependencies/blocked_by`,
      `${REPO}/issues/1/issue-field-values`,
      `${REPO}/issues/comments`,
      `${REPO}/issues/comments/${comment.body.id}`,
      `${REPO}/pulls?state=all`,
      `${REPO}/pulls/${pull.body.number}/reviews`,
    ]
  ) assertEquals((await ada("GET", path)).status, 200, path);
  await ada("DELETE", `${REPO}/issues/1/sub_issue`, { sub_issue_id: second.body.id });
  await ada("DELETE", `${REPO}/issues/1/dependencies/blocked_by/${second.body.id}`);
  await ada("DELETE", `${REPO}/issues/comments/${comment.body.id}`);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub answers every operation of its description, and no other", () => {
  const described = Object.values(document.paths).flatMap((each) =>
    Object.values(each as Record<string, { operationId: string }>)
  );
  const names = described.map(({ operationId }) => operationId);
  assertEquals(Object.keys(OPERATIONS).toSorted(), names.toSorted());
});

Deno.test("FakeGitHub drops in silence what an account without push access sets", async () => {
  const { github, eve } = await shop();
  await using _github = github;
  const made = await eve("POST", `${REPO}/issues`, {
    title: "Hello",
    labels: ["bug"],
    type: "Bug",
  });
  assertEquals([made.status, made.body.labels, made.body.type], [201, [], null]);
  assertEquals((await eve("POST", `${REPO}/issues/1/labels`, { labels: ["bug"] })).status, 403);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub pages, answers 304 for a known ETag and moves a renamed repository", async () => {
  const { github, state, repository, ada } = await shop();
  await using _github = github;
  for (let number = 1; number <= 5; number++) {
    state.issue(repository, "ada", { title: `Issue ${number}` });
  }
  const first = await ada("GET", `${REPO}/issues?per_page=2`);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
  assertEquals((await ada("GET", next)).body.length, 2);
  const again = await ada("GET", `${REPO}/issues?per_page=2`, undefined, {
    "if-none-match": first.headers.get("etag")!,
  });
  assertEquals([again.status, again.body], [304, undefined]);
  state.rename("acme/shop", "acme/store");
  assertEquals((await ada("GET", `${REPO}/issues`)).status, 301);
  assertEquals((await ada("GET", "/repos/acme/store/issues")).status, 200);
});

Deno.test("FakeGitHub notifies whom a comment mentions, and refuses what comes too fast", async () => {
  const { github, state, ada, eve } = await shop();
  await using _github = github;
  await ada("POST", `${REPO}/issues`, { title: "Hello", body: "cc @ada" });
  const silent =
    "`@a1` <!-- @a2 --> <code>@a3</code> me@a4.org\n\n    @a5\n\n```\n@a6\n```\n@\u200ba7";
  const loud = "@b1, (@b2) <b>@b3</b> &#64;b4 \\@b5 @org/team\n> @b6";
  const { body } = await ada("POST", `${REPO}/issues/1/comments`, { body: `${silent}\n\n${loud}` });
  const names = ["b1", "b2", "b3", "b4", "b5", "org/team", "b6"];
  assertEquals(state.notified, [
    { issue: 1, comment: undefined, names: ["ada"] },
    { issue: 1, comment: body.id, names },
  ]);
  assertEquals((await eve("GET", `${REPO}/collaborators/ada/permission`)).status, 403);
  github.secondary = { perMinute: 3, perHour: 500 };
  const comment = () => ada("POST", `${REPO}/issues/1/comments`, { body: "again" });
  const [third, fourth] = [await comment(), await comment()];
  assertEquals([third.status, fourth.status, fourth.headers.get("retry-after")], [201, 403, "60"]);
  assertEquals(github.written.length, 3);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub names a request that GitHub's description does not know", async () => {
  const { github, ada } = await shop();
  await using _github = github;
  await ada("GET", `${REPO}/issues?color=red`);
  await ada("POST", `${REPO}/issues`, { name: "no title" });
  await ada("GET", `${REPO}/nothing`);
  assertEquals(github.problems.length, 3);
});

Deno.test("FakeGitHub leaves out what a later version of the API removed", async () => {
  const { github, state, repository, ada } = await shop();
  await using _github = github;
  state.issue(repository, "ada", { title: "Fix", pull: { head: "work", base: "main" } });
  const later = { "x-github-api-version": "2026-03-10" };
  const shown = async (path: string, key: string, headers = {}) =>
    key in (await ada("GET", path, undefined, headers)).body;
  for (
    const [path, key] of [
      [`${REPO}/issues/1`, "assignee"],
      [`${REPO}/pulls/1`, "merge_commit_sha"],
      ["/rate_limit", "rate"],
    ] as const
  ) assertEquals([await shown(path, key), await shown(path, key, later)], [true, false], key);
  assertEquals(github.problems, []);
  const given = { title: "Login", assignee: "ada" };
  assertEquals((await ada("POST", `${REPO}/issues`, given, later)).status, 422);
  assertEquals(github.problems.length, 1);
});

Deno.test("FakeGitHub fails as a test asks, before or after its work", async () => {
  const { github, repository, ada } = await shop();
  await using _github = github;
  const send = () =>
    ada("POST", `${REPO}/issues`, { title: "Once" }).then(({ status }) => status, () => 0);
  const faults = [
    [{ kind: "status", status: 502, when: "before" }, 502, 0],
    [{ kind: "status", status: 502, when: "after" }, 502, 1],
    [{ kind: "drop", when: "before" }, 0, 1],
    [{ kind: "drop", when: "after" }, 0, 2],
  ] as const;
  for (const [fault, status, made] of faults) {
    github.fault = () => fault;
    assertEquals([await send(), repository.issues.size], [status, made]);
  }
});

Deno.test("FakeGitHub gives answers that a client must not trust", async () => {
  const { github, state, repository, ada } = await shop();
  await using _github = github;
  state.issue(repository, "ada", { title: "Caf\u00e9" });
  const ask = () => ada("GET", `${REPO}/issues`);
  const page = {
    kind: "status",
    status: 200,
    when: "before",
    body: "<html>Sign in</html>",
  } as const;
  github.fault = () => page;
  assertEquals(await ask().catch(({ name }) => name), "SyntaxError");
  github.fault = () => ({ kind: "half" });
  assertEquals(await ask().catch(({ name }) => name), "TypeError");
  const headers = { location: "https://elsewhere.example/issues" };
  github.fault = () => ({ kind: "status", status: 301, when: "before", headers });
  const moved = await ask();
  assertEquals([moved.status, moved.headers.get("location")], [301, headers.location]);
  github.fault = () => undefined;
  github.remaining = 0;
  github.reset = 1;
  const { status, headers: limit } = await ask();
  const told = ["x-ratelimit-remaining", "x-ratelimit-reset"].map((name) => limit.get(name));
  assertEquals([status, ...told], [403, "0", "1"]);
  assertEquals((await ada("GET", "/rate_limit")).body.rate.remaining, 0);
  assertEquals(github.problems, []);
});
