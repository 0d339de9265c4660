// The user's consent to the programs, addresses and variables of a repository: its complete `agents`, the content of
// the files that their commands name, the commands of its workflows, and the models of its roles. Each of its
// packages and its scheduled tasks need a consent of their own. After any change, the user is asked again. The other
// files of the project change all the time, and are not covered.
//
// `consent_file.ts` stores the consent: hashes by the tree of the consent, and the keys below. One race remains: a
// user who can already write to the workspace can replace a file between this check and the start of the program.

import { isObject, objectOf, tryParseJson } from "../base/checks.ts";
import { AgentxError, orElse } from "../base/errors.ts";
import { repositoryPrograms } from "../git/programs.ts";
import { sha256 } from "../base/sha256.ts";
import { canConfine } from "../sandbox/confine.ts";
import { isInside } from "../sys/inside.ts";
import { sys } from "../sys/mod.ts";
import { encodeJson, terminalLine } from "../text/text.ts";
import type { AgentConfig } from "./config.ts";
import {
  agreesToWeaker,
  changeConsent,
  type Consent,
  readConsent,
  SAFEGUARDS_KEY,
} from "./consent_file.ts";
import { contentsOf, hashOfContent } from "./packages.ts";
import { isNamedInEnvFile } from "./env_files.ts";
import { namedFiles, type NameScope } from "./named_files.ts";
import { modelsOfRoles } from "./role_settings.ts";
import { HTTP, presetsOf, settingsOf } from "./runnable.ts";
import { rulingHere } from "../who/surface.ts";
import { repositoryFolders } from "../git/repository.ts";
import {
  commandsOfWorkflows,
  consentParts,
  type HashedPlan,
  type Tasks,
  type TrustedFile,
  type TrustPlan,
} from "./trust_plan.ts";

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

/**
 * The key of the hashes of packages and scheduled tasks that the user agreed to, by path, as JSON. Other keys name
 * trees.
 */
const CONTENTS_KEY = "contents";

/** The key of the hashes of all other agreed parts, by the names of parts, as JSON. They tell which parts are new. */
const SHOWN_KEY = "shown";

/** The value of `AGENTX_TRUST` on a throw-away machine. It means consent to everything. */
const ANYTHING = "1";

/** The maximum depth of nested values. A file written by hand is never nested this deeply. */
const MAX_DEPTH = 100;

const MAX_FILE_BYTES = 64 * 2 ** 20;

/** Longest part of a command in a message, in columns. */
const MAX_SHOWN = 200;

/** The user's consent to the programs, addresses and variables of a repository. */
export class RepositoryTrust {
  readonly #options: RepositoryTrustOptions;
  readonly #repository: readonly string[];

  constructor(options: RepositoryTrustOptions) {
    this.#options = options;
    this.#repository = repositoryFolders([options.tree, options.root]);
  }

  /**
   * Collects everything that the repository would run, reach or pass on, as it is now. Throws `UNTRUSTED` if the
   * parts of a command or a file cannot all be checked; `IO_ERROR`.
   */
  async plan(): Promise<TrustPlan> {
    return { ...await this.#runs(), contents: await contentsOf(this.#options.root) };
  }

  /** Returns the plan without its contents, because each content needs a consent of its own. */
  async #runs(): Promise<Omit<TrustPlan, "contents">> {
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
    const hash = await this.#hashOf(hashed);
    return { ...what, models, programs, weaker, isConfined, hash };
  }

  /** Whether the user agreed to the whole plan. True if nothing needs consent. */
  isAgreed(plan: TrustPlan): boolean {
    return Object.values(this.agreement(plan)).every((isAgreed) => isAgreed);
  }

  /**
   * Returns, for each part that needs a consent of its own, whether the user agreed to it. The keys name the parts in
   * words.
   */
  agreement(plan: TrustPlan): Record<string, boolean> {
    const consent = readConsent(this.#options);
    const { agents, files, commands, models, programs, weaker, contents } = plan;
    const namesOf = (parts: object) =>
      Object.entries(parts).flatMap(([name, part]) => Object.keys(part).length > 0 ? name : []);
    const run = namesOf({ agents, files, commands, models, "programs of git": programs });
    return Object.fromEntries([
      ...run.length > 0 ? [[run.join(", "), this.isTrusted(plan, consent)] as const] : [],
      ...namesOf({ "weaker settings": weaker })
        .map((name) => [name, agreesToWeaker(weaker, consent)] as const),
      ...Object.entries(contents)
        .map(([path, hash]) => [path, this.isContentAgreed(path, hash, consent)] as const),
    ]);
  }

  /**
   * Returns the name of each part that is new or has changed since the user agreed to it; none if no agreed parts
   * are recorded.
   */
  async changes(plan: TrustPlan, tasks: Tasks = {}): Promise<Record<string, "new" | "changed">> {
    const consent = readConsent(this.#options);
    const [shown, contents] = [SHOWN_KEY, CONTENTS_KEY].map((key) => hashesIn(consent, key));
    const before: Record<string, unknown> = { ...shown, ...contents };
    if (Object.keys(before).length === 0) return {};
    const now = { ...await this.#hashesOf(plan, tasks), ...plan.contents };
    return Object.fromEntries(
      Object.entries(now).filter(([name, hash]) => before[name] !== hash)
        .map(([name]) => [name, Object.hasOwn(before, name) ? "changed" : "new"]),
    );
  }

  /** Whether the user agreed to a package or to the scheduled tasks at a path in the workspace, with this hash. */
  isContentAgreed(path: string, hash: string, consent?: Consent): boolean {
    if (this.#isTrustedByEnvironment(hash)) return true;
    const hashes = hashesIn(consent ?? readConsent(this.#options), CONTENTS_KEY);
    return Object.hasOwn(hashes, path) && hashes[path] === hash;
  }

  /**
   * Throws unless the user has agreed to the present content of a path.
   *
   * @throws {AgentxError} `UNTRUSTED`
   */
  async checkContent(path: string): Promise<void> {
    const hash = await hashOfContent(this.#options.root, path);
    if (hash !== undefined && this.isContentAgreed(path, hash)) return;
    throw this.#untrusted(`use ${path} of`, "you have not agreed to it as it is now");
  }

  /** Records the user's consent to a content; without a hash, withdraws it. Throws as {@linkcode allow} does. */
  async allowContent(path: string, hash: string | undefined): Promise<void> {
    await changeConsent(this.#options, (own) => {
      const { [path]: _, ...others } = hashesIn(own, CONTENTS_KEY);
      const contents = hash === undefined ? others : { ...others, [path]: hash };
      return { ...own, [CONTENTS_KEY]: JSON.stringify(contents) };
    });
  }

  /** Whether the user agreed to everything that would be run. True if nothing needs consent. */
  isTrusted(
    { agents, files, commands, models, programs, hash }: HashedPlan,
    consent?: Consent,
  ): boolean {
    const isEmpty = [agents, commands, models, programs].every((part) =>
      Object.keys(part).length === 0
    );
    if (isEmpty && files.every(({ sha256 }) => sha256 === null)) return true;
    return this.#isTrustedByEnvironment(hash) ||
      Object.values(consent ?? readConsent(this.#options)).includes(hash);
  }

  /**
   * Records the user's consent, for all worktrees of the repository. Throws `UNTRUSTED` if `HOME` is not set or the
   * consent would be stored inside the repository; `IO_ERROR`.
   */
  async allow(plan: TrustPlan, tasks: Tasks = {}): Promise<void> {
    const { hash, weaker, contents } = plan;
    const shown = await this.#hashesOf(plan, tasks);
    await changeConsent(this.#options, (own) => ({
      ...own,
      [`${this.#options.tree} ${hash}`]: hash,
      [SAFEGUARDS_KEY]: JSON.stringify(weaker),
      [CONTENTS_KEY]: JSON.stringify(contents),
      [SHOWN_KEY]: JSON.stringify({ ...hashesIn(own, SHOWN_KEY), ...shown }),
    }));
  }

  /** Withdraws the user's whole consent in this repository, for all its worktrees. Throws as {@linkcode allow} does. */
  async withdraw(): Promise<void> {
    await changeConsent(this.#options, () => ({}));
  }

  /** Returns the hash of each part of a plan except its contents, by the name of the part. */
  async #hashesOf(plan: TrustPlan, tasks: Tasks): Promise<Record<string, string>> {
    const hashed = consentParts(plan, tasks)
      .map(async ([name, part]) => [name, await this.#hashOf(part)] as const);
    return Object.fromEntries(await Promise.all(hashed));
  }

  async #hashOf(value: unknown): Promise<string> {
    return await sha256(new TextEncoder().encode(this.#canonical(value)));
  }

  /** Whether the settings of an agent come from the repository, not from the user. */
  isOfRepository(role: string): boolean {
    return Object.hasOwn(this.#options.repositoryAgents, role);
  }

  /** Throws `UNTRUSTED` unless the user has agreed to run an agent. The error says what the agent would run. */
  async check(role: string): Promise<void> {
    const isNamed = this.#namedBy(role).some(({ kind }) => kind === "file");
    if (!this.isOfRepository(role) && !isNamed) return; // the user's own settings
    if (this.isTrusted(await this.#runs())) return;
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
   * Returns the names of the files of an agent's command that differ in another tree of the repository. {@linkcode
   * check} reads the files of the caller's tree. A file that is missing in the other tree is not run.
   */
  async otherwiseIn(tree: string, role: string): Promise<string[]> {
    if (this.#isTrustedByEnvironment(ANYTHING)) return [];
    const agreed = new Map<string, string>();
    for (const { name, path, kind } of this.#namedBy(role)) {
      if (kind === "file") agreed.set(name, await this.#hashFile(path));
    }
    const repository = repositoryFolders([tree]);
    // A link to a folder outside of the repository hides the files behind it from the search above.
    const hidden = [...agreed.keys()].flatMap((name) => {
      const path = orElse(undefined, () => sys.realPath(`${tree}/${name}`), "IO_ERROR");
      const isHidden = path !== undefined && !isInside(path, repository);
      return isHidden && sys.lstat(path)?.kind === "file" ? [{ name, path }] : [];
    });
    const there = this.#namedBy(role, { tree, repository }).filter(({ kind }) => kind === "file");
    const otherwise = new Set<string>();
    for (const { name, path } of [...there, ...hidden]) {
      if (await this.#hashFile(path) !== agreed.get(name)) otherwise.add(name);
    }
    return [...otherwise].sort();
  }

  /**
   * Throws unless the user has agreed to run a command of a workflow.
   *
   * @returns whether to run the command in a sandbox; if not, the user has agreed to that as well
   * @throws {AgentxError} `UNTRUSTED`
   */
  async checkCommand(argv: readonly string[]): Promise<Pick<TrustPlan, "isConfined">> {
    const plan = await this.#runs();
    const isNamed = plan.commands.some((each) => encodeJson(each) === encodeJson(argv));
    if (isNamed && this.isTrusted(plan)) return plan;
    const why = "you have not agreed to it yet";
    throw this.#untrusted(`run ${terminalLine(encodeJson(argv), MAX_SHOWN)} in`, why);
  }

  /**
   * Throws if git would start a program on files that neither the user's own git settings name nor the user agreed
   * to.
   *
   * @throws {AgentxError} `UNTRUSTED`, `IO_ERROR`
   */
  async checkGit(): Promise<void> {
    const [named] = Object.entries(await repositoryPrograms(this.#options.tree));
    if (named === undefined || this.isTrusted(await this.#runs())) return;
    const what = terminalLine(named.join(" = "), MAX_SHOWN);
    throw this.#untrusted("run git in", `its own settings have git start a program: ${what}`);
  }

  /**
   * Returns the models that the repository names for a role, in order of preference. Without the user's consent,
   * returns none and notifies the user.
   */
  async models(role: string, notify: (message: string) => void): Promise<string[]> {
    const { tree } = this.#options;
    if (!Object.hasOwn(modelsOfRoles(tree), role)) return [];
    const plan = await this.#runs();
    if (this.isTrusted(plan)) return plan.models[role];
    const names = terminalLine(plan.models[role].join(", "), MAX_SHOWN);
    notify(`${role} does not get its model (${names}) before you agree to it: agentx trust`);
    return [];
  }

  #namedBy(
    role: string,
    scope: NameScope = { tree: this.#options.tree, repository: this.#repository },
  ) {
    const settings = settingsOf(this.#options.agents, role);
    const named = settings === undefined ? [] : namedFiles(settings, scope);
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

  /** Returns the same text for equal values, whatever the order of their keys. */
  #canonical(value: unknown, depth = 0): string {
    if (depth > MAX_DEPTH) throw this.#untrusted("trust", "its agents are nested too deeply");
    const inner = (value: unknown) => this.#canonical(value, depth + 1);
    if (Array.isArray(value)) return `[${value.map(inner).join(",")}]`;
    if (!isObject(value)) return JSON.stringify(value);
    const entries = Object.keys(value).sort()
      .map((key) => `${JSON.stringify(key)}:${inner(value[key])}`);
    return `{${entries.join(",")}}`;
  }

  /**
   * Whether `AGENTX_TRUST` agrees to a hash. In CI, the variable holds hashes that `agentx trust --print` shows, with
   * commas between them, or 1 on a throw-away machine.
   */
  #isTrustedByEnvironment(hash: string): boolean {
    const given = sys.env("AGENTX_TRUST");
    if (
      given !== ANYTHING && !given?.split(",").includes(hash) || rulingHere("trust") !== "variable"
    ) {
      return false;
    }
    const names = given === ANYTHING ? ["AGENTX_TRUST", "CI"] : ["AGENTX_TRUST"];
    return !isNamedInEnvFile(names, [this.#options.tree, ...this.#repository]);
  }

  #untrusted(action: string, reason: string): AgentxError<"UNTRUSTED"> {
    const { root } = this.#options;
    return new AgentxError("UNTRUSTED", `Cannot ${action} "${root}": ${reason}`, {
      details: { path: root, reason },
      next: "Review it and agree to it with: agentx trust",
    });
  }
}

function hashesIn(consent: Consent, key: string): Record<string, unknown> {
  return objectOf(tryParseJson(consent[key] ?? ""));
}
