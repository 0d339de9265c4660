import { assert, assertEquals } from "@std/assert";
import { readTranscript } from "../../lib/transcripts/mod.ts";
import { ended } from "../temp_workspace.ts";
import { TempHome } from "./temp_home.ts";

/** What opencode does in a session, with a client that hands messages to the plugin as opencode does. */
const SESSION = `
import process from "node:process";
import { AgentxPlugin } from "./plugin.mjs";
const told = [];
let hooks;
const metadata = { exit: 0, output: "ok" };
const state = { status: "completed", input: { command: "make" }, output: "ok", metadata };
const parts = [
  { type: "step-start", id: "p1" },
  { type: "tool", id: "p2", callID: "c1", tool: "bash", state, attachments: ["large"] },
  { type: "text", id: "p3", text: "Done." },
];
const messages = [{ info: { id: "m1", role: "assistant", time: { created: 1 } }, parts }];
const client = { session: {
  async prompt({ path, body }) {
    told.push([path.id, body.noReply, body.parts[0].text]);
    await hooks["chat.message"]({ sessionID: path.id }, { parts: body.parts });
  },
  messages: ({ path }) => Promise.resolve({ data: path.id === "s1" ? messages : undefined }),
} };
hooks = await AgentxPlugin({ client, directory: "/work" });
const event = (type, properties) => hooks.event({ event: { type, properties } });
await event("session.created", { info: { id: "s1" } });
await event("session.created", { info: { id: "s2", parentID: "s1" } });
await hooks["chat.message"]({ sessionID: "s1" }, { parts: [{ type: "text", text: "Hello" }] });
await hooks["chat.message"]({ sessionID: "s2" }, { parts: [{ type: "text", text: "Look" }] });
await event("session.idle", { sessionID: "s2" });
for (const tool of ["bash", "agentx_clarify_ask"]) {
  await hooks["tool.execute.after"]({ sessionID: "s1", tool, callID: "c1" }, { output: "CLR-1" });
}
await event("session.idle", { sessionID: "s1" });
await event("message.updated", {});
await hooks.dispose();
await event("session.deleted", { info: { id: "s2" } });
await event("session.deleted", { info: { id: "s1" } });
console.log(JSON.stringify(told));
process.exit(); // the limit of a program that is not there goes on
`;

/** What the plugin hands over where the program answers like this. */
async function toldBy(home: TempHome): Promise<unknown> {
  const plugin = `${home.path}/repo/.opencode/plugins/agentx.js`;
  Deno.copyFileSync(plugin, `${home.path}/plugin.mjs`);
  home.write("session.mjs", SESSION);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--unstable-bare-node-builtins", `${home.path}/session.mjs`],
    env: { PATH: Deno.env.get("PATH")! },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { out, err } = await ended(child);
  return JSON.parse(out || JSON.stringify(err));
}

Deno.test("the plugin of opencode hands over what agentx answers, and reports no message of its own", async () => {
  using home = new TempHome({ ".config/opencode/opencode.json": "{}" });
  assertEquals((await home.setup("opencode --project")).code, 0);
  assertEquals(await toldBy(home), []); // agentx is not installed

  home.install(
    "agentx",
    `echo "$4 $(cat)" >>'${home.path}/ran'
case "$4" in
  session.created) echo '{"context":"Recalled."}' ;;
  session.idle) echo '{"prompt":"An answer is there."}' ;;
  chat.message) echo 'not JSON' ;;
esac`,
  );
  assertEquals(await toldBy(home), [["s1", true, "Recalled."], [
    "s1",
    false,
    "An answer is there.",
  ]]);
  const ran = home.read("ran").trim().split("\n").map((line) => {
    const [event, ...payload] = line.split(" ");
    const { recording, tool_response, tool_name: _, ...rest } = JSON.parse(payload.join(" "));
    assertEquals(rest, { hook_event_name: event, sessionID: "s1", directory: "/work" });
    return [event, recording ?? tool_response?.output];
  });
  assertEquals(ran.map(([event]) => event), [
    "session.created",
    "chat.message",
    "tool.execute.after",
    "session.idle",
    "dispose",
    "session.deleted",
  ]);
  assertEquals(ran[2][1], "CLR-1");
  const { sessionId, messages } = readTranscript(ran[4][1]);
  assertEquals(sessionId, "s1");
  assertEquals(messages.map(({ role, text }) => [role, text]), [["tool", "ok"], [
    "assistant",
    "Done.",
  ]]);
  assert(!ran[4][1].includes("large") && !ran[4][1].includes("step-start"), ran[4][1]);
});
