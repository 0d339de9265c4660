import { fixersFor } from "../../lib/pipeline/fix.ts";
import { assert, assertEquals } from "@std/assert";
import { findWorkspace } from "../../lib/workspace/find.ts";
import { planWorkspace, shippedWorkflows, writePlan } from "../../lib/workspace/init.ts";
import { SHIPPED_ROLES } from "../../lib/workspace/shipped_roles.ts";
import { mayChange, modelsOfRoles } from "../../lib/config/role_settings.ts";
import { readWorkflow } from "../../lib/config/workflow.ts";
import { refusal } from "../refusal.ts";
import { ended, snapshotOf, spawnAgentx } from "../temp_workspace.ts";
import { TempRepository, testWithGit } from "./temp_repository.ts";

const IGNORED = [
  ".agentx/state/\n.agentx/log/\n.agentx/**/*.lock\n",
].join("");

const ATTRIBUTES = [
  ".agentx/issues/**/*.jsonl merge=union\n",
  ".agentx/memory/**/*.jsonl merge=union\n",
].join("");

const WORKFLOWS = ["bug", "devops", "docs", "epic", "feature", "spike", "story"];

async function init(folder: string): Promise<void> {
  await writePlan(planWorkspace(folder));
}

function paths(folder: string): string[] {
  return Object.keys(snapshotOf(folder)).filter((path) => !path.startsWith("/.git/"));
}

Deno.test("writePlan() makes config, seven workflows and the mark of its state, and nothing else", async () => {
  using repository = new TempRepository();
  const root = repository.folder("plain");
  await init(root);
  assertEquals(paths(root), [
    "",
    "/.agentx",
    "/.agentx/config.json",
    "/.agentx/state",
    "/.agentx/state/birth",
    "/.agentx/workflows",
    ...WORKFLOWS.map((type) => `/.agentx/workflows/${type}.toml`),
  ]);
});

Deno.test("writePlan() makes a folder that is not there yet", async () => {
  using repository = new TempRepository();
  await init(`${repository.outside}/new/folder`);
  assert(Deno.statSync(`${repository.outside}/new/folder/.agentx/config.json`).isFile);
});

Deno.test("writePlan() makes a workspace that is not refused, whatever the umask", async () => {
  using repository = new TempRepository();
  const umask = Deno.umask(0);
  try {
    await init(`${repository.root}/new`);
  } finally {
    Deno.umask(umask);
  }
  assertEquals(findWorkspace(`${repository.root}/new`).root, `${repository.root}/new`);
});

Deno.test("writePlan() ignores the state in a git repository", async () => {
  using repository = new TempRepository();
  await init(repository.root);
  assertEquals(Deno.readTextFileSync(`${repository.root}/.gitignore`), IGNORED);
});

for (const [kind, make] of Object.entries({ folder: Deno.mkdirSync, file: Deno.createSync })) {
  Deno.test(`writePlan() takes an empty .git ${kind} for no repository`, async () => {
    using repository = new TempRepository();
    const made = make(`${repository.folder("outer")}/.git`);
    made?.close();
    const root = repository.folder("outer/plain");
    await init(root);
    assertEquals(Array.from(Deno.readDirSync(root), ({ name }) => name), [".agentx"]);
  });
}

Deno.test("writePlan() ignores the state in a folder of a git repository", async () => {
  using repository = new TempRepository();
  const root = repository.folder("main/packages/app");
  await init(root);
  assertEquals(Deno.readTextFileSync(`${root}/.gitignore`), IGNORED);
});

Deno.test("writePlan() ignores the state in a new folder of a git repository", async () => {
  using repository = new TempRepository();
  const root = `${repository.root}/packages/new`;
  await init(root);
  assertEquals(Deno.readTextFileSync(`${root}/.gitignore`), IGNORED);
});

testWithGit("writePlan() makes what git itself takes for ignored", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  await init(root);
  const ignored = [
    ".agentx/state/agent-status.json",
    ".agentx/log/2026-02-26.jsonl",
    ".agentx/config.json.lock",
  ];
  const kept = [".agentx/config.json", ".agentx/issues/1.json", ".agentx/memory/issue-1.json"];
  const { stdout } = new Deno.Command("git", {
    args: ["-C", root, "check-ignore", ...ignored, ...kept],
  }).outputSync();
  assertEquals(new TextDecoder().decode(stdout).trim().split("\n"), ignored);
});

testWithGit("writePlan() makes what git itself merges by lines", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  await init(root);
  assertEquals(Deno.readTextFileSync(`${root}/.gitattributes`), ATTRIBUTES);
  const byLines = [
    ".agentx/issues/2026-11/k3f9.jsonl",
    ".agentx/memory/2026-11/a.jsonl",
  ];
  const others = [".agentx/config.json", ".agentx/workflows/bug.toml", "issues/1.json"];
  const { stdout } = new Deno.Command("git", {
    args: ["-C", root, "check-attr", "merge", "--", ...byLines, ...others],
  }).outputSync();
  assertEquals(new TextDecoder().decode(stdout).trim().split("\n"), [
    ...byLines.map((path) => `${path}: merge: union`),
    ...others.map((path) => `${path}: merge: unspecified`),
  ]);
});

Deno.test("writePlan() adds to a .gitattributes what is missing, and keeps the rest", async () => {
  using repository = new TempRepository();
  const path = `${repository.root}/.gitattributes`;
  Deno.writeTextFileSync(path, "* text=auto");
  for (const _time of ["first", "second"]) {
    await init(repository.root);
    assertEquals(Deno.readTextFileSync(path), `* text=auto\n${ATTRIBUTES}`);
  }
});

const GITIGNORES: Record<string, [before: string, after: string]> = {
  "empty": ["", IGNORED],
  "with lines": ["node_modules/\n", `node_modules/\n${IGNORED}`],
  "without a newline at its end": ["dist", `dist\n${IGNORED}`],
  "with CRLF": ["dist/\r\nout/\r\n", `dist/\r\nout/\r\n${IGNORED}`],
  "with one of the lines": [
    ".agentx/log/\nx\n",
    `.agentx/log/\nx\n${IGNORED.replace(".agentx/log/\n", "")}`,
  ],
  "with all of the lines in CRLF": [
    IGNORED.replaceAll("\n", "\r\n"),
    IGNORED.replaceAll("\n", "\r\n"),
  ],
};

for (const [name, [before, after]] of Object.entries(GITIGNORES)) {
  Deno.test(`writePlan() adds what is missing to a .gitignore ${name}`, async () => {
    using repository = new TempRepository();
    const path = `${repository.root}/.gitignore`;
    Deno.writeTextFileSync(path, before);
    await init(repository.root);
    assertEquals(Deno.readTextFileSync(path), after);
    await init(repository.root);
    assertEquals(Deno.readTextFileSync(path), after);
  });
}

Deno.test("planWorkspace() refuses a .gitignore that is a link, before anything is written", async () => {
  using repository = new TempRepository();
  const { root, outside } = repository;
  const foreign = `${outside}/netrc`;
  Deno.writeTextFileSync(foreign, "password", { mode: 0o600 });
  Deno.symlinkSync(foreign, `${root}/.gitignore`);
  const before = snapshotOf(root);
  const { details } = await refusal("IO_ERROR", () => init(root));
  assertEquals(details.path, `${root}/.gitignore`);
  assertEquals([Deno.readTextFileSync(foreign), Deno.statSync(foreign).mode! & 0o777], [
    "password",
    0o600,
  ]);
  assertEquals(snapshotOf(root), before);
});

Deno.test("writePlan() keeps the mode of the .gitignore, under any umask", async () => {
  using repository = new TempRepository();
  const path = `${repository.root}/.gitignore`;
  Deno.writeTextFileSync(path, "dist/\n");
  Deno.chmodSync(path, 0o664);
  const umask = Deno.umask(0o077);
  try {
    await init(repository.root);
  } finally {
    Deno.umask(umask);
  }
  assertEquals(Deno.statSync(path).mode! & 0o777, 0o664);
});

Deno.test("writePlan() leaves nothing beside the .gitignore", async () => {
  using repository = new TempRepository();
  Deno.writeTextFileSync(`${repository.root}/.gitignore`, "dist/\n");
  await init(repository.root);
  const top = Array.from(Deno.readDirSync(repository.root), ({ name }) => name).sort();
  assertEquals(top, [".agentx", ".git", ".gitattributes", ".gitignore"]);
});

Deno.test("writePlan() changes nothing the second time", async () => {
  using repository = new TempRepository();
  await init(repository.root);
  const before = snapshotOf(repository.root);
  const plan = planWorkspace(repository.root);
  await writePlan(plan);
  assertEquals(new Set(plan.files.map(({ action }) => action)), new Set(["keep"]));
  assertEquals(snapshotOf(repository.root), before);
});

Deno.test("writePlan() keeps a config and a workflow that are there, even broken ones", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  repository.folder("main/.agentx/workflows");
  Deno.writeTextFileSync(`${root}/.agentx/config.json`, "{ mine");
  Deno.writeTextFileSync(`${root}/.agentx/workflows/feature.toml`, "mine =");
  await init(root);
  assertEquals(Deno.readTextFileSync(`${root}/.agentx/config.json`), "{ mine");
  assertEquals(Deno.readTextFileSync(`${root}/.agentx/workflows/feature.toml`), "mine =");
  assertEquals(
    Array.from(Deno.readDirSync(`${root}/.agentx/workflows`), ({ name }) => name).sort(),
    WORKFLOWS.map((type) => `${type}.toml`),
  );
});

Deno.test("writePlan() does not overwrite what was written since the plan", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  const plan = planWorkspace(root);
  repository.folder("main/.agentx");
  Deno.writeTextFileSync(`${root}/.agentx/config.json`, "{}");
  Deno.writeTextFileSync(`${root}/.gitignore`, "dist/\n");
  await writePlan(plan);
  assertEquals(Deno.readTextFileSync(`${root}/.agentx/config.json`), "{}");
  assertEquals(Deno.readTextFileSync(`${root}/.gitignore`), `dist/\n${IGNORED}`);
});

Deno.test("planWorkspace() writes nothing", () => {
  using repository = new TempRepository();
  const before = snapshotOf(repository.root);
  const { root, files } = planWorkspace(repository.root);
  assertEquals([root, files.map(({ action }) => action)], [
    repository.root,
    Array(10).fill("create"),
  ]);
  assertEquals(snapshotOf(repository.root), before);
});

Deno.test("agentx init at once in four processes makes one workspace", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  Deno.writeTextFileSync(`${root}/.gitignore`, "dist/\n");
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => ended(spawnAgentx(["init"], { cwd: root }))),
  );
  assertEquals(runs.map(({ code, err }) => [code, err]), Array(4).fill([0, ""]));
  assertEquals(Deno.readTextFileSync(`${root}/.gitignore`), `dist/\n${IGNORED}`);
  JSON.parse(Deno.readTextFileSync(`${root}/.agentx/config.json`));
});

Deno.test("agentx init --root takes a folder relative to the current one", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  const { code, err } = await ended(spawnAgentx(["init", "--root", "new/app"], { cwd: root }));
  assertEquals([code, err], [0, ""]);
  assertEquals(Deno.readTextFileSync(`${root}/new/app/.gitignore`), IGNORED);
});

for (
  const [what, words, file, wanted] of [
    ["the top of a repository", [], undefined, ""],
    ["a package", [], "Cargo.toml", "/app"],
    ["a folder with --here", ["--here"], undefined, "/app"],
  ] as const
) {
  Deno.test(`agentx init makes a workspace in ${what}, and says which`, async () => {
    using repository = new TempRepository();
    await init(repository.outside); // a workspace around the repository is another project's
    const cwd = repository.folder("main/app");
    if (file !== undefined) Deno.writeTextFileSync(`${cwd}/${file}`, "");
    const { code, out } = await ended(spawnAgentx(["init", ...words], { cwd }));
    assertEquals(code, 0);
    assert(out.includes(`${repository.root}${wanted} is a workspace now`), out);
    assertEquals(findWorkspace(cwd).root, `${repository.root}${wanted}`);
  });
}

Deno.test("agentx init below a workspace completes that one", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  await init(root);
  Deno.removeSync(`${root}/.agentx/workflows/docs.toml`);
  const sub = repository.folder("main/src");
  const { code } = await ended(spawnAgentx(["init"], { cwd: sub }));
  assertEquals([code, paths(sub)], [0, [""]]);
  assert(Deno.statSync(`${root}/.agentx/workflows/docs.toml`).isFile);
});

for (
  const [files, wanted] of [
    [{ "package.json": '{"scripts":{"test":"vitest run"}}' }, '[["npm", "test"]]'],
    [
      { "package.json": '{"scripts":{"test":"vitest run"}}', "pnpm-lock.yaml": "" },
      '[["pnpm", "test"]]',
    ],
    [
      { "deno.json": '{\n  // ours\n  "tasks": {"test": "deno test -A"}\n}' },
      '[["deno", "task", "test"]]',
    ],
    [{ Makefile: "all: x\n\ntest: all\n\ttrue\n" }, '[["make", "test"]]'],
    [{ "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\""}}' }, undefined],
    [{ "package.json": "{", Makefile: "test := x\n" }, undefined],
  ] as const
) {
  const names = Object.keys(files).join(" and ");
  Deno.test(`init proposes ${wanted ?? "nothing"} where ${names} has tests`, async () => {
    const root = Deno.makeTempDirSync();
    try {
      for (const [name, text] of Object.entries(files)) {
        Deno.writeTextFileSync(`${root}/${name}`, text);
      }
      await init(root);
      const text = Deno.readTextFileSync(`${root}/.agentx/workflows/story.toml`);
      assertEquals(/^evidence = (.*)$/m.exec(text)?.[1], wanted);
      readWorkflow(`${root}/.agentx/workflows`, "story");
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  });
}

for (
  const [files, wanted] of [
    [{ "eslint.config.mjs": "" }, [["a.ts", "npx --no-install eslint --fix"]]],
    [{ "package.json": '{"prettier":{}}' }, [["a.css", "npx --no-install prettier --write"]]],
    [{ ".prettierrc.json": "{}", ".eslintrc.cjs": "" }, [
      ["a.ts", "npx --no-install eslint --fix"],
      ["a.ts", "npx --no-install prettier --write"],
    ]],
    [{ "biome.json": "{}" }, [["a.ts", "npx --no-install biome check --write"]]],
    [{ "pyproject.toml": "[tool.ruff.lint]\n" }, [
      ["a.py", "ruff check --fix"],
      ["a.py", "ruff format"],
    ]],
    [{ "go.mod": "module x\n" }, [["a.go", "gofmt -w"]]],
    [{ "package.json": "[]", "pyproject.toml": "[tool.black]\n" }, []],
  ] as const
) {
  const names = Object.keys(files).join(" and ");
  Deno.test(`init proposes the fixers of a project with ${names}: ${wanted.length}`, async () => {
    const root = Deno.makeTempDirSync();
    try {
      for (const [name, text] of Object.entries(files)) {
        Deno.writeTextFileSync(`${root}/${name}`, text);
      }
      await init(root);
      for (const type of ["story", "bug"]) {
        const workflow = readWorkflow(`${root}/.agentx/workflows`, type);
        const found = fixersFor(workflow, ["a.ts", "a.css", "a.py", "a.go"])
          .flatMap(({ files, command }) => files.map((file) => [file, command.join(" ")]));
        const expected: string[][] = wanted.map(([file, command]) => [file, command]);
        assertEquals(found.filter(([file]) => expected.some(([one]) => one === file)), expected);
        if (expected.length === 0) assertEquals(found, []);
      }
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  });
}

Deno.test("writePlan() gives each of the documents' agents a file, and none to a role that has one", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  Deno.mkdirSync(`${root}/.claude/agents`, { recursive: true });
  Deno.writeTextFileSync(`${root}/.claude/agents/reviewer.md`, "You review.\n");
  await writePlan(planWorkspace(root, { agents: true }));
  const written = Array.from(Deno.readDirSync(`${root}/.github/agents`), ({ name }) => name);
  const roles = Object.keys(SHIPPED_ROLES).filter((role) => role !== "reviewer");
  assertEquals(written.sort(), roles.map((role) => `${role}.agent.md`).sort());
  assertEquals(mayChange("architect", root), ["docs/adr/**", "docs/specs/**"]);
  assertEquals([mayChange("investigator", root), modelsOfRoles(root)], [[], {}]);
  Deno.writeTextFileSync(`${root}/.github/agents/architect.agent.md`, "Mine.\n");
  const before = snapshotOf(root);
  await writePlan(planWorkspace(root, { agents: true }));
  assertEquals(snapshotOf(root), before);
});

Deno.test("the file of a role says whom the shipped workflows let it ask, and where its document is", () => {
  const steps = shippedWorkflows().flatMap((workflow) => workflow.steps);
  for (const [role, text] of Object.entries(SHIPPED_ROLES)) {
    const own = steps.filter(({ agent }) => agent === role);
    const asked = [...new Set(own.flatMap(({ canClarify }) => canClarify))].sort().join(", ");
    assertEquals([role, /^May ask: (.*)\.$/m.exec(text)?.[1] ?? ""], [role, asked]);
    for (const { output } of own) {
      assert(text.includes(output?.replace("{{issue_number}}", "N") ?? ""), `${role}: ${output}`);
    }
  }
});

Deno.test("planWorkspace() refuses to write agents through a link", async () => {
  using repository = new TempRepository();
  const { root, outside } = repository;
  Deno.mkdirSync(`${outside}/elsewhere`);
  Deno.symlinkSync(`${outside}/elsewhere`, `${root}/.github`);
  const { details } = await refusal("IO_ERROR", () => planWorkspace(root, { agents: true }));
  assertEquals(details.path, `${root}/.github`);
  assertEquals(planWorkspace(root).files.length > 0, true);
});
