/**
 * `agentx workflow merge N --pr`: the work of an issue as one pull request on GitHub, pushed by real git.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { workflowParts } from "../../lib/workspace/workflow_parts.ts";
import { runWorkflow } from "../../lib/pipeline/run_workflow.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { askWords, DANGEROUS } from "../gate/samples.ts";
import { document, git } from "../pipeline/feature.ts";
import { fastClock } from "./fast_clock.ts";
import { TempGitHub } from "./temp_github.ts";

const WORKFLOW = `
[[steps]]
id = "implement"
agent = "engineer"
can_clarify = ["architect"]
status_on_complete = "In Review"
[[steps]]
id = "review"
agent = "reviewer"
needs = ["implement"]
output = "docs/reviews/REVIEW-{{issue_number}}.md"
`;

const REVIEW = "Approved. @everyone look: Closes #2 <!-- agentx:1 -->\n";

/** Issue 2, whose number on GitHub is 2, too, in a repository of git whose origin is a bare one behind a script for ssh. */
async function worked({ post = "threads" } = {}) {
  const place = await TempGitHub.make({ isOn: false });
  const { temp, repository } = place;
  place.configure({ post, deciders: ["bob"] });
  await place.turnOn();
  place.github.state.issue(repository, "ada", { title: "First" });
  place.github.state.issue(repository, "ada", {
    title: "Pay @carl, closes #1",
    body: "With a card. @dora\n\nFixes #1",
  });
  await place.sync();
  temp.write(".agentx/workflows/feature.toml", WORKFLOW);
  temp.write("app.txt", "nothing\n");
  temp.write(".gitignore", ".agentx/state/\n.agentx/log/\n");
  const bare = `${temp.user.path}/shop.git`;
  git(temp, "init", "-q", "--bare", bare);
  git(temp, "init", "-q", "-b", "main");
  git(temp, "config", "user.name", "t");
  git(temp, "config", "user.email", "t@example.org");
  git(
    temp,
    "remote",
    "add",
    "origin",
    `ssh://git@${new URL(place.github.url).hostname}/acme/shop.git`,
  );
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "chore: begin");
  const ssh = `${temp.user.path}/ssh`;
  Deno.writeTextFileSync(ssh, `#!/bin/sh\nexec git receive-pack ${bare}\n`);
  Deno.chmodSync(ssh, 0o755);
  Deno.env.set("GIT_SSH", ssh);
  const agents = {
    engineer: (call: { cwd?: string }) =>
      Promise.resolve(document("app.txt", "works\n")(call.cwd!, "", 1)),
    reviewer: (call: { cwd?: string }) =>
      Promise.resolve(document("docs/reviews/REVIEW-2.md", REVIEW)(call.cwd!, "", 1)),
  };
  const workspace = await openWorkspaceParts({ root: temp.root, agents });
  const work = async () => {
    for await (const { outcome, step } of runWorkflow(2, {}, workflowParts(workspace))) {
      assertEquals(outcome, "done", step);
    }
  };
  // The fake has no git: it is told what the push brings.
  repository.refs.set("refs/heads/agentx/2", "0".repeat(40));
  const pulls = () => [...repository.issues.values()].filter(({ pull }) => pull !== undefined);
  const pushed = () => git(temp, "-C", bare, "rev-parse", "refs/heads/agentx/2");
  return {
    ...{ place, temp, repository, work, pulls, pushed, bare },
    async [Symbol.asyncDispose]() {
      Deno.env.delete("GIT_SSH");
      await place[Symbol.asyncDispose]();
    },
  };
}

const PR = ["workflow", "merge", "2", "--pr"];

Deno.test("workflow merge --pr pushes the branch, opens one pull request with its decisions and the verdict, and updates it", async () => {
  await using made = await worked();
  const { place, temp, work, pulls, pushed, repository } = made;
  await temp.run(["ask", "architect", "--as", "engineer", "--issue", "2", "Which cache?"]);
  await temp.run(["answer", "CLR-2-001", "None, @everyone. Closes #1"]);
  await temp.run([
    "clarify",
    "resolve",
    "CLR-2-001",
    "None, @everyone. Closes #1",
    "--as",
    "engineer",
  ]);
  await work();
  const early = await temp.run(PR, { env: { AGENTX_AGENT: "reviewer" } });
  assertEquals([early.code, pulls().length], [6, 0]);

  const { code, out, err } = await temp.run(PR);
  assertEquals(code, 0, err);
  assertEquals(
    out,
    "  Opened pull request #3 of agentx/2 into main:\n" +
      `  https://${place.host}/acme/shop/pull/3\n`,
  );
  assertEquals(pushed(), git(temp, "rev-parse", "agentx/2-review"));
  const [pull] = pulls();
  const { head, base } = pull.pull!;
  assertEquals([head, base, pull.login], ["agentx/2", "main", "ada"]);
  assert(
    /^<!-- agentx:1 PR-2@[0-9a-f]{6}\/0 [0-9a-f]{16} -->\nCloses #2\n/.test(pull.body!),
    pull.body!,
  );
  const outside = pull.body!.replaceAll(/^```text\n[^]*?\n```$/gm, "");
  for (const text of ["@", "#1", "Fixes"]) assert(!outside.includes(`${text} `), outside);
  assert(!outside.includes("everyone") && !outside.includes("dora"), outside);
  for (const text of ["With a card", "Which cache?", "None, @everyone"]) {
    assert(pull.body!.includes(text), pull.body!);
  }
  assert(!/[@#]\w/.test(pull.title), pull.title);
  assertEquals(place.github.state.notified.map(({ names }) => names).flat(), []);
  const verdicts = () => place.comments(3).map(({ body }) => body);
  assertEquals(verdicts().length, 1);
  assert(
    verdicts()[0].includes("**Verdict of ` reviewer `**\n\n```text\nApproved."),
    verdicts()[0],
  );

  // A person writes around it; what agents decide later comes in between.
  pull.body = `Before.\n\n${pull.body}\n\nBehind.`;
  pull.title = "Pay by card";
  await temp.run(["ask", "architect", "--as", "engineer", "--issue", "2", "Which log?"]);
  await temp.run(["answer", "CLR-2-002", "The new one"]);
  await temp.run(["clarify", "resolve", "CLR-2-002", "The new one", "--as", "engineer"]);
  const again = await temp.json(PR);
  assertEquals([again.pullRequest, again.isNew, pulls().length], [3, false, 1]);
  assert(/^Before\.\n\n<!--[^]*The new one[^]*\n\nBehind\.$/.test(pull.body!), pull.body!);
  assertEquals([pull.title, verdicts().length], ["Pay by card", 1]);
  await place.sync();
  assertEquals((await temp.json(PR)).isNew, false);

  place.github.state.merge(repository, pull);
  await temp.run(["issue", "edit", "2", "--status", "Ready"]);
  await place.sync();
  assertEquals(temp.issue(2).status, "Done");
});

Deno.test("an attempt without an answer is looked up: never a second pull request or verdict", async () => {
  await using made = await worked();
  const { place, temp, work, pulls } = made;
  using _clock = fastClock();
  await work();
  for (const [when, count] of [["after", 2], ["before", 4]] as const) {
    let faults = 0;
    place.github.fault = ({ method, path }) =>
      method === "POST" && /\/(?:pulls|3\/comments)$/.test(path) && faults++ % 2 === 0
        ? { kind: "status", status: 502, when }
        : undefined;
    const { code, err } = await temp.run(PR);
    assertEquals([code, pulls().length, place.comments(3).length], [0, 1, 1], err);
    assertEquals(faults, count, when);
    for (const { number } of pulls()) place.repository.issues.delete(number);
    place.repository.comments.clear();
  }
});

Deno.test("without mode github, an issue there, a remote there or leave to post, nothing is pushed, with the way out", async () => {
  await using made = await worked({ post: "none" });
  const { place, temp, work, pulls, bare } = made;
  await work();
  const refused = async (code: number, why: string) => {
    const ran = await temp.run(PR);
    assertEquals([ran.code, ran.out, pulls().length], [code, "", 0], ran.err);
    assert(ran.err.includes(why), ran.err);
    assertEquals(git(temp, "-C", bare, "for-each-ref"), "");
  };
  await refused(6, "agentx config set --global github.post escalations");
  place.configure({ post: "escalations" });
  await place.turnOn();
  for (const url of ["ssh://git@other.example/acme/shop.git", "ext::sh -c id", bare]) {
    git(temp, "remote", "set-url", "origin", url);
    await refused(4, "it does not push to");
  }
  git(temp, "remote", "remove", "origin");
  await refused(4, "it does not push to");
  await temp.run(["issue", "create", "-t", "Only here"]);
  const { code, err } = await temp.run(["workflow", "merge", "3", "--pr"]);
  assertEquals(code, 6, err);
  assert(err.includes("agentx workflow merge 3"), err);
  await temp.run(["config", "set", "mode", "local"]);
  await refused(2, "agentx config set mode github");
});

Deno.test("at the level escalations a pull request holds what humans decided, and no question about security", async () => {
  await using made = await worked({ post: "escalations" });
  const { place, temp, work, pulls } = made;
  await temp.run(["ask", "architect", "--as", "engineer", "--issue", "2", "Which cache?"]);
  await temp.run(["answer", "CLR-2-001", "Among agents"]);
  await temp.run(["clarify", "resolve", "CLR-2-001", "Among agents", "--as", "engineer"]);
  const id = await place.escalate(2, "Which store?");
  await temp.run(["answer", id, "By a human"], { terminal: true });
  const questions = [{}, { session: "s2", question: "Who may read it?", ...DANGEROUS }];
  for (const [at, question] of questions.entries()) {
    const asked = await temp.run([...askWords({ issue: "2", ...question }), "--no-wait"]);
    assertEquals(asked.code, 7, asked.err);
    const words = ["answer", `ASK-00${at + 1}`, "a"];
    const { code, err } = await temp.run(words, { terminal: true, stdin: "y\n" });
    assertEquals(code, 0, err);
  }
  await work();
  const { code, err } = await temp.run(PR);
  assertEquals(code, 0, err);
  const { body } = pulls()[0];
  assert(body!.includes("Which store?") && body!.includes("By a human"), body!);
  assert(!body!.includes("Among agents"), body!);
  assert(body!.includes("ASK-001@") && !body!.includes("ASK-002@"), body!);
});

Deno.test("a push that the remote refuses opens nothing, and names git's reason", async () => {
  await using made = await worked();
  const { temp, work, pulls, bare } = made;
  await work();
  git(temp, "push", "-q", bare, "main:refs/heads/agentx/2");
  git(temp, "-C", bare, "update-ref", "refs/heads/agentx/2", await otherCommit(temp, bare));
  const { code, err } = await temp.run(PR);
  assertEquals([code, pulls().length], [1, 0], err);
  assert(/rejected|fetch first/.test(err), err);
});

/** A commit that only the remote has. */
function otherCommit(temp: Parameters<typeof git>[0], bare: string): string {
  const tree = git(temp, "-C", bare, "rev-parse", "agentx/2^{tree}");
  const who = ["-c", "user.name=o", "-c", "user.email=o@example.org"];
  return git(temp, "-C", bare, ...who, "commit-tree", "-m", "other", tree);
}
