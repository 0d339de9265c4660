import { assert, assertEquals } from "@std/assert";
import { readLimits, workingForm, type WorkingFormOptions } from "../../lib/agents/working_form.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { invokerOf, openWorkspaceParts } from "../../lib/workspace/open.ts";

const OPTIONS: WorkingFormOptions = {
  agentx: ["/opt/it's/agentx"],
  mayChange: ["src/**"],
  commands: [["deno", "task", "test"]],
};

const HOOK = `'/opt/it'\\''s/agentx' hook host HOST PreToolUse --limits ` +
  `'{"mayChange":["src/**"],"commands":[["deno","task","test"]]}'`;

/** Options that skip what a host asks about. */
const SKIPS = /skip-permissions|bypass|yolo|allow-all|full-auto|danger/;

Deno.test("workingForm(): Claude Code denies what the guard's hook does not allow", async () => {
  const argv = await workingForm("claude", OPTIONS) as string[];
  assertEquals(argv[argv.indexOf("--permission-mode") + 1], "dontAsk");
  const { hooks, disableAllHooks } = JSON.parse(argv[argv.indexOf("--settings") + 1]);
  assertEquals(disableAllHooks, false);
  assertEquals(hooks.PreToolUse[0].hooks[0].command, HOOK.replace("HOST", "claude"));
  assert(!SKIPS.test(argv.join(" ")), argv.join(" "));
  const resumed = await workingForm("claude", { ...OPTIONS, session: "s-1" }) as string[];
  assertEquals(resumed.slice(-2), ["--resume", "s-1"]);
});

Deno.test("workingForm(): Codex trusts the guard's hook alone", async () => {
  const argv = await workingForm("codex", OPTIONS) as string[];
  assertEquals(argv.slice(0, 3), ["codex", "exec", "-c"]);
  assert(argv.join(" ").includes(JSON.stringify(HOOK.replace("HOST", "codex"))), argv.join(" "));
  assert(/trusted_hash="sha256:[0-9a-f]{64}"/.test(argv.join(" ")));
  const tools = argv.find((word) => word.startsWith("mcp_servers.agentx="))!;
  assert(/args=\[.*"mcp"\],env_vars=\["AGENTX_AGENT"/.test(tools), tools);
  assert(!SKIPS.test(argv.join(" ")), argv.join(" "));
});

Deno.test("workingForm(): a host that cannot be limited is refused by name", async () => {
  const why = await workingForm("opencode", OPTIONS);
  assertEquals(why, "opencode cannot be held to paths and commands");
});

Deno.test("readLimits() refuses what holds none", () => {
  const limits = { mayChange: null, commands: [["a", "b"]] };
  assertEquals(readLimits(JSON.stringify(limits)), limits);
  for (const text of ["", "{}", '{"mayChange":null,"commands":["a b"]}', '{"commands":[]}']) {
    let isRefused = false;
    try {
      readLimits(text);
    } catch (error) {
      isRefused = error instanceof TypeError;
    }
    assert(isRefused, text);
  }
});

/** How an agent with these settings is run for work; what its program was called with. */
async function work(settings: object): Promise<string> {
  using temp = new TempWorkspace();
  for (const name of ["claude", "mine"]) {
    temp.write(`bin/${name}`, '#!/bin/sh\necho "$*" >"$ROOT/called"\ncat >/dev/null\n');
    Deno.chmodSync(`${temp.root}/bin/${name}`, 0o755);
  }
  const env = { PATH: `${temp.root}/bin:/usr/bin:/bin`, ROOT: temp.root };
  temp.write(".agentx/config.json", JSON.stringify({ agents: { engineer: { env, ...settings } } }));
  const workspace = await openWorkspaceParts({ root: temp.root });
  const limits = { mayChange: null, commands: [] };
  const invoke = invokerOf("engineer", workspace, { work: limits })!;
  const failed = await invoke({ agent: "engineer", prompt: "x" }).then(() => "", String);
  return temp.has("called") ? temp.read("called") : failed;
}

Deno.test("an agent is run for work only where something limits it", async () => {
  const called = await work({ preset: "claude" });
  assert(called.includes("hook host claude PreToolUse --limits"), called);
  assert(!called.includes("--disallowedTools"), called);
  const second = await work({ preset: ["opencode", "claude"] });
  assert(second.includes("--limits"), second);
  const free = await work({ command: ["mine"] });
  assert(free.includes('only a sandbox limits mine: set its "sandbox" to "workspace"'), free);
  assert((await work({ preset: "http", http: HTTP })).includes("has no tools"));
});

const HTTP = { url: "http://127.0.0.1:9/v1", model: "m" };

Deno.test("workingForm() names the model", async () => {
  const claude = await workingForm("claude", { ...OPTIONS, model: "opus" });
  const codex = await workingForm("codex", { ...OPTIONS, model: "gpt-5", session: "s-1" });
  assert([...claude].join(" ").includes("--model opus"));
  assert([...codex].join(" ").includes("codex exec -m gpt-5 -c"));
});
