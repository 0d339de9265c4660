// Finds, installs, creates, runs and removes the packages of a workspace. Each package has a folder with its name in
// `.agentx/plugins/`, and belongs to the repository. Nothing of a package is used before the user has agreed to its
// whole content (`config/trust.ts`).

import { isSameContent } from "../base/bytes.ts";
import { AgentxError, hasCode } from "../base/errors.ts";
import { hashOf } from "../base/hash.ts";
import {
  packageError,
  type PackageFiles,
  packageNames,
  PACKAGES_FOLDER,
  readPackageFiles,
} from "../config/packages.ts";
import { RepositoryTrust } from "../config/trust.ts";
import { userStateFolder } from "../config/user_folders.ts";
import { sys } from "../sys/mod.ts";
import { describePackage, type PluginPackage } from "./package.ts";
import { problem } from "./problem.ts";
import { runCommand } from "./run_command.ts";
import { scaffold } from "./scaffold.ts";
import { readPackageSource } from "./source.ts";

/** A package of the workspace. */
export interface Plugin extends PluginPackage {
  /** The folder of the package, from the top of the workspace. */
  path: string;
  /** Whether the user has agreed to the current content. */
  isAgreed: boolean;
}

/** The changes that an installation makes. */
export interface PluginPlan extends PluginPackage {
  /** The folder of the package, from the top of the workspace. */
  path: string;
  /** Whether the installation replaces a package of the same name. */
  isUpdate: boolean;
  /** The files to copy out of the package. A file that differs from the previously installed one is kept. */
  writes: { path: string; action: "create" | "update" | "keep" }[];
  /** Whether the package was installed. */
  isInstalled: boolean;
}

/** Options of {@linkcode PluginManager.install}. */
export interface InstallOptions {
  /** Whether to return only the plan. */
  isDry?: boolean;
  /** Asks the user; if they agree, the consent is stored. If absent, the package is installed without consent. */
  confirm?: (plan: PluginPlan) => Promise<boolean>;
  /** Ends the wait for a git repository. */
  signal?: AbortSignal;
}

/** The place of the packages. */
export interface PluginManagerOptions {
  /** The folder that holds `.agentx/`. */
  root: string;
  /** The same folder in the caller's checkout, where commands run. */
  tree?: string;
}

/** Manages the packages of a workspace (PRD P1.1). */
export class PluginManager {
  readonly #root: string;
  readonly #tree: string;
  readonly #trust: RepositoryTrust;

  /** Makes a manager; it reads no file before a method is called. */
  constructor({ root, tree = root }: PluginManagerOptions) {
    this.#root = root;
    this.#tree = tree;
    this.#trust = new RepositoryTrust({ root, tree, repositoryAgents: {}, agents: {} });
  }

  /** Returns all packages, by name, each with its `problems`. */
  async list(): Promise<Plugin[]> {
    const all = await Promise.all(packageNames(this.#root).map((name) => this.#read(name)));
    return all.map(({ plugin }) => plugin);
  }

  /**
   * Installs or replaces a package.
   *
   * @param source a folder, an archive, or the address of a git repository
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_CONFIG`, `UNTRUSTED` without a folder for the consent, `IO_ERROR`
   */
  async install(source: string, options: InstallOptions = {}): Promise<PluginPlan> {
    const { isDry = false, confirm, signal } = options;
    const files = await readPackageSource(source, signal);
    const described = await describePackage(files);
    const { name, problems } = described;
    const path = `${PACKAGES_FOLDER}/${name}`;
    const isUpdate = name !== "" && packageNames(this.#root).includes(name);
    const { files: before } = isUpdate ? this.#filesOf(name) : { files: undefined };
    const writes = described.copies.map(({ from, to }) => ({
      path: to,
      action: this.#actionFor(to, { now: files.get(from), before: before?.get(from) }),
    }));
    const plan: PluginPlan = { ...described, path, isUpdate, writes, isInstalled: false };
    if (isDry) return plan;
    const fatal = problems.find(({ level }) => level === "error");
    if (fatal !== undefined) {
      const next = "See all that is wrong with it: agentx plugin install SOURCE --dry-run";
      throw packageError(source, `${fatal.path}: ${fatal.why}`, next);
    }
    if (confirm !== undefined && !await confirm(plan)) return plan;
    this.#replace(name, files);
    for (const { from, to } of described.copies) {
      const { action } = writes.find(({ path }) => path === to)!;
      if (action === "keep") continue;
      sys.removeFile(`${this.#root}/${to}`);
      write(`${this.#root}/${to}`, files.get(from)!.bytes);
    }
    if (confirm !== undefined) await this.#trust.allowContent(path, described.hash);
    return { ...plan, isInstalled: true };
  }

  /**
   * Removes a package, its data, and unchanged copies of its files.
   *
   * @returns the removed paths
   * @throws {AgentxError} `NOT_FOUND`, `IO_ERROR`
   */
  async remove(name: string): Promise<string[]> {
    const { plugin: { path, copies }, files } = await this.#get(name);
    const copied = copies.filter(({ from, to }) =>
      isSameContent(this.#bytesAt(to), files.get(from)?.bytes)
    ).map(({ to }) => to);
    for (const to of copied) sys.removeFile(`${this.#root}/${to}`);
    for (const folder of [`${this.#root}/${path}`, this.#dataFolder(name)]) {
      if (sys.lstat(folder) !== undefined) sys.removeFolder(folder);
    }
    await this.#trust.allowContent(path, undefined);
    return [path, ...copied];
  }

  /**
   * Creates a new package with a command, or with a skill.
   *
   * @returns the files that were written, from the top of the workspace
   * @throws {AgentxError} `INVALID_INPUT` for a name that is invalid or taken, `IO_ERROR`
   */
  async create(name: string, { hasSkill = false }: { hasSkill?: boolean } = {}): Promise<string[]> {
    const texts = Object.entries(scaffold(name, hasSkill));
    const files = new Map(
      texts.map(([path, text]) =>
        [path, { bytes: new TextEncoder().encode(text), isExecutable: false }] as const
      ),
    );
    const { problems } = await describePackage(files);
    const why = packageNames(this.#root).includes(name) ? "it is there already" : problems[0]?.why;
    if (why !== undefined) {
      throw new AgentxError("INVALID_INPUT", `Cannot make package "${name}": ${why}`, {
        details: { field: "NAME", value: name },
        next: "Choose another name",
      });
    }
    this.#replace(name, files);
    return texts.map(([path]) => `${PACKAGES_FOLDER}/${name}/${path}`);
  }

  /**
   * Runs a command of a package that the user has agreed to.
   *
   * @param input an object that fits the command's input schema
   * @returns the output, which fits the command's output schema
   * @throws {AgentxError} `NOT_FOUND`, `INVALID_CONFIG`, `INVALID_INPUT`, `UNTRUSTED`, `AGENT_ERROR`
   */
  async run(
    name: string,
    commandName: string,
    input: Record<string, unknown>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const { plugin: { path, commands, problems } } = await this.#get(name);
    const fatal = problems.find(({ level }) => level === "error");
    if (fatal !== undefined) throw packageError(path, `${fatal.path}: ${fatal.why}`);
    if (!Object.hasOwn(commands, commandName)) {
      const known = Object.keys(commands).join(", ") || "none";
      throw notFound("command", `${name} ${commandName}`, `It has: ${known}`);
    }
    await this.#trust.checkContent(path);
    return await runCommand({
      name: `${name} ${commandName}`,
      command: commands[commandName],
      input,
      packageFolder: sys.realPath(`${this.#root}/${path}`)!,
      dataFolder: this.#dataFolder(name),
      tree: this.#tree,
      signal,
    });
  }

  async #get(name: string): Promise<{ plugin: Plugin; files: PackageFiles }> {
    const names = packageNames(this.#root);
    if (names.includes(name)) return await this.#read(name);
    throw notFound("package", name, `There are: ${names.join(", ") || "none"}`);
  }

  async #read(folder: string): Promise<{ plugin: Plugin; files: PackageFiles }> {
    const path = `${PACKAGES_FOLDER}/${folder}`;
    const { files, why } = this.#filesOf(folder);
    const { problems, ...described } = await describePackage(files);
    const { name, hash } = described;
    const isMisnamed = name !== "" && name !== folder;
    const misnamed = problem("error", ".", `its name ${name} must be that of its folder`);
    const plugin = {
      ...described,
      name: folder,
      path,
      isAgreed: why === undefined && this.#trust.isContentAgreed(path, hash),
      problems: why !== undefined
        ? [problem("error", ".", why)]
        : isMisnamed
        ? [...problems, misnamed]
        : problems,
    };
    return { plugin, files };
  }

  /** Returns the files of a package; if they cannot be used, no files and the reason. */
  #filesOf(folder: string): { files: PackageFiles; why?: string } {
    try {
      return { files: readPackageFiles(`${this.#root}/${PACKAGES_FOLDER}/${folder}`) };
    } catch (error) {
      if (!hasCode(error, "INVALID_CONFIG")) throw error;
      return { files: new Map(), why: error.summary };
    }
  }

  #actionFor(
    to: string,
    { now, before }: { now?: { bytes: Uint8Array }; before?: { bytes: Uint8Array } },
  ): "create" | "update" | "keep" {
    const there = this.#bytesAt(to);
    if (there === undefined) return "create";
    return !isSameContent(there, now?.bytes) && isSameContent(there, before?.bytes)
      ? "update"
      : "keep";
  }

  #bytesAt(path: string): Uint8Array | undefined {
    return sys.readPart(`${this.#root}/${path}`, 0, MAX_COPIED_BYTES)?.bytes;
  }

  /** Replaces a package; the old one stays until the new one is complete. */
  #replace(name: string, files: PackageFiles): void {
    const folder = `${this.#root}/${PACKAGES_FOLDER}`;
    const fresh = `${folder}/.new-${crypto.randomUUID()}`;
    try {
      for (const [path, { bytes, isExecutable }] of files) {
        write(`${fresh}/${path}`, bytes, isExecutable ? 0o755 : 0o644);
      }
      if (sys.lstat(`${folder}/${name}`) !== undefined) sys.removeFolder(`${folder}/${name}`);
      sys.rename(fresh, `${folder}/${name}`);
    } finally {
      if (sys.lstat(fresh) !== undefined) sys.removeFolder(fresh);
    }
  }

  /**
   * Returns the folder for data of a package. It is outside of the repository, because the data belongs to this user.
   */
  #dataFolder(name: string): string {
    const folder = userStateFolder();
    if (folder !== undefined) return `${folder}/plugins/${hashOf(this.#root)}/${name}`;
    throw new AgentxError("UNTRUSTED", `Cannot run "${name}": HOME is not set`, {
      details: { path: this.#root, reason: "there is nowhere to keep its data" },
      next: "Set HOME, or XDG_STATE_HOME to a folder of yours",
    });
  }
}

/** Maximum size of a copied file that is compared. */
const MAX_COPIED_BYTES = 1_000_000;

function write(path: string, bytes: Uint8Array, mode?: number): void {
  sys.makeDir(path.slice(0, path.lastIndexOf("/")));
  sys.writeNewFile(path, bytes, { fsync: false, mode });
}

function notFound(kind: string, id: string, next: string): AgentxError<"NOT_FOUND"> {
  return new AgentxError("NOT_FOUND", `Cannot find ${kind} "${id}": there is none`, {
    details: { kind, id },
    next,
  });
}
