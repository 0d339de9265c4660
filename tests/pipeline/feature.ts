/**
 * A feature in a small repository whose test fails until its code works, and the agents that do its steps.
 *
 * @module
 */

import { assert } from "@std/assert";
import type { AgentInvoker } from "../../lib/agents/agent_call.ts";
import type { StepOutcome } from "../../lib/pipeline/run_step.ts";
import { runWorkflow } from "../../lib/pipeline/run_workflow.ts";
import { openWorkspaceParts } from "../../lib/workspace/open.ts";
import { workflowParts } from "../../lib/workspace/workflow_parts.ts";
import { AGENTX, TempWorkspace } from "../temp_workspace.ts";

/** All that a feature may need, with a test of its code. */
export const FEATURE: string = `
[[steps]]
id = "prd"
agent = "product-manager"
output = "docs/prd/PRD-{{issue_number}}.md"
template = "docs/prd-template.md"
status_on_complete = "Ready"
[[steps]]
id = "ux"
agent = "ux-designer"
needs = ["prd"]
output = "docs/ux/UX-{{issue_number}}.md"
[[steps]]
id = "architecture"
agent = "architect"
needs = ["prd"]
output = "docs/adr/ADR-{{issue_number}}.md"
[[steps]]
id = "implement"
agent = "engineer"
needs = ["ux", "architecture"]
can_clarify = ["architect"]
iterate = true
evidence = [["sh", "test.sh"]]
status_on_complete = "In Review"
[[steps]]
id = "review"
agent = "reviewer"
needs = ["implement"]
output = "docs/reviews/REVIEW-{{issue_number}}.md"
status_on_complete = "Done"
`;

/** What an agent does in its tree: it says what it wrote. */
export type Script = (cwd: string, prompt: string, run: number) => string;

/** A repository with a test that fails, and a feature; `parent` is its folder, where the workspace is one below it. */
export async function repository(parent?: string): Promise<TempWorkspace> {
  const temp = new TempWorkspace({ parent });
  temp.write(".agentx/workflows/feature.toml", FEATURE);
  temp.write("docs/prd-template.md", "# PRD\n\n## Goals\n");
  temp.write("test.sh", "grep -q works app.txt\n");
  temp.write("app.txt", "nothing\n");
  temp.write(".gitignore", ".agentx/state/\n.agentx/log/\n");
  temp.write(
    ".github/agents/engineer.agent.md",
    "---\nmay_change: [app.txt]\n---\nYou write code.\n",
  );
  git(temp, "init", "-q", "-b", "main", parent ?? temp.root);
  git(temp, "config", "user.name", "t");
  git(temp, "config", "user.email", "t@example.org");
  git(temp, "add", "-A");
  git(temp, "commit", "-qm", "begin");
  await temp.run(["issue", "create", "-t", "Make it work", "-l", "type:feature"]);
  await temp.trust();
  return temp;
}

/**
 * Has every role answered by a script in the place of Claude Code, which the user agrees to.
 *
 * @returns the file in which it notes each start and each end
 */
export async function scriptedClaude(temp: TempWorkspace): Promise<string> {
  const { path } = temp.user;
  const notes = `${path}/notes`; // what settings name in the repository needs consent
  const env = {
    ...{ PATH: `${path}/bin:${Deno.env.get("PATH")}`, NOTES: notes, AGENTX },
    ...{ XDG_CONFIG_HOME: `${path}/config`, XDG_STATE_HOME: `${path}/state` },
  };
  temp.user.configure({ agents: { default: { preset: "claude", env } } });
  Deno.mkdirSync(`${path}/bin`);
  Deno.copyFileSync(new URL("./claude.sh", import.meta.url), `${path}/bin/claude`);
  for (const name of ["AGENTX_TRUST", "CI"]) Deno.env.delete(name); // agents have neither
  const { code, err } = await temp.trust();
  assert(code === 0, err);
  return notes;
}

/** Such a repository with agents that are functions. */
export async function place(scripts: Record<string, Script>, tookMs = 0, parent?: string) {
  const temp = await repository(parent);
  const runs: string[] = [];
  let [now, most] = [0, 0];
  const agents = Object.fromEntries(
    Object.entries(scripts).map(([role, script]): [string, AgentInvoker] => [role, (call) => {
      runs.push(role);
      most = Math.max(most, ++now);
      const run = runs.filter((each) => each === role).length;
      return new Promise<string>((resolve) => setTimeout(resolve, tookMs, "")).then(() => {
        now--;
        return script(call.cwd!, call.prompt, run);
      });
    }]),
  );
  const workspace = await openWorkspaceParts({ root: temp.root, agents });
  const checked: Record<string, readonly string[] | undefined> = {};
  const run = async (until?: string) => {
    const outcomes: StepOutcome[] = [];
    for await (const each of runWorkflow(1, { until }, workflowParts(workspace))) {
      outcomes.push(each);
      checked[each.step] = each.checked;
    }
    return outcomes.map(({ step, outcome, attempts, savedBy }) =>
      `${step}: ${outcome} (${attempts})${savedBy === undefined ? "" : `, saved by ${savedBy}`}`
    );
  };
  return { temp, runs, run, checked, workspace, most: () => most };
}

/** Runs git in its folder. */
export function git(temp: TempWorkspace, ...args: string[]): string {
  const { success, stdout, stderr } = new Deno.Command("git", { args, cwd: temp.root })
    .outputSync();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/** Writes one file. */
export const document = (path: string, text = "# It\n"): Script => (cwd) => {
  Deno.mkdirSync(`${cwd}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
  Deno.writeTextFileSync(`${cwd}/${path}`, text);
  return "Written.";
};

/** Agents that do what they should. */
export const GOOD: Record<string, Script> = {
  "product-manager": document("docs/prd/PRD-1.md", "# PRD\n\n## Goals\n\nIt works.\n"),
  "ux-designer": document("docs/ux/UX-1.md"),
  architect: document("docs/adr/ADR-1.md"),
  engineer: document("app.txt", "works\n"),
  reviewer: document("docs/reviews/REVIEW-1.md"),
};
