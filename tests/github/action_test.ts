/**
 * The Action of `.github/actions/issues`, as a runner starts it, with events that a stranger wrote.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { parseDocument } from "../../lib/text/parse_document.ts";
import { git } from "../pipeline/feature.ts";
import { BLOCKS } from "../readme_blocks.ts";
import { AGENTX, environment, TempWorkspace } from "../temp_workspace.ts";

const FOLDER = new URL("../../.github/actions/issues/", import.meta.url).pathname;

/** Reads YAML as a runner does; a key that is there twice, and any other slip, is an error. */
// deno-lint-ignore no-explicit-any -- a test looks into it
function yaml(text: string): any {
  const document = parseDocument(text, { strict: true, uniqueKeys: true });
  assertEquals([...document.errors, ...document.warnings], []);
  return document.toJS();
}

/** A repository of git with issue 12 of GitHub as #12, and #1 that lies in git alone. */
async function place() {
  const temp = new TempWorkspace();
  temp.write(".gitignore", ".agentx/state/\n.agentx/log/\nbin/\n");
  temp.write("bin/agentx", `#!/bin/sh\nexec ${AGENTX} "$@"\n`);
  Deno.chmodSync(`${temp.root}/bin/agentx`, 0o755);
  git(temp, "init", "-q", "-b", "main");
  await temp.run(["issue", "create", "-t", "Only here"]);
  const there = { title: "There", body: "", state: "OPEN", labels: [], comments: [] };
  const at = { createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };
  const url = "https://github.com/acme/shop/issues/12";
  const issues = [{ ...there, ...at, number: 12, url, author: { login: "ada" } }];
  await temp.run(["issue", "import", "-"], { stdin: JSON.stringify(issues) });
  const run = async (name: string, event: object) => {
    temp.write(".agentx/state/event.json", JSON.stringify(event));
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", `${FOLDER}main.mjs`],
      cwd: temp.root,
      clearEnv: true,
      env: {
        ...environment(),
        PATH: `${temp.root}/bin:${Deno.env.get("PATH")}`,
        GITHUB_EVENT_NAME: name,
        GITHUB_EVENT_PATH: `${temp.root}/.agentx/state/event.json`,
        GITHUB_REPOSITORY: "Acme/Shop",
      },
    }).output();
    return { code, out: new TextDecoder().decode(stdout) };
  };
  return { temp, run, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

Deno.test("action.yml starts one script and no shell; the workflow of the docs gives no text of an event to a shell", () => {
  const { runs } = yaml(Deno.readTextFileSync(`${FOLDER}action.yml`));
  assertEquals(runs, { using: "node24", main: "main.mjs" });
  assert(Deno.statSync(FOLDER + runs.main).isFile);
  const [{ text }] = BLOCKS.filter((block) =>
    block.page === "docs/github.md" && block.language === "yaml"
  );
  const { on, permissions, jobs } = yaml(text);
  assertEquals([Object.keys(on), permissions], [["issues", "pull_request"], { contents: "write" }]);
  const [{ steps }] = Object.values<{ steps: { uses?: string; run?: string }[] }>(jobs);
  assert(steps.some(({ uses = "" }) => uses.includes("/.github/actions/issues@")));
  for (const { run = "" } of steps) assert(!run.includes("${{"), run);
});

Deno.test("the Action follows labels, states and Closes #N, commits, and starts no agent", async () => {
  using made = await place();
  const { temp, run } = made;
  const issue = { number: 12 };
  const ran = await run("issues", {
    action: "labeled",
    issue,
    label: { name: "needs: care, soon" },
  });
  assertEquals(ran, { code: 0, out: "#12: issue edit done\n" });
  assertEquals(temp.issue(12).labels, ["needs: care; soon"]);
  await run("issues", { action: "unlabeled", issue, label: { name: "needs: care, soon" } });
  await run("issues", { action: "labeled", issue, label: { name: "clarification:active" } });
  assertEquals(temp.issue(12).labels, []);
  await run("issues", { action: "closed", issue });
  assertEquals(temp.issue(12).status, "Done");
  await run("issues", { action: "reopened", issue });
  assertEquals(temp.issue(12).status, "Backlog");
  assertEquals(
    (await run("issues", { action: "closed", issue: { number: 99 } })).out,
    "#99: not here\n",
  );
  assertEquals(git(temp, "log", "-1", "--format=%an"), "github-actions[bot]");
  assertEquals(git(temp, "status", "--porcelain", ".agentx/issues"), "");

  const repository = { default_branch: "main" };
  const body = "Fixes #12 and closes: #1.";
  const pull = { merged: true, base: { ref: "main" }, body };
  for (
    const other of [
      { action: "opened", pull_request: { ...pull, merged: false } },
      { action: "closed", pull_request: { ...pull, merged: false } },
      { action: "closed", pull_request: { ...pull, base: { ref: "work" } } },
      { action: "closed", pull_request: { ...pull, body: null } },
    ]
  ) {
    assertEquals(await run("pull_request", { ...other, repository }), { code: 0, out: "" });
  }
  await run("pull_request", { action: "closed", pull_request: pull, repository });
  assertEquals([temp.issue(12).status, temp.issue(1).status], ["Done", "Done"]);
});

Deno.test("texts of an event are single arguments: no shell, no option, nothing in the log of the runner", async () => {
  using made = await place();
  const { temp, run } = made;
  const names = [
    '"; touch pwned; #',
    "$(touch pwned)",
    "`touch pwned`",
    "--status=Done",
    "::add-path::/tmp",
    "##[set-env name=PATH]/tmp",
    "x\n::stop-commands::x\n",
  ];
  for (const name of names) {
    const { out } = await run("issues", {
      action: "labeled",
      issue: { number: 12 },
      label: { name },
    });
    assert(/^#12: issue edit (?:done|failed)\n$/.test(out), out);
  }
  const quiet =
    "```text\nFixes #12\n```\n> Fixes #12\n`Fixes #12`\n<!-- Fixes #12 -->\nFixes #12x; touch pwned";
  await run("pull_request", {
    action: "closed",
    repository: { default_branch: "main" },
    pull_request: { merged: true, base: { ref: "main" }, body: quiet },
  });
  const { status, labels } = temp.issue(12);
  assertEquals([status, temp.has("pwned")], ["Backlog", false]);
  assert(labels.includes("$(touch pwned)") && labels.includes("--status=Done"), labels.join(" | "));
});
