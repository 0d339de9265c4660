// The user's consent to what a repository would run, reach or pass on: its complete `agents`, the
// content of the files that their commands name, the commands of its workflows, and the models of its
// roles. After any change the user is asked again. The project that those commands run changes all the time, and is
// not covered.
//
// What the user agreed to is kept in their own state folder, where no repository can write; the
// worktrees of a repository share it. One race remains: a user who can already write to the workspace
// can replace a file between this check and the start of the program.

import { isObject } from "../base/checks.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { repositoryPrograms } from "../git/programs.ts";
import { FileLockManager, JsonFile } from "../lock/mod.ts";
import { sha256 } from "../base/sha256.ts";
import { canConfine } from "../sandbox/confine.ts";
import { sys } from "../sys/mod.ts";
import { encodeJson, terminalLine } from "../text/text.ts";
import type { AgentConfig } from "./config.ts";
import { agreesToWeaker, consentPath, SAFEGUARDS_KEY } from "./consent_file.ts";
import { isNamedInEnvFile } from "./env_files.ts";
import { namedFiles } from "./named_files.ts";
import { modelsOfRoles } from "./role_settings.ts";
import { HTTP, presetsOf, settingsOf } from "./runnable.ts";
import { rulingHere } from "../who/surface.ts";
import { trustPath } from "./user_folders.ts";
import { isInside } from "../sys/inside.ts";
import { repositoryFolders } from "../git/repository.ts";
import { listWorkflows, readWorkflow } from "./workflow.ts";

export interface RepositoryTrustOptions {
  /** The folder that holds `.agentx/`; for a git worktree, that of the main checkout. */
  root: string;
  /** The same folder in the caller's own tree: agents run there. */
  tree: string;
  /** `agents` of the repository's own file. */
  repositoryAgents: Record<string, unknown>;
  /** All agents, including the user's, with defaults. */
  agents: Readonly<Record<string, AgentConfig>>;
  /** Settings of the repository's own file that protect the user less than the default, by key. */
  weaker?: Readonly<Record<string, unknown>>;
}

/** What a user agrees to. */
export interface TrustPlan {
  /** `agents` of the repository's own file. */
  agents: Record<string, unknown>;
  /** The files of the repository that commands name. */
  files: TrustedFile[];
  /** The command lines that steps of workflows are checked by, or mend files, each once. */
  commands: string[][];
  /** The models that definitions of roles name, by role. */
  models: Record<string, string[]>;
  /** Filters, merge drivers and programs that sign that only the settings of the repository's git name, by setting. */
  programs: Record<string, string>;
  /** Settings that protect the user less than the default, by key. */
  weaker: Record<string, unknown>;
  /** Whether the commands run in a sandbox, where there are any. */
  isConfined: boolean;
  /** SHA-256 of agents and files, in hexadecimal. */
  hash: string;
}

export interface TrustedFile {
  /** Relative to the folder in which agents run. */
  name: string;
  /** Hash of its content in hexadecimal; null for a folder, whose content is not covered. */
  sha256: string | null;
}

/** Every hash that was agreed to, by repository, and by the tree in which it was. */
type TrustFile = Record<string, Record<string, string>>;

/** What is agreed to by its hash. */
type HashedPlan = Pick<TrustPlan, "agents" | "files" | "commands" | "models" | "programs" | "hash">;

/** Nothing written by hand is nested this deep. */
const MAX_DEPTH = 100;

const MAX_FILE_BYTES = 64 * 2 ** 20;

/** Longest part of a command in a message, in columns. */
const MAX_SHOWN = 200;

/** The user's consent to what a repository would run, reach or pass. */
export class RepositoryTrust {
  readonly #options: RepositoryTrustOptions;
  readonly #repository: readonly string[];

  constructor(options: RepositoryTrustOptions) {
    this.#options = options;
    this.#repository = repositoryFolders([options.tree, options.root]);
  }

  /**
   * Collects what the repository would run, reach or pass on, as it is now. Throws `UNTRUSTED` if
   * that cannot be determined; `IO_ERROR`.
   */
  async plan(): Promise<TrustPlan> {
    const { repositoryAgents, agents, weaker = {} } = this.#options;
    const files = new Map<string, TrustedFile>();
    for (const role of Object.keys(agents)) {
      const isOwn = this.isOfRepository(role);
      for (const { name, path, kind } of this.#namedBy(role)) {
        if (kind === "file") files.set(name, { name, sha256: await this.#hashFile(path) });
        else if (isOwn) files.set(name, { name, sha256: null });
      }
    }
    const named = [...files.values()].sort((a, b) => a.name < b.name ? -1 : 1);
    const commands = commandsOfWorkflows(`${this.#options.root}/.agentx/workflows`);
    const models = modelsOfRoles(this.#options.tree);
    const what = { agents: repositoryAgents, files: named, commands };
    const isModelNamed = Object.keys(models).length > 0;
    const programs = await repositoryPrograms(this.#options.tree);
    const isProgramNamed = Object.keys(programs).length > 0;
    const isConfined = commands.length === 0 || await canConfine();
    const hashed = {
      version: 1,
      ...what,
      ...isModelNamed && { models },
      ...isProgramNamed && { programs },
      ...!isConfined && { isConfined },
    };
    const hash = await sha256(new TextEncoder().encode(this.#canonical(hashed)));
    return { ...what, models, programs, weaker, isConfined, hash };
  }

  /** Whether the user agreed to all of it, or nothing needs consent. */
  isAgreed(plan: TrustPlan): boolean {
    const isWeaker = Object.keys(plan.weaker).length > 0;
    return this.isTrusted(plan) && (!isWeaker || agreesToWeaker(plan.weaker, this.#options));
  }

  /** Whether the user agreed to what would be run, or nothing needs consent. */
  isTrusted({ agents, files, commands, models, programs, hash }: HashedPlan): boolean {
    const isEmpty = [agents, commands, models, programs].every((part) =>
      Object.keys(part).length === 0
    );
    if (isEmpty && files.every(({ sha256 }) => sha256 === null)) return true;
    return this.#isTrustedByEnvironment(hash) || this.#hashes().includes(hash);
  }

  /**
   * Records the user's consent, for all worktrees of the repository. Throws `UNTRUSTED` if `HOME`
   * is not set or consent would be kept inside it; `IO_ERROR`.
   */
  async allow({ hash, weaker }: TrustPlan): Promise<void> {
    const { root, tree } = this.#options;
    const path = trustPath();
    if (path === undefined) {
      throw this.#untrusted("trust", "HOME is not set, so there is nowhere to keep your consent");
    }
    if (isInside(path, this.#repository)) {
      throw this.#untrusted("trust", `"${path}", where your consent is kept, is inside it`);
    }
    sys.makeDir(path.slice(0, path.lastIndexOf("/")), 0o700);
    await openStore(path).update("trust", (current = {}) => {
      const trees = Object.hasOwn(current, root) ? current[root] : {};
      const settings = { [SAFEGUARDS_KEY]: JSON.stringify(weaker) };
      return { ...current, [root]: { ...trees, [`${tree} ${hash}`]: hash, ...settings } };
    });
  }

  /** Whether the settings of an agent are the repository's, and not the user's own. */
  isOfRepository(role: string): boolean {
    return Object.hasOwn(this.#options.repositoryAgents, role);
  }

  /** Throws `UNTRUSTED`, with what would run, unless the user has agreed to run an agent. */
  async check(role: string): Promise<void> {
    const isNamed = this.#namedBy(role).some(({ kind }) => kind === "file");
    if (!this.isOfRepository(role) && !isNamed) return; // the user's own
    if (this.isTrusted(await this.plan())) return;
    const settings = settingsOf(this.#options.agents, role)!;
    const { command, preset, http } = settings;
    const way = command ?? preset;
    const run = way === null ? [] : [`run ${encodeJson(way)}`];
    const isAsked = way === null || presetsOf(settings).includes(HTTP);
    const reach = isAsked && http?.url ? [`ask the model at ${http.url}`] : [];
    const what = [...run, ...reach].join(" and ") || `change how ${role} is run`;
    throw this.#untrusted(
      `run ${role} in`,
      `you have not agreed to it yet, and it would ${terminalLine(what, MAX_SHOWN)}`,
    );
  }

  /**
   * Throws unless the user has agreed to run a command of a workflow.
   *
   * @returns whether to run it in a sandbox: without one, they have agreed to that as well
   * @throws {AgentxError} `UNTRUSTED`
   */
  async checkCommand(argv: readonly string[]): Promise<Pick<TrustPlan, "isConfined">> {
    const plan = await this.plan();
    const isNamed = plan.commands.some((each) => encodeJson(each) === encodeJson(argv));
    if (isNamed && this.isTrusted(plan)) return plan;
    const why = "you have not agreed to it yet";
    throw this.#untrusted(`run ${terminalLine(encodeJson(argv), MAX_SHOWN)} in`, why);
  }

  /**
   * Throws where git starts a program on files that neither the user's own settings name nor the user agreed to.
   *
   * @throws {AgentxError} `UNTRUSTED`, `IO_ERROR`
   */
  async checkGit(): Promise<void> {
    const [named] = Object.entries(await repositoryPrograms(this.#options.tree));
    if (named === undefined || this.isTrusted(await this.plan())) return;
    const what = terminalLine(named.join(" = "), MAX_SHOWN);
    throw this.#untrusted("run git in", `its own settings have git start a program: ${what}`);
  }

  /**
   * The models that the repository names for a role, the first choice first; none before the user has
   * agreed to them, which is notified of.
   */
  async models(role: string, notify: (message: string) => void): Promise<string[]> {
    const { tree } = this.#options;
    if (!Object.hasOwn(modelsOfRoles(tree), role)) return [];
    const plan = await this.plan();
    if (this.isTrusted(plan)) return plan.models[role];
    const names = terminalLine(plan.models[role].join(", "), MAX_SHOWN);
    notify(`${role} does not get its model (${names}) before you agree to it: agentx trust`);
    return [];
  }

  #namedBy(role: string) {
    const { agents, tree } = this.#options;
    const settings = settingsOf(agents, role);
    const named = settings === undefined
      ? []
      : namedFiles(settings, { tree, repository: this.#repository });
    if (named === undefined) {
      throw this.#untrusted(
        "trust",
        `the command of ${role} is too long to check each part of it`,
      );
    }
    return named;
  }

  async #hashFile(path: string): Promise<string> {
    const part = sys.readPart(path, 0, MAX_FILE_BYTES);
    if (part === undefined || part.info.size > MAX_FILE_BYTES) {
      throw this.#untrusted("trust", `"${path}" is larger than ${MAX_FILE_BYTES / 2 ** 20} MB`);
    }
    return await sha256(part.bytes);
  }

  /** The same text for the same value, in any order of keys. */
  #canonical(value: unknown, depth = 0): string {
    if (depth > MAX_DEPTH) throw this.#untrusted("trust", "its agents are nested too deeply");
    const inner = (value: unknown) => this.#canonical(value, depth + 1);
    if (Array.isArray(value)) return `[${value.map(inner).join(",")}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const entries = Object.keys(value).sort()
      .map((key) => `${JSON.stringify(key)}:${inner(value[key])}`);
    return `{${entries.join(",")}}`;
  }

  /** In CI: the hash that `agentx trust --print` shows, or 1 on a throw-away machine. */
  #isTrustedByEnvironment(hash: string): boolean {
    const given = sys.env("AGENTX_TRUST");
    if (given !== hash && given !== "1" || rulingHere("trust") !== "variable") return false;
    const names = given === "1" ? ["AGENTX_TRUST", "CI"] : ["AGENTX_TRUST"];
    return !isNamedInEnvFile(names, [this.#options.tree, ...this.#repository]);
  }

  #hashes(): string[] {
    const { root } = this.#options;
    const real = consentPath(this.#repository);
    if (real === undefined) return [];
    const stored = openStore(real).read() ?? {};
    return Object.hasOwn(stored, root) ? Object.values(stored[root]) : [];
  }

  #untrusted(action: string, reason: string): AgentxError<"UNTRUSTED"> {
    const { root } = this.#options;
    return new AgentxError("UNTRUSTED", `Cannot ${action} "${root}": ${reason}`, {
      details: { path: root, reason },
      next: "Review it and agree to it with: agentx trust",
    });
  }
}

/** A workflow that cannot be read is not used, so nothing of it is run. */
function commandsOfWorkflows(folder: string): string[][] {
  const commands = listWorkflows(folder).flatMap((type) => {
    const steps = orElse([], () => readWorkflow(folder, type).steps, "INVALID_CONFIG");
    return steps.flatMap(({ evidence, fixers }) => [...evidence, ...Object.values(fixers)]);
  });
  const byText = new Map(commands.map((argv) => [encodeJson(argv), argv]));
  return [...byText.keys()].sort().map((text) => byText.get(text)!);
}

function openStore(path: string): JsonFile<TrustFile> {
  const problemWith = (value: unknown) =>
    isObject(value) && Object.values(value).every(isObject)
      ? undefined
      : "it must hold hashes by path";
  return new JsonFile(path, new FileLockManager(), { problemWith, kind: "state" });
}
