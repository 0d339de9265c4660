import { assert, assertEquals } from "@std/assert";
import { main } from "../../cli.ts";
import { FakeIo } from "../cli/fake_io.ts";
import { TempUser } from "../temp_user.ts";
import { snapshotOf } from "../temp_workspace.ts";
import { TempRepository, testWithGit } from "../workspace/temp_repository.ts";

async function init(root: string, ...more: string[]) {
  using _ = new TempUser();
  const io = new FakeIo();
  return { code: await main(["init", "--root", root, ...more], io), io };
}

const FILES = [
  ".agentx/config.json",
  ...["feature", "epic", "story", "bug", "spike", "devops", "docs"]
    .map((type) => `.agentx/workflows/${type}.toml`),
  ".gitignore",
  ".gitattributes",
];

const NEXT = `
  Say who answers for every role, or for one:
    agentx config set --global agents.default.preset claude
    agentx config set agents.architect.preset claude
  Let one agent ask another about an issue:
    agentx issue create TITLE
    agentx ask architect --issue 1 --from engineer QUESTION
  Let them take it from its requirements to a review:
    agentx workflow run 1
`;

Deno.test("init says what it wrote and what to do next", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  const { code, io } = await init(root);
  const lines = FILES.map((path) => `  created  ${path}\n`).join("");
  assertEquals([code, io.err], [0, ""]);
  assertEquals(
    io.out,
    `${lines}\n  ${root} is a workspace now.
  Commit these files: agents work on what is committed, and every clone has it.
    git -C ${root} add -- .agentx .gitignore .gitattributes &&
    git -C ${root} commit -m 'chore: set up agentx' -- .agentx .gitignore .gitattributes${NEXT}`,
  );
});

testWithGit(
  "init prints a command that commits what it wrote, and leaves staged files staged",
  async () => {
    using repository = new TempRepository();
    const { root } = repository;
    Deno.mkdirSync(`${root}/.agentx/workflows`, { recursive: true });
    for (const path of ["mine.txt", ".agentx/workflows/mine.toml"]) {
      Deno.writeTextFileSync(`${root}/${path}`, "");
    }
    repository.git("add", "mine.txt");
    const { io } = await init(root, "--json", "--profile", "full");
    const { commit, files } = JSON.parse(io.out);
    const { success, stderr } = new Deno.Command("sh", {
      args: ["-c", commit.join("\n")],
      env: {
        ...{ GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@example.org" },
        ...{ GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@example.org" },
      },
    }).outputSync();
    assert(success, new TextDecoder().decode(stderr));
    const committed = repository.outputOf("show", "--name-only", "--format=");
    assertEquals(committed, files.map(({ path }: { path: string }) => path).sort());
    assertEquals(repository.outputOf("diff", "--cached", "--name-only"), ["mine.txt"]);
    assertEquals(JSON.parse((await init(root, "--json")).io.out).commit, []);
  },
);

Deno.test("init says that there is nothing to do the second time", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  await init(root);
  const before = snapshotOf(root);
  const { code, io } = await init(root);
  const lines = FILES.map((path) => `  kept     ${path}\n`).join("");
  assertEquals(code, 0);
  assertEquals(io.out, `${lines}\n  Nothing to do: ${root} is already a workspace.${NEXT}`);
  assertEquals(snapshotOf(root), before);
});

Deno.test("init says which files it adds to and which it keeps", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  await init(root);
  Deno.writeTextFileSync(`${root}/.gitignore`, "dist/\n");
  Deno.removeSync(`${root}/.agentx/workflows/docs.toml`);
  const { io } = await init(root);
  const lines = io.out.split("\n").filter((line) => /^ {2}(created|updated)/.test(line));
  assertEquals(lines, ["  created  .agentx/workflows/docs.toml", "  updated  .gitignore"]);
});

Deno.test("init --dry-run writes nothing and says so", async () => {
  using repository = new TempRepository();
  const before = snapshotOf(repository.root);
  const { code, io } = await init(repository.root, "--dry-run");
  assertEquals([code, snapshotOf(repository.root)], [0, before]);
  const planned = FILES.map((path) => `  would create  ${path}\n`).join("");
  assertEquals(io.out, `${planned}\n  Nothing was written.\n`);
});

Deno.test("init outside of git makes no file of git", async () => {
  using repository = new TempRepository();
  const { io } = await init(repository.folder("plain"));
  assertEquals(/\.git(?:ignore|attributes)/.test(io.out), false);
});

Deno.test("init --json has the list of its files", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  const { io } = await init(root, "--json");
  const { kind, files, dryRun, ...rest } = JSON.parse(io.out);
  assertEquals([kind, dryRun, rest.root], ["init", false, root]);
  assertEquals(files.map(({ path }: { path: string }) => path), FILES);
});

Deno.test("init exits 1 where it cannot write, and says why", async () => {
  using repository = new TempRepository();
  Deno.writeTextFileSync(`${repository.root}/.agentx`, "a file");
  const { code, io } = await init(repository.root, "--json");
  const { error } = JSON.parse(io.err);
  assertEquals([code, io.out, error.code], [1, "", "IO_ERROR"]);
});

Deno.test("init --profile full writes the documents' agents, which a dry run only shows", async () => {
  using repository = new TempRepository();
  const { root } = repository;
  const dry = await init(root, "--profile", "full", "--dry-run");
  const [shown] = [dry.io.out.match(/would create +\.github\/agents\//g)];
  assertEquals([shown?.length, dry.code], [9, 0], dry.io.out);
  const { code, io } = await init(root, "--profile", "full");
  assertEquals(code, 0);
  assertEquals(io.out.match(/created +\.github\/agents\/[a-z-]+\.agent\.md/g)?.length, 9, io.out);
});
