/**
 * The library on the runtimes that it names: Deno, Node >= 20 and Bun. It is bundled as its users'
 * tools would do it, and used there through its public door.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { openState } from "../lib/workspace/open_state.ts";
import { TempFolder } from "./lock/temp_folder.ts";
import { TempUser } from "./temp_user.ts";

const ROOT = new URL("../", import.meta.url).pathname;

/** One request that is answered by a real process, and one refusal. */
const PROGRAM = `
import { openWorkspace } from "./toolkit.mjs";

const agentx = await openWorkspace({ root: import.meta.dirname });
const asked = { issue: 42, from: "engineer", to: "architect", question: process.env.QUESTION };
const { id, status, answer } = await agentx.ask(asked);
const refusal = await agentx.ask({ ...asked, to: "reviewer" })
  .catch(({ code, details }) => ({ code, allowed: details.allowed }));
console.log(JSON.stringify({ id, status, answer, refusal }));
`;

const EXPECTED = {
  id: "CLR-42-001",
  status: "answered",
  answer: "PostgreSQL.",
  refusal: { code: "SCOPE_VIOLATION", allowed: ["architect"] },
};

async function run(
  program: string,
  args: string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, ...options })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** Makes the program, and gives it with the hash of what its workspace would run. */
async function makeProgram(folder: string): Promise<{ program: string; hash: string }> {
  Deno.mkdirSync(`${folder}/.agentx/workflows`, { recursive: true });
  Deno.writeTextFileSync(
    `${folder}/.agentx/workflows/feature.toml`,
    '[[steps]]\nid = "implement"\nagent = "engineer"\ncan_clarify = ["architect"]\n',
  );
  Deno.writeTextFileSync(
    `${folder}/.agentx/config.json`,
    JSON.stringify({ agents: { architect: { command: ["echo", "PostgreSQL."] } } }),
  );
  Deno.writeTextFileSync(`${folder}/program.mjs`, PROGRAM);
  const bundle = ["bundle", "--quiet", `${ROOT}mod.ts`, "-o", `${folder}/toolkit.mjs`];
  await run(Deno.execPath(), bundle);
  const trust = await openState({ root: folder }).trust();
  return { program: `${folder}/program.mjs`, hash: (await trust.plan()).hash };
}

async function isInstalled(program: string): Promise<boolean> {
  try {
    await run(program, ["--version"]);
    return true;
  } catch {
    console.warn(`${program} is not on PATH: the library was not tried on it`);
    return false;
  }
}

const RUNTIMES = [
  { name: "Deno", command: [Deno.execPath(), "run", "-A"] },
  { name: "Node", command: ["node"] },
  { name: "Bun", command: ["bun"] },
];

for (const { name, command: [program, ...args] } of RUNTIMES) {
  const ignore = !await isInstalled(program);
  Deno.test({ name: `openWorkspace() answers and refuses on ${name}`, ignore }, async () => {
    using _user = new TempUser();
    using folder = new TempFolder();
    const made = await makeProgram(folder.path);
    const runIt = (env: Record<string, string>, QUESTION = "PostgreSQL or SQLite?") =>
      run(program, [...args, made.program], { env: { ...env, QUESTION }, cwd: folder.path });
    const untrusted = JSON.parse(await runIt({}));
    assertEquals([untrusted.status, untrusted.answer], ["pending", null]);
    const trusted = JSON.parse(await runIt({ CI: "true", AGENTX_TRUST: made.hash }));
    assertEquals(trusted, EXPECTED); // the same question is taken up
    // Bun reads it by itself.
    Deno.writeTextFileSync(folder.file(".env"), `AGENTX_TRUST=${made.hash}\n`);
    assertEquals(JSON.parse(await runIt({}, "Which one now?")).status, "pending");
  });
}
