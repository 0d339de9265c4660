/**
 * Two real coding agents work on one issue by what `agentx setup` has written, in front of a model on
 * loopback. What `.ci/run` did not install is ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Delivery } from "../../lib/hooks/session_files.ts";
import type { Ran } from "../temp_workspace.ts";
import { type Host, HOSTS, NEWEST_CLAUDE, programOf, titleOf } from "./host.ts";
import { type Script, type Step, WorkingModel } from "../hooks/working_model.ts";
import { TwoHosts } from "./two_hosts.ts";

/** What a person has one of them do, on its standard input, and how it names the tool. */
interface Engineer {
  host: Host;
  args: readonly string[];
  ask: { tool: string; namespace?: string };
  /** Its last words, in what it printed. */
  read: (out: string) => string;
  /** Whether the tool knows the session that calls it. */
  isNamed: boolean;
}

function engineer(name: string, how: Omit<Engineer, "host">): Engineer {
  return { host: HOSTS.find((host) => host.name === name)!, ...how };
}

const CLAUDE = engineer("claude", {
  args: ["-p", "--output-format", "json"],
  ask: { tool: "mcp__agentx__clarify_ask" },
  read: (out) => JSON.parse(out).result,
  isNamed: true,
});

const NEWEST: Engineer = { ...CLAUDE, host: NEWEST_CLAUDE };

const CODEX = engineer("codex", {
  // Its user trusts hooks in a dialog.
  args: ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-"],
  ask: { tool: "clarify_ask", namespace: "mcp__agentx" },
  read: (out) => out.trim(),
  isNamed: true,
});

const GEMINI = engineer("gemini", {
  args: ["--skip-trust", "-o", "json", "-p", ""],
  ask: { tool: "mcp_agentx_clarify_ask" },
  read: (out) => JSON.parse(out).response,
  isNamed: false,
});

const COPILOT = engineer("copilot", {
  args: ["-s", "--allow-all-tools", "--no-ask-user"],
  ask: { tool: "agentx-clarify_ask" },
  read: (out) => out.trim(),
  isNamed: true,
});

const OPENCODE = engineer("opencode", {
  args: ["run", "--format", "json"],
  ask: { tool: "agentx_clarify_ask" },
  read: (out) =>
    out.trim().split("\n").map((line) => JSON.parse(line))
      .findLast(({ type }) => type === "text").part.text,
  isNamed: false,
});

/** Each is both. Copilot takes its own keys out of what it starts, so it asks another vendor. */
const PAIRS = [
  [CLAUDE, CODEX],
  [CODEX, CLAUDE],
  [NEWEST, CODEX],
  [CODEX, NEWEST],
  [GEMINI, COPILOT],
  [COPILOT, GEMINI],
  [OPENCODE, CODEX],
  [CODEX, OPENCODE],
];
const missing = [CLAUDE, NEWEST, CODEX, GEMINI, COPILOT, OPENCODE]
  .filter(({ host }) => programOf(host) === undefined);
for (const { host } of missing) {
  console.warn(`${titleOf(host)} was not tried: .ci/run installs the version of .ci/hosts.txt`);
}

const DECISION = "We decided to keep one JSON file per issue, because git merges those.";
/** Who asks on which issue was set with `agentx here`. */
const INPUT = { to: "architect", topic: "Database", question: "PostgreSQL or SQLite?" };

/** What tells the sessions apart, in what a person says at their start. */
const [PLAN, BUILD] = ["Plan how it is stored.", "Build how it is stored."];

/** Codex sends its first request before a slow server of tools is there. */
function isOffered({ tool, namespace }: Engineer["ask"], request: string): boolean {
  return namespace === undefined || request.includes(`"${tool}"`);
}

/** Says what it read, never what the test knows. */
function engineerStep(request: string, ask: Engineer["ask"]): Step {
  if (!isOffered(ask, request)) return { text: "My tools are not there." };
  const nonce = /nonce-[0-9a-f]{8}/.exec(request)?.[0];
  if (nonce !== undefined) {
    return { text: `We decided to use PostgreSQL for issue 42, because of ${nonce}.` };
  }
  return request.includes(INPUT.question) ? { text: "No answer." } : { ...ask, input: INPUT };
}

/** Everything a person does before the work, by the commands of the README. */
async function prepared(engineer: Engineer, architect: Engineer, script: Script) {
  const model = new WorkingModel(script);
  const user = new TwoHosts([engineer.host, architect.host], model.url);
  const lines = [
    "init",
    `config --global set agents.architect.preset ${architect.host.name}`,
    `setup ${engineer.host.name}`,
    `setup ${architect.host.name}`,
    "here --as engineer --issue 42",
    "config set clarify.retryDelaySeconds 0",
  ];
  for (const line of lines) succeeded(await user.run("agentx", line.split(" ")));
  return { model, user };
}

function succeeded({ code, out, err }: Ran): string {
  assertEquals(code, 0, out + err);
  return out;
}

/** Has an engineer build, again while it has no tools; gives what it printed, and the requests of the run that had them. */
async function built(
  { model, user }: Awaited<ReturnType<typeof prepared>>,
  { host, args, ask }: Engineer,
  env: Record<string, string> = {},
): Promise<{ out: string; requests: string[] }> {
  for (let left = 5;; left--) {
    const before = model.requests.length;
    const out = succeeded(await user.run(host.name, args, { input: BUILD, env }));
    const requests = model.requests.slice(before).filter((request) => request.includes(BUILD));
    if (left === 0 || requests.every((request) => isOffered(ask, request))) {
      return { out, requests };
    }
  }
}

/** At which events a session was given something. */
function offersOf(user: TwoHosts, id: string): string[] {
  const folder = `${user.root}/.agentx/state/sessions`;
  return Array.from(Deno.readDirSync(folder), ({ name }) => name)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name): Delivery[] =>
      JSON.parse(Deno.readTextFileSync(`${folder}/${name}`)).deliveries
    )
    .filter((delivery) => delivery.id === id)
    .flatMap(({ offers }) => offers.map(({ event }) => event));
}

const REMEMBERED_MS = 30_000;

/** Copilot writes on after its last hook. */
async function untilRemembered(user: TwoHosts, nonce: string): Promise<void> {
  const search = ["memory", "search", "use PostgreSQL", "--json"];
  for (const end = Date.now() + REMEMBERED_MS;;) {
    const found = succeeded(await user.run("agentx", search));
    if (found.includes(nonce)) return;
    assert(Date.now() < end, `not captured: ${found}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

for (const engineer of [CLAUDE, NEWEST, CODEX, GEMINI]) {
  Deno.test({
    name: `${titleOf(engineer.host)}: headless, it calls what setup allows, and escalates nothing`,
    ignore: missing.includes(engineer),
    async fn() {
      const { tool: ask, namespace } = engineer.ask;
      const calls = [
        { tool: "ready", input: { limit: 1 } },
        { tool: "memory_note", input: { agent: "engineer", issue: 42, text: "We use tabs." } },
        { tool: "clarify_escalate", input: { id: "CLR-42-001", reason: "It contradicts" } },
      ].map(({ tool, input }) => ({
        ...{ tool: ask.replace("clarify_ask", tool), input },
        ...namespace !== undefined && { namespace },
      }));
      let called = 0;
      const { model, user } = await prepared(engineer, engineer, (request) => {
        const offered = request.includes(BUILD) && isOffered(engineer.ask, request) &&
          request.includes(calls[0].tool);
        return offered && called < calls.length ? calls[called++] : { text: "Done." };
      });
      await using _model = model;
      using _user = user;
      await built({ model, user }, engineer);
      assertEquals(called, calls.length);
      const last = model.requests.at(-1)!;
      assert(/issues\\*":\s*\[\]|No issues are ready/.test(last), last.slice(-3_000));
      const found = await user.run("agentx", ["memory", "search", "tabs", "--json"]);
      assert(found.out.includes("We use tabs."), found.out);
      assert(!last.includes("NOT_FOUND"), last.slice(-3_000)); // as it says where it is called
    },
  });
}

for (const [engineer, architect] of PAIRS) {
  const names = [titleOf(engineer.host), titleOf(architect.host)];
  const ignore = missing.includes(engineer) || missing.includes(architect);

  Deno.test({
    name: `${names.join(" asks ")}, and goes on where a session of ${names[1]} ended`,
    ignore,
    async fn() {
      const nonce = `nonce-${crypto.randomUUID().slice(0, 8)}`;
      const { model, user } = await prepared(engineer, architect, (request) => {
        if (request.includes(PLAN)) return { text: DECISION };
        if (request.includes(BUILD)) return engineerStep(request, engineer.ask);
        return { text: `PostgreSQL, says ${nonce}.` };
      });
      await using _model = model;
      using _user = user;
      succeeded(await user.run(architect.host.name, architect.args, { input: PLAN }));
      const { out, requests: asked } = await built({ model, user }, engineer);

      const told = `${out}\n${model.requests.join("\n\n")}`.slice(-20_000);
      const [first] = asked;
      assert(first.includes("keep one JSON file per issue"), `no recall: ${first}`);
      assert(first.includes("you work as engineer on issue #42"), first);
      assert(engineer.read(out).includes(nonce), told);
      assert(!asked.some((request) => request.includes("delivery CLR-42-001.2")), `twice: ${told}`);
      assertEquals(offersOf(user, "CLR-42-001.2"), ["printed"], told);
      const { clarifications: [{ thread, status, from }] } = JSON.parse(
        succeeded(await user.run("agentx", ["clarify", "--issue", "42", "--json"])),
      );
      const session = engineer.isNamed ? `@${engineer.host.name}-[0-9a-f]{4}` : "";
      assert(new RegExp(`^engineer${session}$`).test(from), from);
      assertEquals([status, thread[1].body, thread[1].runner], [
        "answered",
        `PostgreSQL, says ${nonce}.`,
        architect.host.name,
      ]);
      await untilRemembered(user, nonce);
    },
  });

  Deno.test({
    name: `${names.join(" asks ")}: agents that invoke each other come to an end`,
    ignore,
    async fn() {
      const { model, user } = await prepared(
        engineer,
        architect,
        (request) => engineerStep(request, engineer.ask),
      );
      await using _model = model;
      using _user = user;
      const env = { AGENTX_DEPTH: "4" };
      const { requests } = await built({ model, user }, engineer, env);
      const last = requests.at(-1)!;
      assertEquals(requests.length, 2, last);
      assert(last.includes("agents have invoked each other 4 deep"), last.slice(-3_000));
    },
  });
}

/** How each writes a file. */
const WRITING: readonly { by: Engineer; args: readonly string[]; step: (path: string) => Step }[] =
  [
    {
      by: CLAUDE,
      args: [...CLAUDE.args, "--permission-mode", "acceptEdits"],
      step: (path) => ({ tool: "Write", input: { file_path: path, content: "x\n" } }),
    },
    {
      by: GEMINI,
      args: ["--approval-mode", "auto_edit", ...GEMINI.args],
      step: (path) => ({ tool: "write_file", input: { file_path: path, content: "x\n" } }),
    },
    {
      by: OPENCODE,
      args: OPENCODE.args,
      step: (path) => ({ tool: "write", input: { filePath: path, content: "x\n" } }),
    },
  ];

for (const { by, args, step } of WRITING) {
  Deno.test({
    name: `codex changes a file that a session of ${titleOf(by.host)} has changed, and is told`,
    ignore: missing.includes(by) || missing.includes(CODEX),
    async fn() {
      const changed = Promise.withResolvers<void>();
      const told = Promise.withResolvers<void>();
      let path = "";
      const shown: string[] = [];
      const seen = new Map<string, number>();
      const { model, user } = await prepared(by, CODEX, async (request) => {
        const who = request.includes(PLAN) ? PLAN : BUILD;
        const number = (seen.get(who) ?? 0) + 1;
        seen.set(who, number);
        if (who === PLAN) {
          if (number === 1) return step(path);
          changed.resolve();
          await told.promise;
          return { text: "Done." };
        }
        if (number === 1) {
          return {
            patch: "*** Begin Patch\n*** Update File: shared.txt\n@@\n-x\n+y\n*** End Patch",
          };
        }
        const { out } = await user.run("agentx", ["status", "--json"]);
        shown.push(...JSON.parse(out).sharedFiles.map(({ path }: { path: string }) => path));
        return { text: "Done." };
      });
      await using _model = model;
      using _user = user;
      path = `${user.root}/shared.txt`;
      const codex = `${user.home}/.codex/config.toml`; // this model has the tool for patches
      const settings = Deno.readTextFileSync(codex);
      Deno.writeTextFileSync(codex, settings.replace('model = "m"', 'model = "gpt-5.5"'));
      const first = user.run(by.host.name, args, { input: PLAN });
      await changed.promise;
      succeeded(
        await user.run("codex", ["exec", "-s", "workspace-write", ...CODEX.args.slice(1)], {
          input: BUILD,
        }),
      );
      told.resolve();
      succeeded(await first);
      const last = model.requests.filter((request) => request.includes(BUILD)).at(-1)!;
      assert(/-\w{4} changed shared\.txt \d+s ago for #42/.test(last), last.slice(-3_000));
      assertEquals(shown, ["shared.txt"]);
    },
  });
}
