/**
 * A workspace with an agentic loop in it: the model is a script, the architect a function.
 *
 * @module
 */

import type { LanguageModel, ModelRequest } from "../../lib/agents/language_model.ts";
import type { AgentInvoker } from "../../lib/agents/agent_call.ts";
import { AgenticLoop } from "../../lib/run/agentic_loop.ts";
import type { AgenticLoopConfig } from "../../lib/run/loop_parts.ts";
import type { LoopReport, LoopStep } from "../../lib/run/steps.ts";
import { workspaceTools } from "../../lib/run/tools/workspace_tools.ts";
import type { OpenFile } from "../../lib/sys/mod.ts";
import { Death } from "../lock/dying.ts";
import { replaceFiles } from "../lock/faults.ts";
import type { LoopTranscript } from "../../lib/run/transcript.ts";
import { TranscriptFiles } from "../../lib/run/transcript_files.ts";
import { openWorkspaceParts, type Workspace } from "../../lib/workspace/open.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import type { ScriptedTurn } from "./scripted_turns.ts";

/** The task of every test. */
export const TASK = {
  agent: "engineer",
  issueNumber: 42,
  prompt: "Implement the health endpoint.",
};

/** What the architect is asked. */
export const QUESTION = {
  to: "architect",
  topic: "Database layer",
  question: "PostgreSQL or SQLite?",
};

/** Plays a script: which turn comes next follows from the conversation alone, also in another process. */
export class ScriptedModel implements LanguageModel {
  readonly name = "scripted";
  /** What it was asked, oldest first. */
  readonly asked: ModelRequest[] = [];
  readonly #script: readonly ScriptedTurn[];

  constructor(script: readonly ScriptedTurn[]) {
    this.#script = script;
  }

  respond(request: ModelRequest) {
    this.asked.push(structuredClone({ ...request, signal: undefined }));
    const said = request.messages.filter(({ role }) => role === "assistant").length;
    const { text = "", calls = [] } = this.#script[Math.min(said, this.#script.length - 1)];
    return Promise.resolve({
      text: text || `Step ${said}.`, // what is not empty stays in the context
      calls: calls.map(([name, input], index) => ({
        id: `call_${index}`,
        name,
        input: input as Record<string, unknown> | string,
      })),
    });
  }
}

/** Options of {@linkcode LoopPlace}. */
export interface LoopPlaceOptions extends Partial<AgenticLoopConfig> {
  script?: readonly ScriptedTurn[];
  /** Agents by role. */
  agents?: Record<string, AgentInvoker>;
}

/** The workspace of one test, removed at the end of the block that is `using` it. */
export class LoopPlace implements Disposable {
  readonly temp = new TempWorkspace();
  readonly steps: LoopStep[] = [];
  readonly notes: string[] = [];

  constructor() {
    const issue = { number: 42, title: "Health endpoint", labels: ["type:story"], comments: [] };
    this.temp.write(".agentx/issues/42.json", JSON.stringify(issue));
  }

  /** As a process of its own would open it. */
  async open(agents: Record<string, AgentInvoker> = {}): Promise<Workspace> {
    const notify = (message: string) => void this.notes.push(message);
    return await openWorkspaceParts({ root: this.temp.root, agents, retryDelayMs: 0, notify });
  }

  /** A loop with the tools of the workspace, and those that are given. */
  async loop(
    { script = [], agents, tools = [], ...config }: LoopPlaceOptions,
  ): Promise<AgenticLoop> {
    const workspace = await this.open(agents);
    return new AgenticLoop(workspace, {
      model: new ScriptedModel(script),
      tools: [...workspaceTools(workspace), ...tools],
      onStep: (step) => void this.steps.push(step),
      ...config,
    });
  }

  /** Runs the task with this script. */
  async run(script: readonly ScriptedTurn[], options: LoopPlaceOptions = {}): Promise<LoopReport> {
    return await (await this.loop({ script, ...options })).start(TASK);
  }

  /** The ids of all transcripts. */
  sessions(): string[] {
    try {
      const folder = `${this.temp.root}/.agentx/state/transcripts`;
      return Array.from(Deno.readDirSync(folder), ({ name }) => name)
        .filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -6));
    } catch {
      return []; // none was begun
    }
  }

  path(id: string): string {
    return `.agentx/state/transcripts/${id}.jsonl`;
  }

  transcript(id: string): LoopTranscript {
    return new TranscriptFiles(`${this.temp.root}/.agentx`).read(id);
  }

  [Symbol.dispose](): void {
    this.temp[Symbol.dispose]();
  }
}

/** Lets so many writes through; every later one finds the process dead. */
export function dieAfter(writes: number): Death {
  const death = new Death(writes, ["writeNewFile", "rename", "removeFile", "appendTextFile"]);
  death.use(replaceFiles(/\.jsonl$|lines\/.*\.txt$/, (file): Partial<OpenFile> => ({
    writeAt: death.guard((text: string, offset: number | "end") => file.writeAt(text, offset)),
  })));
  return death;
}
