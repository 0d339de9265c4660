// Finds the workspace of a call. The current folder is not enough, because a plugin's server starts in the folder of
// the plugin.
//
// The candidates, in this order: `--root`, the argument `workspace`, the roots of the client, the project folder that
// the host sets for its children, the current folder. The first one with a workspace counts.

import { inputRequired, type InputRequiredResult } from "@modelcontextprotocol/server";
import { isObject } from "../base/checks.ts";
import { isInside } from "../sys/inside.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { invalidInput } from "../base/input_checks.ts";
import { repositoryAbove } from "../git/repository.ts";
import { sys } from "../sys/mod.ts";
import { findWorkspace } from "../workspace/find.ts";
import type { Caller } from "./caller.ts";

/** Variables with the project folder that hosts set for a server: Claude Code 2.1.197. */
const PROJECT_VARIABLES = ["CLAUDE_PROJECT_DIR"];

const ROOTS = "roots";

/** Finds the workspace of each call on one connection. */
export class WorkspaceFinder {
  readonly #root: string | undefined;
  #roots: Promise<string[]> | undefined;

  constructor(root: string | undefined) {
    this.#root = root;
  }

  /** Forgets the roots, because the client has opened or closed a folder. */
  forgetRoots(): void {
    this.#roots = undefined;
  }

  /**
   * Returns a folder in a workspace, or a request to the client for its roots. Throws `NOT_INITIALISED` with the
   * folders that were searched, `UNTRUSTED`.
   */
  async find(
    caller: Caller,
    workspace: string | undefined,
  ): Promise<string | InputRequiredResult> {
    if (this.#root !== undefined) return firstWith([this.#root], workspace);
    const roots = await this.#rootsOf(caller);
    if (roots === undefined) return inputRequired({ inputRequests: { [ROOTS]: ASK_FOR_ROOTS } });
    const folders = [...roots, ...PROJECT_VARIABLES.flatMap((name) => sys.env(name) || [])];
    if (workspace === undefined) return firstWith([...folders, sys.cwd()]);
    const found = firstWith([workspace]);
    const own = repositoryAbove(sys.realPath(sys.cwd()) ?? sys.cwd())?.checkout ?? [];
    checkServed(workspace, folders.concat(own, sys.cwd()));
    return found;
  }

  /** Returns the folders of the client; undefined if the result of the call has to ask for them. */
  async #rootsOf(caller: Caller): Promise<string[] | undefined> {
    if (!caller.hasRoots) return [];
    const { [ROOTS]: answer } = caller.answers;
    if (isObject(answer) && Array.isArray(answer.roots)) {
      this.#roots = Promise.resolve(foldersOf(answer.roots));
    }
    if (this.#roots === undefined) {
      const listed = await caller.listRoots().catch(() => []); // a client may declare roots that it cannot list
      if (listed === undefined) return undefined;
      this.#roots = Promise.resolve(foldersOf(listed));
    }
    return await this.#roots;
  }
}

const ASK_FOR_ROOTS = inputRequired.listRoots();

function foldersOf(roots: readonly unknown[]): string[] {
  return roots.flatMap((root) => {
    const uri = isObject(root) ? String(root.uri) : "";
    if (!uri.startsWith("file:") || !URL.canParse(uri)) return [];
    try {
      return [decodeURIComponent(new URL(uri).pathname)];
    } catch {
      return []; // not a valid encoding of a file path
    }
  });
}

function firstWith(folders: readonly string[], other?: string): string {
  for (const folder of folders) {
    try {
      const { root } = findWorkspace(folder);
      if (other !== undefined && findWorkspace(other).root !== root) throw notServed(other, root);
      return folder;
    } catch (error) {
      if (!hasCode(error, "NOT_INITIALISED")) throw error;
    }
  }
  const looked = [...new Set(folders)].map((folder) => `"${folder}"`).join(", ");
  throw new AgentxError(
    "NOT_INITIALISED",
    `Cannot find a workspace: there is no .agentx/ in ${looked} or above`,
    {
      details: { path: folders[0] },
      next:
        "Create one in the project folder with: agentx init; or pass the folder of another one " +
        "in the argument workspace",
    },
  );
}

/**
 * Checks the workspace that an agent names, because a call writes to it. The client must have opened it, or it must
 * belong to the agent's repository. The current folder is last in `folders`. It may be the home folder, so folders
 * below it do not count.
 */
function checkServed(workspace: string, folders: readonly string[]): void {
  const { root } = findWorkspace(workspace);
  const opened = folders.slice(0, -1).flatMap((folder) => sys.realPath(folder) ?? []);
  if (isInside(root, opened)) return;
  const isShared = folders.some((folder) => {
    try {
      return findWorkspace(folder).root === root; // a worktree, or a folder below the workspace
    } catch (error) {
      if (error instanceof AgentxError) return false;
      throw error;
    }
  });
  if (!isShared) throw notServed(workspace, folders[0]);
}

function notServed(workspace: string, root: string): AgentxError<"INVALID_INPUT"> {
  const why = `this server is for "${root}"`;
  return invalidInput("workspace", workspace, why, "Leave workspace out");
}
