/**
 * Brings the judged sessions out of clones of their repositories, in a form that `lib/transcripts` reads.
 *
 * The sessions are not kept here: `sources.json`, and `sources_DATE.json` of a later judging, name each
 * with repository, commit, path and licence. Clone the repositories (with all branches) into one folder,
 * each as `OWNER+NAME`, then `deno run -A tests/memory/sessions/judged/fetch.ts CLONES OUT [SOURCES]`.
 *
 * Files of Claude Code, OpenCode, Codex CLI, Copilot CLI and Gemini CLI are taken as they are, of a history of aider one chat. Codex sessions that were kept as exported JSON or
 * markdown become the lines of a rollout again, Cursor's a chat in markdown; no word is changed.
 *
 * @module
 */

/** One row of a file of sources. */
export interface Source {
  name: string;
  agent: string;
  repository: string;
  license: string;
  commit: string;
  path: string;
  as:
    | "claude"
    | "opencode"
    | "codex"
    | "copilot"
    | "gemini"
    | "aider"
    | "convx-codex"
    | "convx-chat"
    | "specstory-codex";
  /** Of a history of aider: which of its chats, counted from 1. */
  chat?: number;
  sha256?: string;
}

interface Said {
  kind: string;
  text: string;
  timestamp: string | null;
}

const EXTENSIONS = {
  "claude": "jsonl",
  "opencode": "json",
  "codex": "jsonl",
  "copilot": "jsonl",
  "gemini": "json",
  "aider": "md",
  "convx-codex": "jsonl",
  "specstory-codex": "jsonl",
  "convx-chat": "md",
};

/** The sources, in the order of the file. */
export function readSources(file = "sources.json"): Source[] {
  return JSON.parse(Deno.readTextFileSync(new URL(file, import.meta.url)));
}

function converted(text: string, { as, chat }: Source): string {
  if (as === "aider") return text.split(/^(?=# aider chat started)/m)[chat ?? 1];
  if (as === "convx-codex") return rolloutOf(JSON.parse(text).messages);
  if (as === "specstory-codex") return rolloutOf(saidIn(text));
  if (as === "convx-chat") {
    return (JSON.parse(text).messages as Said[])
      .map(({ kind, text }) => `## ${kind === "user" ? "User" : "Assistant"}\n\n${text}\n`)
      .join("\n");
  }
  return text;
}

/** Messages, and calls with their results, as Codex writes them. */
function rolloutOf(messages: readonly Said[]): string {
  const lines: unknown[] = [
    { type: "session_meta", payload: { id: "judged", cli_version: "0.100.0" } },
  ];
  const waiting: string[] = [];
  let calls = 0;
  for (const { kind, text, timestamp } of messages) {
    const item = (payload: unknown) => lines.push({ timestamp, type: "response_item", payload });
    const call = /^\[tool_call\] (\S+)\n([^]*)$/.exec(text);
    const result = /^\[tool_result\][^\n]*\n([^]*)$/.exec(text);
    if (kind === "user" || kind === "assistant") {
      const type = kind === "user" ? "input_text" : "output_text";
      item({ type: "message", role: kind, content: [{ type, text }] });
    } else if (call !== null) {
      waiting.push(`call_${++calls}`);
      item({ type: "function_call", name: call[1], arguments: call[2], call_id: `call_${calls}` });
    } else if (result !== null) {
      item({ type: "function_call_output", call_id: waiting.shift(), output: result[1] });
    }
  }
  return lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
}

/** What a SpecStory history says, without the agent's thoughts. */
function saidIn(markdown: string): Said[] {
  const parts = markdown.split(/^_\*\*(User|Agent) \(([^)]*)\)\*\*_$/m);
  const said: Said[] = [];
  for (let at = 1; at < parts.length; at += 3) {
    const timestamp =
      /\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/.exec(parts[at + 1])?.[0].replace(" ", "T") ??
        null;
    const body = parts[at + 2].replace(/\n---\s*$/, "").trim();
    const tool = /Tool use: \*\*(\w+)\*\*\s*(?:`([^`\n]*)`)?<\/summary>\s*(?:```\w*\n([^]*?)\n```)?/
      .exec(body);
    if (parts[at] === "User") said.push({ kind: "user", text: body, timestamp });
    else if (tool !== null) {
      const input = JSON.stringify({ cmd: tool[2] ?? "" });
      said.push({ kind: "tool", text: `[tool_call] ${tool[1]}\n${input}`, timestamp });
      said.push({ kind: "tool", text: `[tool_result]\n${tool[3] ?? ""}`, timestamp });
    } else if (!/^(?:<think>|<details>|\*\*[^*\n]+\*\*$)/.test(body) && body !== "") {
      said.push({ kind: "assistant", text: body, timestamp });
    }
  }
  return said;
}

if (import.meta.main) {
  const [clones, out, sources] = Deno.args;
  Deno.mkdirSync(out, { recursive: true });
  for (const source of readSources(sources)) {
    const { name, repository, commit, path, as, sha256 } = source;
    const folder = `${clones}/${repository.replace("/", "+")}`;
    const { code, stdout, stderr } = new Deno.Command("git", {
      args: ["-C", folder, "show", `${commit}:${path}`],
    }).outputSync();
    if (code !== 0) throw new Error(`${name}: ${new TextDecoder().decode(stderr)}`);
    const text = converted(new TextDecoder().decode(stdout), source);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"))
      .join("");
    if (sha256 !== undefined && sha256 !== hash) throw new Error(`${name}: not the labelled text`);
    Deno.writeTextFileSync(`${out}/${name}.${EXTENSIONS[as]}`, text);
    console.log(`${name} ${hash}`);
  }
}
