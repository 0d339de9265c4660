import { assert, assertEquals } from "@std/assert";
import { isIgnored } from "../../lib/pipeline/ignored.ts";
import { testWithGit } from "../workspace/temp_repository.ts";

const PATHS = [
  "secret.md",
  "a/secret.md",
  "docs/adr/ADR-42.md",
  "build/out.md",
  "a/build/out.md",
  "notes.local.md",
  "#x",
  "!x",
  "a/b/c/d.md",
];

/** Files of git's own documentation and of everyday use. */
const GITIGNORES = [
  "secret.md",
  "/secret.md",
  "a/secret.md",
  "build/",
  "/build/",
  "*.md",
  "*.local.*",
  "docs/*",
  "docs/*\n!docs/adr",
  "docs/adr/\n!docs/adr/ADR-42.md",
  "*\n!*.md",
  "**/build",
  "a/**",
  "a/**/d.md",
  "a/**/b/c",
  "# secret.md\n\n",
  "\\#x\n\\!x",
  "secret.md   \r",
  "d?cs/???",
  "**",
];

testWithGit("isIgnored() says what git says", async () => {
  const root = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  const git = async (...args: string[]) => {
    const { code } = await new Deno.Command("git", { args, cwd: root, stderr: "null" }).output();
    return code === 0;
  };
  try {
    await git("init", "--quiet");
    for (const path of PATHS) {
      const folder = path.slice(0, path.lastIndexOf("/") + 1);
      Deno.mkdirSync(`${root}/${folder}`, { recursive: true });
      Deno.writeTextFileSync(`${root}/${path}`, "x");
    }
    for (const gitignore of GITIGNORES) {
      Deno.writeTextFileSync(`${root}/.gitignore`, gitignore);
      for (const path of PATHS) {
        const expected = await git("check-ignore", "--quiet", "--no-index", path);
        assertEquals(isIgnored(path, gitignore), expected, `${JSON.stringify(gitignore)}: ${path}`);
      }
    }
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("isIgnored() takes a class of characters for any", () => {
  assert(isIgnored("secret1.md", "secret[0-9].md"));
  assert(isIgnored("secretx.md", "secret[!0-9].md"));
});

Deno.test("isIgnored() is through with a pattern of many stars", () => {
  assertEquals(isIgnored("a".repeat(250), "*a".repeat(100) + "*b"), false);
  assertEquals(isIgnored("a/".repeat(120) + "a", "**/a/".repeat(60) + "b"), false);
});
