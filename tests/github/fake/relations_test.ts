import { assertEquals } from "@std/assert";

import { REPO, shop } from "./shop.ts";

const ids = (issues: { id: number }[]) => issues.map(({ id }) => id);

/** A shop with issues 1 to `count`, and their ids by number. */
async function issues(count: number, options: Parameters<typeof shop>[0] = {}) {
  const made = await shop(options);
  const id = [0];
  for (let number = 1; number <= count; number++) {
    id.push(made.state.issue(made.repository, "ada", { title: `Issue ${number}` }).id);
  }
  return { ...made, id };
}

Deno.test("FakeGitHub keeps sub-issues in their order, each with one parent", async () => {
  const { github, state, repository, ada, eve, id } = await issues(4);
  await using _github = github;
  const [, one, two, three, four] = id;
  const parts = `${REPO}/issues/1/sub_issues`;
  const listed = async () => ids((await ada("GET", parts)).body);
  for (const part of [four, two, three]) {
    assertEquals((await ada("POST", parts, { sub_issue_id: part })).status, 201);
  }
  assertEquals(await listed(), [four, two, three]);
  const move = (body: unknown) => ada("PATCH", `${parts}/priority`, body);
  assertEquals((await move({ sub_issue_id: four, after_id: two })).status, 200);
  assertEquals(await listed(), [two, four, three]);
  await move({ sub_issue_id: three, before_id: two });
  assertEquals(await listed(), [three, two, four]);
  assertEquals((await move({ sub_issue_id: three })).status, 422);

  const add = async (parent: number, body: unknown, ask = ada) =>
    (await ask("POST", `${REPO}/issues/${parent}/sub_issues`, body)).status;
  assertEquals(await add(2, { sub_issue_id: three }), 422);
  assertEquals(await add(2, { sub_issue_id: three, replace_parent: true }), 201);
  assertEquals(await add(3, { sub_issue_id: one }), 422, "it is above");
  assertEquals(await add(3, { sub_issue_id: three }), 422, "it is the same");
  assertEquals(await add(1, { sub_issue_id: 4 }), 404, "a number is no id");
  assertEquals(await add(4, { sub_issue_id: three }, eve), 403);
  assertEquals((await ada("GET", `${REPO}/issues/3/parent`)).body.number, 2);
  assertEquals((await ada("GET", `${REPO}/issues/3`)).body.parent_issue_url.endsWith("/2"), true);

  const store = state.repository("acme/store", { organization: true, private: true });
  const far = state.issue(store, "acme", { title: "Far" }).id;
  assertEquals(await add(4, { sub_issue_id: far }), 404, "it does not show");
  store.permissions.set("ada", "read");
  assertEquals(await add(4, { sub_issue_id: far }), 201);
  assertEquals((await ada("GET", `${REPO}/issues/4/sub_issues`)).body[0].title, "Far");
  assertEquals((await eve("GET", `${REPO}/issues/4/sub_issues`)).body, []);
  const other = state.issue(state.repository("eve/toys"), "eve", { title: "Toy" }).id;
  assertEquals(await add(4, { sub_issue_id: other }), 422, "its owner is another");

  const removed = { sub_issue_id: three };
  assertEquals((await ada("DELETE", `${REPO}/issues/2/sub_issue`, removed)).status, 200);
  assertEquals((await ada("DELETE", `${REPO}/issues/2/sub_issue`, removed)).status, 404);
  assertEquals((await ada("GET", `${REPO}/issues/3/parent`)).status, 404);
  repository.issues.get(4)!.gone = true;
  assertEquals((await ada("GET", `${REPO}/issues/4/sub_issues`)).status, 410);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub stops at GitHub's depth of sub-issues and number of blockers", async () => {
  const { github, ada, id } = await issues(60);
  await using _github = github;
  for (let number = 1; number < 8; number++) {
    const { status } = await ada("POST", `${REPO}/issues/${number}/sub_issues`, {
      sub_issue_id: id[number + 1],
    });
    assertEquals(status, 201);
  }
  const deep = await ada("POST", `${REPO}/issues/8/sub_issues`, { sub_issue_id: id[9] });
  assertEquals(deep.status, 422);
  const block = async (number: number) =>
    (await ada("POST", `${REPO}/issues/60/dependencies/blocked_by`, { issue_id: id[number] }))
      .status;
  for (let number = 1; number <= 50; number++) assertEquals(await block(number), 201);
  assertEquals(await block(51), 422);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub keeps what an issue is blocked by, by ids", async () => {
  const { github, state, repository, ada, eve, id } = await issues(3);
  await using _github = github;
  const blockers = `${REPO}/issues/1/dependencies/blocked_by`;
  const block = async (issue_id: unknown, ask = ada) =>
    (await ask("POST", blockers, { issue_id })).status;
  assertEquals([await block(id[2]), await block(id[3])], [201, 201]);
  assertEquals([await block(id[2]), await block(id[1]), await block(2)], [422, 422, 404]);
  assertEquals(await block(id[2], eve), 403);
  const pull = { title: "Fix", pull: { head: "work", base: "main" } };
  assertEquals(await block(state.issue(repository, "ada", pull).id), 422, "a pull request");
  assertEquals(ids((await ada("GET", blockers)).body), [id[2], id[3]]);
  const blocking = await ada("GET", `${REPO}/issues/2/dependencies/blocking`);
  assertEquals(ids(blocking.body), [id[1]]);
  repository.issues.get(3)!.state = "closed";
  const { issue_dependencies_summary: summary } = (await ada("GET", `${REPO}/issues/1`)).body;
  assertEquals([summary.blocked_by, summary.total_blocked_by], [1, 2]);
  assertEquals((await ada("DELETE", `${blockers}/${id[2]}`)).body.number, 2);
  assertEquals((await ada("DELETE", `${blockers}/${id[2]}`)).status, 404);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub keeps the values of fields, each as its kind wants", async () => {
  const { github, repository, ada, eve } = await issues(1);
  await using _github = github;
  const field = repository.fields[0]!.id;
  const values = `${REPO}/issues/1/issue-field-values`;
  const set = (method: string, value: unknown, ask = ada) =>
    ask(method, values, { issue_field_values: [{ field_id: field, value }] });
  assertEquals((await set("POST", "P1")).body[0].single_select_option.name, "P1");
  assertEquals((await set("POST", "P9")).body.errors[0].field, "value");
  assertEquals((await set("PUT", "P2", eve)).status, 403);
  assertEquals((await set("PUT", "P2")).body[0].value, "P2");
  const inIssue = { title: "Two", issue_field_values: [{ field_id: field, value: "P0" }] };
  const made = (await ada("POST", `${REPO}/issues`, inIssue)).body;
  assertEquals(made.issue_field_values[0].value, "P0");
  assertEquals((await ada("DELETE", `${values}/${field}`)).status, 204);
  assertEquals((await ada("DELETE", `${values}/${field}`)).status, 404);
  await set("POST", "P1");
  assertEquals((await ada("POST", values, { issue_field_values: [] })).body, []);
  const types = (await ada("GET", "/orgs/acme/issue-types")).body;
  assertEquals(types.map(({ name }: { name: string }) => name), ["Task", "Bug", "Feature"]);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub has types and fields for organizations alone", async () => {
  const { github, ada } = await issues(1, { organization: false });
  await using _github = github;
  for (const path of [`${REPO}/issue-types`, "/orgs/acme/issue-types", "/orgs/acme/issue-fields"]) {
    assertEquals((await ada("GET", path)).status, 404, path);
  }
  const { status, body } = await ada("POST", `${REPO}/issues`, { title: "Two", type: "Bug" });
  assertEquals([status, "type" in body], [201, false]);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub as an Enterprise Server lacks types, sub-issues and fields, not dependencies", async () => {
  const { github, ada, id } = await issues(2, { enterprise: true, prefix: "/api/v3" });
  await using _github = github;
  for (
    const path of [
      `${REPO}/issue-types`,
      "/orgs/acme/issue-fields",
      `${REPO}/issues/1/sub_issues`,
      `${REPO}/issues/1/parent`,
    ]
  ) assertEquals((await ada("GET", path)).status, 404, path);
  const added = await ada("POST", `${REPO}/issues/1/sub_issues`, { sub_issue_id: id[2] });
  assertEquals(added.status, 404);
  const blocked = await ada("POST", `${REPO}/issues/1/dependencies/blocked_by`, {
    issue_id: id[2],
  });
  assertEquals(blocked.status, 201);
  const { body, headers } = await ada("GET", `${REPO}/issues/1`);
  assertEquals(headers.get("x-ratelimit-remaining"), null);
  assertEquals((await ada("GET", "/rate_limit")).status, 404);
  const version = { "x-github-api-version": "2026-03-10" };
  assertEquals((await ada("GET", REPO, undefined, version)).status, 400);
  assertEquals(["type", "sub_issues_summary"].filter((key) => key in body), []);
  assertEquals(body.html_url, `${new URL(github.url).origin}/acme/shop/issues/1`);
  assertEquals(github.problems, []);
});
