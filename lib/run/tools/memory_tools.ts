// The tools for what earlier sessions learned.

import { roleOf } from "../../base/agent_names.ts";
import type { MemoryPipeline } from "../../memory/pipeline.ts";
import { CATEGORIES, type ObservationCategory } from "../../memory/schema.ts";
import { type LoopTool, textIn } from "../tool.ts";

const MAX_HITS = 20;

/** The tools `memory_search`, `memory_get` and `memory_note`. */
export function memoryTools(memory: () => Promise<MemoryPipeline>): LoopTool[] {
  return [
    {
      name: "memory_search",
      description: "Find what earlier sessions learned, before you decide or debug something.",
      input: {
        type: "object",
        properties: { query: { type: "string", description: "Words" } },
        required: ["query"],
      },
      isIdempotent: true,
      async run(input) {
        const hits = await (await memory()).searchMemory(textIn(input, "query") ?? "", MAX_HITS);
        return hits.map(({ id, category, timestamp, summary }) =>
          `${id} (${category}, ${timestamp.slice(0, 10)}): ${summary}`
        ).join("\n") || "Nothing is known about it";
      },
    },
    {
      name: "memory_get",
      description: "Read one observation whole that memory_search or the recall names.",
      input: {
        type: "object",
        properties: { id: { type: "string", description: "Such as obs-engineer-29-..." } },
        required: ["id"],
      },
      isIdempotent: true,
      async run(input) {
        const id = textIn(input, "id") ?? "";
        const observation = await (await memory()).getObservation(id);
        return observation?.content ?? `There is no observation ${id}`;
      },
    },
    {
      name: "memory_note",
      description: "Remember a decision, fact or pitfall that the next session should know.",
      input: {
        type: "object",
        properties: {
          text: { type: "string", description: "One statement that is clear by itself" },
          category: {
            type: "string",
            enum: CATEGORIES.filter((name) => name !== "compaction-summary"),
            description: "What kind it is; left out, key-fact",
          },
        },
        required: ["text"],
      },
      isIdempotent: true,
      async run(input, { agent, issueNumber, sessionId, callId, begunMs }) {
        const { id } = await (await memory()).note({
          agent: roleOf(agent),
          issueNumber,
          category: (textIn(input, "category") ?? "key-fact") as ObservationCategory,
          content: textIn(input, "text") ?? "",
          call: { id: callId, sessionId, timestampMs: begunMs },
        });
        return `Remembered as ${id}`;
      },
    },
  ];
}
