import { assert, assertEquals } from "@std/assert";
import { fileTool } from "../../lib/run/tools/file_tool.ts";
import type { ToolCall } from "../../lib/run/tool.ts";
import { refusal } from "../refusal.ts";
import { TempWorkspace } from "../temp_workspace.ts";

async function read(temp: TempWorkspace, path: string, more: object = {}): Promise<string> {
  const told = await fileTool(temp.root).run({ path, ...more }, {} as ToolCall);
  assert(typeof told === "string");
  return told;
}

/** A repository with what may be read, and with what may not. */
function place(): TempWorkspace {
  const temp = new TempWorkspace();
  temp.write("src/a.ts", "one\ntwo\nthree\n");
  temp.write("src/.env", "KEY=1\n");
  temp.write(".git/config", "[core]\n");
  temp.write(".gitignore", "secrets/\n");
  temp.write("secrets/key.txt", "x\n");
  Deno.symlinkSync("/etc/hostname", `${temp.root}/src/out`);
  Deno.symlinkSync("/etc", `${temp.root}/etc`);
  Deno.symlinkSync(".git/config", `${temp.root}/git`);
  Deno.symlinkSync("src/a.ts", `${temp.root}/inside`);
  return temp;
}

Deno.test("read_file reads files, by pages if need be, and lists folders", async () => {
  using temp = place();
  assertEquals(await read(temp, "src/a.ts"), "one\ntwo\nthree\n");
  assertEquals(await read(temp, "inside"), "one\ntwo\nthree\n");
  const page = await read(temp, "./src/a.ts", { from_line: 2, lines: 1 });
  assertEquals(page, "two\n[2 more lines from line 3]");
  assertEquals(await read(temp, "src"), "a.ts");
  assertEquals((await read(temp, ".")).split("\n"), ["inside", "src/"]);
});

const FORBIDDEN = [
  "../etc/hostname",
  "/etc/hostname",
  "src/../../etc/hostname",
  "src/out",
  "etc/hostname",
  "etc",
  ".git/config",
  ".git",
  "git",
  "src/.env",
  "secrets/key.txt",
  "secrets",
  ".agentx/state",
  "no/such/file",
];

for (const path of FORBIDDEN) {
  Deno.test(`read_file does not read ${path}`, async () => {
    using temp = place();
    const { message } = await refusal("INVALID_INPUT", () => read(temp, path));
    assert(message.includes("no such file that may be read"), message);
  });
}

Deno.test("read_file takes secrets out, also where one page ends within them", async () => {
  using temp = place();
  const key = `-----BEGIN PRIVATE KEY-----\n${
    "MIIEvQIBADANBgkqhkiG9w0B\n".repeat(20)
  }-----END PRIVATE KEY-----\n`;
  temp.write("src/key.ts", `const key = \`${key}\`;\n`);
  const text = await read(temp, "src/key.ts", { from_line: 5, lines: 3 });
  assert(!text.includes("MIIEvQ"), text);
});
