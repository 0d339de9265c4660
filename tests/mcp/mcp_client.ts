/**
 * `agentx mcp` as a process, with the official client at its other end, in either generation of the
 * protocol.
 *
 * @module
 */

import { type CallToolResult, Client, type ClientCapabilities } from "@modelcontextprotocol/client";
import { assert } from "@std/assert";
import { STRIPE } from "../gate/samples.ts";
import { AGENTX, environment, type TempWorkspace } from "../temp_workspace.ts";
import { ChildTransport } from "./child_transport.ts";

/** The generations: with a handshake, and without. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;

/** One of {@linkcode ERAS}. */
export type Era = typeof ERAS[number];

/** The question of the issue's example, as arguments of `clarify_ask`. */
export const QUESTION = {
  issue: 42,
  from: "engineer",
  to: "architect",
  topic: "Database layer",
  question: "PostgreSQL or SQLite?",
};

/** A question to the human that meets the four conditions, as arguments of `ask_user`. */
export const ASK_HUMAN = {
  issue: 42,
  from: "engineer",
  phase: "planning",
  blockerType: STRIPE.blockerType,
  ...STRIPE.evidence,
  question: STRIPE.question,
  option: STRIPE.options,
  fallback: "a",
  because: STRIPE.fallback.reasoning,
  confidence: "medium",
  risk: STRIPE.fallback.risk,
};

/** That a busy machine is slow is no failure: by itself, a client gives up after a minute. */
const PATIENCE = { timeout: 10 * 60_000 };

/** What the human of a client says in a form. */
export type Said = { action: "accept"; content: Record<string, string> } | {
  action: "decline" | "cancel";
};

/** Options of {@linkcode McpClient.connect}. */
export interface McpClientOptions {
  era: Era;
  /**
   * Arguments of `agentx mcp`.
   *
   * @default {["--root", ...]}
   */
  args?: readonly string[];
  /**
   * Its working folder.
   *
   * @default {that of the workspace}
   */
  cwd?: string;
  /**
   * Variables besides those that every program needs.
   *
   * @default {{}}
   */
  env?: Record<string, string>;
  /** What the human says to each question; left out, the client has no form. */
  human?: (message: string) => Said;
  /** Folders that the client works in; left out, it does not say. */
  roots?: readonly string[];
}

/** A call as a test looks at it. */
export interface Called {
  isError: boolean;
  text: string;
  // deno-lint-ignore no-explicit-any -- a test looks into it
  structured: any;
  code: string | undefined;
  // deno-lint-ignore no-explicit-any -- a test looks into it
  details: any;
}

/** A client and its server; both end with the block that is `using` them. */
export class McpClient implements AsyncDisposable {
  readonly client: Client;
  readonly transport: ChildTransport;
  /** What the human was asked. */
  readonly asked: string[] = [];

  private constructor(client: Client, transport: ChildTransport) {
    this.client = client;
    this.transport = transport;
  }

  static async connect(temp: TempWorkspace, options: McpClientOptions): Promise<McpClient> {
    const { era, args = ["--root", temp.root], cwd = temp.root, env = {} } = options;
    const { human, roots } = options;
    const transport = startServer(args, { cwd, env });
    const capabilities: ClientCapabilities = {
      ...(human && { elicitation: { form: {} } }),
      ...(roots && { roots: {} }),
    };
    const versionNegotiation = { mode: era === "2026-07-28" ? { pin: era } : "legacy" } as const;
    const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation });
    const made = new McpClient(client, transport);
    if (human !== undefined) {
      client.setRequestHandler("elicitation/create", ({ params }) => {
        made.asked.push(params.message);
        return human(params.message);
      });
    }
    if (roots !== undefined) {
      client.setRequestHandler("roots/list", () => ({
        roots: roots.map((path) => ({ uri: `file://${encodeURI(path)}` })),
      }));
    }
    await client.connect(transport, PATIENCE);
    return made;
  }

  /** Calls a tool. */
  async call(
    name: string,
    args: Record<string, unknown>,
    options: { signal?: AbortSignal; onprogress?: (told: { message?: string }) => void } = {},
  ): Promise<Called> {
    const result = await this.client.callTool(
      { name, arguments: args },
      { ...PATIENCE, ...options },
    ) as CallToolResult;
    const { isError = false, content, structuredContent, _meta } = result;
    const text = content.map((block) => block.type === "text" ? block.text : "").join("");
    const error = _meta?.["agentx/error"] as { code: string; details: unknown } | undefined;
    return {
      isError,
      text,
      structured: structuredContent,
      code: error?.code,
      details: error?.details,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

/** Starts `agentx mcp` as hosts do. */
export function startServer(
  args: readonly string[],
  { cwd, env }: { cwd: string; env?: Record<string, string> },
): ChildTransport {
  const [command, ...start] = AGENTX.split(" ");
  return new ChildTransport(command, {
    args: [...start, "mcp", ...args],
    cwd,
    env: { ...environment(), ...env },
  });
}

/** Waits until something holds, and fails after two minutes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 120_000;
  while (!await holds()) {
    assert(performance.now() < endMs, "it never came true");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether a process runs, and is no zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false; // it has ended
  }
}
