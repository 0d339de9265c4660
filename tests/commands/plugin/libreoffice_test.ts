/**
 * What `convert-docs` makes of the documents of this repository, as LibreOffice reads it. Ignored where `soffice` is
 * missing.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { walkSync } from "@std/fs/walk";
import MarkdownIt from "markdown-it";
import { buildPackages } from "../../../.ci/packages.ts";
import { findProgram } from "../../../lib/sys/find_program.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const PARTS = ["headings", "items", "rows", "images"] as const;
/** An image of SVG is left out, and named. */
const TAGS = [/<h[1-6][ >]/gi, /<li[ >]/gi, /<tr[ >]/gi, /<img [^>]*src="(?![^"]*\.svg")/gi];

function countsOf(html: string): Record<string, number> {
  return Object.fromEntries(PARTS.map((part, at) => [part, (html.match(TAGS[at]) ?? []).length]));
}

const soffice = findProgram("soffice");

Deno.test({
  name: "convert-docs keeps each heading, item, row and image of this repository's documents",
  ignore: soffice === undefined,
  async fn() {
    using temp = new TempWorkspace();
    await buildPackages(`${temp.root}/built`);
    const install = ["plugin", "install", `${temp.root}/built/convert-docs`];
    assertEquals((await temp.run(install, { terminal: true, stdin: "y\n" })).code, 0);
    const below = Array.from(walkSync(`${ROOT}docs`, { includeDirs: false }), ({ path }) => path)
      .map((path) => path.slice(ROOT.length));
    const files = ["README.md", "CHANGELOG.md", ...below];
    for (const path of files) {
      Deno.mkdirSync(dirname(`${temp.root}/${path}`), { recursive: true });
      Deno.copyFileSync(ROOT + path, `${temp.root}/${path}`);
    }
    const documents = files.filter((path) => path.endsWith(".md"));
    for (const document of documents) {
      const words = ["plugin", "run", "convert-docs", "convert", `document=${document}`];
      assertEquals((await temp.run(words)).code, 0, document);
    }
    for (const folder of new Set(documents.map(dirname))) {
      const here = documents.filter((path) => dirname(path) === folder);
      const outputs = here.map((path) => `${temp.root}/${path.replace(/md$/, "docx")}`);
      const profile = `-env:UserInstallation=file://${temp.user.path}/office`;
      const to = ["--convert-to", "html", "--outdir", `${temp.root}/${folder}`];
      const args = [profile, "--headless", ...to, ...outputs];
      const streams = { stdout: "null", stderr: "null" } as const;
      const { success } = await new Deno.Command(soffice!, { args, ...streams }).output();
      assertEquals(success, true);
      for (const path of here) {
        const expected = new MarkdownIt().render(Deno.readTextFileSync(ROOT + path));
        const actual = temp.read(path.replace(/md$/, "html"));
        assertEquals(countsOf(actual), countsOf(expected), path);
      }
    }
  },
});
