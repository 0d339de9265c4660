/**
 * Issues that two branches made under the same number: each keeps what was written about it, the
 * younger gets a number of its own, and labels follow it; the same on every clone.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { linksOf } from "../../../lib/work/issue/dependencies.ts";
import type { Issue } from "../../../lib/work/issue/issue.ts";
import { IssueStore } from "../../../lib/work/issue/issue_store.ts";
import { replace } from "../../lock/faults.ts";
import { mergeFile } from "../../merge_file.ts";
import { refusal } from "../../refusal.ts";

let nowMs = Date.parse("2026-03-01T10:00:00.000Z");
replace("now", () => () => nowMs += 60_000);

/** The issues of one clone, each a minute after the last of any clone. */
class Clone implements Disposable {
  readonly folder = Deno.makeTempDirSync({ prefix: "agentx-test-" });
  readonly store = new IssueStore(this.folder, new FileLockManager());

  constructor(files: ReadonlyMap<string, string> = new Map()) {
    for (const [name, text] of files) Deno.writeTextFileSync(`${this.folder}/${name}`, text);
  }

  files(): Map<string, string> {
    const names = Array.from(Deno.readDirSync(this.folder), ({ name }) => name).sort();
    return new Map(names.map((name) => [name, Deno.readTextFileSync(`${this.folder}/${name}`)]));
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}

type Files = ReadonlyMap<string, string>;

/** Merges folders as git does it with `merge=union`. */
function merge(ours: Files, base: Files, theirs: Files): Map<string, string> {
  const merged = new Map<string, string>();
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const [a, o, b] = [ours, base, theirs].map((files) => files.get(name));
    const text = a === b || b === o ? a : a === o ? b : mergeFile(["--union"], a!, o ?? "", b!);
    if (text !== undefined) merged.set(name, text);
  }
  return merged;
}

async function repaired(files: Files): Promise<Map<string, string>> {
  using clone = new Clone(files);
  await clone.store.repair();
  assertEquals(await clone.store.repair(), { cleared: [], renumbered: [], relinked: [] });
  assertEquals(clone.store.scan().problems, []);
  return clone.files();
}

Deno.test("IssueStore tells issues apart that two branches made under one number", async () => {
  using ours = new Clone();
  using theirs = new Clone();
  await ours.store.create({ title: "Ours", labels: ["type:bug"], body: "It crashes" });
  await theirs.store.create({ title: "Theirs", labels: ["type:bug"] });
  await theirs.store.create({
    title: "After theirs",
    labels: ["blocked_by:#1"],
    body: "Like #1.\r\n\r\n## Dependencies\r\n- Blocked by #1, #7\r\n",
  });
  await theirs.store.update(1, { status: "Ready", comment: "About theirs" }, "reviewer");
  await ours.store.update(1, { comment: "About ours" }, "engineer");
  for (const [a, b] of [[ours, theirs], [theirs, ours]]) {
    using merged = new Clone(merge(a.files(), new Map(), b.files()));
    assertEquals(merged.store.get(1).title, "Ours");
    const { problems } = merged.store.scan();
    const told = `Cannot rely on "${merged.folder}/1.json": 2 issues have that number\n`;
    assert(problems[0].message.startsWith(told), problems[0].message);
    await refusal("CORRUPT_STATE", () => merged.store.update(1, { title: "Changed" }));
    assertEquals((await merged.store.create({ title: "New" })).number, 3);
    Deno.removeSync(`${merged.folder}/3.json`);

    const done = await merged.store.repair();
    assertEquals(done.renumbered, [{ from: 1, to: 3, title: "Theirs" }]);
    assertEquals(done.relinked, [2]);
    const [first, second, third] = merged.store.scan().issues;
    assertEquals(first, ours.store.get(1));
    assertEquals(second.labels, ["blocked_by:#3"]);
    assertEquals(
      second.body,
      "Like #1.\r\n\r\n## Dependencies\r\n- Blocked by #3, #7\r\n",
    );
    assertEquals(third, { ...theirs.store.get(1), number: 3 });
  }
});

Deno.test("IssueStore.repair() brings a change home that was made before the new number came", async () => {
  using ours = new Clone();
  using theirs = new Clone();
  await ours.store.create({ title: "Ours" });
  await theirs.store.create({ title: "Theirs", body: "Of theirs" });
  const base = theirs.files();
  const published = await repaired(merge(ours.files(), new Map(), base));
  await theirs.store.update(1, { status: "Ready", comment: "Meanwhile" }, "reviewer");
  const after = await repaired(merge(theirs.files(), base, published));
  assertEquals([...after.keys()], ["1.json", "2.json"]);
  using clone = new Clone(after);
  assertEquals(clone.store.get(1), ours.store.get(1));
  assertEquals(clone.store.get(2), { ...theirs.store.get(1), number: 2 });
});

/** What somebody does on a branch: makes an issue, or changes one. */
const change = fc.record({
  kind: fc.constantFrom("create", "create", "status", "label", "comment", "blocked_by", "body"),
  index: fc.nat(5),
  text: fc.constantFrom("Backlog", "Ready", "In Review"),
});
const changes = fc.array(change, { maxLength: 5 });
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

async function apply({ store }: Clone, list: readonly Change[]): Promise<void> {
  for (const { kind, index, text } of list) {
    const { issues } = store.scan();
    const { number } = issues[index % issues.length] ?? {};
    if (kind === "create" || number === undefined) await store.create({ title: text });
    else if (kind === "status") await store.update(number, { status: text });
    else if (kind === "comment") await store.update(number, { comment: text });
    else {
      const other = issues[(index + 1) % issues.length].number;
      if (kind === "body") {
        await store.update(number, { body: `## Dependencies\n\nBlocked by #${other}\n` });
        continue;
      }
      const label = kind === "label" ? text : `blocked_by:#${other}`;
      await store.update(number, { addLabels: [label] });
    }
  }
}

/** The comments of each issue, which stands in one file alone. */
function commentsByUid(files: Files): Map<string, string[]> {
  const comments = new Map<string, string[]>();
  for (const [name, text] of files) {
    const issue = JSON.parse(text);
    assertEquals([`${issue.number}.json`, comments.has(issue.uid)], [name, false]);
    comments.set(issue.uid, issue.comments.map((each: object) => JSON.stringify(each)));
  }
  return comments;
}

/** For each issue, the `uid` of every issue that it waits for. */
function blockersByUid(files: Files): Map<string, string[]> {
  const issues: Issue[] = Array.from(files.values(), (text) => JSON.parse(text));
  const uids = new Map(issues.map(({ number, uid }) => [number, uid]));
  return new Map(issues.map((issue) => {
    return [issue.uid, linksOf(issue).blockedBy.map((number) => uids.get(number) ?? "").sort()];
  }));
}

/** Issues that git cannot take for one of the other side: equal lines say nothing of whose they are. */
function ownIssues(side: Files, other: Files): string[] {
  return Array.from(side, ([name, text]) => [JSON.parse(text), JSON.parse(other.get(name) ?? "{}")])
    .filter(([issue, same]) => issue.uid !== same.uid && issue.title !== same.title)
    .map(([{ uid }]) => uid)
    .filter((uid) => ![...other.values()].some((text) => JSON.parse(text).uid === uid));
}

/** Whichever is merged into which, the same comes of it, and every issue is there once. */
async function mergedAlike(a: Files, base: Files, b: Files): Promise<Map<string, string>> {
  const [one, two] = await Promise.all(
    [merge(a, base, b), merge(b, base, a)].map((files) => repaired(files)),
  );
  assertEquals(one, two);
  const [ours, theirs, both] = [a, b, one].map(commentsByUid);
  assertEquals([...both.keys()].sort(), [...new Set([...ours.keys(), ...theirs.keys()])].sort());
  for (const [uid, comments] of [...ours, ...theirs]) {
    for (const comment of comments) assert(both.get(uid)?.includes(comment), comment);
  }
  const blockers = blockersByUid(one);
  for (const [side, other] of [[a, b], [b, a]]) {
    const before = blockersByUid(side);
    for (const uid of ownIssues(side, other)) assertEquals(blockers.get(uid), before.get(uid));
  }
  return one;
}

Deno.test("IssueStore.repair() gives the same on every clone, also where one has new numbers already", async () => {
  await fc.assert(
    fc.asyncProperty(
      changes,
      changes,
      changes,
      changes,
      changes,
      async (first, listA, listB, laterA, laterB) => {
        using root = new Clone();
        await apply(root, first);
        using a = new Clone(root.files());
        using b = new Clone(root.files());
        await apply(a, listA);
        await apply(b, listB);
        const base = b.files();
        using published = new Clone(await mergedAlike(a.files(), root.files(), base));
        await apply(published, laterA);
        await apply(b, laterB);
        await mergedAlike(published.files(), base, b.files());
      },
    ),
    { numRuns: 60 },
  );
});
