import { assert, assertEquals } from "@std/assert";
import { checkStep } from "../../lib/pipeline/check_step.ts";
import { openState } from "../../lib/workspace/open_state.ts";
import { readWorkflow } from "../../lib/config/workflow.ts";
import { canConfine } from "../../lib/sandbox/confine.ts";
import { TempWorkspace, type TempWorkspaceOptions } from "../temp_workspace.ts";

const isConfinable = await canConfine();

/** A workspace whose engineer's step is checked by shell scripts. */
function checkedBy(
  scripts: readonly string[],
  keys = "",
  options: TempWorkspaceOptions = {},
): TempWorkspace {
  const workspace = new TempWorkspace(options);
  const evidence = scripts.map((script) => ["sh", "-c", script]);
  workspace.write(
    ".agentx/workflows/feature.toml",
    `[[steps]]\nid = "implement"\nagent = "engineer"\nevidence = ${
      JSON.stringify(evidence)
    }\n${keys}`,
  );
  return workspace;
}

function check(workspace: TempWorkspace, { timeoutMs }: { timeoutMs?: number } = {}) {
  const { root } = workspace;
  const [step] = readWorkflow(`${root}/.agentx/workflows`, "feature").steps;
  return checkStep(step, { ...openState({ root }), issue: { number: 1, body: "" }, timeoutMs });
}

Deno.test("checkStep() keeps exit code and output of each command, and says which failed", async () => {
  using workspace = checkedBy(["echo fine", "echo broken; echo more >&2; exit 3"]);
  const { reasons, evidence, hash } = await check(workspace);
  assertEquals([reasons, hash], [
    ["sh -c 'echo broken; echo more >&2; exit 3' failed with exit code 3; it said: broken / more"],
    null,
  ]);
  assertEquals(evidence.map(({ exitCode, output }) => [exitCode, output]), [
    [0, "fine"],
    [3, "broken\nmore"],
  ]);
});

Deno.test("checkStep() runs commands in the checkout, without credentials of the caller", async () => {
  using workspace = checkedBy(['echo "$PWD $SOME_API_KEY"']);
  Deno.env.set("SOME_API_KEY", "abc");
  try {
    const { evidence } = await check(workspace);
    assertEquals(evidence[0].output, workspace.root);
  } finally {
    Deno.env.delete("SOME_API_KEY");
  }
});

Deno.test("checkStep() ends a command that hangs, with all that it has started", async () => {
  using workspace = checkedBy(["echo begun; sleep 600 & wait"]);
  const { reasons, evidence } = await check(workspace, { timeoutMs: 300 });
  assert(reasons[0].endsWith("did not end within 0.3 s, and was killed"), reasons[0]);
  assertEquals(evidence.map(({ exitCode, output }) => [exitCode, output]), [[null, "begun"]]);
});

Deno.test("checkStep() ends a command that prints 100 MB, and keeps little of it", async () => {
  using workspace = checkedBy(["head -c 100000000 /dev/zero | tr '\\\\0' x"]);
  const { reasons, evidence } = await check(workspace);
  assert(reasons[0].endsWith("printed more than 10 MB, and was killed"), reasons[0]);
  assert(evidence[0].output.length < 2_000);
});

Deno.test("checkStep() runs nothing that the user has not agreed to", async () => {
  using workspace = checkedBy(["touch ran"], "", { isTrusted: false });
  const { reasons, evidence } = await check(workspace);
  assertEquals(reasons, [
    "sh -c 'touch ran' was not run: you have not agreed to it: agentx trust",
  ]);
  assertEquals(evidence[0].exitCode, null);
  assert(!Array.from(Deno.readDirSync(workspace.root)).some(({ name }) => name === "ran"));
});

/** Has a line printed for each folder: whether it can be written. */
const WRITES = 'for to in "$@"; do (echo x >"$to/made") 2>/dev/null && echo "$to" || true; done';

Deno.test({
  name:
    "checkStep() runs commands in a sandbox: they write the tree, and the caches that a person names",
  ignore: !isConfinable,
  async fn() {
    using workspace = checkedBy([]);
    const home = Deno.makeTempDirSync({ dir: "/var/tmp", prefix: "agentx-test-" });
    const folders = [workspace.root, "/tmp", home, `${home}/cache`];
    const evidence = [["sh", "-c", WRITES, "sh", ...folders], ["cat", "/proc/net/dev"]];
    workspace.write(
      ".agentx/workflows/feature.toml",
      `[[steps]]\nid = "a"\nagent = "engineer"\nevidence = ${JSON.stringify(evidence)}\n`,
    );
    Deno.mkdirSync(`${home}/cache`);
    const written = async () => (await check(workspace)).evidence[0].output.split("\n");
    const own = [workspace.root, "/tmp"];
    assertEquals(await written(), own);
    workspace.write(".agentx/config.json", '{ "evidence": { "caches": ["/var/tmp"] } }');
    assertEquals(await written(), own, "a repository has no say in it");
    const agents = { engineer: { command: ["true"], network: false } };
    const caches = [`${home}/cache`];
    workspace.user.configure({ evidence: { caches }, agents });
    assertEquals(await written(), [...own, ...caches]);
    const devices = (await check(workspace)).evidence[1].output.match(/^ *\w+:/gm) ?? [];
    assertEquals(devices.map((name) => name.trim()), ["lo:"]);
    const entries = Array.from(Deno.readDirSync("/tmp"), ({ name }) => name);
    assert(!entries.includes("made"), "it has a temporary folder of its own");
    Deno.removeSync(home, { recursive: true });
  },
});

Deno.test("checkStep() runs commands without a sandbox only where a person agreed to that", async () => {
  using workspace = checkedBy(["touch ran"], "", { isTrusted: false });
  const path = Deno.env.get("PATH")!;
  workspace.write("bin/.keep", "");
  for (const name of ["sh", "touch"]) {
    Deno.symlinkSync(`/bin/${name}`, `${workspace.root}/bin/${name}`);
  }
  const reasons = async () => (await check(workspace)).reasons;
  const not = ["sh -c 'touch ran' was not run: you have not agreed to it: agentx trust"];
  try {
    if (isConfinable) {
      await workspace.trust();
      assertEquals(await reasons(), []);
    }
    Deno.env.set("PATH", `${workspace.root}/bin`);
    assertEquals(await reasons(), not);
    const { err } = await workspace.trust();
    assert(err.includes("This machine has no sandbox"), err);
    assertEquals(await reasons(), []);
  } finally {
    Deno.env.set("PATH", path);
  }
});

Deno.test("checkStep() runs nothing that the guard blocks, whatever was agreed to", async () => {
  using workspace = checkedBy(["touch ran; git push --force origin main"]);
  const { reasons } = await check(workspace);
  assert(reasons[0].includes("was not run: "), reasons[0]);
  assert(!Array.from(Deno.readDirSync(workspace.root)).some(({ name }) => name === "ran"));
});

Deno.test("checkStep() names a program that there is not", async () => {
  using workspace = checkedBy([]);
  workspace.write(
    ".agentx/workflows/feature.toml",
    '[[steps]]\nid = "a"\nagent = "engineer"\nevidence = [["agentx-no-such-program"]]\n',
  );
  const { reasons } = await check(workspace);
  assertEquals(reasons, ["agentx-no-such-program was not run: there is no such program"]);
});

Deno.test("checkStep() keeps no secret that a command prints", async () => {
  const token = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6".slice(0, 36)}`;
  using workspace = checkedBy([`echo ${token.slice(0, 10)}${token.slice(10)}`]);
  const { evidence } = await check(workspace);
  assert(!evidence[0].output.includes(token), evidence[0].output);
});

const LCOV = (hit: number) => `printf 'SF:a.ts\\nLF:10\\nLH:${hit}\\nend_of_record\\n'`;

Deno.test("checkStep() asks for 80 % where a report of lcov is new", async () => {
  using workspace = checkedBy([`mkdir -p coverage; ${LCOV(7)} >coverage/lcov.info`]);
  const { reasons, coverage } = await check(workspace);
  assertEquals(reasons, ["coverage is 70 %, and 80 % are wanted (coverage/lcov.info)"]);
  assertEquals(coverage, { percent: 70, path: "coverage/lcov.info" });
});

Deno.test("checkStep() asks for what the step says, and reads cobertura, too", async () => {
  const xml = '<?xml version="1.0"?><coverage line-rate="0.755" version="1"></coverage>';
  using workspace = checkedBy([`echo '${xml}' >coverage.xml`], "coverage = 75\n");
  const { reasons, coverage } = await check(workspace);
  assertEquals([reasons, coverage?.percent], [[], 75.5]);
});

Deno.test("checkStep() takes an old report for none, which counts where the step asks for one", async () => {
  const old = new Date("2020-01-01");
  for (const [keys, wanted] of [["", 0], ["coverage = 50\n", 1]] as const) {
    using workspace = checkedBy(["true"], keys);
    workspace.write("lcov.info", "LF:10\nLH:1\n");
    Deno.utimeSync(`${workspace.root}/lcov.info`, old, old);
    const { reasons, coverage } = await check(workspace);
    assertEquals([reasons.length, coverage], [wanted, null]);
  }
});
