/**
 * Every command that writes, as a process of Node and of Deno with a library preloaded that fails at one of
 * its system calls. With full counts only; each row is written to `TABLE.md` as soon as it
 * is measured.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { isInstalled, run } from "../hostile_files/run_cases.ts";
import { TempFolder } from "../lock/temp_folder.ts";
import { ended, spawnAgentx } from "../temp_workspace.ts";
import { MORE, type Scenario, SCENARIOS } from "./commands.ts";
import { type FaultKind, FAULTS } from "./fault.ts";
import { type Expected, judge, prepared, undisturbed } from "./judge.ts";
import { IS_FULL } from "../often.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const TABLE = new URL("TABLE.md", import.meta.url);
const ONLY = Deno.env.get("AGENTX_FAULTS")?.split(",");

/** The program as one file for any runtime, and the library. */
function build(folder: TempFolder): { program: string; library: string } {
  const [program, library] = [folder.file("agentx.mjs"), folder.file("shim.so")];
  run("cc", "-shared", "-fPIC", "-O1", "-o", library, `${ROOT}tests/faults/shim.c`, "-ldl");
  const [bundle, entry] = [folder.file("bundle"), `${ROOT}cli.ts`];
  run(Deno.execPath(), "bundle", "--quiet", "--code-splitting", "--outdir", bundle, entry);
  Deno.writeTextFileSync(`${bundle}/package.json`, '{"type":"module"}');
  Deno.writeTextFileSync(
    program,
    'import("./bundle/cli.js").then(({ runProgram }) => runProgram());\n',
  );
  return { program, library };
}

interface Shimmed {
  command: readonly string[];
  library: string;
  expected: Expected;
}

/** Gives whether there is a call of that number, and whether something failed there. */
async function tryWith(
  scenario: Scenario,
  { command, library, expected }: Shimmed,
  { at, kind }: { at: number; kind: FaultKind },
): Promise<boolean> {
  using temp = await prepared(scenario);
  using counts = new TempFolder();
  const env = {
    LD_PRELOAD: library,
    FAULT_COUNT: counts.file("count"),
    FAULT_AT: String(at),
    FAULT_KIND: kind,
    ...scenario.env,
  };
  const input = temp.root + "/session.md";
  if (scenario.stdin !== undefined) Deno.writeTextFileSync(input, scenario.stdin);
  const words = scenario.words.map((word) => word === "-" ? input : word);
  const ran = await ended(spawnAgentx(words, { cwd: temp.root, env, program: command }));
  if (Deno.statSync(env.FAULT_COUNT).size < at) return false;
  const where = `${kind} at call ${at} of ${command[0]}: ${JSON.stringify(ran)}`;
  await judge(scenario, temp, { ran, where, expected, isRepeated: true });
  return true;
}

const canBuild = IS_FULL && Deno.build.os === "linux" && isInstalled("cc");

Deno.test({
  name: "Every writing command keeps what it acknowledges, whichever system call fails",
  ignore: !canBuild,
  async fn() {
    using folder = new TempFolder();
    const { program, library } = build(folder);
    const runtimes = { Node: ["node", program], Deno: [Deno.execPath(), "run", "-A", program] };
    const failures: string[] = [];
    for (const [runtime, command] of Object.entries(runtimes)) {
      for (const [name, scenario] of Object.entries({ ...SCENARIOS, ...MORE })) {
        if (ONLY !== undefined && !ONLY.includes(name)) continue;
        const expected = await undisturbed(scenario);
        const cells: string[] = [];
        for (const kind of FAULTS) {
          const before = failures.length;
          const attempt = (at: number) =>
            tryWith(scenario, { command, library, expected }, { at, kind })
              .catch((error) => failures.push(`${name}: ${error.message}`) > 0);
          let at = 1;
          while (await attempt(at)) at++;
          if (at === 1) failures.push(`${name}: it wrote nothing`);
          cells.push(`${at - 1} / ${failures.length - before}`);
        }
        const row = [name, runtime, ...cells];
        writeRow(row);
        console.log(row.join(" | "));
      }
    }
    assertEquals(failures, []);
  },
});

/** Puts a row in the place of the one that was measured before; rows of commands that are gone are dropped. */
function writeRow(row: readonly string[]): void {
  const [, , ...measured] = Deno.readTextFileSync(TABLE).split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const rows = measured.filter(([name, runtime]) =>
    (name in SCENARIOS || name in MORE) && !(name === row[0] && runtime === row[1])
  );
  const lines = [
    ["command", "runtime", ...FAULTS],
    ["---", "---", ...FAULTS.map(() => "---")],
    ...[...rows, row].sort(([a, b], [c, d]) => `${a} ${b}` < `${c} ${d}` ? -1 : 1),
  ].map((cells) => `| ${cells.join(" | ")} |`);
  const text = [
    "# Faults at system calls",
    "",
    "Calls that failed / runs that lost something, left half of it, or said what is not so.",
    "Written by `AGENTX_STRESS=full deno test -A tests/faults/shim_test.ts`; with",
    "`AGENTX_FAULTS=name,name` only the rows of these commands are measured anew.",
    "",
    ...lines,
    "",
  ].join("\n");
  Deno.writeTextFileSync(TABLE, text);
}
