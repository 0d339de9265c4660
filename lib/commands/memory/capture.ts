import { defineCommand } from "../../cli/command.ts";
import { note } from "../../cli/note.ts";
import { readSource } from "../../cli/read_source.ts";
import { oneOf, optional, word } from "../../cli/spec.ts";
import { renderEntries } from "./render.ts";
import { logTools } from "../../workspace/log_tools.ts";
import { readTranscript, TRANSCRIPT_FORMATS } from "../../transcripts/mod.ts";
import { checkAuthor, session, SWITCHED_OFF } from "./input.ts";

export const command = defineCommand({
  kind: "observation.list",
  capturesSessions: true,
  examples: [
    "agentx memory capture --agent engineer --issue 42 --from session.jsonl",
    "agentx memory capture --agent engineer --issue 42 --format markdown <chat.md",
  ],
  input: {
    ...session,
    from: optional(word, "The transcript (default: -, standard input)", { placeholder: "FILE|-" }),
    format: optional(oneOf(TRANSCRIPT_FORMATS), "Format of the transcript (default: detected)"),
  },
  async run(context, { agent, issue, from = "-", format }) {
    checkAuthor(context.io, agent);
    const state = await context.openState();
    if (!state.config.memory.enabled) note(context.io, SWITCHED_OFF);
    const memory = await state.memory();
    const session = { agent, issueNumber: issue };
    const observations = await memory.capture(async () => {
      const transcript = readTranscript(await readSource(from, context.io), { format });
      logTools(transcript, session, state);
      return transcript;
    }, session);
    return { output: { observations } };
  },
  render({ observations }, view) {
    if (observations.length === 0) return "  Nothing new to remember.";
    return `${renderEntries(observations, view)}\n\n  Remembered: ${observations.length}`;
  },
});
