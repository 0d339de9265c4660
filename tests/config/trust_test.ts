import { assert, assertEquals } from "@std/assert";
import { completeConfig } from "../../lib/config/content.ts";
import { RepositoryTrust } from "../../lib/config/trust.ts";
import { sys } from "../../lib/sys/mod.ts";
import { refusal } from "../refusal.ts";
import { TempWorkspace } from "../temp_workspace.ts";
import { TempRepository } from "../workspace/temp_repository.ts";

const AGENT = { command: ["sh", "agents/a.sh"] };

function untrusted(): TempWorkspace {
  const temp = new TempWorkspace({ isTrusted: false });
  temp.write(".git/HEAD", "ref: refs/heads/main\n");
  temp.write("agents/a.sh", "echo a\n");
  return temp;
}

/** The trust of a repository that defines the agents, beside those of the user. */
function trustOf(
  { root, tree = root }: { root: string; tree?: string },
  repositoryAgents: Record<string, object> = { architect: AGENT },
  userAgents: Record<string, object> = {},
): RepositoryTrust {
  const { agents } = completeConfig({ agents: { ...userAgents, ...repositoryAgents } });
  return new RepositoryTrust({ root, tree, repositoryAgents, agents });
}

async function hashOf(temp: TempWorkspace, agents?: Record<string, object>): Promise<string> {
  return (await trustOf(temp, agents).plan()).hash;
}

Deno.test("RepositoryTrust.check() refuses before consent, and names what would run", async () => {
  using temp = untrusted();
  const trust = trustOf(temp);
  const { message, details } = await refusal("UNTRUSTED", () => trust.check("architect"));
  assertEquals(details.path, temp.root);
  assert(message.includes('["sh","agents/a.sh"]') && message.endsWith("agentx trust"), message);
  await trust.allow(await trust.plan());
  await trust.check("architect");
});

Deno.test("RepositoryTrust.check() shows a command on one line, without escape sequences", async () => {
  using temp = untrusted();
  const command = ["x", "\u001b[2J\n\u202e", "y".repeat(5_000)];
  const { message } = await refusal(
    "UNTRUSTED",
    () => trustOf(temp, { architect: { command } }).check("architect"),
  );
  assert(message.length < 800 && !message.includes("\u001b") && !message.includes("\u202e"));
  assertEquals(message.split("\n").length, 2);
});

Deno.test("RepositoryTrust remembers every content that was agreed to, as branches have them", async () => {
  using temp = untrusted();
  const [first, second] = [trustOf(temp), trustOf(temp, { architect: { command: ["other"] } })];
  for (const trust of [first, second]) await trust.allow(await trust.plan());
  for (const trust of [first, second]) await trust.check("architect");
});

Deno.test("RepositoryTrust.plan() has the same hash for the same meaning", async () => {
  using temp = untrusted();
  const hash = await hashOf(temp, { a: { command: ["x"], env: { A: "1", B: "2" } }, b: AGENT });
  const turned = { b: AGENT, a: { env: { B: "2", A: "1" }, command: ["x"] } };
  assertEquals(await hashOf(temp, turned), hash);
  using elsewhere = untrusted();
  assertEquals(await hashOf(elsewhere, turned), hash);
});

const CHANGES: Record<string, object> = {
  "its command": { command: ["sh", "agents/b.sh"] },
  "the order of its words": { command: ["agents/a.sh", "sh"] },
  "a preset": { preset: "claude" },
  "a variable": { ...AGENT, env: { A: "1" } },
  "a variable to pass": { ...AGENT, passEnv: ["A"] },
  "its time": { ...AGENT, timeoutSeconds: 5 },
  "a key that is not known": { ...AGENT, baseUrl: "https://example.org" },
};

for (const [name, settings] of Object.entries(CHANGES)) {
  Deno.test(`RepositoryTrust asks again after a change of ${name}`, async () => {
    using temp = untrusted();
    const before = trustOf(temp);
    await before.allow(await before.plan());
    const after = trustOf(temp, { architect: settings });
    assertEquals(after.isTrusted(await after.plan()), false);
  });
}

Deno.test("RepositoryTrust asks again after a change of a file, and not for what was agreed to before", async () => {
  using temp = untrusted();
  const trust = trustOf(temp);
  const agreed = async () => trust.isTrusted(await trust.plan());
  const states = [await agreed()];
  await trust.allow(await trust.plan());
  states.push(await agreed());
  temp.write("agents/a.sh", "echo b\n");
  states.push(await agreed());
  await trust.allow(await trust.plan());
  temp.write("agents/a.sh", "echo a\n");
  states.push(await agreed());
  Deno.removeSync(`${temp.root}/agents/a.sh`);
  states.push(await agreed());
  assertEquals(states, [false, true, false, true, false]);
});

Deno.test("RepositoryTrust tells bytes apart that are not text", async () => {
  using temp = untrusted();
  const hashes = [];
  for (const byte of [0xfe, 0xff]) {
    Deno.writeFileSync(`${temp.root}/agents/a.sh`, new Uint8Array([byte]));
    hashes.push(await hashOf(temp));
  }
  assert(hashes[0] !== hashes[1]);
});

Deno.test("RepositoryTrust.allow() holds for all worktrees, as long as they say the same", async () => {
  using temp = untrusted();
  using repository = new TempRepository();
  const tree = repository.folder("second");
  repository.folder("second/agents");
  Deno.writeTextFileSync(`${tree}/.git`, "gitdir: elsewhere\n");
  Deno.writeTextFileSync(`${tree}/agents/a.sh`, "echo a\n");
  const main = trustOf(temp);
  const second = trustOf({ root: temp.root, tree });
  await main.allow(await main.plan());
  assertEquals(second.isTrusted(await second.plan()), true);

  Deno.writeTextFileSync(`${tree}/agents/a.sh`, "echo b\n");
  assertEquals(second.isTrusted(await second.plan()), false);
  await second.allow(await second.plan());
  assertEquals(second.isTrusted(await second.plan()), true);
  assertEquals(main.isTrusted(await main.plan()), true);
});

Deno.test("RepositoryTrust.allow() holds for no other repository", async () => {
  using temp = untrusted();
  using other = untrusted();
  const trust = trustOf(temp);
  Deno.env.set("XDG_STATE_HOME", `${temp.user.path}/state`);
  await trust.allow(await trust.plan());
  const elsewhere = trustOf(other);
  const plan = await elsewhere.plan();
  assertEquals(plan.hash, (await trust.plan()).hash);
  assertEquals(elsewhere.isTrusted(plan), false);
});

Deno.test("RepositoryTrust.allow() keeps consent for the user alone", async () => {
  using temp = untrusted();
  const trust = trustOf(temp);
  const umask = Deno.umask(0);
  try {
    await trust.allow(await trust.plan());
  } finally {
    Deno.umask(umask);
  }
  const folder = `${temp.user.path}/state/agentx`;
  const modes = [folder, `${folder}/trust.json`].map((path) => Deno.statSync(path).mode! & 0o777);
  assertEquals(modes, [0o700, 0o600]);
});

for (const [name, state] of Object.entries({ inside: ".state", link: "out", root: "." })) {
  Deno.test(`RepositoryTrust refuses a state folder that lies inside: ${name}`, async () => {
    using temp = untrusted();
    Deno.symlinkSync(temp.root, `${temp.user.path}/out`);
    const base = name === "link" ? temp.user.path : temp.root;
    Deno.env.set("XDG_STATE_HOME", `${base}/${state}`);
    const trust = trustOf(temp);
    const plan = await trust.plan();
    const before = temp.snapshot();
    await refusal("UNTRUSTED", () => trust.allow(plan));
    assertEquals(temp.snapshot(), before);
    temp.write("agentx/trust.json", JSON.stringify({ [temp.root]: { [temp.root]: plan.hash } }));
    temp.write(".state/agentx/trust.json", temp.read("agentx/trust.json"));
    assertEquals(trust.isTrusted(plan), false);
  });
}

Deno.test("RepositoryTrust refuses a file of consent that is damaged, and leaves it", async () => {
  using temp = untrusted();
  const trust = trustOf(temp);
  const plan = await trust.plan();
  Deno.mkdirSync(`${temp.user.path}/state/agentx`, { recursive: true });
  const path = `${temp.user.path}/state/agentx/trust.json`;
  Deno.writeTextFileSync(path, '{"/x": "y"}');
  await refusal("CORRUPT_STATE", () => trust.isTrusted(plan));
  await refusal("CORRUPT_STATE", () => trust.allow(plan));
  assertEquals(Deno.readTextFileSync(path), '{"/x": "y"}');
});

Deno.test("RepositoryTrust says where there is no home to keep consent in", async () => {
  using temp = untrusted();
  const trust = trustOf(temp);
  const plan = await trust.plan();
  const { env } = sys;
  sys.env = () => undefined;
  try {
    assertEquals(trust.isTrusted(plan), false);
    await refusal("UNTRUSTED", () => trust.allow(plan));
  } finally {
    sys.env = env;
  }
});

Deno.test("RepositoryTrust asks for no consent to the user's own agents", async () => {
  using temp = untrusted();
  const user = { architect: { command: ["claude", "-C", "agents"] } };
  const trust = trustOf(temp, {}, user);
  await trust.check("architect");
  const plan = await trust.plan();
  assertEquals([plan.files, trust.isTrusted(plan)], [[], true]);
  await trustOf(temp, { tester: AGENT }, user).check("architect");
});

Deno.test("RepositoryTrust asks for consent where the user's own agent names a file of it", async () => {
  using temp = untrusted();
  const trust = trustOf(temp, {}, { architect: AGENT });
  await refusal("UNTRUSTED", () => trust.check("architect"));
  const plan = await trust.plan();
  assertEquals(plan.files.map(({ name }) => name), ["agents/a.sh"]);
  await trust.allow(plan);
  await trust.check("architect");
});

const VARIABLES: [name: string, variables: Record<string, string>, isTrusted: boolean][] = [
  ["the hash in CI", { AGENTX_TRUST: "HASH", CI: "true" }, true],
  ["another hash", { AGENTX_TRUST: "0".repeat(64) }, false],
  ["nothing", { AGENTX_TRUST: "" }, false],
  ["1 in CI", { AGENTX_TRUST: "1", CI: "true" }, true],
  ["the hash outside of CI", { AGENTX_TRUST: "HASH" }, false],
  ["the hash on Jenkins", { AGENTX_TRUST: "HASH", JENKINS_URL: "http://ci" }, true],
  ["the hash in a session", { AGENTX_TRUST: "HASH", CI: "true", CLAUDECODE: "1" }, false],
  ["1 in a session", { AGENTX_TRUST: "1", CI: "true", CODEX_CI: "1" }, false],
  ["1 alone", { AGENTX_TRUST: "1" }, false],
  ["1 with another CI", { AGENTX_TRUST: "1", CI: "1" }, false],
  ["true in CI", { AGENTX_TRUST: "true", CI: "true" }, false],
];

for (const [name, variables, expected] of VARIABLES) {
  Deno.test(`RepositoryTrust honours AGENTX_TRUST: ${name}`, async () => {
    using temp = untrusted();
    const trust = trustOf(temp);
    const plan = await trust.plan();
    for (const [name, value] of Object.entries(variables)) {
      Deno.env.set(name, value.replace("HASH", plan.hash));
    }
    assertEquals(trust.isTrusted(plan), expected);
    for (const name of Object.keys(variables)) Deno.env.delete(name);
  });
}

for (const name of [".env", ".env.local", "ci.env", ".envrc"]) {
  Deno.test(`RepositoryTrust takes no consent that ${name} of the repository may have given`, async () => {
    using temp = untrusted();
    const trust = trustOf(temp);
    const plan = await trust.plan();
    Deno.env.set("AGENTX_TRUST", plan.hash);
    Deno.env.set("CI", "true");
    temp.write(name, "export OTHER=1\n");
    assertEquals(trust.isTrusted(plan), true);
    temp.write(name, `OTHER=1\nexport AGENTX_TRUST=${plan.hash}\n`);
    assertEquals(trust.isTrusted(plan), false);
  });
}

Deno.test("RepositoryTrust takes no consent beside a .env that is not a file", async () => {
  using temp = untrusted();
  const trust = trustOf(temp);
  const plan = await trust.plan();
  Deno.env.set("AGENTX_TRUST", plan.hash);
  Deno.env.set("CI", "true");
  Deno.symlinkSync("/dev/zero", `${temp.root}/.env`);
  assertEquals(trust.isTrusted(plan), false);
});

Deno.test("RepositoryTrust refuses what it cannot look at", async () => {
  using temp = untrusted();
  const deep = JSON.parse("[".repeat(200) + "]".repeat(200));
  const long = { command: Array.from({ length: 3_000 }, (_, index) => `${index}`) };
  for (const agents of [{ architect: { ...AGENT, deep } }, { architect: long }]) {
    await refusal("UNTRUSTED", () => trustOf(temp, agents).plan());
    await refusal("UNTRUSTED", () => trustOf(temp, agents).check("architect"));
  }
});

Deno.test("RepositoryTrust refuses a file that is too large to look at", async () => {
  using temp = untrusted();
  Deno.truncateSync(`${temp.root}/agents/a.sh`, 64 * 2 ** 20 + 1);
  await refusal("UNTRUSTED", () => trustOf(temp).plan());
});

Deno.test("RepositoryTrust covers the commands of workflows, and asks again after a change", async () => {
  using temp = untrusted();
  const workflow = (command: string) =>
    temp.write(
      ".agentx/workflows/feature.toml",
      `[[steps]]\nid = "a"\nagent = "engineer"\nevidence = [["sh", "${command}"], ["make"]]\n`,
    );
  workflow("a.sh");
  temp.write(".agentx/workflows/broken.toml", "[[steps");
  const trust = trustOf(temp, {});
  await refusal("UNTRUSTED", () => trust.checkCommand(["make"]));
  const plan = await trust.plan();
  assertEquals(plan.commands, [["make"], ["sh", "a.sh"]]);
  await trust.allow(plan);
  await trust.checkCommand(["make"]);
  await refusal("UNTRUSTED", () => trust.checkCommand(["make", "all"]));
  workflow("b.sh");
  await refusal("UNTRUSTED", () => trust.checkCommand(["make"]));
});

Deno.test("RepositoryTrust asks again after a change of a role's models, and not for any without", async () => {
  using temp = untrusted();
  const path = ".github/agents/architect.agent.md";
  const trust = trustOf(temp);
  const isTrusted = async () => trust.isTrusted(await trust.plan());
  await trust.allow(await trust.plan());
  temp.write(path, "---\nmay_change: [docs/**]\n---\n");
  assertEquals(await isTrusted(), true);
  temp.write(path, "---\nmodel: opus\n---\n");
  assertEquals(await isTrusted(), false);
  const notes: string[] = [];
  assertEquals(await trust.models("architect", (note) => notes.push(note)), []);
  assertEquals(notes.length, 1);
  await trust.allow(await trust.plan());
  assertEquals(await trust.models("architect", (note) => notes.push(note)), ["opus"]);
  temp.write(path, "---\nmodel: [opus, sonnet]\n---\n");
  assertEquals([await isTrusted(), notes.length], [false, 1]);
});
