// Creates a workspace: writes missing files, and keeps existing files.

import bug from "../../.agentx/workflows/bug.toml" with { type: "text" };
import devops from "../../.agentx/workflows/devops.toml" with { type: "text" };
import docs from "../../.agentx/workflows/docs.toml" with { type: "text" };
import epic from "../../.agentx/workflows/epic.toml" with { type: "text" };
import feature from "../../.agentx/workflows/feature.toml" with { type: "text" };
import spike from "../../.agentx/workflows/spike.toml" with { type: "text" };
import story from "../../.agentx/workflows/story.toml" with { type: "text" };
import { parseWorkflow, type Workflow } from "../config/workflow.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { commitFile } from "../lock/commit.ts";
import { FileLockManager } from "../lock/mod.ts";
import { sys } from "../sys/mod.ts";
import { checkJj, findWorkspace } from "./find.ts";
import { filesOfRole } from "../config/role_settings.ts";
import { repositoryAbove } from "../git/repository.ts";
import { bear } from "./state_origin.ts";
import { checkOwnership } from "./ownership.ts";
import { SHIPPED_ROLES } from "./shipped_roles.ts";
import { fixersOf } from "./fixers.ts";
import { testCommand } from "./test_command.ts";

export interface PlannedFile {
  path: string;
  action: "create" | "update" | "keep";
  /** The planned content; for a kept file, its present content. */
  text: string;
}

export interface WorkspacePlan {
  /** The folder that holds `.agentx/`, or will hold it. */
  root: string;
  files: PlannedFile[];
}

const WORKFLOWS = { feature, epic, story, bug, spike, devops, docs };

const CONFIG = { mode: "local", defaultWorkflow: "feature", agents: {} };

/**
 * Lines that git's files must contain. State belongs to one machine. All other files are for the user to commit, and
 * git merges them line by line.
 */
export const GIT_LINES: Readonly<Record<string, readonly string[]>> = {
  ".gitignore": [".agentx/state/", ".agentx/log/", ".agentx/**/*.lock"],
  ".gitattributes": [
    ".agentx/issues/**/*.jsonl merge=union",
    ".agentx/memory/**/*.jsonl merge=union",
  ],
};

/** Files that mark a folder as a package. A package may have its own workspace. */
const MANIFESTS = ["package.json", "deno.json", "deno.jsonc", "Cargo.toml", "go.mod"]
  .concat("pyproject.toml", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json")
  .concat("Gemfile", "mix.exs", "Package.swift", "CMakeLists.txt");

/** Returns the workflows that {@linkcode planWorkspace} writes. */
export function shippedWorkflows(): Workflow[] {
  return Object.entries(WORKFLOWS).map(([type, text]) => parseWorkflow(text, `${type}.toml`));
}

/** Options of a plan. */
export interface PlanOptions {
  /** Whether to create a file for each agent of the documents. Existing files of a role are kept. */
  agents?: boolean;
}

/**
 * Plans a workspace without writing anything. The place is the given folder; otherwise the existing workspace around
 * the current folder in its repository, the current folder if it is a package, or the top of the repository.
 */
export function planWorkspace(
  folder?: string,
  { agents = false }: PlanOptions = {},
): WorkspacePlan {
  const root = folder === undefined ? placeFor(sys.cwd()) : absolute(folder);
  checkOwnership(sys.realPath(root) ?? root);
  const files = [
    plan(root, ".agentx/config.json", JSON.stringify(CONFIG, null, 2) + "\n"),
    ...Object.entries(WORKFLOWS).map(([type, text]) =>
      plan(root, `.agentx/workflows/${type}.toml`, ofProject(text, root))
    ),
  ];
  if (agents) {
    checkFolders(root, [".github", ".github/agents"]);
    files.push(...Object.keys(SHIPPED_ROLES).map((role) => planRole(root, role)));
  }
  if (isInGit(root)) files.push(...Object.keys(GIT_LINES).map((path) => planLines(root, path)));
  return { root, files };
}

/**
 * Creates a workspace: the settings, seven workflows, and in a git repository the lines that git needs. Existing
 * files are kept. The place is chosen as in {@linkcode planWorkspace}. Returns the folder that holds `.agentx/`.
 *
 * @throws {AgentxError} `IO_ERROR`, `LOCK_TIMEOUT`, `UNTRUSTED` if the folder belongs to another user
 */
export async function initWorkspace(folder?: string): Promise<string> {
  const plan = planWorkspace(folder);
  await writePlan(plan);
  return plan.root;
}

/**
 * Writes the planned files. Several processes may do so at once: none overwrites what another one wrote. Throws
 * `IO_ERROR`, `LOCK_TIMEOUT`.
 */
export async function writePlan({ root, files }: WorkspacePlan): Promise<void> {
  for (const { path, action, text } of files) {
    if (action === "keep") continue;
    const isOfGit = Object.hasOwn(GIT_LINES, path);
    if (!isOfGit) sys.makeDir(`${root}/${path}`.replace(/\/[^/]*$/, ""));
    await write(
      `${root}/${path}`,
      (now) => isOfGit ? withLines(now ?? "", GIT_LINES[path]) : now ?? text,
    );
  }
  bear(root);
}

/** Adds the project's test command and fixers to the iterating steps of a workflow. */
function ofProject(workflow: string, root: string): string {
  const list = (words: readonly string[]) =>
    `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
  const test = testCommand(root);
  const fixers = Object.entries(fixersOf(root))
    .map(([glob, command]) => `${JSON.stringify(glob)} = ${list(command)}`);
  const lines = [
    ...test === undefined ? [] : [`evidence = [${list(test)}]`],
    ...fixers.length === 0 ? [] : [`fixers = { ${fixers.join(", ")} }`],
  ];
  return workflow.replaceAll(/^iterate = true$/gm, (line) => [line, ...lines].join("\n"));
}

function plan(root: string, path: string, text: string): PlannedFile {
  const current = sys.readTextFile(`${root}/${path}`);
  if (current === undefined) return { path, action: "create", text };
  return { path, action: "keep", text: current };
}

/**
 * Throws if one of the folders is a link: it may lead out of the repository, and roles are not read through links.
 */
function checkFolders(root: string, names: readonly string[]): void {
  for (const name of names) {
    const { kind = "directory" } = sys.lstat(`${root}/${name}`) ?? {};
    if (kind === "directory") continue;
    throw new AgentxError("IO_ERROR", `Cannot write into "${root}/${name}": it is no folder`, {
      details: { operation: "write", path: `${root}/${name}`, errno: "ENOTDIR" },
      next: "Make it a folder of the repository",
    });
  }
}

/** Plans the file of a role. An existing file in the folder of any host is kept. */
function planRole(root: string, role: string): PlannedFile {
  const [own, ...others] = filesOfRole(role);
  const known = others.find((path) => sys.lstat(`${root}/${path}`) !== undefined);
  return plan(root, known ?? own, SHIPPED_ROLES[role]);
}

function planLines(root: string, path: string): PlannedFile {
  const current = sys.readTextFile(`${root}/${path}`);
  const text = withLines(current ?? "", GIT_LINES[path]);
  const action = current === undefined ? "create" : text === current ? "keep" : "update";
  return { path, action, text };
}

function withLines(current: string, wanted: readonly string[]): string {
  const lines = current.split(/\r?\n/);
  const missing = wanted.filter((line) => !lines.includes(line));
  if (missing.length === 0) return current;
  const separator = current === "" || current.endsWith("\n") ? "" : "\n";
  return current + separator + missing.join("\n") + "\n";
}

/** Replaces a file as a whole, because the next `init` would keep a half-written one. */
async function write(path: string, change: (now: string | undefined) => string): Promise<void> {
  await new FileLockManager().withSafeLock(path, "init", (lock) => {
    const now = sys.readTextFile(path);
    const text = change(now);
    if (text !== now) commitFile(lock, path, text, { fsync: true });
  });
}

function absolute(folder: string): string {
  return folder.startsWith("/") ? folder : `${sys.cwd()}/${folder}`;
}

/**
 * Returns the folder for a new workspace. An existing workspace above the repository belongs to another project and
 * is ignored.
 */
function placeFor(cwd: string): string {
  const folder = sys.realPath(cwd) ?? cwd;
  checkJj(folder);
  const top = repositoryAbove(folder)?.checkout;
  const known = orElse(undefined, () => findWorkspace(folder), "NOT_INITIALISED");
  if (known && (top === undefined || `${known.tree}/`.startsWith(`${top}/`))) return known.root;
  const isPackage = MANIFESTS.some((name) => sys.lstat(`${folder}/${name}`) !== undefined);
  return isPackage ? folder : top ?? folder;
}

/** Returns whether a folder belongs to a checkout. */
export function isInGit(root: string): boolean {
  return repositoryAbove(sys.realPath(root) ?? root) !== undefined;
}
