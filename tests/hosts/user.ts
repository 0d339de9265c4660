/**
 * A user of one coding agent: a home of their own, with the agent configured for all their repositories,
 * and the command line in one of these.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { ClarificationRecord } from "../../lib/clarify/schema.ts";
import { ASK, ended, type Ran, TempWorkspace } from "../temp_workspace.ts";
import { type Host, programOf } from "./host.ts";
import { CLOSED_URL } from "./scripted_model.ts";

/** Options of {@linkcode HostUser}. */
export interface HostUserOptions {
  /** How the architect is run. */
  architect: { command: string[] } | { preset: string; acp?: readonly string[] };
  /**
   * The limit of a run.
   *
   * @default {60}
   */
  timeoutSeconds?: number;
  /** Where the model is. */
  url: string;
  /**
   * Whether the agent has a key.
   *
   * @default {true}
   */
  isLoggedIn?: boolean;
}

/** Removed, with the repository, at the end of the block that is `using` it. */
export class HostUser implements Disposable {
  readonly #temp = new TempWorkspace({ isTrusted: false });
  readonly #home = this.#temp.user.path;
  readonly #env: Record<string, string>;
  readonly #architect: object;

  constructor(
    host: Host,
    { architect, timeoutSeconds = 60, url, isLoggedIn = true }: HostUserOptions,
  ) {
    this.#architect = { ...architect, timeoutSeconds };
    const wrapper = `#!/bin/sh\necho run >>'${this.#home}/runs'\nexec '${programOf(host)}' "$@"\n`;
    this.#write(`bin/${host.name}`, wrapper, 0o755);
    this.#write("tmp/.keep", "");
    for (const [path, text] of Object.entries(host.files(url))) {
      this.#write(path.replace(/^\.config\//, "config/"), text);
    }
    const nowhere = CLOSED_URL;
    this.#env = {
      PATH: `${this.#home}/bin:${Deno.env.get("PATH")}`,
      HOME: this.#home,
      XDG_CONFIG_HOME: `${this.#home}/config`,
      XDG_STATE_HOME: `${this.#home}/state`,
      TMPDIR: `${this.#home}/tmp`,
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      NO_PROXY: "127.0.0.1",
      ...host.settings,
      ...(isLoggedIn ? host.login(url) : {}),
    };
  }

  #write(path: string, text: string, mode?: number): void {
    const full = `${this.#home}/${path}`;
    Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(full, text, { mode });
  }

  /** Asks the architect. */
  async ask(): Promise<Ran> {
    return await this.#run(ASK);
  }

  /** Asks the architect further. */
  async askAgain(): Promise<Ran> {
    return await this.#run(["clarify", "ask", "CLR-42-001", "And pooling?"]);
  }

  /** Puts files into the repository; their marks are told by {@linkcode HostUser.marks}. */
  addFiles(files: (mark: (name: string) => string) => Record<string, string>): void {
    const folder = `${this.#home}/marks`;
    Deno.mkdirSync(folder);
    for (const [path, text] of Object.entries(files((name) => `touch '${folder}/${name}'`))) {
      this.#temp.write(path, text);
    }
    this.#temp.write(".git/HEAD", "ref: refs/heads/main\n");
  }

  /** The names of the marks that were left. */
  get marks(): string[] {
    return Array.from(Deno.readDirSync(`${this.#home}/marks`), ({ name }) => name);
  }

  /** Leaves a question for which one retry is due. */
  async leaveStale(): Promise<void> {
    assertEquals((await this.#temp.run(ASK)).code, 7);
    const ledger = this.#temp.ledger();
    ledger.clarifications[0].staleAfter = "2026-01-01T00:00:00.000Z";
    this.#temp.write(this.#temp.ledgerPath(42), JSON.stringify(ledger));
    await this.#temp.run(["clarify"]);
  }

  /** Asks the architect what was left. */
  async retry(): Promise<Ran> {
    return await this.#run(["clarify", "retry", "CLR-42-001"]);
  }

  /** As a process: a host reads its variables. */
  async #run(argv: readonly string[]): Promise<Ran> {
    this.#temp.user.configure({ agents: { architect: this.#architect } });
    return await ended(this.#temp.spawn(argv, { env: this.#env }));
  }

  /** How the question stands. */
  get record(): ClarificationRecord {
    return this.#temp.ledger().clarifications[0];
  }

  /** How often the agent was run. */
  get runs(): number {
    return Deno.readTextFileSync(`${this.#home}/runs`).match(/^run$/gm)?.length ?? 0;
  }

  /** The repository. */
  get root(): string {
    return this.#temp.root;
  }

  /** What stands in the repository. */
  get files(): string[] {
    return Array.from(Deno.readDirSync(this.#temp.root), ({ name }) => name);
  }

  [Symbol.dispose](): void {
    this.#temp[Symbol.dispose]();
  }
}
