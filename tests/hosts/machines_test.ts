/**
 * A real coding agent on one machine asks one that another machine serves, over a git remote. Programs that `.ci/run`
 * did not install are ignored.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { type Step, WorkingModel } from "../hooks/working_model.ts";
import { git } from "../remote/temp_machines.ts";
import { HOSTS, programOf } from "./host.ts";
import { TwoHosts } from "./two_hosts.ts";
import { removeFolder } from "../remove_folder.ts";

const [CLAUDE, CODEX] = ["claude", "codex"].map((name) =>
  HOSTS.find((host) => host.name === name)!
);
const BUILD = "Build how it is stored.";
const INPUT = {
  ...{ issue: 42, from: "engineer", to: "architect", topic: "Database" },
  question: "PostgreSQL or SQLite?",
};

/** Runs a command line of agentx that succeeds; returns its output. */
async function agentx(user: TwoHosts, line: string): Promise<string> {
  const { code, out, err } = await user.run("agentx", line.split(" "));
  assertEquals(code, 0, `${line}\n${out}${err}`);
  return out;
}

/** Its user agrees to the remote. */
async function joins(user: TwoHosts, hub: string): Promise<void> {
  await using terminal = user.terminal("agentx remote git");
  await until(() => terminal.shown.includes("Share it from now on?"), () => terminal.shown);
  assert(terminal.shown.includes(hub), terminal.shown);
  await terminal.type("y\r");
  await until(() => terminal.shown.includes("shares this workspace"), () => terminal.shown);
}

async function until(
  isSo: () => boolean | Promise<boolean>,
  said: () => string = () => "",
): Promise<void> {
  const end = Date.now() + 60_000;
  while (!await isSo()) {
    assert(Date.now() < end, said());
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

Deno.test({
  name: "Claude Code on one machine asks Codex that another machine serves",
  ignore: [CLAUDE, CODEX].some((host) => programOf(host) === undefined),
  async fn() {
    const nonce = `nonce-${crypto.randomUUID().slice(0, 8)}`;
    const model = new WorkingModel((request): Step => {
      if (!request.includes(BUILD)) return { text: `PostgreSQL, says ${nonce}.` };
      const read = /nonce-[0-9a-f]{8}/.exec(request)?.[0];
      if (read !== undefined) return { text: `We use PostgreSQL because of ${read}.` };
      return request.includes(INPUT.question)
        ? { text: "No answer." }
        : { tool: "mcp__agentx__clarify_ask", input: INPUT };
    });
    await using _model = model;
    using desk = new TwoHosts([CLAUDE], model.url);
    using box = new TwoHosts([CODEX], model.url);
    const hub = `${desk.home}/hub.git`;
    git(desk.home, "init", "-q", "--bare", "-b", "main", hub);
    for (const user of [desk, box]) {
      removeFolder(user.root);
      git(user.home, "clone", "-q", hub, "repo");
      if (user === box) continue;
      git(user.root, "checkout", "-q", "-b", "main");
      await agentx(user, "init");
      git(user.root, "add", "-A");
      git(user.root, "commit", "-q", "-m", "Begin");
      git(user.root, "push", "-q", "origin", "main");
    }
    await agentx(desk, "setup claude");
    await agentx(desk, "here --as engineer --issue 42");
    await agentx(box, "config --global set agents.architect.preset codex");
    for (const user of [desk, box]) await joins(user, hub);

    await using server = box.terminal("agentx serve --as architect");
    await until(
      async () => JSON.parse(await agentx(desk, "sync --json")).machines.length === 1,
      () => server.shown,
    );
    const args = ["-p", "--output-format", "json"];
    const { code, out, err } = await desk.run("claude", args, { input: BUILD });
    assertEquals(code, 0, out + err);
    const told = `${server.shown}\n${model.requests.join("\n\n")}`.slice(-20_000);
    assert(JSON.parse(out).result.includes(nonce), told);
    const { clarifications: [{ status, thread }] } = JSON.parse(
      await agentx(desk, "clarify --issue 42 --json"),
    );
    assertEquals([status, thread[1].body], ["answered", `PostgreSQL, says ${nonce}.`]);
    assert(typeof thread[1].machine === "string", "it came from the other machine");
    const runs = model.requests.filter((request) => !request.includes(BUILD));
    assertEquals(runs.length, 1, told);
  },
});
