import { assert, assertEquals } from "@std/assert";

import type { State } from "./state.ts";
import { asking, REPO, shop } from "./shop.ts";

/** Puts a branch with a commit of its own into a repository. */
function push(state: State, name: string, branch: string, sha = `${branch}-1`): void {
  const repository = state.repositories.get(name)!;
  const parents = [repository.refs.get("refs/heads/main")!];
  repository.commits.set(sha, { sha, tree: "tree", message: branch, parents });
  repository.refs.set(`refs/heads/${branch}`, sha);
}

/** A shop with a branch "work". */
async function branch() {
  const made = await shop();
  push(made.state, "acme/shop", "work");
  return made;
}

const NEW = { title: "Fix", head: "work", base: "main", body: "Closes #1" };

Deno.test("FakeGitHub opens, lists and changes a pull request", async () => {
  const { github, state, ada } = await branch();
  await using _github = github;
  push(state, "acme/shop", "next");
  const { status, body } = await ada("POST", `${REPO}/pulls`, { ...NEW, draft: true });
  assertEquals([status, body.number, body.draft, body.head.sha], [201, 1, true, "work-1"]);
  const issue = (await ada("GET", `${REPO}/issues/1`)).body;
  assert(issue.id !== body.id, "GitHub numbers pull requests apart from issues");
  assertEquals([issue.draft, issue.pull_request.url], [true, body.url]);
  const count = async (query: string) => (await ada("GET", `${REPO}/pulls?${query}`)).body.length;
  assertEquals(await count("head=acme:work&state=open"), 1);
  assertEquals(await count("head=acme:next"), 0);
  assertEquals(await count("base=next"), 0);
  const url = `${REPO}/pulls/1`;
  const values = { title: "Mend", body: "", state: "closed" };
  const changed = (await ada("PATCH", url, values)).body;
  assertEquals([changed.title, changed.state, changed.merged], ["Mend", "closed", false]);
  assertEquals([await count("state=open"), await count("state=all")], [0, 1]);
  assertEquals((await ada("PATCH", url, { state: "open", base: "next" })).body.base.ref, "next");
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub refuses a pull request as GitHub does", async () => {
  const { github, state, repository, ada, eve } = await branch();
  await using _github = github;
  state.token("issues only", "ada", { pulls: false });
  const error = async (values: object, ask = ada) => {
    const { status, body } = await ask("POST", `${REPO}/pulls`, { ...NEW, ...values });
    const [first] = body.errors ?? [];
    return [status, first?.message ?? first?.field];
  };
  assertEquals(await error({ head: "nothing" }), [422, "head"]);
  assertEquals(await error({ base: "nothing" }), [422, "base"]);
  assertEquals(await error({ head: "eve:work" }), [422, "head"]);
  assertEquals(await error({ title: "" }), [422, "title"]);
  assertEquals(await error({ head: "main" }), [422, "No commits between main and main"]);
  assertEquals(await error({}, eve), [404, undefined]);
  assertEquals(await error({}, asking(github, "issues only")), [403, undefined]);
  assertEquals(await error({}), [201, undefined]);
  assertEquals(await error({}), [422, "A pull request already exists for acme:work."]);
  assertEquals((await ada("PATCH", `${REPO}/pulls/1`, { base: "nothing" })).status, 422);
  assertEquals((await eve("PATCH", `${REPO}/pulls/1`, { title: "Mine" })).status, 404);
  repository.archived = true;
  assertEquals((await ada("PATCH", `${REPO}/pulls/1`, { title: "Mend" })).status, 403);
  assertEquals((await ada("GET", `${REPO}/pulls/2`)).status, 404);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub opens a pull request from a fork for who may write there alone", async () => {
  const { github, state, eve } = await branch();
  await using _github = github;
  state.repository("eve/shop");
  push(state, "eve/shop", "mend");
  const { status, body } = await eve("POST", `${REPO}/pulls`, { ...NEW, head: "eve:mend" });
  assertEquals([status, body.head.label, body.head.repo.full_name], [201, "eve:mend", "eve/shop"]);
  assertEquals((await eve("PUT", `${REPO}/pulls/1/merge`)).status, 404);
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub merges a pull request once, and closes the issue that it names", async () => {
  const { github, state, repository, ada } = await branch();
  await using _github = github;
  state.issue(repository, "eve", { title: "It fails" });
  const pull = state.issue(repository, "ada", {
    ...{ title: "Fix", body: "Fixes #1" },
    pull: { head: "work", base: "main", draft: true },
  }).pull!;
  const merge = async (body?: unknown) => (await ada("PUT", `${REPO}/pulls/2/merge`, body)).status;
  assertEquals(await merge(), 405, "a draft");
  pull.draft = false;
  pull.mergeable = false;
  assertEquals(await merge(), 405, "conflicts");
  pull.mergeable = true;
  assertEquals(await merge({ sha: "other" }), 409);
  assertEquals((await ada("GET", `${REPO}/pulls/2/merge`)).status, 404);
  assertEquals(await merge({ sha: "work-1", merge_method: "squash" }), 200);
  assertEquals([pull.mergedBy, pull.mergedAs], ["ada", "squash"]);
  assertEquals(repository.refs.get("refs/heads/main"), pull.mergeSha);
  assertEquals((await ada("GET", `${REPO}/pulls/2/merge`)).status, 204);
  assertEquals((await ada("GET", `${REPO}/issues/1`)).body.state, "closed");
  assertEquals(await merge(), 405, "merged already");
  assertEquals((await ada("PATCH", `${REPO}/pulls/2`, { state: "open" })).status, 422);
  assertEquals((await ada("DELETE", `${REPO}/git/refs/heads/work`)).status, 204);
  assertEquals((await ada("DELETE", `${REPO}/git/refs/heads/work`)).status, 422);
  assertEquals((await ada("GET", `${REPO}/pulls/2`)).body.merged_by.login, "ada");
  assertEquals(github.problems, []);
});

Deno.test("FakeGitHub takes reviews, and refuses one's own approval", async () => {
  const { github, state, repository, ada, tom, eve } = await branch();
  await using _github = github;
  const issue = state.issue(repository, "ada", {
    title: "Fix",
    pull: { head: "work", base: "main" },
  });
  issue.pull!.files = [{ path: "a b.ts", status: "added", additions: 2, deletions: 0 }];
  const url = `${REPO}/pulls/1`;
  const files = (await ada("GET", `${url}/files`)).body;
  assertEquals([files[0].filename, files[0].changes], ["a b.ts", 2]);

  const ask = (ask: typeof ada, reviewers: string[]) =>
    ask("POST", `${url}/requested_reviewers`, { reviewers });
  assertEquals((await ask(ada, ["ada"])).status, 422);
  assertEquals((await ask(ada, ["nobody"])).status, 422);
  assertEquals((await ask(eve, ["tom"])).status, 403);
  assertEquals((await ask(ada, ["tom"])).body.requested_reviewers[0].login, "tom");
  assertEquals((await ada("GET", `${url}/requested_reviewers`)).body.users.length, 1);

  const review = (ask: typeof ada, body: unknown) => ask("POST", `${url}/reviews`, body);
  const own = await review(ada, { event: "APPROVE" });
  assertEquals([own.status, own.body.errors], [422, ["Can not approve your own pull request"]]);
  assertEquals((await review(tom, { event: "REQUEST_CHANGES" })).status, 422);
  const changes = (await review(tom, { event: "REQUEST_CHANGES", body: "no test" })).body;
  assertEquals([changes.state, changes.commit_id], ["CHANGES_REQUESTED", "work-1"]);
  assertEquals((await ada("GET", `${url}/requested_reviewers`)).body.users, []);
  const pending = (await review(tom, { body: "later" })).body;
  assertEquals([pending.state, "submitted_at" in pending], ["PENDING", false]);
  assertEquals((await review(tom, {})).status, 422, "a second pending one");
  const count = async (ask: typeof ada) => (await ask("GET", `${url}/reviews`)).body.length;
  assertEquals([await count(tom), await count(ada)], [2, 1]);
  assertEquals((await ada("GET", `${url}/reviews/${pending.id}`)).status, 404);

  const one = `${url}/reviews/${changes.id}`;
  assertEquals((await tom("PUT", one, { body: "no test at all" })).body.body, "no test at all");
  assertEquals((await ada("PUT", one, { body: "fine" })).status, 404);
  assertEquals((await ada("GET", one)).body.body, "no test at all");
  await ask(ada, ["tom"]);
  const removed = await ada("DELETE", `${url}/requested_reviewers`, { reviewers: ["tom"] });
  assertEquals(removed.body.requested_reviewers, []);
  assertEquals(github.problems, []);
});
