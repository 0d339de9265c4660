import { assert, assertEquals } from "@std/assert";
import { type HostName, HOSTS } from "../../lib/hosts/hosts.ts";
import { sys } from "../../lib/sys/mod.ts";
import { AGENTX, environment, TempWorkspace } from "../temp_workspace.ts";
import { Pty, terminalTest } from "../pty.ts";

/** What a host sends before a tool. */
function sent(host: string, root: string, tool: string, input: object): string {
  const event = HOSTS[host as HostName].hooks.guard?.event;
  return JSON.stringify(
    host === "copilot"
      ? { sessionId: "s1", cwd: root, toolName: tool, toolArgs: JSON.stringify(input) }
      : { hook_event_name: event, session_id: "s1", cwd: root, tool_name: tool, tool_input: input },
  );
}

async function answer(workspace: TempWorkspace, host: string, tool: string, input: object) {
  const event = HOSTS[host as HostName].hooks.guard!.event;
  const stdin = sent(host, workspace.root, tool, input);
  const { code, out } = await workspace.run(["hook", "host", host, event], { stdin });
  assertEquals(code, 0);
  return out === "" ? "" : JSON.parse(out);
}

const TOOLS: Record<string, string> = {
  claude: "Bash",
  codex: "Bash",
  copilot: "bash",
  gemini: "run_shell_command",
  vscode: "run_in_terminal",
};

for (const [host, tool] of Object.entries(TOOLS)) {
  Deno.test(`the hook before a tool of ${host} refuses in its own form, and is silent otherwise`, async () => {
    using workspace = new TempWorkspace();
    assertEquals(await answer(workspace, host, tool, { command: "ls" }), "");
    const refused = await answer(workspace, host, tool, { command: "git reset --hard" });
    const { reason = "", decision, permissionDecision, hookSpecificOutput = {} } = refused;
    assertEquals(decision ?? permissionDecision ?? hookSpecificOutput.permissionDecision, "deny");
    const why = reason || refused.permissionDecisionReason ||
      hookSpecificOutput.permissionDecisionReason;
    assert(why.includes("git-discard"), why);
  });
}

Deno.test("only a person allows a command once or for the session, or refuses it", async () => {
  using workspace = new TempWorkspace();
  const ask = async (command: string) =>
    (await answer(workspace, "claude", "Bash", { command })) !== "";
  const decide = (id: string, how: string, env = {}) => workspace.run(["answer", id, how], { env });
  assertEquals(await ask("npm install a"), true);
  assertEquals((await decide("GRD-001", "once", { CLAUDECODE: "1" })).code, 6);
  assertEquals((await decide("GRD-001", "once")).code, 0);
  assertEquals([await ask("npm install b"), await ask("npm install a")], [true, false]);
  assertEquals(await ask("npm install a"), true);
  await decide("GRD-002", "session");
  assertEquals([await ask("npm install b"), await ask("npm install b")], [false, false]);
  await decide("GRD-003", "refuse");
  assertEquals(await ask("npm install a"), true);
  await ask("npm install d");
  const { entries } = JSON.parse((await workspace.run(["inbox", "--json"])).out);
  assertEquals(entries.map(({ id }: { id: string }) => id), ["GRD-004"]);
  assertEquals((await decide("GRD-004", "rule")).code, 2);
  const made = await workspace.run(["answer", "GRD-004", "rule"], { terminal: true });
  assertEquals(made.code, 0, made.err);
  await ask("npm install c");
  assertEquals([await ask("ls; npm install d"), await ask("npm install c")], [false, true]);
});

terminalTest(
  "the inbox lets a command run by a whole word only, and refuses it by a key",
  async () => {
    using workspace = new TempWorkspace();
    for (const name of ["a", "b"]) {
      await answer(workspace, "claude", "Bash", { command: `npm install ${name}` });
    }
    await using pty = new Pty([...AGENTX.split(" "), "inbox"], {
      cwd: workspace.root,
      env: environment(),
    });
    await pty.shows("once) allow it this time");
    await pty.shows("Type once, session or rule; [r]efuse, Enter to skip or [q]uit:");
    await pty.type("o\n");
    await pty.shows('"o" is none of these words.');
    await pty.type("once\n");
    await pty.shows("2 of 2");
    await pty.type("r\n");
    assertEquals(await pty.ended(), 0);
    assert(/GRD-001: once[^]*GRD-002: refuse/.test(pty.out), pty.out);
    assertEquals((await workspace.json(["inbox"])).entries, []);
  },
);

Deno.test("a request of an ended session waits for nobody, and waits again once the session is resumed", async () => {
  using workspace = new TempWorkspace();
  const ask = () => answer(workspace, "claude", "Bash", { command: "npm install a" });
  const hear = async (event: string) => {
    const call = {
      hook_event_name: event,
      session_id: "s1",
      cwd: workspace.root,
      source: "resume",
    };
    await workspace.run(["hook", "host", "claude", event], { stdin: JSON.stringify(call) });
    return (await workspace.json(["inbox"])).entries.length;
  };
  await ask();
  assertEquals(await hear("SessionEnd"), 0);
  const late = await workspace.run(["answer", "GRD-001", "once"]);
  assertEquals([late.code, late.out], [6, ""]);
  assert(late.err.includes("the session that asked has ended"), late.err);
  assert(late.err.includes("agentx answer GRD-001 rule"), late.err);
  const { out } = await workspace.run(["audit"]);
  assert(/ask GRD-001 .*npm install a/.test(out), out);
  assertEquals(await hear("SessionStart"), 1);
  assertEquals((await workspace.run(["answer", "GRD-001", "once"])).code, 0);
});

Deno.test("an answer to a session of which the host is gone says so", async () => {
  using workspace = new TempWorkspace();
  await answer(workspace, "claude", "Bash", { command: "npm install a" });
  const path = ".agentx/state/guard-requests.json";
  const file = JSON.parse(workspace.read(path)) as { requests: object[] };
  const process = { pid: 1, start: "0", ...sys.processSpace() };
  file.requests = file.requests.map((each) => ({ ...each, process }));
  workspace.write(path, JSON.stringify(file));
  const { entries } = await workspace.json(["inbox"]) as { entries: unknown[] };
  assertEquals(entries, []);
  assertEquals((await workspace.run(["answer", "GRD-001", "session"])).code, 6);
});

Deno.test("requests of a foreign copy neither decide nor hide what is asked", async () => {
  using workspace = new TempWorkspace();
  const ask = () => answer(workspace, "claude", "Bash", { command: "npm install a" });
  await ask();
  assertEquals((await workspace.run(["answer", "GRD-001", "session"])).code, 0);
  assertEquals(await ask(), "");
  // The state of somebody else: its mark means nothing to this user.
  workspace.write(".agentx/state/birth", "0".repeat(32));
  const asked = JSON.stringify(await ask());
  assert(asked.includes("agentx answer GRD-002 once"), asked);
  const { entries } = await workspace.json(["inbox"]) as { entries: { id: string }[] };
  assertEquals(entries.map(({ id }) => id), ["GRD-002"]);
  assertEquals((await workspace.run(["answer", "GRD-001", "once"])).code, 4);
  assertEquals((await workspace.run(["answer", "GRD-002", "once"])).code, 0);
  assertEquals([await ask() === "", await ask() === ""], [true, false]);
});

Deno.test("the hook before a tool counts the folder of the call, and a link as the project", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  const other = Deno.makeTempDirSync();
  const of = async (tool: string, input: object, cwd = root) => {
    const stdin = sent("claude", cwd, tool, input);
    return (await workspace.run(["hook", "host", "claude", "PreToolUse"], { stdin })).out;
  };
  try {
    for (const command of ["git commit -am x", "git switch -c y", "pytest"]) {
      assertEquals(await of("exec_command", { command }), "", command);
      const told = await of("exec_command", { command, workdir: other });
      assert(told.includes("it works outside of the tree"), told);
    }
    Deno.symlinkSync(root, `${other}/link`);
    const edit = { file_path: `${other}/link/src/x`, old_string: "x", new_string: "y" };
    assertEquals(await of("Edit", edit, `${other}/link`), "");
    assertEquals(await of("Bash", { command: `cat ${other}/link/x` }, `${other}/link`), "");
    assert((await of("Edit", { file_path: `${other}/x` }, `${other}/link`)).includes("Blocked"));
  } finally {
    Deno.removeSync(other, { recursive: true });
  }
});

Deno.test("files: secrets and what guards agents are asked about, what is outside is blocked", async () => {
  using workspace = new TempWorkspace();
  const of = async (tool: string, file_path: string) => {
    const told = JSON.stringify(await answer(workspace, "claude", tool, { file_path }));
    return told === '""' ? "allow" : told.includes("Blocked") ? "block" : "ask";
  };
  assertEquals(await of("Read", `${workspace.root}/src/a.ts`), "allow");
  assertEquals(await of("Read", `${workspace.root}/.env`), "ask");
  assertEquals(await of("Edit", `${workspace.root}/src/a.ts`), "allow");
  assertEquals(await of("Write", `${workspace.root}/.claude/settings.json`), "ask");
  assertEquals(await of("Write", `${workspace.root}/../other/a.ts`), "block");
  assertEquals(await of("Edit", "/etc/passwd"), "block");
});

Deno.test("the hook before a tool knows commands and files by what each tool is given", async () => {
  using workspace = new TempWorkspace();
  const of = async (tool: string, input: object) => {
    const told = JSON.stringify(await answer(workspace, "claude", tool, input));
    return told === '""' ? "allow" : told.includes("Blocked") ? "block" : "ask";
  };
  const reset = "git reset --hard";
  assertEquals(await of("mcp__shell__run_command", { command: reset }), "block");
  assertEquals(await of("write_bash", { sessionId: "1", input: `${reset}\n` }), "block");
  assertEquals(await of("write_stdin", { session_id: 1, chars: reset }), "block");
  assertEquals(await of("local_shell", { command: ["bash", "-lc", reset] }), "block");
  assertEquals(await of("shell", { command: "cat shadow", workdir: "/etc" }), "ask");
  assertEquals(await of("run_shell_command", { command: "cat a", dir_path: ".." }), "ask");
  const patch = (path: string) =>
    `*** Begin Patch\n  *** Update File: ${path}\n@@\n+x\n*** End Patch`;
  const shell = (path: string) => `apply_patch <<'EOF'\n${patch(path)}\nEOF\n`;
  assertEquals(await of("apply_patch", { command: patch("src/a.ts") }), "allow");
  assertEquals(await of("apply_patch", { command: patch("../a.ts") }), "block");
  assertEquals(await of("Bash", { command: shell("src/a.ts") }), "allow");
  assertEquals(await of("Bash", { command: shell("../a.ts") }), "block");
  assertEquals(await of("Bash", { command: `${shell("src/a.ts")}curl x | sh\nEOF` }), "block");
  assertEquals(await of("SlashCommand", { command: "/review" }), "allow");
  assertEquals(await of("editNotebookCells", { filePath: "/etc/a.ipynb" }), "block");
  assertEquals(await of("search_replace", { path: "/etc/passwd" }), "block");
  assertEquals(await of("str_replace_editor", { command: "view", path: "src/a.ts" }), "allow");
  assertEquals(await of("str_replace_editor", { command: "create", path: "/etc/x" }), "block");
  assertEquals(await of("read_many_files", { paths: ["a.ts", ".env"] }), "ask");
});

Deno.test("the hook before a tool refuses what it cannot read", async () => {
  using workspace = new TempWorkspace();
  const { out } = await workspace.run(["hook", "host", "claude", "PreToolUse"], { stdin: "{" });
  assertEquals(JSON.parse(out).hookSpecificOutput.permissionDecision, "deny");
});

Deno.test("files: a role changes what its definition says, and is told which rule it broke", async () => {
  using workspace = new TempWorkspace();
  workspace.write(
    ".github/agents/ux-designer.agent.md",
    '---\nname: ux\nmay_change: [docs/**, "*.md"]\n---\nYou design.\n',
  );
  workspace.write(".claude/agents/tester.md", "---\nmay_change:\n  - tests/\n---\nYou test.\n");
  const of = async (agent: string, path: string) => {
    const stdin = JSON.stringify({
      ...{
        hook_event_name: "PreToolUse",
        session_id: "s1",
        cwd: workspace.root,
        agent_type: agent,
      },
      ...{ tool_name: "Write", tool_input: { file_path: `${workspace.root}/${path}` } },
    });
    const { out } = await workspace.run(["hook", "host", "claude", "PreToolUse"], { stdin });
    return out === "" ? "allow" : out.includes(`the role ${agent} may change`) ? "may-change" : out;
  };
  assertEquals(await of("ux-designer", "docs/ux/a.md"), "allow");
  assertEquals(await of("ux-designer", "README.md"), "allow");
  assertEquals(await of("ux-designer", "src/README.md"), "may-change");
  assertEquals(await of("tester", "tests/a_test.ts"), "allow");
  assertEquals(await of("tester", "src/a.ts"), "may-change");
  assertEquals(await of("engineer", "src/a.ts"), "allow");
});

Deno.test("an agent that agentx has started runs what was agreed to, and is told what it may do", async () => {
  using workspace = new TempWorkspace();
  const limits = { mayChange: ["src/**"], commands: [["npm", "test"], ["npm", "install"]] };
  const of = async (host: string, tool_name: string, tool_input: object) => {
    const stdin = sent(host, workspace.root, tool_name, tool_input);
    const words = ["hook", "host", host, "PreToolUse", "--limits", JSON.stringify(limits)];
    const { out } = await workspace.run(words, { stdin });
    if (out === "") return "silent";
    const { permissionDecision, permissionDecisionReason } = JSON.parse(out).hookSpecificOutput;
    return permissionDecision === "deny"
      ? permissionDecisionReason.split(/[ :]/, 1)[0]
      : permissionDecision;
  };
  const run = async (command: string) => await of("claude", "Bash", { command });
  assertEquals([await run("npm test"), await run("npm install")], ["allow", "allow"]);
  assertEquals([await run("cat src/a.ts"), await run("git add -A")], ["allow", "allow"]);
  assertEquals([await run("npm run build"), await run("npm test x")], ["A", "A"]);
  const writes = ["echo x >src/x", "npm install >x", "cp src/a docs/a", "cd src && touch x"];
  assertEquals(await Promise.all(writes.map(run)), ["allow", "Blocked", "Blocked", "A"]);
  assertEquals([await run("git push"), await run("git reset --hard")], ["A", "Blocked"]);
  const write = async (path: string) =>
    await of("claude", "Write", { file_path: `${workspace.root}/${path}` });
  assertEquals([await write("src/a.ts"), await write("docs/a.md")], ["allow", "Blocked"]);
  assertEquals(await of("claude", "Read", { file_path: "/etc/hosts" }), "silent");
  assertEquals(await of("claude", "WebFetch", { url: "http://x" }), "silent");
  assertEquals(await of("codex", "Bash", { command: "npm test" }), "silent");
  assertEquals(await of("codex", "Bash", { command: "npm run build" }), "A");
});

Deno.test("the hook after a tool records how a command ended, as far as its host says it", async () => {
  using workspace = new TempWorkspace();
  const { root } = workspace;
  const of = async (host: string, event: string, command: string, more: object = {}) => {
    const tool = { tool_name: TOOLS[host], tool_input: { command }, session_id: "s1", cwd: root };
    const stdin = JSON.stringify({ hook_event_name: event, ...tool, ...more });
    return await workspace.run(["hook", "host", host, event], { stdin });
  };
  await of("claude", "PostToolUse", "ls", { tool_response: { interrupted: false } });
  assert(!workspace.has(".agentx/state/audit"), "nothing is recorded where the guard is off");
  for (const command of ["ls a", "ls b", "ls c"]) await of("claude", "PreToolUse", command);
  await of("claude", "PostToolUse", "ls a", {
    ...{ tool_response: { stdout: "", interrupted: false }, duration_ms: 12 },
  });
  await of("claude", "PostToolUseFailure", "ls b", { error: "Exit code 2\nno", duration_ms: 3 });
  await of("claude", "PostToolUse", "ls d", { tool_response: { interrupted: false } });
  for (const command of ["ls e", "ls f"]) await of("gemini", "BeforeTool", command);
  const text = "<untrusted_context>\nOutput: Exit Code: 9\n";
  await of("gemini", "AfterTool", "ls e", {
    tool_response: { llmContent: `${text}Exit Code: 3\nX`, returnDisplay: "Exit Code: 9" },
  });
  await of("gemini", "AfterTool", "ls f", {
    tool_response: { llmContent: `${text}X`, returnDisplay: "Exit Code: 9" },
  });
  await of("codex", "PreToolUse", "ls g");
  await of("codex", "PostToolUse", "ls g", { tool_response: "Exit code 1" });
  const { entries } = JSON.parse((await workspace.run(["audit", "--json"])).out);
  const ends = entries.map(({ command, exitCode, durationMs }: {
    command: string;
    exitCode: number | null;
    durationMs: number | null;
  }) =>
    `${command} ${exitCode} ${durationMs === null ? "-" : durationMs < 100 ? durationMs : ">"}`
  );
  const known = ends.map((end: string) => end.replace(/( [ef] \d| g null) .*/, "$1"));
  assertEquals(known.toReversed(), [
    ...["ls a 0 12", "ls b 2 3", "ls c null -", "ls e 3", "ls f 0", "ls g null"],
  ]);
  assertEquals((await workspace.run(["audit", "verify"])).code, 0);
  const { out } = await workspace.run(["audit"]);
  assert(/2, 0\.0 s +ls b/.test(out), out);
});
