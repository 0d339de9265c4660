import { assert, assertEquals } from "@std/assert";
import { canConfine } from "../../lib/sandbox/confine.ts";
import { TempWorkspace, type TempWorkspaceOptions } from "../temp_workspace.ts";

const CREATED = {
  ...{ v: 1, id: "c1.0", uid: "u1", time: "2026-11-01T09:00:00.000Z", by: "human", op: "create" },
  fields: { number: 1, title: "Pay by card", status: "Backlog" },
};

/** A repository with a branch that has changed some files, and fixers that are shell scripts. */
class Changed extends TempWorkspace {
  constructor(fixers: Record<string, string>, options: TempWorkspaceOptions = {}) {
    super(options);
    const rows = Object.entries(fixers)
      .map(([glob, script]) => `"${glob}" = ["sh", "-c", ${JSON.stringify(script)}, "fix"]\n`);
    this.write(
      ".agentx/workflows/feature.toml",
      `[[steps]]\nid = "review"\nagent = "reviewer"\n[steps.fixers]\n${rows.join("")}`,
    );
    for (const name of ["a.ts", "same.ts", "gone.ts", "b.md"]) this.write(name, "old\n");
    this.git("init", "-q", "-b", "main");
    this.commit();
    this.write(".agentx/issues/2026-11/one.jsonl", `${JSON.stringify(CREATED)}\n`);
    this.git("checkout", "-q", "-b", "work");
    this.write("a.ts", "committed\n");
    Deno.removeSync(`${this.root}/gone.ts`);
    this.commit();
    this.write("-c.ts", "new\n");
    this.write("b.md", "new\n");
  }

  git(...args: string[]): void {
    const as = ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args];
    const { success } = new Deno.Command("git", { args: as, cwd: this.root, stderr: "null" })
      .outputSync();
    assert(success, args.join(" "));
  }

  commit(): void {
    this.git("add", "-A");
    this.git("commit", "-qm", "x");
  }
}

const APPEND = 'for file; do echo fixed >>"$file"; done';

Deno.test("review lists the files that branch and checkout have changed, and runs nothing", async () => {
  using workspace = new Changed({ "*.ts": APPEND });
  const { files, fixers, fixed } = await workspace.json(["review", "1"]);
  assertEquals([files, fixed], [["-c.ts", "a.ts", "b.md"], null]);
  assertEquals(fixers[0].files, ["-c.ts", "a.ts"]);
});

Deno.test("review --fix changes files of the change alone, and commits nothing", async () => {
  using workspace = new Changed({ "*.ts": APPEND });
  const before = workspace.snapshot()["/.git/HEAD"];
  const { code, out } = await workspace.run(["review", "1", "--fix", "--json"]);
  const { fixed } = JSON.parse(out);
  assertEquals([code, fixed.changed, fixed.needsHuman], [0, ["-c.ts", "a.ts"], []]);
  assertEquals(
    ["-c.ts", "a.ts", "same.ts", "b.md"].map((name) => workspace.read(name)),
    ["new\nfixed\n", "committed\nfixed\n", "old\n", "new\n"],
  );
  assertEquals(workspace.snapshot()["/.git/HEAD"], before);
});

Deno.test("review --fix names what a person has to look at", async () => {
  using workspace = new Changed({
    "*.ts": "echo broken >&2; exit 1",
    "*.md": "echo x >>same.ts; git -c user.name=t -c user.email=t@example.org commit -qam x",
  });
  const { code, out } = await workspace.run(["review", "1", "--fix", "--json"]);
  const { fixed } = JSON.parse(out);
  assertEquals(code, 7);
  const [failed, ...others] = fixed.needsHuman;
  assert(failed.endsWith("failed with exit code 1"), failed);
  const isConfined = await canConfine(); // there, .git is read-only
  if (isConfined) assert(others.shift().endsWith("failed with exit code 128"), fixed.needsHuman[1]);
  assertEquals(others, [
    "same.ts was changed by a fixer, and is not part of the change",
    ...isConfined ? [] : ["a fixer has committed something"],
  ]);
});

Deno.test("review --fix runs nothing that the user has not agreed to", async () => {
  using workspace = new Changed({ "*.ts": APPEND }, { isTrusted: false });
  const { code, out } = await workspace.run(["review", "1", "--fix", "--json"]);
  assertEquals([code, workspace.read("a.ts")], [7, "committed\n"]);
  assert(JSON.parse(out).fixed.needsHuman[0].includes("agentx trust"));
});

Deno.test("review --fix names no commit of a fixer where there is no repository of git", async () => {
  using temp = new TempWorkspace();
  await temp.run(["issue", "create", "-t", "Pay by card"]);
  const { code, out } = await temp.run(["review", "1", "--fix"]);
  assertEquals([code, out.includes("Nothing was changed"), out.includes("committed")], [
    0,
    true,
    false,
  ]);
});
