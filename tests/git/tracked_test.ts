import { assert, assertEquals } from "@std/assert";
import { examineTracked } from "../../lib/doctor/tracked.ts";
import { MAX_INDEX_BYTES, trackedFiles, trackedState } from "../../lib/git/tracked.ts";
import { replace } from "../lock/faults.ts";
import { TempRepository, testWithGit } from "../workspace/temp_repository.ts";

const LEDGER = ".agentx/state/clarifications/issue-1.json";
const STATE = [".agentx/log/2026-02-26.jsonl", ".agentx/state/agent-status.json", LEDGER];
const OTHERS = [
  "+first",
  ".agentx/config.json",
  ".agentx/issues/1.json",
  `.agentx/issues/${"x".repeat(180)}/${"y".repeat(180)}`, // version 4 takes two bytes to leave it
  ".agentx/memory/issue-1.json",
  ".agentx/state.txt",
  ".agentx/state/.gitkeep",
  ".github/x/.agentx/state/y",
  "src/.agentx/state/z",
  "src/main.ts",
];

/** A repository whose main checkout tracks some files. */
class TrackingRepository extends TempRepository {
  constructor(paths: readonly string[], { prefix = "" } = {}) {
    super();
    this.track(paths.map((path) => prefix + path));
  }

  track(paths: readonly string[], folder = this.root): void {
    for (const path of paths) {
      const full = `${folder}/${path}`;
      Deno.mkdirSync(full.slice(0, full.lastIndexOf("/")), { recursive: true });
      Deno.writeTextFileSync(full, path);
    }
    this.gitIn(folder, "add", "--force", "--", ...paths);
  }

  output(...args: string[]): string {
    const { stdout, success, stderr } = new Deno.Command("git", {
      args: ["-C", this.root, ...args],
      env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    }).outputSync();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  }

  files(): string[] {
    return this.output("ls-files", "-z").split("\0").slice(0, -1);
  }
}

/** Ways in which git may write an index. */
const FORMS: Record<string, (repository: TrackingRepository) => void> = {
  "version 2": (repository) => repository.git("update-index", "--index-version", "2"),
  "version 3": (repository) => repository.git("update-index", "--skip-worktree", "src/main.ts"),
  "version 4": (repository) => repository.git("update-index", "--index-version", "4"),
  "in two parts": (repository) => repository.git("update-index", "--split-index"),
  "with a cache of its trees": (repository) => repository.git("commit", "--quiet", "-m", "x"),
};

for (const [name, make] of Object.entries(FORMS)) {
  testWithGit(`trackedState() reads an index ${name}`, () => {
    using repository = new TrackingRepository([...OTHERS, ...STATE]);
    make(repository);
    const expected = { state: STATE, problem: undefined };
    assertEquals(trackedState(repository.root), expected);
  });

  testWithGit(
    `doctor --fix takes state out of an index ${name}, and git goes on with it`,
    async () => {
      using repository = new TrackingRepository([...OTHERS, ...STATE]);
      make(repository);
      await untrack(repository.root);
      assertEquals(repository.files(), [...OTHERS].sort());
      for (const path of STATE) {
        assertEquals(Deno.readTextFileSync(`${repository.root}/${path}`), path);
      }
    },
  );
}

async function untrack(root: string): Promise<void> {
  const findings = await examineTracked(root, true);
  assertEquals(findings.map(({ isFixed }) => isFixed), [true], JSON.stringify(findings));
}

testWithGit("trackedState() reads an index with SHA-256", async () => {
  using repository = new TrackingRepository([]);
  Deno.removeSync(`${repository.root}/.git`, { recursive: true });
  repository.git("init", "--quiet", "--object-format=sha256");
  repository.track([...OTHERS, ...STATE]);
  assertEquals(trackedState(repository.root).state, STATE);
  await untrack(repository.root);
  assertEquals(repository.files(), [...OTHERS].sort());
});

testWithGit("trackedState() reads both parts of a split index", () => {
  using repository = new TrackingRepository([...OTHERS, ...STATE]);
  repository.git("update-index", "--split-index");
  assertEquals(trackedState(repository.root).state, STATE);
  repository.git("rm", "--quiet", "--cached", LEDGER);
  repository.track([".agentx/state/new.json"]);
  const expected = [...STATE.filter((path) => path !== LEDGER), ".agentx/state/new.json"];
  assertEquals(trackedState(repository.root).state.sort(), expected);
});

testWithGit("doctor --fix takes state out as git names it, and runs no hook", async () => {
  using repository = new TrackingRepository([".AgentX/State/x.json", "src/main.ts"]);
  const hook = `${repository.root}/.git/hooks/post-index-change`;
  Deno.writeTextFileSync(hook, "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
  await untrack(repository.root);
  assertEquals(repository.files(), ["src/main.ts"]);
  assert(!Array.from(Deno.readDirSync(repository.root)).some(({ name }) => name === "ran"));
});

testWithGit("trackedState() knows a submodule and a link in the place of the state", () => {
  for (const kind of ["160000", "120000"]) {
    using repository = new TrackingRepository(OTHERS.filter((path) => !path.includes("/state/.")));
    const object = repository.output("rev-parse", "HEAD").trim();
    repository.git("update-index", "--add", "--cacheinfo", `${kind},${object},.agentx/state`);
    assertEquals(trackedState(repository.root).state, [".agentx/state"]);
    assert(trackedFiles(repository.root)()(`${repository.root}/${LEDGER}`));
  }
});

testWithGit("trackedState() knows a workspace that is a submodule", () => {
  using repository = new TrackingRepository(["src/main.ts"]);
  const object = repository.output("rev-parse", "HEAD").trim();
  repository.git("update-index", "--add", "--cacheinfo", `160000,${object},.agentx`);
  assertEquals(trackedState(repository.root).state, [".agentx"]);
  assert(trackedFiles(repository.root)()(`${repository.root}/${LEDGER}`));
});

testWithGit("trackedState() does not mind the case of letters", () => {
  using repository = new TrackingRepository([".AgentX/State/clarifications/issue-1.json"]);
  assertEquals(trackedState(repository.root).state, [
    ".AgentX/State/clarifications/issue-1.json",
  ]);
  assert(trackedFiles(repository.root)()(`${repository.root}/${LEDGER}`));
});

testWithGit("trackedState() finds the state of a workspace in a folder of the repository", () => {
  using repository = new TrackingRepository([...OTHERS, ...STATE], { prefix: "apps/web/" });
  repository.track(STATE, repository.folder("main/apps/api"));
  assertEquals(trackedState(`${repository.root}/apps/web`).state, STATE);
  assertEquals(trackedState(repository.root).state, []);
});

testWithGit("trackedState() reads the index of a worktree of a bare repository", () => {
  using repository = new TrackingRepository(["src/main.ts"]);
  repository.git("commit", "--quiet", "--message", "x");
  repository.git("clone", "--quiet", "--bare", ".", "../bare.git");
  repository.gitIn(`${repository.outside}/bare.git`, "worktree", "add", "--quiet", "../tree");
  const tree = `${repository.outside}/tree`;
  repository.track(STATE, tree);
  assertEquals(trackedState(tree).state, STATE);
});

testWithGit("trackedState() finds a lock wherever it stands", () => {
  using repository = new TrackingRepository([".agentx/issues/1.json.lock", ".agentx/x.lock"]);
  const expected = [".agentx/issues/1.json.lock", ".agentx/x.lock"];
  assertEquals(trackedState(repository.root).state, expected);
});

Deno.test("trackedState() finds nothing outside of git, and in a repository without an index", () => {
  using repository = new TempRepository();
  Deno.writeTextFileSync(`${repository.folder("bare")}/.git`, "gitdir: nowhere\n");
  for (const folder of [repository.folder("plain"), repository.folder("bare")]) {
    assertEquals(trackedState(folder), { state: [], problem: undefined });
  }
});

const UNREADABLE: Record<string, (path: string) => void> = {
  "that is not one": (path) => Deno.writeTextFileSync(path, "not an index at all"),
  "that is empty": (path) => Deno.writeTextFileSync(path, ""),
  "of a version to come": (path) => Deno.writeTextFileSync(path, "DIRC\0\0\0\x05\0\0\0\x01"),
  "that is cut off": (path) => Deno.writeTextFileSync(path, "DIRC\0\0\0\x02\0\0\0\x01"),
  "that is a folder": (path) => Deno.mkdirSync(path),
  "that is a link": (path) => Deno.symlinkSync("/dev/zero", path),
};

for (const [name, make] of Object.entries(UNREADABLE)) {
  Deno.test(`trackedState() cannot tell from an index ${name}, and all counts as tracked`, () => {
    using repository = new TempRepository();
    const { root } = repository;
    repository.folder("main/.agentx");
    Deno.writeTextFileSync(`${root}/.git/index`, ""); // a new repository may have none
    Deno.removeSync(`${root}/.git/index`);
    make(`${root}/.git/index`);
    const { state, problem } = trackedState(root);
    assertEquals([state, typeof problem], [[], "string"]);
    assertEquals(trackedFiles(root)()(`${root}/${LEDGER}`), true);
  });
}

Deno.test("trackedState() reads no index beyond its bound", () => {
  using repository = new TempRepository();
  const { root } = repository;
  const path = `${root}/.git/index`;
  Deno.writeTextFileSync(path, "DIRC\0\0\0\x02\x7f\0\0\0");
  Deno.truncateSync(path, MAX_INDEX_BYTES + 1);
  const read: number[] = [];
  using _ = replace("readPart", (real) => (path, offset, maxBytes) => {
    read.push(maxBytes);
    return real(path, offset, maxBytes);
  });
  assert(trackedState(root).problem?.includes(`more than ${MAX_INDEX_BYTES} bytes`));
  assertEquals(read, []);
});

testWithGit("trackedFiles() follows the index", () => {
  using repository = new TrackingRepository(OTHERS);
  const tracked = trackedFiles(repository.root);
  const path = `${repository.root}/${LEDGER}`;
  assertEquals(tracked()(path), false);
  repository.track([LEDGER]);
  assertEquals(tracked()(path), true);
  repository.git("rm", "--quiet", "--cached", LEDGER);
  assertEquals(tracked()(path), false);
});

testWithGit("doctor --fix waits for nobody who changes the index, and says so", async () => {
  using repository = new TrackingRepository(STATE);
  const lock = `${repository.root}/.git/index.lock`;
  Deno.writeTextFileSync(lock, "git's own");
  const [{ level, isFixed, next }] = await examineTracked(repository.root, true);
  assertEquals([level, isFixed, next?.includes("git rm -r --cached")], ["fail", false, true]);
  assertEquals(Deno.readTextFileSync(lock), "git's own");
  assertEquals(repository.files(), STATE);
});

testWithGit("trackedState() finds what stands behind the first thousands of entries, too", () => {
  using repository = new TrackingRepository(["+first"]);
  const many = Array.from({ length: 300 }, (_, at) => `a/${"long".repeat(50)}-${at}.ts`);
  repository.track([...many, ...STATE.map((path) => `zz/${path}`)]);
  Deno.mkdirSync(`${repository.root}/zz/.agentx`, { recursive: true });
  assert(Deno.statSync(`${repository.root}/.git/index`).size > 70_000);
  assertEquals(trackedState(`${repository.root}/zz`).state.sort(), STATE);
  assertEquals(trackedState(repository.root).state, []);
});
