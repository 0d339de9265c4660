/**
 * Issues and git: no merge of branches conflicts or loses an edit, and nothing that git does to files
 * that are not committed takes an acknowledged change away.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FileLockManager } from "../../../lib/lock/mod.ts";
import { IssueStore } from "../../../lib/work/issue/issue_store.ts";
import { examineWorkspace } from "../../../lib/doctor/doctor.ts";
import { TempRepository, testWithGit } from "../../workspace/temp_repository.ts";
import { IS_FULL } from "../../often.ts";
import { randomBelow } from "../../random_below.ts";

function open(root: string): IssueStore {
  return new IssueStore(root, new FileLockManager());
}

/** A repository that ignores the state, and has issue #1 committed. */
async function begun(): Promise<TempRepository> {
  const repository = new TempRepository();
  // A reset must not take the rule away with the commit that brought it.
  Deno.writeTextFileSync(`${repository.root}/.git/info/exclude`, ".agentx/state/\n");
  await open(repository.root).create({ title: "Crash", body: "On start", labels: ["type:bug"] });
  commit(repository);
  repository.git("branch", "--quiet", "--move", "main");
  return repository;
}

function commit(repository: TempRepository): void {
  commitIn(repository.root, repository);
}

/** An edit may change nothing. */
function commitIn(path: string, repository: TempRepository): void {
  repository.gitIn(path, "add", "--all");
  repository.gitIn(path, "commit", "--quiet", "--allow-empty", "--message", "work");
}

/** The ids of all lines that are known in a folder, of all issues. */
function lineIds(root: string): Set<string> {
  const { byUid, problems } = open(root).view();
  assertEquals(problems, []);
  return new Set([...byUid.values()].flatMap(({ lines }) => lines.map(({ id }) => id)));
}

/** One issue by itself is read as among all. */
function assertSameAlone(root: string): void {
  const { byNumber, highest } = open(root).view();
  for (let number = 1; number <= highest + 1; number++) {
    assertEquals(open(root).find(number), byNumber.get(number)?.issue, `#${number}`);
  }
}

/** A clone knows only what was committed. */
function clone(repository: TempRepository, name: string, branch = "main"): string {
  const path = `${repository.outside}/${name}`;
  const source = ["--branch", branch, repository.root];
  repository.git("clone", "--quiet", "--no-hardlinks", ...source, path);
  Deno.writeTextFileSync(`${path}/.git/info/exclude`, ".agentx/state/\n");
  return path;
}

type Edit = (issues: IssueStore) => Promise<unknown>;

/** What two branches do to issue #1, and what must come of it. */
const PAIRS: Array<{ name: string; one: Edit; other: Edit; holds: (root: string) => void }> = [
  {
    name: "close / change its labels",
    one: (issues) => issues.update(1, { status: "Done" }),
    other: (issues) => issues.update(1, { addLabels: ["p1"], removeLabels: ["type:bug"] }),
    holds(root) {
      const { state, labels } = open(root).get(1);
      assertEquals([state, labels], ["closed", ["p1"]]);
    },
  },
  {
    name: "status / rename",
    one: (issues) => issues.update(1, { status: "In Progress" }),
    other: (issues) => issues.update(1, { title: "Crash on start" }),
    holds(root) {
      const { status, title } = open(root).get(1);
      assertEquals([status, title], ["In Progress", "Crash on start"]);
    },
  },
  {
    name: "assign / add a label",
    one: (issues) => issues.change(1, "human", (issue) => void (issue.assignee = "engineer")),
    other: (issues) => issues.update(1, { addLabels: ["ui"] }),
    holds(root) {
      const { assignee, labels } = open(root).get(1);
      assertEquals([assignee, labels], ["engineer", ["type:bug", "ui"]]);
    },
  },
  {
    name: "new title / new body",
    one: (issues) => issues.update(1, { title: "Crash on start" }),
    other: (issues) => issues.update(1, { body: "On every start" }),
    holds(root) {
      const { title, body } = open(root).get(1);
      assertEquals([title, body], ["Crash on start", "On every start"]);
    },
  },
  {
    name: "body / body",
    one: (issues) => issues.update(1, { body: "On Linux" }),
    other: (issues) => issues.update(1, { body: "On macOS" }),
    holds(root) {
      const [{ field, shown, others }] = open(root).getKnown(1).contests;
      const values = [shown.value, ...others.map(({ value }) => value)].sort();
      assertEquals([field, values], ["body", ["On Linux", "On macOS"]]);
    },
  },
  {
    name: "create / create",
    one: (issues) => issues.create({ title: "One" }),
    other: (issues) => issues.create({ title: "Other" }),
    holds(root) {
      const { issues, unnumbered } = open(root).scan();
      const titles = [...issues, ...unnumbered.map(({ issue }) => issue)].map(({ title }) => title);
      assertEquals(titles.sort(), ["Crash", "One", "Other"]);
      assertEquals([issues.length, unnumbered.length], [2, 1]);
    },
  },
];

testWithGit("changes go to one file, also where git keeps its index in two parts", async () => {
  using repository = await begun();
  repository.git("config", "core.splitIndex", "true");
  repository.git("update-index", "--split-index");
  await open(repository.root).create({ title: "Slow" });
  await open(repository.root).update(1, { title: "Crash on start" });
  const files = repository.outputOf("ls-files", "--others", "--exclude-standard");
  assertEquals(files.length, 1);
  commit(repository);
  await open(repository.root).update(1, { title: "Crash at the start" });
  const others = repository.outputOf("ls-files", "--others", "--exclude-standard");
  assertEquals([others.length, others[0] === files[0]], [1, false]);
  assertEquals(open(repository.root).get(1).title, "Crash at the start");
});

for (const { name, one, other, holds } of PAIRS) {
  for (const [first, second] of [[one, other], [other, one]]) {
    const order = first === one ? "" : ", the other way round";
    testWithGit(`a merge keeps both of ${name}${order}`, async () => {
      using repository = await begun();
      const { root } = repository;
      const theirs = clone(repository, "theirs");
      await first(open(root));
      commit(repository);
      await second(open(theirs));
      commitIn(theirs, repository);
      repository.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs, "HEAD");
      holds(root);
      assertSameAlone(root);
      repository.gitIn(theirs, "pull", "--quiet", "--no-rebase", "--no-edit", root, "HEAD");
      holds(theirs);
    });
  }
}

testWithGit(
  "IssueStore.repair() gives each issue its number, and both clones the same",
  async () => {
    using repository = await begun();
    const theirs = clone(repository, "theirs");
    await open(repository.root).create({ title: "One" });
    commit(repository);
    await open(theirs).create({ title: "Other", labels: ["blocked_by:#1"] });
    await open(theirs).create({ title: "Waits", labels: ["blocked_by:#2"] });
    commitIn(theirs, repository);
    repository.git("pull", "--quiet", "--no-rebase", "--no-edit", theirs, "HEAD");
    const { renumbered, relinked } = await open(repository.root).repair();
    assertEquals(renumbered, [{ from: 2, to: 4, title: "Other" }]);
    assertEquals(relinked, [3]);
    commit(repository);
    repository.gitIn(
      theirs,
      "pull",
      "--quiet",
      "--no-rebase",
      "--no-edit",
      repository.root,
      "HEAD",
    );
    for (const root of [repository.root, theirs]) {
      const { issues, unnumbered } = open(root).scan();
      assertEquals(unnumbered, []);
      assertEquals(issues.map(({ number, title }) => `${number} ${title}`), [
        "1 Crash",
        "2 One",
        "3 Waits",
        "4 Other",
      ]);
      assertEquals(issues[2].labels, ["blocked_by:#4"]);
    }
  },
);

testWithGit("a file that is staged is not appended to, so that switch takes it along", async () => {
  using repository = await begun();
  const { root } = repository;
  await open(root).create({ title: "One" });
  repository.git("add", "--all");
  await open(root).create({ title: "Other" });
  repository.git("commit", "--quiet", "--message", "work");
  assertEquals(repository.outputOf("diff", "--name-only"), [""]);
});

testWithGit(
  "a file that a reset left behind is not appended to, so that its commit merges",
  async () => {
    using repository = await begun();
    const { root } = repository;
    await open(root).create({ title: "One" });
    commit(repository);
    repository.git("branch", "--quiet", "side");
    repository.git("reset", "--quiet", "HEAD~1");
    await open(root).create({ title: "Other" });
    commit(repository);
    repository.git("merge", "--quiet", "--no-edit", "side");
    assertEquals(open(root).scan().issues.length, 3);
  },
);

testWithGit(
  "what git took away before it was committed is written again, and said once",
  async () => {
    using repository = await begun();
    const { root } = repository;
    await open(root).create({ title: "One" });
    repository.git("clean", "-fdq");
    const notes: string[] = [];
    const notify = (note: string) => void notes.push(note);
    const issues = new IssueStore(root, new FileLockManager(), { notify });
    for (const title of ["Other", "Third"]) await issues.create({ title });
    assertEquals(notes, [
      "1 of your changes were in no file of this checkout any more; written again into .agentx/issues",
    ]);
    commit(repository);
    assertEquals(open(clone(repository, "theirs")).scan().issues.length, 4);
  },
);

testWithGit(
  "what was committed on another branch is not written again, also where no command ran in between",
  async () => {
    using repository = await begun();
    const { root } = repository;
    repository.git("switch", "--quiet", "--create", "side");
    await open(root).update(1, { title: "On the side" });
    commit(repository);
    repository.git("switch", "--quiet", "main");
    const notes: string[] = [];
    const notify = (note: string) => void notes.push(note);
    const issues = new IssueStore(root, new FileLockManager(), { notify });
    for (const title of ["Other", "Third"]) await issues.create({ title });
    assertEquals(notes, []);
    assertEquals(issues.missing().length, 1);
    commit(repository);
    assertEquals(open(clone(repository, "theirs")).get(1).title, "Crash");
    const findings = await examineWorkspace(root, { isFixing: false, commands: [] });
    assert(findings.some(({ message }) => message.includes("no file here has")), "doctor names it");
    repository.git("merge", "--quiet", "--no-edit", "side");
    assertEquals(open(root).missing(), []);
    assertEquals(open(clone(repository, "merged")).get(1).title, "On the side");
  },
);

async function randomEdit(issues: IssueStore, random: (n: number) => number): Promise<void> {
  const { issues: all } = issues.scan();
  const what = random(6);
  const number = all[random(all.length)]?.number;
  const word = `w${random(1_000)}`;
  if (what === 0 || number === undefined) await issues.create({ title: word });
  else if (what === 1) await issues.update(number, { title: word });
  else if (what === 2) await issues.update(number, { status: random(2) ? "Done" : "Ready" });
  else if (what === 3) await issues.update(number, { addLabels: [word] });
  else if (what === 4) await issues.update(number, { comment: word });
  else await issues.update(number, { body: word });
}

/** What agents do daily; what git refuses because of something of the user's is no matter here. */
const DEEDS: ReadonlyArray<readonly string[]> = [
  ["stash", "--include-untracked"],
  ["stash", "pop"],
  ["add", "--all"],
  ["reset", "--hard", "--quiet"],
  ["reset", "--quiet", "HEAD~1"],
  ["reset", "--hard", "--quiet", "HEAD~1"],
  ["clean", "-fdq"],
  ["checkout", "--", "."],
  ["switch", "--quiet", "main"],
  ["switch", "--quiet", "--create", "side"],
  ["switch", "--quiet", "side"],
  ["branch", "--quiet", "-D", "side"],
  ["commit", "--quiet", "--all", "--message", "w"],
  ["commit", "--quiet", "--allow-empty", "--message", "w"],
  ["commit", "--quiet", "--amend", "--no-edit"],
  ["merge", "--quiet", "--no-edit", "side"],
];

const ROUNDS = IS_FULL ? 60 : 3;

testWithGit(
  `nothing acknowledged is lost in ${ROUNDS} rounds of what agents do with git`,
  async () => {
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const random = randomBelow(seed);
      using repository = await begun();
      const { root } = repository;
      let known = lineIds(root);
      let tree: string | undefined;
      const deeds: string[] = [];
      for (let step = 0; step < 25; step++) {
        if (random(8) === 0) {
          if (tree === undefined) tree = repository.worktree(`tree${step}`);
          else repository.git("worktree", "remove", "--force", tree), tree = undefined;
        }
        const deed = DEEDS[random(DEEDS.length)];
        deeds.push(deed.join(" "));
        try {
          repository.git(...deed);
        } catch (error) {
          assert(!/\.agentx/.test(String(error)), `seed ${seed}, ${deeds.join("; ")}: ${error}`);
        }
        if (random(2) === 0) await randomEdit(open(root), random);
        const now = lineIds(root);
        assertSameAlone(root);
        const lost = [...known].filter((id) => !now.has(id));
        assertEquals(lost, [], `seed ${seed} after ${deeds.join("; ")}`);
        known = now;
      }
      await open(root).repair();
      repository.git("switch", "--quiet", "--force", "--orphan", "fresh");
      await open(root).repair();
      commit(repository);
      const fresh = lineIds(clone(repository, "clone", "fresh"));
      assertEquals([...lineIds(root)].filter((id) => !fresh.has(id)), [], `seed ${seed}, a clone`);
    }
  },
);

const MERGES: Record<string, (repository: TempRepository, branches: string[]) => void> = {
  merge: (repository, branches) => {
    for (const branch of branches) repository.git("merge", "--quiet", "--no-edit", branch);
  },
  octopus: (repository, branches) => repository.git("merge", "--quiet", "--no-edit", ...branches),
  rebase: (repository, branches) => {
    for (const branch of branches) {
      repository.git("switch", "--quiet", branch);
      repository.git("rebase", "--quiet", "main");
      repository.git("switch", "--quiet", "main");
      repository.git("merge", "--quiet", "--ff-only", branch);
    }
  },
  "cherry-pick": (repository, branches) => {
    for (const branch of branches) {
      const picked = ["--allow-empty", "--keep-redundant-commits", `main..${branch}`];
      repository.git("cherry-pick", ...picked);
    }
  },
  squash: (repository, branches) => {
    for (const branch of branches) {
      repository.git("merge", "--quiet", "--squash", branch);
      repository.git("commit", "--quiet", "--allow-empty", "--message", "squash");
    }
  },
};

const TIMES = IS_FULL ? 100 : 3;

for (const [name, combine] of Object.entries(MERGES)) {
  testWithGit(
    `${TIMES} times ${name} of three clones' branches has every edit and no conflict`,
    async () => {
      for (let seed = 1; seed <= TIMES; seed++) {
        const random = randomBelow(seed + 99);
        using repository = await begun();
        const all = new Set<string>();
        for (const who of ["a", "b", "c"]) {
          const path = clone(repository, who);
          for (let commits = 0; commits < 2; commits++) {
            for (let edits = 0; edits <= random(3); edits++) await randomEdit(open(path), random);
            commitIn(path, repository);
          }
          lineIds(path).forEach((id) => all.add(id));
          repository.git("fetch", "--quiet", path, `HEAD:${who}`);
        }
        combine(repository, ["a", "b", "c"]);
        const merged = lineIds(repository.root);
        assertEquals([...all].filter((id) => !merged.has(id)), [], `${name}, seed ${seed}`);
      }
    },
  );
}

const REPOSITORIES = IS_FULL ? 50 : 2;
const PAIRS_OF_EACH = 10;

testWithGit(
  `git merge-tree has every edit of ${
    REPOSITORIES * PAIRS_OF_EACH
  } pairs of branches, and no conflict`,
  async () => {
    for (let seed = 1; seed <= REPOSITORIES; seed++) {
      const random = randomBelow(seed + 999);
      using repository = await begun();
      const { root } = repository;
      assertEquals(
        repository.outputOf("check-attr", "merge", ".agentx/issues/x.jsonl").at(-1),
        "unspecified",
      );
      const theirs = clone(repository, "theirs");
      for (let pair = 1; pair <= PAIRS_OF_EACH; pair++) {
        for (const path of [root, theirs]) {
          for (let edits = 0; edits <= random(4); edits++) await randomEdit(open(path), random);
          commitIn(path, repository);
        }
        repository.git("fetch", "--quiet", theirs, "HEAD:refs/heads/theirs");
        const [tree] = repository.outputOf("merge-tree", "--write-tree", "main", "theirs");
        const all = new Set([...lineIds(root), ...lineIds(theirs)]);
        const parents = ["-p", "main", "-p", "theirs"];
        const [merged] = repository.outputOf("commit-tree", tree, ...parents, "-m", "merged");
        repository.git("update-ref", "refs/heads/merged", merged);
        const fresh = clone(repository, `fresh${pair}`, "merged");
        assertEquals(lineIds(fresh), all, `seed ${seed}, pair ${pair}`);
        repository.git("reset", "--quiet", "--hard", merged);
        repository.gitIn(theirs, "pull", "--quiet", "--ff-only", root, "main");
      }
    }
  },
);

testWithGit(
  "a clone of main sees no choice between lines of an unmerged branch and an edit on main",
  async () => {
    using repository = await begun();
    const { root } = repository;
    repository.git("switch", "--quiet", "--create", "side");
    await open(root).update(1, { title: "On the side", body: "On the side", status: "In Review" });
    commit(repository);
    repository.git("switch", "--quiet", "main");
    await open(root).update(1, { title: "On main", body: "On main", status: "Ready" });
    commit(repository);
    for (const path of [root, clone(repository, "theirs")]) {
      const { contests, issue: { title, body, status } } = open(path).getKnown(1);
      assertEquals([contests, title, body, status], [[], "On main", "On main", "Ready"]);
    }
  },
);
