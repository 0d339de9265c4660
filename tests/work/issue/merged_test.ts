/**
 * Issues on two branches: what git's union of both sides' lines leaves is read whole, conflict
 * markers are read around, and a repair writes the file as if no merge had touched it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { IssueStore } from "../../../lib/work/issue/issue_store.ts";
import { replace } from "../../lock/faults.ts";
import { mergeFile } from "../../merge_file.ts";
import { refusal } from "../../refusal.ts";
import { TempWorkspace } from "../../temp_workspace.ts";

const FILE = ".agentx/issues/1.json";

const NOTHING = { cleared: [], renumbered: [], relinked: [] };

/** A workspace with issue #1, changed on two branches and merged. */
class Merged implements Disposable {
  readonly #workspace = new TempWorkspace();
  #nowMs = Date.parse("2026-03-01T10:00:00.000Z");
  readonly #clock = replace("now", () => () => this.#nowMs);

  static async make(options: readonly string[]): Promise<Merged> {
    const made = new Merged();
    await made.store().create({ title: "Crash", labels: ["type:bug"] });
    const base = made.text;
    const sides: string[] = [];
    for (const [label, status, comment] of [["p1", "Ready", "Ours"], ["ui", "Done", "Theirs"]]) {
      made.text = base;
      await made.store().update(1, { addLabels: [label], status, comment }, "engineer");
      sides.push(made.text);
    }
    made.text = mergeFile(options, sides[0], base, sides[1]);
    return made;
  }

  /** A store that has not read the file before, a minute later than the last. */
  store(): IssueStore {
    this.#nowMs += 60_000;
    const folder = `${this.#workspace.root}/.agentx/issues`;
    return new IssueStore(folder, new FileLockManager());
  }

  get text(): string {
    return this.#workspace.read(FILE);
  }

  set text(text: string) {
    this.#workspace.write(FILE, text);
  }

  [Symbol.dispose](): void {
    this.#clock[Symbol.dispose]();
    this.#workspace[Symbol.dispose]();
  }
}

function assertUnited(store: IssueStore): void {
  const { labels, status, comments } = store.get(1);
  assertEquals(labels, ["p1", "type:bug", "ui"]);
  assertEquals([status, ...comments.map(({ body }) => body)], ["Done", "Ours", "Theirs"]);
}

Deno.test("IssueStore reads a union of two branches, and the next change writes it clean", async () => {
  using merged = await Merged.make(["--union"]);
  assertUnited(merged.store());
  const { issues, problems } = merged.store().scan();
  assertEquals([issues.length, problems], [1, []]);
  await merged.store().update(1, { comment: "Later" });
  const { comments } = JSON.parse(merged.text);
  assertEquals(comments.map(({ body }: { body: string }) => body), ["Ours", "Theirs", "Later"]);
});

for (const style of [[], ["--diff3"]]) {
  Deno.test(`IssueStore reads around conflict markers ${style}, and refuses to change them`, async () => {
    using merged = await Merged.make(style);
    const before = merged.text;
    assert(before.includes("<<<<<<<"));
    assertUnited(merged.store());
    const { issues, problems } = merged.store().scan();
    assertEquals([issues.length, problems.map(({ code }) => code)], [1, ["CORRUPT_STATE"]]);
    assert(problems[0].message.includes("agentx doctor --fix"));
    const update = () => merged.store().update(1, { comment: "Later" });
    assert((await refusal("CORRUPT_STATE", update)).message.includes("agentx doctor --fix"));
    assertEquals(merged.text, before);
  });
}

for (const style of [["--union"], [], ["--diff3"]]) {
  Deno.test(`IssueStore.repair() writes a merged issue clean ${style}`, async () => {
    using merged = await Merged.make(style);
    assertEquals((await merged.store().repair()).cleared, [1]);
    assertEquals(await merged.store().repair(), NOTHING);
    assertEquals(JSON.parse(merged.text).comments.length, 2);
    assertUnited(merged.store());
    assertEquals(merged.store().scan().problems, []);
  });
}

Deno.test("IssueStore.repair() leaves what it cannot read, and what no merge touched", async () => {
  using workspace = new TempWorkspace();
  workspace.write(FILE, '{ "title": "Old", "number": 1 }');
  workspace.write(".agentx/issues/2.json", "{ broken");
  const before = workspace.snapshot();
  const store = new IssueStore(`${workspace.root}/.agentx/issues`, new FileLockManager());
  assertEquals(await store.repair(), NOTHING);
  await store.change(1, "human", () => {});
  assertEquals(workspace.snapshot(), before);
});
