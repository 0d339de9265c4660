/**
 * Sessions as a person reads them: what was said in full, of each tool's result the call and what it begins with.
 *
 * `deno run -A tests/memory/sessions/judged/readable.ts SESSIONS OUT`
 *
 * @module
 */

import { readTranscript } from "../../../../lib/transcripts/mod.ts";

const SHOWN = 240;

const [from, out] = Deno.args;
Deno.mkdirSync(out, { recursive: true });
for (const { name } of Array.from(Deno.readDirSync(from))) {
  const { messages } = readTranscript(Deno.readTextFileSync(`${from}/${name}`));
  const lines = messages.map(({ role, text, tool, command }, index) => {
    if (role !== "tool") return `[${index}] ${role.toUpperCase()}\n${text}\n`;
    const call = [tool, command?.slice(0, SHOWN)].filter((part) => part !== undefined).join(": ");
    const [start, end] = [text.slice(0, SHOWN), text.slice(SHOWN).slice(-SHOWN)];
    return `[${index}] tool ${call} -> ${`${start}${end && ` ... ${end}`}`.replace(/\s+/g, " ")}`;
  });
  Deno.writeTextFileSync(`${out}/${name.replace(/\.\w+$/, ".txt")}`, lines.join("\n") + "\n");
}
