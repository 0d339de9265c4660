/**
 * A session of a coding agent as its hooks see it: what the host sends, and what it gets back.
 *
 * @module
 */

import { FakeIo } from "../cli/fake_io.ts";
import { main } from "../../cli.ts";
import { HOST_NAMES, type HostName, HOSTS } from "../../lib/hosts/hosts.ts";
import type { Delivery, SessionFile } from "../../lib/hooks/session_files.ts";
import type { TempWorkspace } from "../temp_workspace.ts";

/** What a hook did. */
export interface Answered {
  code: number;
  /** What the host takes; undefined where nothing was printed. */
  // deno-lint-ignore no-explicit-any -- a test looks into it
  answer: any;
  /** All that the model gets to read of it. */
  text: string;
  err: string;
}

/** Options of {@linkcode HookSession}. */
export interface HookSessionOptions {
  /**
   * The program that calls.
   *
   * @default {"claude"}
   */
  host?: HostName;
  /**
   * What tells the session from others.
   *
   * @default {a UUID that ends in 3f2a}
   */
  id?: string;
  /**
   * Other variables of its environment.
   *
   * @default {{}}
   */
  env?: Record<string, string>;
}

/** @returns what a host tells at the start of a session */
export function firstEvent(host: HostName): string {
  const { events } = HOSTS[host].hooks;
  return Object.keys(events).find((event) => events[event] === "start")!;
}

/** Those that call our hooks. */
export const HOOK_HOSTS: readonly HostName[] = HOST_NAMES.filter((name) =>
  HOSTS[name].hooks.hears.length > 0
);

/** One session in a workspace. */
export class HookSession {
  readonly host: HostName;
  readonly id: string;
  readonly env: Record<string, string>;
  readonly #temp: TempWorkspace;
  #turn = 0;

  constructor(temp: TempWorkspace, options: HookSessionOptions = {}) {
    const { host = "claude", id = "11111111-2222-4333-8444-555566663f2a", env = {} } = options;
    this.#temp = temp;
    this.host = host;
    this.id = id;
    const variable = HOSTS[host].session?.id;
    this.env = { ...(variable ? { [variable]: id } : {}), ...env };
  }

  /** Runs a command line as the agent of this session does. */
  async run(argv: readonly string[]) {
    return await this.#temp.run(argv, { env: this.env });
  }

  /** What the host sends: another turn each time, unless `fields` says otherwise. */
  payload(event: string, fields: object = {}): string {
    const turn = String(++this.#turn);
    const own = this.host === "copilot"
      ? { sessionId: this.id, timestamp: 1, prompt: turn }
      : this.host === "cursor"
      ? { conversation_id: this.id, generation_id: turn, hook_event_name: event }
      : { session_id: this.id, hook_event_name: event, prompt_id: turn, transcript_path: null };
    const place = this.host === "cursor"
      ? { workspace_roots: [this.#temp.root] }
      : { cwd: this.#temp.root };
    return JSON.stringify({ ...own, ...place, ...fields });
  }

  /** Fires one event. */
  async fire(event: string, fields: object = {}): Promise<Answered> {
    return await this.send(event, this.payload(event, fields));
  }

  /** Sends a text that need not be an event. */
  async send(event: string, stdin: string): Promise<Answered> {
    const io = new FakeIo({ stdin, env: this.env });
    const code = await main(["hook", "host", this.host, event], io);
    await new Promise((resolve) => setTimeout(resolve)); // only then Deno lets go of signals
    const answer = io.out === "" ? undefined : JSON.parse(io.out);
    return { code, answer, text: textIn(answer), err: io.err };
  }

  get file(): SessionFile {
    return JSON.parse(this.#temp.read(`.agentx/state/sessions/${this.id}.json`));
  }

  get deliveries(): Delivery[] {
    return this.file.deliveries;
  }
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(textIn).join("\n");
}
