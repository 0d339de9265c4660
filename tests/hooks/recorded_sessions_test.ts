/**
 * Real sessions, one of each host that runs without a login, with a sub-agent (pi has none), a hook that stops the stop
 * once, and a compaction: who typed what, and that their hooks capture each once. `recordings/sessions/` has what the
 * versions of `.ci/hosts.txt` wrote and sent in front of a scripted model. Long texts and lists are shortened, and lines
 * about requests, tools and costs are left out.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { type HostName, HOSTS } from "../../lib/hosts/hosts.ts";
import { readTranscript } from "../../lib/transcripts/mod.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { main } from "../../cli.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { firstEvent, HookSession } from "./hook_session.ts";
import { formatOf } from "../transcripts/format_of.ts";

const FOLDER = new URL("recordings/sessions/", import.meta.url);

/** What a person typed. Gemini sends a hook's reason as a prompt: there it is one of ours, between our marks. */
const TYPED: Partial<Record<HostName, string[]>> = {
  claude: ["Go on with the issue."],
  codex: ["Go on with the issue.", "And what about the tests?"],
  copilot: ["Go on with the issue."],
  gemini: ["Go on with the issue.", "/compress"],
  opencode: ['"Go on with the issue."'],
  qwen: ["Go on with the issue."],
  pi: ["Go on with the issue.", "And what about the tests?"],
};

const NOBODY_TYPED = /Stop hook says|SUB-TASK|task-notification|state_snapshot/;

interface SentEvent {
  hook: string;
  payload: Record<string, unknown>;
}

function recordingOf(host: string): string {
  return Deno.readTextFileSync(new URL(`${host}.jsonl`, FOLDER));
}

function eventsOf(host: string): SentEvent[] {
  return Deno.readTextFileSync(new URL(`${host}.events.jsonl`, FOLDER)).trim().split("\n")
    .map((line) => JSON.parse(line));
}

async function remembered(temp: TempWorkspace): Promise<string[]> {
  const { observations } = await temp.json(["memory", "export"]);
  return observations.map(({ content }: { content: string }) => content);
}

/** Sends to the hooks what the host sent, of a session in this workspace. */
async function replay(host: HostName, temp: TempWorkspace): Promise<void> {
  const id = eventsOf(host)[0].payload.sessionId as string;
  const path = host === "copilot" ? `copilot/session-state/${id}/events.jsonl` : "session.jsonl";
  temp.write(path, recordingOf(host));
  const old = new Date(Date.now() - 60_000); // it is finished
  Deno.utimeSync(`${temp.root}/${path}`, old, old);
  for (const { hook, payload } of eventsOf(host)) {
    if (!Object.hasOwn(HOSTS[host].hooks.events, hook)) continue;
    const place = host === "opencode" ? "directory" : "cwd";
    const transcript = "transcript_path" in payload
      ? { transcript_path: `${temp.root}/${path}` }
      : {};
    const stdin = JSON.stringify({ ...payload, [place]: temp.root, ...transcript });
    const io = new FakeIo({ stdin, env: { COPILOT_HOME: `${temp.root}/copilot` } });
    assertEquals(await main(["hook", "host", host, hook], io), 0, io.err);
    if (HOSTS[host].hooks.events[hook] === "stop") {
      assert(!/block|prompt|deny/.test(io.out), io.out);
    }
  }
  const next = new HookSession(temp, { host, id: `after-${crypto.randomUUID()}` });
  await next.fire(firstEvent(host));
}

for (const [name, typed] of Object.entries(TYPED)) {
  const host = name as HostName;

  Deno.test(`${host}: of a real session, typed and injected text are told apart`, () => {
    const { format, messages, problems } = readTranscript(recordingOf(host));
    assertEquals([format, problems], [formatOf(host)!, []]);
    const said = (role: string) => messages.filter((each) => each.role === role);
    assertEquals(said("user").map(({ text }) => text), typed);
    for (const { text } of said("assistant")) assert(!NOBODY_TYPED.test(text), text);
    assert(said("assistant").some(({ text }) => text.includes("We decided to keep one JSON file")));
  });

  Deno.test(`${host}: a real session is captured once, and its sub-agent and its end as nothing more`, async () => {
    using temp = new TempWorkspace();
    await replay(host, temp);
    const once = await remembered(temp);
    assert(
      once.length > 0 && once.every((text) => text.startsWith("We decided to keep")),
      `${once}`,
    );
    assertEquals(once.filter((text) => NOBODY_TYPED.test(text)), []);
    await replay(host, temp);
    assertEquals(await remembered(temp), once);
  });
}
