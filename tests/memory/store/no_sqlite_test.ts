import { assertEquals } from "@std/assert";
import { nodeProgram } from "../../node_program.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

/** Node 20 has no SQLite. */
function lacksSqlite(): boolean {
  try {
    const args = ["-p", "process.getBuiltinModule?.('node:sqlite') === undefined"];
    const { stdout } = new Deno.Command("node", { args, stderr: "null" }).outputSync();
    return new TextDecoder().decode(stdout).trim() === "true";
  } catch {
    return false; // there is no Node
  }
}

Deno.test({
  name:
    "where the runtime has no SQLite, memory finds all, and says so once a day with its way out",
  ignore: !lacksSqlite(),
}, async () => {
  using temp = new TempWorkspace();
  const folder = Deno.makeTempDirSync();
  try {
    const [program, ...args] = (await nodeProgram(folder))!;
    const run = async (...words: string[]) => {
      const command = new Deno.Command(program, { args: [...args, ...words], cwd: temp.root });
      const { stdout, stderr } = await command.output();
      const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      return [out.includes("Pools are set up once."), err];
    };
    await run("memory", "note", "--agent", "engineer", "--issue", "1", "Pools are set up once.");
    const none = `${temp.root}/.agentx/state/index.none`;
    Deno.removeSync(none);
    const said =
      "note: Memory is searched without its index: this runtime has no SQLite with FTS5; " +
      "Node 22.16, Deno and Bun have it\n";
    assertEquals(await run("memory", "search", "pools"), [true, said]);
    assertEquals(await run("memory", "search", "pools"), [true, ""]);
    Deno.writeTextFileSync(none, "2026-01-01");
    assertEquals(await run("memory", "search", "pools"), [true, said]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
