/**
 * The packages that come with agentx, as `deno task plugin` builds them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { buildPackages } from "../../../.ci/packages.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A workspace in which the package is installed, and was agreed to. */
async function installed(name: string): Promise<TempWorkspace> {
  const temp = new TempWorkspace();
  await buildPackages(`${temp.root}/built`);
  const { code, err } = await temp.run(["plugin", "install", `${temp.root}/built/${name}`], {
    ...{ terminal: true, stdin: "y\n" },
  });
  assertEquals(code, 0, err);
  return temp;
}

/** The text of a part of a Word document, which is a zip file. */
async function partOf(path: string, part: string): Promise<string> {
  const bytes = Deno.readFileSync(path);
  const view = new DataView(bytes.buffer);
  const decoder = new TextDecoder();
  for (let at = 0; view.getUint32(at, true) === 0x04034b50;) {
    const [size, name, extra] = [18, 26, 28].map((field, index) =>
      index === 0 ? view.getUint32(at + field, true) : view.getUint16(at + field, true)
    );
    const start = at + 30 + name + extra;
    if (decoder.decode(bytes.subarray(at + 30, at + 30 + name)) === part) {
      const packed = new Blob([bytes.slice(start, start + size)]).stream()
        .pipeThrough(new DecompressionStream("deflate-raw"));
      return await new Response(packed).text();
    }
    at = start + size;
  }
  throw new Error(`There is no ${part} in ${path}`);
}

Deno.test("each package that comes with agentx fits, without a finding", async () => {
  using temp = new TempWorkspace();
  const folders = await buildPackages(`${temp.root}/built`);
  assertEquals(folders.length, 3);
  for (const folder of folders) {
    const { code, out } = await temp.run(["plugin", "install", folder, "--dry-run"]);
    assertEquals(code, 0, out);
  }
});

Deno.test("agentx-core installs the roles, templates and workflows that agentx knows", async () => {
  using temp = await installed("agentx-core");
  for (
    const path of [".github/agents/architect.agent.md", ".agentx/templates/prd.md"]
  ) {
    assertEquals(
      temp.read(path),
      Deno.readTextFileSync(new URL(`../../../${path}`, import.meta.url)),
    );
  }
  const { plugins: [{ copies, skills }] } = await temp.json(["plugin"]);
  assert(copies.length > 20 && skills.length === 0);
});

Deno.test("convert-docs keeps headings, lists, tables and images beside the file, and fetches nothing", async () => {
  using temp = await installed("convert-docs");
  const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = server.addr as Deno.NetAddr;
  let connections = 0;
  const accepting = (async () => {
    for await (const connection of server) {
      connections++;
      connection.close();
    }
  })();
  const png = Uint8Array.from(atob(PNG), (letter) => letter.charCodeAt(0));
  temp.write(
    "docs/a.md",
    [
      ...[
        "---",
        "title: x",
        "---",
        "# One & only",
        "",
        "Text, **bold**, `code` &lt; and [link](b.md).",
        "",
      ],
      ...["- a", "  1. b", "  2. c", "- [x] d", "", "| A | B |", "|---|---|", "| 1 | **2** |", ""],
      ...["## Two", "", "> quoted", "", "```sh", "ls", "```", "", "![in](in.png) ![up](../up.png)"],
      ...[`![far](http://127.0.0.1:${port}/far.png) ![linked](linked.png) ![gone](gone.png)`, ""],
    ].join("\n"),
  );
  for (const path of ["docs/in.png", "up.png"]) Deno.writeFileSync(`${temp.root}/${path}`, png);
  Deno.symlinkSync("../up.png", `${temp.root}/docs/linked.png`);
  const words = ["plugin", "run", "convert-docs", "convert", "document=docs/a.md"];
  const { output } = await temp.json(words);
  server.close();
  await accepting;
  assertEquals(output, {
    path: "docs/a.docx",
    ...{ headings: 2, items: 4, rows: 2, images: 1 },
    leftOut: ["../up.png", `http://127.0.0.1:${port}/far.png`, "linked.png", "gone.png"],
  });
  assertEquals(connections, 0);
  const xml = await partOf(`${temp.root}/docs/a.docx`, "word/document.xml");
  const count = (pattern: RegExp) => (xml.match(pattern) ?? []).length;
  assertEquals(
    [/w:val="Heading\d"/g, /<w:numPr>/g, /<w:tr[ >]/g, /<pic:pic /g].map(count),
    [2, 4, 2, 1],
  );
  assert(xml.includes("One &amp; only") && xml.includes("&lt; and"), xml);
});

Deno.test("issues-csv makes a table that a spreadsheet reads, and no formula of a title", async () => {
  using temp = await installed("issues-csv");
  const titles = ["Pay, by card", 'Say "hi"', "=1+1", "Ship"];
  for (const title of titles) await temp.run(["issue", "create", "-t", title, "-l", "type:bug,p1"]);
  await temp.run(["issue", "close", "4"]);
  temp.write("issues.jsonl", (await temp.run(["issue", "export"])).out);
  const words = ["plugin", "run", "issues-csv", "export", "file=issues.jsonl"];
  const { output } = await temp.json([...words, "status=Backlog"]);
  assertEquals(output, { path: "issues.csv", issues: 3 });
  const [head, ...rows] = temp.read("issues.csv").trimEnd().split("\r\n");
  assertEquals(head.split(",").slice(0, 4), ["number", "title", "status", "labels"]);
  assertEquals(rows.map((row) => row.slice(0, row.indexOf(",Backlog"))), [
    '1,"Pay, by card"',
    '2,"Say ""hi"""',
    "3,'=1+1",
  ]);
  assertEquals((await temp.json(words)).output.issues, 4);
});
