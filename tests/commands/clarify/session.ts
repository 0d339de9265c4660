/**
 * A session of a host, as the toolkit sees it: commands with the variables of the host, any of which may
 * be killed. What it asked and what it was told is in a book, which is what the oracle goes by.
 *
 * @module
 */

import { assert } from "@std/assert";
import type { ClarificationRecord } from "../../../lib/clarify/schema.ts";
import { ended, type Ran, signal, spawnAgentx } from "../../temp_workspace.ts";

/** What a host sets for the commands of one of its sessions. */
const HOSTS = {
  claude: (id: string) => ({ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: id }),
  codex: (id: string) => ({ CODEX_CI: "1", CODEX_SESSION_ID: id, CODEX_THREAD_ID: id }),
};

/** No command of the script takes so long, however slow the machine is. */
const HANGS_MS = 90_000;

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One clarification, as those who are at it know it. */
export interface Asked {
  id: string;
  /** Who asked last. */
  asker: Session;
  /** A word for each question, which no other has: its answer must have it, too. */
  words: string[];
  /** Whether its asker has taken up another issue since, which gives it up. */
  isLeft: boolean;
  isResolved: boolean;
}

/** What all sessions know. */
export class Book {
  readonly asked = new Map<string, Asked>();
  /** Words of questions whose answers came back to their asker. */
  readonly returned = new Set<string>();
  /** Who was given which issue. */
  readonly claims = new Map<number, string>();
  /** What the sessions themselves saw go wrong. */
  readonly faults: string[] = [];
  /** Running programs, which may be killed. */
  readonly running = new Set<Deno.ChildProcess>();
  readonly killed = new Set<Deno.ChildProcess>();
  readonly counts = { turns: 0, commands: 0, kills: 0, byHand: 0, takenOver: 0 };
  #words = 0;

  newWord(): string {
    return `q${++this.#words}`;
  }

  kill(child: Deno.ChildProcess): void {
    if (!signal(child, "SIGKILL")) return;
    this.killed.add(child);
    this.counts.kills++;
  }
}

/** Options of {@linkcode Session}. */
export interface SessionOptions {
  role: string;
  host: keyof typeof HOSTS;
  /** The last four digits of the session's id. */
  digits: string;
  cwd: string;
  /**
   * The words that start `agentx`.
   *
   * @default {those for Deno}
   */
  program?: readonly string[];
}

/** How a command ended, killed or not. */
export interface Outcome extends Ran {
  isKilled: boolean;
}

/** One session. */
export class Session {
  readonly name: string;
  readonly role: string;
  readonly book: Book;
  /** What its hooks have said for certain: neither, while one of them is being called. */
  said: "at work" | "finished" | undefined = "finished";
  readonly #options: SessionOptions;

  constructor(book: Book, options: SessionOptions) {
    const { role, host, digits } = options;
    this.book = book;
    this.role = role;
    this.name = `${role}@${host}-${digits}`;
    this.#options = options;
  }

  start(argv: readonly string[]): Deno.ChildProcess {
    const { cwd, host, digits, program } = this.#options;
    const env = HOSTS[host](`01a20384-7e8f-74f3-84a5-63f87f17${digits}`);
    const child = spawnAgentx(argv, { cwd, env, program });
    this.book.counts.commands++;
    this.book.running.add(child);
    return child;
  }

  /** How a program ended; an exit code other than those that are expected is a fault. */
  async end(child: Deno.ChildProcess, what: string, codes: readonly number[]): Promise<Outcome> {
    const { running, killed, faults } = this.book;
    const ran = await ended(child);
    running.delete(child);
    const isKilled = killed.delete(child);
    if (!isKilled && !codes.includes(ran.code)) {
      faults.push(`${this.name}: ${what}: exit code ${ran.code}\n${ran.out}${ran.err}`);
    }
    return { ...ran, isKilled };
  }

  async run(argv: readonly string[], codes: readonly number[] = [0]): Promise<Outcome> {
    const child = this.start(argv);
    const what = argv.join(" ");
    const timer = setTimeout(() => {
      this.book.faults.push(`${this.name}: ${what}: it hangs`);
      signal(child, "SIGKILL");
    }, HANGS_MS);
    return await this.end(child, what, codes).finally(() => clearTimeout(timer));
  }

  /** Runs again what was killed; for what may be done twice. */
  async insist(argv: readonly string[], codes: readonly number[] = [0]): Promise<Outcome> {
    while (true) {
      const outcome = await this.run(argv, codes);
      if (!outcome.isKilled) return outcome;
    }
  }

  /** The clarifications that a listing shows. */
  async list(...argv: string[]): Promise<ClarificationRecord[]> {
    const { out } = await this.insist(["clarify", ...argv, "--json"]);
    return JSON.parse(out).clarifications;
  }

  async recordOf({ id }: Asked): Promise<ClarificationRecord> {
    const [record] = await this.list("--id", id);
    assert(record !== undefined, `${id} is not found`);
    return record;
  }
}

/** @returns the word of a question or an answer */
export function wordOf(body: string): string {
  return /\bq\d+\b/.exec(body)?.[0] ?? "";
}
