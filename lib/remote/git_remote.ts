// A bare repository in the user's own state folder, through which agentx reads and writes refs of the agreed remote.
// The user's repository is never opened for this: none of its settings, hooks and filters can run, and its working
// tree, index and HEAD stay untouched.

import { AgentxError } from "../base/errors.ts";
import { askOfGit, type Confinement, reasonIn } from "../git/run_git.ts";
import { sys } from "../sys/mod.ts";
import type { RunResult } from "../sys/system.ts";

/** A ref and its object. */
export interface Ref {
  name: string;
  /** The id of the object, in hexadecimal. */
  id: string;
  /** The first paragraph of the commit's message; undefined if the object is no commit. */
  subject: string | undefined;
}

/** A change of one ref. */
export interface RefChange {
  name: string;
  id: string;
  /** The object that the ref must point to before; null if the ref must not exist. */
  before: string | null;
}

/**
 * The result of a push. `changed`: the ref was not in the expected state. `unclear`: the ref was locked, or no answer
 * came.
 */
export type Pushed = "done" | "changed" | "unclear";

/** The transports that git may use; it runs no other program to reach a remote. */
const TRANSPORTS = "file:git:http:https:ssh";

const SETTINGS = [
  "core.hooksPath=/dev/null",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "fetch.fsckObjects=false",
  "push.gpgSign=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** Prefix of all refs in the local bare repository. */
const HERE = "refs/agentx/";

/** Maximum length of a commit of agentx. */
const MAX_COMMIT = 65_536;

const LOCKED =
  /cannot lock ref|failed to (?:update|lock)|already exists|incorrect old value|unable to|File exists/;

/** Maximum attempts for a local ref that another process holds. */
const LOCAL_TRIES = 5;

export interface GitRemoteOptions {
  /** The bare repository. */
  folder: string;
  /** The user's repository; git must not find programs in it. */
  root: string;
  /** The name of the remote, for messages. */
  name: string;
  /** Prefix at the remote of the refs that are below `refs/agentx/` locally. @default {"refs/agentx/"} */
  prefix?: string;
  /** Time limit of one contact. @default {120_000} */
  timeoutMs?: number;
}

/** Reads and writes the refs of a remote. */
export class GitRemote {
  readonly name: string;
  readonly #folder: string;
  readonly #root: string;
  readonly #prefix: string;
  readonly #timeoutMs: number;
  readonly #confinement: Confinement;

  constructor({ folder, root, name, prefix = HERE, timeoutMs = 120_000 }: GitRemoteOptions) {
    this.name = name;
    this.#prefix = prefix;
    this.#folder = folder;
    this.#root = root;
    this.#timeoutMs = timeoutMs;
    this.#confinement = {
      env: {
        GIT_DIR: folder,
        GIT_ALLOW_PROTOCOL: TRANSPORTS,
        GIT_TERMINAL_PROMPT: "0",
        GIT_NO_REPLACE_OBJECTS: "1",
      },
      settings: SETTINGS,
    };
  }

  /** Creates the bare repository. Only its settings hold the address, because the address may contain a password. */
  static create(
    folder: string,
    { address, format, prefix = HERE }: {
      address: string;
      format: "sha1" | "sha256";
      prefix?: string;
    },
  ): void {
    for (const part of ["objects", "refs"]) sys.makeDir(`${folder}/${part}`, 0o700);
    const quoted = address.replace(/["\\]/g, "\\$&");
    const head = `[core]\n\trepositoryformatversion = ${
      format === "sha1" ? 0 : 1
    }\n\tbare = true\n`;
    const extension = format === "sha1" ? "" : "[extensions]\n\tobjectformat = sha256\n";
    const remote = `[remote "agreed"]\n\turl = "${quoted}"\n\tfetch = +${prefix}*:${HERE}*\n`;
    const config = `${head}${extension}${remote}`;
    sys.removeFile(`${folder}/config`);
    sys.writeNewFile(`${folder}/config`, config, { fsync: true, mode: 0o600 });
    sys.removeFile(`${folder}/HEAD`);
    sys.writeNewFile(`${folder}/HEAD`, "ref: refs/heads/none\n", { fsync: true, mode: 0o600 });
  }

  /**
   * Fetches the refs below a prefix, or one ref; removes local refs that are gone at the remote.
   *
   * @throws {AgentxError} `SYNC_ERROR`
   */
  async fetch(name: string, { timeoutMs, signal }: FetchOptions = {}): Promise<void> {
    const rest = name.endsWith("/") ? "*" : "";
    const spec = `+${this.#theirs(name)}${rest}:${name}${rest}`;
    const words = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--prune", "agreed"];
    for (let left = LOCAL_TRIES;; left--) {
      const run = await this.#git([...words, spec], { timeoutMs, signal });
      if (run.exitCode === 0) return;
      // A missing single ref is no failure. It is removed here, because pruning needs a pattern.
      if (/couldn't find remote ref/.test(run.stderr)) {
        return await this.#check(["update-ref", "-d", name]).then(() => {});
      }
      if (left === 0 || !LOCKED.test(run.stderr)) throw this.#error("fetch", run);
      await sys.wait(20 + Math.random() * 80, signal);
    }
  }

  /** Returns the refs below a prefix, or one ref, as last fetched. Throws `SYNC_ERROR`. */
  async refs(name: string): Promise<Ref[]> {
    const list = async (format: string, names: readonly string[]) => {
      const { outcome, exitCode, ...run } = await this.#git([
        "for-each-ref",
        `--format=%(refname) %(objectname) %(objecttype) ${format}`,
        ...names,
      ]);
      if (outcome === "output-limit") return undefined;
      if (exitCode !== 0) throw this.#error("for-each-ref", { outcome, exitCode, ...run });
      return run.stdout.split("\n").filter((line) => line !== "").map((line) => {
        const [name, id, type, ...words] = line.split(" ");
        return { name, id, said: type === "commit" ? words.join(" ") : "" };
      });
    };
    const prefix = name.replace(/\/$/, "");
    let all = await list("%(contents:subject)", [prefix]);
    if (all === undefined) { // a message is too long for memory: only that one is not read
      const sizes = await list("%(objectsize)", [prefix]) ?? [];
      const short = sizes.filter(({ said }) => said !== "" && Number(said) < MAX_COMMIT);
      const names = short.map(({ name }) => name);
      const read = names.length === 0 ? [] : await list("%(contents:subject)", names) ?? [];
      const said = new Map(read.map((ref) => [ref.name, ref.said]));
      all = sizes.map((ref) => ({ ...ref, said: said.get(ref.name) ?? "" }));
    }
    return all.map(({ said, ...ref }) => ({ ...ref, subject: said === "" ? undefined : said }));
  }

  /** Writes a commit without a ref. Its message is one line. */
  async commit(
    subject: string,
    { tree, parent, nowMs }: { tree?: string; parent?: string; nowMs: number },
  ): Promise<string> {
    const who = `agentx <agentx@localhost> ${Math.floor(nowMs / 1_000)} +0000`;
    const lines = [
      `tree ${tree ?? await this.#emptyTree()}`,
      ...parent === undefined ? [] : [`parent ${parent}`],
      `author ${who}`,
      `committer ${who}`,
      "",
      subject,
      "",
      "[skip ci]",
    ];
    return await this.#object("commit", `${lines.join("\n")}\n`);
  }

  /** Writes files into a tree; returns its id. */
  async tree(files: readonly { name: string; text: string }[]): Promise<string> {
    const rows: string[] = [];
    for (const { name, text } of files) {
      rows.push(`100644 blob ${await this.#object("blob", text)}\t${name}\n`);
    }
    return (await this.#check(["mktree"], rows.join(""))).trim();
  }

  /**
   * Returns a file of a commit; undefined if the commit does not have it; only its size if it is larger than
   * `maxBytes`.
   */
  async file(commit: string, name: string, maxBytes: number): Promise<string | number | undefined> {
    const said = await this.#check(["cat-file", "--batch-check"], `${commit}:${name}\n`);
    const [, id, size] = /^([0-9a-f]{40,64}) blob (\d+)\n$/.exec(said) ?? [];
    if (id === undefined) return undefined;
    if (Number(size) > maxBytes) return Number(size);
    return await this.#check(["cat-file", "blob", id]);
  }

  /**
   * Changes each ref that has the expected value at the remote.
   *
   * @throws {AgentxError} `SYNC_ERROR` if the remote reports on none of the refs
   */
  async push(
    changes: readonly RefChange[],
    { timeoutMs, signal }: FetchOptions = {},
  ): Promise<Pushed[]> {
    const leases = changes.map(({ name, before }) =>
      `--force-with-lease=${this.#theirs(name)}:${before ?? ""}`
    );
    const specs = changes.map(({ name, id }) => `${id}:${this.#theirs(name)}`);
    const words = ["push", "--porcelain", "--no-verify", "--no-follow-tags", ...leases, "agreed"];
    const run = await this.#git([...words, ...specs], { timeoutMs, signal });
    const said = new Map(
      Array.from(run.stdout.matchAll(/^([ +*=!-])\t[^\t\n]*:([^\t\n]+)\t(.*)$/gm), ([, ...row]) => {
        const [flag, name, why] = row;
        if (flag !== "!") return [name, "done"];
        if (/stale info/.test(why)) return [name, "changed"];
        if (/remote rejected/.test(why) && !LOCKED.test(why)) throw refused(this.name, why);
        return [name, "unclear"];
      }),
    );
    if (said.size === 0) throw this.#error("push", run);
    return changes.map(({ name }) => (said.get(this.#theirs(name)) ?? "unclear") as Pushed);
  }

  #theirs(name: string): string {
    return `${this.#prefix}${name.slice(HERE.length)}`;
  }

  /** Packs loose objects if there are many. */
  async tidy(): Promise<void> {
    const settings = ["gc.auto=6700", "gc.autoDetach=false"].flatMap((each) => ["-c", each]);
    await this.#git(["gc", "--auto", "--quiet"], { settings });
  }

  /** Returns the size of the bare repository on disk, in bytes. */
  async size(): Promise<number> {
    const said = await this.#check(["count-objects", "-v"]);
    const kib = Array.from(said.matchAll(/^size(?:-pack)?: (\d+)$/gm), ([, size]) => Number(size));
    return kib.reduce((sum, size) => sum + size, 0) * 1_024;
  }

  async #emptyTree(): Promise<string> {
    return this.#empty ??= (await this.#check(["mktree"])).trim();
  }
  #empty: string | undefined;

  async #object(type: string, text: string): Promise<string> {
    return (await this.#check(["hash-object", "-w", "-t", type, "--stdin"], text)).trim();
  }

  async #check(args: readonly string[], stdin = ""): Promise<string> {
    const run = await this.#git(args, { stdin });
    if (run.exitCode !== 0) throw this.#error(args[0], run);
    return run.stdout;
  }

  async #git(
    args: readonly string[],
    { stdin, timeoutMs = this.#timeoutMs, signal, settings = [] }: FetchOptions & {
      stdin?: string;
      settings?: readonly string[];
    } = {},
  ): Promise<RunResult> {
    const { env, settings: own } = this.#confinement;
    return await askOfGit(this.#folder, args, {
      action: "share claims and questions",
      stdin,
      confinement: { env, settings: [...own, ...settings] },
      outside: this.#root,
      timeoutMs,
      signal,
    });
  }

  #error(action: string, { outcome, exitCode, stderr }: RunResult): AgentxError<"SYNC_ERROR"> {
    const how = outcome === "exited" ? `git ${action} ended with ${exitCode}` : `git: ${outcome}`;
    const reason = `${how}${reasonIn(stderr, ": ")}`;
    return new AgentxError("SYNC_ERROR", `Cannot reach the remote ${this.name}: ${reason}`, {
      details: { remote: this.name, reason },
      next: "Changes stay pending here; send them later with: agentx sync",
    });
  }
}

function refused(remote: string, why: string): AgentxError<"SYNC_ERROR"> {
  const reason = `it refuses the ref: ${why.slice(0, 200)}`;
  return new AgentxError("SYNC_ERROR", `Cannot write to the remote ${remote}: ${reason}`, {
    details: { remote, reason, isRefused: true },
    next: "Where a forge allows branches alone, use: agentx remote git --branches",
  });
}

export interface FetchOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}
