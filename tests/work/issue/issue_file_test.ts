import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { encodeIssueFile, fileOf, parseIssueFile } from "../../../lib/work/issue/issue_file.ts";
import { mergeFile } from "../../merge_file.ts";

const BASE = {
  number: 3,
  title: "Crash on start",
  body: "It crashes",
  labels: ["type:bug"],
  status: "Backlog",
  state: "open",
  created: "2026-02-01T00:00:00.000Z",
  updated: "2026-02-01T00:00:00.000Z",
  comments: [{ author: "pm", body: "First", created: "2026-02-01T00:00:00.000Z" }],
  assignee: null,
  claimed: null,
  leaseUntil: null,
};

const encodeIssue = (issue: object) => encodeIssueFile(fileOf(issue));

const comment = (author: string, body: string, day: number) => ({
  author,
  body,
  created: new Date(Date.UTC(2026, 2, day)).toISOString(),
});

Deno.test("parseIssueFile() reads what encodeIssueFile() wrote, one line for each comment", () => {
  const text = encodeIssue(BASE);
  assertEquals(parseIssueFile(text), { ...fileOf(BASE), text });
  assertEquals(JSON.parse(text), BASE);
  assertEquals(text.split("\n").filter((line) => line.includes("First")).length, 1);
});

Deno.test("parseIssueFile() reads a pretty-printed file of before", () => {
  assertEquals(parseIssueFile(JSON.stringify(BASE, null, 2)).issue, BASE);
});

Deno.test("parseIssueFile() unites labels and comments, and takes fields from the later branch", () => {
  const ours = {
    ...BASE,
    title: "Crash on start with SQLite",
    status: "In Progress",
    labels: ["type:bug", "p1"],
    updated: "2026-03-02T00:00:00.000Z",
    comments: [...BASE.comments, comment("engineer", "Ours", 2)],
  };
  const theirs = {
    ...BASE,
    status: "Ready",
    labels: ["type:bug", "size:m"],
    updated: "2026-03-05T00:00:00.000Z",
    comments: [...BASE.comments, comment("engineer", "Theirs", 5)],
  };
  const texts = [ours, BASE, theirs].map(encodeIssue);
  const { issue: value, isMerged, hasConflict } = parseIssueFile(mergeFile(["--union"], ...texts));
  assertEquals([isMerged, hasConflict], [true, false]);
  const issue = value as typeof BASE;
  assertEquals(issue.labels, ["p1", "size:m", "type:bug"]);
  assertEquals(issue.comments.map(({ body }) => body), ["First", "Ours", "Theirs"]);
  assertEquals([issue.title, issue.status], [ours.title, "Ready"]);
  assertEquals(issue.updated, theirs.updated);
});

Deno.test("parseIssueFile() reads around conflict markers, and tells of them", () => {
  const ours = { ...BASE, status: "Ready", updated: "2026-03-02T00:00:00.000Z" };
  const theirs = { ...BASE, status: "Done", updated: "2026-03-05T00:00:00.000Z" };
  for (const style of [[], ["--diff3"]]) {
    const text = mergeFile(style, ...[ours, BASE, theirs].map(encodeIssue));
    assert(text.includes("<<<<<<<"));
    const { issue: value, hasConflict } = parseIssueFile(text);
    assertEquals([(value as typeof BASE).status, hasConflict], ["Done", true]);
  }
});

Deno.test("parseIssueFile() refuses what is neither JSON nor lines of ours", () => {
  for (const text of ["", "{", encodeIssue(BASE).slice(0, 100), "title: x\n"]) {
    assertThrows(() => parseIssueFile(text), SyntaxError);
  }
});

/** Changes on one branch, each an hour after the one before. */
const changes = fc.array(
  fc.record({
    key: fc.constantFrom("title", "body", "status", "assignee", "label", "comment"),
    text: fc.string({ minLength: 1, maxLength: 8 }),
  }),
  { maxLength: 6 },
);

function branch(list: ReadonlyArray<{ key: string; text: string }>, author: string, shift: number) {
  const issue = structuredClone(BASE) as Record<string, unknown>;
  for (const [index, { key, text }] of list.entries()) {
    const time = new Date(Date.UTC(2026, 2, 1, index, shift)).toISOString();
    if (key === "label") issue.labels = [...new Set([...issue.labels as string[], text])];
    else if (key === "comment") {
      const added = { author, body: text, created: time };
      issue.comments = [...issue.comments as object[], added];
    } else issue[key] = text;
    issue.updated = time;
  }
  return issue as typeof BASE;
}

Deno.test("parseIssueFile() gives the same issue whichever branch was merged into which", () => {
  fc.assert(
    fc.property(changes, changes, (listA, listB) => {
      const [a, b] = [branch(listA, "engineer", 1), branch(listB, "reviewer", 2)];
      const [base, ...sides] = [BASE, a, b].map(encodeIssue);
      const merged = [sides, sides.toReversed()].map(([ours, theirs]) =>
        parseIssueFile(mergeFile(["--union"], ours, base, theirs)).issue as typeof BASE
      );
      const sorted = merged.map((issue) => ({ ...issue, labels: issue.labels.toSorted() }));
      assertEquals(sorted[0], sorted[1]);
      for (const { labels, comments } of [a, b]) {
        for (const label of labels) assert(sorted[0].labels.includes(label));
        for (const each of comments) {
          assert(sorted[0].comments.some((kept) => JSON.stringify(kept) === JSON.stringify(each)));
        }
      }
    }),
    { numRuns: 60 },
  );
});
