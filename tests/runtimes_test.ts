/**
 * The library on the runtimes that it names: Deno, Node >= 20 and Bun. It is bundled as its users'
 * tools would do it, and used there through its public door.
 *
 * @module
 */

import { assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url).pathname;

/** One request that is answered by a real process, and one refusal. */
const PROGRAM = `
import { openWorkspace } from "./toolkit.mjs";

const { router } = await openWorkspace({ root: import.meta.dirname });
const request = {
  issueNumber: 42,
  fromAgent: "engineer",
  toAgent: "architect",
  topic: "Database layer",
  question: "PostgreSQL or SQLite?",
  blocking: true,
};
const { clarificationId, status, answer } = await router.requestClarification(request);
const refusal = await router.requestClarification({ ...request, toAgent: "reviewer" })
  .catch(({ code, details }) => ({ code, allowed: details.allowed }));
console.log(JSON.stringify({ clarificationId, status, answer, refusal }));
`;

const EXPECTED = {
  clarificationId: "CLR-42-001",
  status: "answered",
  answer: "PostgreSQL.",
  refusal: { code: "SCOPE_VIOLATION", allowed: ["architect"] },
};

async function run(program: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

async function makeProgram(): Promise<string> {
  const folder = Deno.makeTempDirSync();
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
  await run(Deno.execPath(), "bundle", "--quiet", `${ROOT}mod.ts`, "-o", `${folder}/toolkit.mjs`);
  return `${folder}/program.mjs`;
}

async function isInstalled(program: string): Promise<boolean> {
  try {
    await run(program, "--version");
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
    assertEquals(JSON.parse(await run(program, ...args, await makeProgram())), EXPECTED);
  });
}
