// Sends one prompt to an agent over the Agent Client Protocol, and reads the answer.
//
// Guaranteed: an action that the agent asks permission for runs only after `judge` allowed it, once and never for good.
// No other prompt runs in the same session at the same time. The end of a turn counts as an answer only if the agent
// said something after its last tool call and after its last refusal.
//
// Not guaranteed: that an agent asks. The sandbox limits the agent, not this protocol.

import { isObject, type JsonObject, objectOf, stringOf } from "../../base/checks.ts";
import type { AcpHost, Chosen } from "../../hosts/host.ts";
import { startDialog } from "../../sys/dialog.ts";
import { AcpConnection, AcpError } from "./connection.ts";
import {
  type AcpToolCall,
  initializeParams,
  mergeToolCall,
  modelRequest,
  modesOf,
  permissionOutcome,
  tokensOf,
  type Wish,
  wishOf,
} from "./messages.ts";

export interface AcpTurn extends Partial<Omit<AcpHost, "command" | "env">>, Chosen {
  /** The command of the program that speaks the protocol, perhaps in a sandbox. */
  command: readonly string[];
  cwd: string;
  prompt: string;
  /** The version of agentx. */
  version: string;
  mcpServers: readonly JsonObject[];
  /** Returns why an action is not allowed; undefined if it is. */
  judge: (wish: Wish) => Promise<string | undefined>;
}

/** How a turn ended. */
export interface AcpReply {
  text: string;
  /** Why the text is not an answer; undefined if it is one. */
  complaint?: string;
  session?: string;
  tokens?: number;
  /** The reasons of refusals. */
  refused: string[];
}

/** Runs the turn, and ends the program afterwards. Does not throw for a fault of the agent. */
export async function runTurn(turn: AcpTurn): Promise<AcpReply> {
  const dialog = startDialog(turn.command, turn.cwd);
  const record = new TurnRecord(turn);
  const connection = new AcpConnection(dialog, {
    request: (method, params) => record.answer(method, params),
    notice: (method, params) => method === "session/update" && record.note(objectOf(params.update)),
  });
  const listening = connection.listen();
  try {
    return await converse(connection, turn, record);
  } catch (error) {
    if (!(error instanceof AcpError)) throw error;
    const last = error.code === null ? dialog.errors.trim().split("\n").at(-1) : "";
    return record.reply({ complaint: [error.message, last].filter((part) => part).join(": ") });
  } finally {
    await dialog.end();
    await listening;
  }
}

async function converse(
  connection: AcpConnection,
  turn: AcpTurn,
  record: TurnRecord,
): Promise<AcpReply> {
  const { cwd, meta, mode, model, prompt, version, mcpServers, cannotLoad = false } = turn;
  const { agentCapabilities } = await connection.request("initialize", initializeParams(version));
  const place = { cwd, mcpServers, ...meta && { _meta: meta } };
  const canLoad = turn.session !== undefined && !cannotLoad &&
    objectOf(agentCapabilities).loadSession === true;
  const loaded = canLoad
    ? await connection.request("session/load", { ...place, sessionId: turn.session }).catch(() =>
      undefined
    )
    : undefined;
  const opened = loaded ?? await connection.request("session/new", place);
  const sessionId = loaded === undefined ? stringOf(opened.sessionId) : turn.session;
  if (sessionId === undefined) return record.reply({ complaint: "it opened no session" });
  if (mode !== undefined) {
    if (!modesOf(opened)?.includes(mode)) {
      const offered = modesOf(opened)?.join(", ") || "none";
      return record.reply({ complaint: `it does not offer the mode ${mode}, but ${offered}` });
    }
    await connection.request("session/set_mode", { sessionId, modeId: mode });
  }
  if (model !== undefined) {
    const [method, chosen] = modelRequest(opened, model) ?? [];
    // Some agents offer models but refuse every choice.
    const isChosen = method !== undefined &&
      await connection.request(method, { sessionId, ...chosen }).catch(() => undefined);
    if (!isChosen) return record.reply({ complaint: `no such model: ${model}` });
  }
  record.begin();
  const answer = await connection.request("session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: prompt }],
  });
  const tokens = tokensOf(answer);
  const reason = stringOf(answer.stopReason) ?? "nothing";
  const isCut = turn.tellsUsage && !tokens;
  const complaint = reason !== "end_turn"
    ? `it stopped: ${reason}`
    : isCut
    ? "its model gave no whole answer"
    : undefined;
  return record.reply({ complaint, sessionId, tokens });
}

/** Collects the words, tool calls and refusals of a turn. */
class TurnRecord {
  readonly #turn: AcpTurn;
  readonly #calls = new Map<string, AcpToolCall>();
  readonly #refused: string[] = [];
  #chunks: string[] = [];
  #failure: string | undefined;

  constructor(turn: AcpTurn) {
    this.#turn = turn;
  }

  /** Drops the earlier messages of a loaded session, which are no answer. */
  begin(): void {
    this.#chunks = [];
  }

  get text(): string {
    return this.#chunks.join("").trim();
  }

  note(update: JsonObject): void {
    const { sessionUpdate, content } = update;
    if (sessionUpdate === "agent_message_chunk" && isObject(content) && content.type === "text") {
      this.#say(stringOf(content.text) ?? "");
    } else if (sessionUpdate === "tool_call" || sessionUpdate === "tool_call_update") {
      if (sessionUpdate === "tool_call") this.#chunks = [];
      this.#merge(update);
    }
  }

  /** Adds words of the model. Some programs mix their own warnings and failures of the model into them. */
  #say(text: string): void {
    const { notices, restarts, failures } = this.#turn;
    if (restarts?.test(text)) this.#chunks = [];
    if (failures?.test(text)) this.#failure = text;
    if (!notices?.test(text)) this.#chunks.push(text);
  }

  async answer(method: string, params: JsonObject): Promise<JsonObject | undefined> {
    if (method !== "session/request_permission") return undefined;
    const call = this.#merge(objectOf(params.toolCall));
    const wish = wishOf(call);
    const why = wish === undefined
      ? `agentx cannot judge it: ${call.kind ?? "no kind"}, ${call.title ?? "no title"}`
      : await this.#turn.judge(wish);
    if (why !== undefined) {
      this.#refused.push(why);
      this.#chunks = [];
    }
    return permissionOutcome(params.options, why === undefined);
  }

  #merge(update: JsonObject): AcpToolCall {
    const id = stringOf(update.toolCallId) ?? "";
    const { titleIsCommand, server } = this.#turn;
    const known = mergeToolCall(this.#calls.get(id), update);
    const isTitled = titleIsCommand && known.kind === "execute";
    const merged = {
      ...known,
      command: isTitled ? known.title : known.command,
      server: stringOf(server?.(update)) ?? known.server,
    };
    this.#calls.set(id, merged);
    return merged;
  }

  reply({ complaint, sessionId: session, tokens }: {
    complaint?: string;
    sessionId?: string;
    tokens?: number;
  }): AcpReply {
    const { text } = this;
    const ended = { session, tokens, refused: this.#refused };
    const why = complaint ?? this.#failure;
    if (why !== undefined) return { ...ended, text: "", complaint: why };
    if (text !== "") return { ...ended, text };
    const last = this.#refused.at(-1);
    return {
      ...ended,
      text,
      complaint: last === undefined ? "it said nothing" : `it stopped after a refusal: ${last}`,
    };
  }
}
