// The tools for the observations of earlier sessions.

import { roleOf } from "../../base/agent_names.ts";
import type { MemoryPipeline } from "../../memory/memory_pipeline.ts";
import { CATEGORIES, type ObservationCategory } from "../../memory/schema.ts";
import { TRY_OTHER_WORDS } from "../../memory/search/search.ts";
import { type LoopTool, textIn } from "../tool.ts";

const MAX_HITS = 20;

/** The tools `memory_search`, `memory_get` and `memory_note`. */
export function memoryTools(memory: () => Promise<MemoryPipeline>): LoopTool[] {
  return [
    {
      name: "memory_search",
      description:
        "Find what earlier sessions learned, before you decide or debug something. Where hits are " +
        "none or weak, search once more in other words.",
      input: {
        type: "object",
        properties: { query: { type: "string", description: "Words" } },
        required: ["query"],
      },
      isIdempotent: true,
      async run(input) {
        const hits = await (await memory()).searchMemory(textIn(input, "query") ?? "", MAX_HITS);
        if (hits.length === 0) return `Nothing has these words. ${TRY_OTHER_WORDS}`;
        const lines = hits.map(({ id, category, timestamp, summary }) =>
          `${id} (${category}, ${timestamp.slice(0, 10)}): ${summary}`
        );
        return [...(hits[0].isWeak ? [`Weak matches. ${TRY_OTHER_WORDS}`] : []), ...lines].join(
          "\n",
        );
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
