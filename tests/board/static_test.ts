/**
 * `agentx board --out`: the board as one file, which runs nothing.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { assertHas } from "./temp_board.ts";

async function written(temp: TempWorkspace, ...more: string[]): Promise<string> {
  const { code, err } = await temp.run(["board", "--out", `${temp.root}/b.html`, ...more]);
  assertEquals(code, 0, err);
  return temp.read("b.html");
}

async function filled(): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:story,p1"]);
  await temp.run(["issue", "comment", "1", "--comment", "<script>alert(1)</script>"]);
  await temp.run(ASK.map((word) => word === "42" ? "1" : word));
  await temp.run(["memory", "note", "--agent", "engineer", "--issue", "1", "Tests need TZ=UTC."]);
  return temp;
}

Deno.test("board --out: issues alone, without a script, a form or a request, the same each time", async () => {
  using temp = await filled();
  const html = await written(temp);
  assertHas(html, "Pay by card");
  assertHas(html, "without threads and memory");
  for (const left of ["TZ=UTC", "thread?id", "<script", "<form", "<select", "<input", "src="]) {
    assert(!html.includes(left), left);
  }
  assertEquals(html.match(/(?:href|content)="(?!#)[^"]*:\/\//g), null);
  assertEquals(await written(temp), html);
});

Deno.test("board --out --with threads,memory has both, and says so; links lead to places in it", async () => {
  using temp = await filled();
  const html = await written(temp, "--with", "threads,memory");
  for (const part of ["TZ=UTC", "Issues, figures, threads and memory"]) assertHas(html, part);
  const ids = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
  const broken = Array.from(html.matchAll(/href="#([^"]+)"/g), ([, at]) => at)
    .filter((at) => !ids.has(at));
  assertEquals(broken, []);
});

Deno.test("board --out cuts secrets, and --with needs it", async () => {
  using temp = new TempWorkspace();
  temp.write(
    ".agentx/issues/1.json",
    JSON.stringify({ number: 1, title: "One", body: "ghp_r7Kd2mQ9xV4bT8nLw3ZcJ6yHf5GsP1aEuXo0" }),
  );
  assert(!(await written(temp)).includes("ghp_r7K"));
  assertEquals((await temp.run(["board", "--with", "memory"])).code, 2);
  assertEquals((await temp.run(["board", "--out", "x.html", "--with", "all"])).code, 2);
});

Deno.test("board --out replaces a link by a file that nobody runs, and leaves what it led to", async () => {
  using temp = new TempWorkspace();
  temp.write("notes.txt", "mine\n");
  Deno.symlinkSync("notes.txt", `${temp.root}/b.html`);
  assertEquals((await temp.run(["board", "--out", `${temp.root}/b.html`])).code, 0);
  const { isFile, mode } = Deno.lstatSync(`${temp.root}/b.html`);
  assertEquals([isFile, mode! & 0o133], [true, 0]);
  assertEquals(Deno.readTextFileSync(`${temp.root}/notes.txt`), "mine\n");
});
