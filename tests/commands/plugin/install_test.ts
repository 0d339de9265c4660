import { assert, assertEquals } from "@std/assert";
import { NAMESPACE } from "../../../lib/plugins/manifest.ts";
import { TempWorkspace } from "../../temp_workspace.ts";
import { type Entry, gzip, skillText, tarOf, withCommand, writePackage } from "./packages.ts";

const YES = { terminal: true, stdin: "y\n" };
const HELLO = "console.log(JSON.stringify('hello'));\n";

function workspace(): TempWorkspace {
  return new TempWorkspace({ isTrusted: false });
}

function packageIn(temp: TempWorkspace, files: Record<string, string>): string {
  return writePackage(`${temp.root}/source`, files);
}

Deno.test("plugin new makes a package with a command, which runs once a person agreed", async () => {
  using temp = workspace();
  assertEquals((await temp.run(["plugin", "new", "greeter"])).code, 0);
  const run = ["plugin", "run", "greeter", "hello", "who=Ada"];
  assertEquals((await temp.json(run)).error.code, "UNTRUSTED");
  await temp.trust();
  assertEquals((await temp.json(run)).output, { greeting: "Hello, Ada!" });
  const { plugins: [plugin] } = await temp.json(["plugin"]);
  assertEquals([plugin.name, plugin.isAgreed, plugin.problems], ["greeter", true, []]);
});

Deno.test("plugin run asks again after any change of the package", async () => {
  using temp = workspace();
  await temp.run(["plugin", "new", "greeter"]);
  await temp.trust();
  temp.write(".agentx/plugins/greeter/dev.agentx/more.txt", "more");
  const run = ["plugin", "run", "greeter", "hello", "who=Ada"];
  assertEquals((await temp.json(run)).error.code, "UNTRUSTED");
  assertEquals((await temp.json(["plugin"])).plugins[0].isAgreed, false);
});

Deno.test("plugin new --skill makes a package with a skill that fits", async () => {
  using temp = workspace();
  await temp.run(["plugin", "new", "threat-list", "--skill"]);
  const { plugins: [plugin] } = await temp.json(["plugin"]);
  assertEquals([plugin.skills[0].name, plugin.problems], ["threat-list", []]);
  assert(plugin.skills[0].tokens.loaded > plugin.skills[0].tokens.listed);
});

for (const name of ["..", "Shop", "a--b", "../x", "a/b", "", "plugins/../x"]) {
  Deno.test(`plugin new and remove take ${JSON.stringify(name)} for no name`, async () => {
    using temp = workspace();
    temp.write(".agentx/plugins/keep", "kept");
    const before = temp.snapshot();
    assert((await temp.run(["plugin", "new", name])).code === 2);
    assert([2, 4].includes((await temp.run(["plugin", "remove", name])).code));
    assertEquals(temp.snapshot(), before);
  });
}

Deno.test("plugin install shows a package, installs it after a yes, and lets its commands run", async () => {
  using temp = workspace();
  const source = packageIn(temp, withCommand(HELLO));
  const { code, err } = await temp.run(["plugin", "install", source], YES);
  assertEquals(code, 0, err);
  assert(err.includes("go - Goes") && err.includes("read its package only"), err);
  assertEquals((await temp.json(["plugin", "run", "shop", "go"])).output, "hello");
});

Deno.test("plugin install writes nothing after a no", async () => {
  using temp = workspace();
  const source = packageIn(temp, withCommand(HELLO));
  const before = temp.snapshot();
  const { code } = await temp.run(["plugin", "install", source], { terminal: true, stdin: "n\n" });
  assertEquals([code, temp.snapshot()], [6, before]);
});

Deno.test("plugin install without a terminal installs, and nothing of it runs before consent", async () => {
  using temp = workspace();
  const source = packageIn(temp, withCommand(HELLO));
  assertEquals((await temp.run(["plugin", "install", source])).code, 0);
  assertEquals((await temp.json(["plugin", "run", "shop", "go"])).error.code, "UNTRUSTED");
});

Deno.test("an agent's session installs and removes no package, and may look at one", async () => {
  using temp = workspace();
  const source = packageIn(temp, withCommand(HELLO));
  await temp.run(["plugin", "install", source]);
  const session = { env: { CLAUDECODE: "1" } };
  assertEquals((await temp.run(["plugin", "install", source], session)).code, 6);
  assertEquals((await temp.run(["plugin", "remove", "shop"], session)).code, 6);
  assertEquals((await temp.run(["plugin", "install", source, "--dry-run"], session)).code, 0);
});

Deno.test("plugin install takes an archive, with the folder that code hosts put around it", async () => {
  using temp = workspace();
  const files = Object.entries(withCommand(HELLO));
  const entries = (top: string) => files.map(([name, text]): Entry => ({ name: top + name, text }));
  Deno.writeFileSync(`${temp.root}/a.tar`, tarOf(entries("")));
  const packed = await gzip(tarOf([{ name: "x/", kind: "5" }, ...entries("x/")]));
  Deno.writeFileSync(`${temp.root}/b.tgz`, packed);
  for (const name of ["a.tar", "b.tgz"]) {
    assertEquals((await temp.run(["plugin", "install", `${temp.root}/${name}`], YES)).code, 0);
    assertEquals((await temp.json(["plugin", "run", "shop", "go"])).output, "hello");
  }
});

Deno.test("plugin install takes an archive that tar wrote, with long names", async () => {
  using temp = workspace();
  const long = `${NAMESPACE}/${"long-".repeat(30)}name.txt`;
  const source = packageIn(temp, { ...withCommand(HELLO), [long]: "text" });
  for (const format of ["gnu", "pax", "ustar"]) {
    const args = ["--format", format, "-czf", `${temp.root}/p.tgz`, "-C", source, "."];
    const { success } = new Deno.Command("tar", { args, stderr: "null" }).outputSync();
    if (!success && format === "ustar") continue; // its names are shorter
    assertEquals((await temp.run(["plugin", "install", `${temp.root}/p.tgz`])).code, 0);
    assertEquals(temp.read(`.agentx/plugins/shop/${long}`), "text");
  }
});

Deno.test("plugin install takes a git repository, without running anything that it configures", async () => {
  using temp = workspace();
  const source = packageIn(temp, {
    ...withCommand(HELLO),
    ".gitattributes": "*.js filter=mark\n",
  });
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
    const command = new Deno.Command("git", { args: ["-C", source, ...identity, ...args] });
    assertEquals(command.outputSync().code, 0, args.join(" "));
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "a");
  git("config", "filter.mark.smudge", `touch ${temp.root}/ran`);
  git("config", "uploadpack.packObjectsHook", `touch ${temp.root}/ran`);
  const { code, err } = await temp.run(["plugin", "install", `file://${source}`], YES);
  assertEquals([code, temp.has("ran")], [0, false], err);
  assertEquals((await temp.json(["plugin", "run", "shop", "go"])).output, "hello");
  assertEquals(
    (await temp.json(["plugin", "install", "file:///none.git", "--dry-run"])).error.code,
    "IO_ERROR",
  );
});

Deno.test("plugin install copies templates, workflows and roles, and keeps what people changed", async () => {
  using temp = workspace();
  const files = (text: string) => ({
    ...withCommand(HELLO),
    [`${NAMESPACE}/templates/risk.md`]: text,
    [`${NAMESPACE}/workflows/audit.toml`]: text,
    [`${NAMESPACE}/roles/auditor.agent.md`]: text,
  });
  const copies = [
    ".agentx/templates/risk.md",
    ".agentx/workflows/audit.toml",
    ".github/agents/auditor.agent.md",
  ];
  await temp.run(["plugin", "install", packageIn(temp, files("one"))]);
  assertEquals(copies.map((path) => temp.read(path)), ["one", "one", "one"]);
  temp.write(copies[0], "mine");
  const { writes } = await temp.json(["plugin", "install", packageIn(temp, files("two"))]);
  assertEquals(writes.map(({ action }: { action: string }) => action), [
    "keep",
    "update",
    "update",
  ]);
  assertEquals(copies.map((path) => temp.read(path)), ["mine", "two", "two"]);
  const { removed } = await temp.json(["plugin", "remove", "shop"]);
  assertEquals(removed, [".agentx/plugins/shop", copies[1], copies[2]]);
  assertEquals([temp.has(copies[0]), temp.has(copies[1])], [true, false]);
});

Deno.test("plugin install --dry-run shows what would be loaded, run and written, and writes nothing", async () => {
  using temp = workspace();
  const source = packageIn(temp, {
    ...withCommand(HELLO, { permissions: { network: ["example.com"] } }),
    "skills/greet/SKILL.md": skillText("greet"),
    [`${NAMESPACE}/templates/risk.md`]: "x",
  });
  const before = temp.snapshot();
  const { code, out } = await temp.run(["plugin", "install", source, "--dry-run"]);
  assertEquals([code, temp.snapshot()], [0, before]);
  for (const text of ["skill: greet", "reach example.com", "create .agentx/templates/risk.md"]) {
    assert(out.includes(text), `${text} is not in ${out}`);
  }
});

/** What refuses a package, by name: the files, and what the message says. */
const REFUSED: Record<string, [files: Record<string, string>, says: RegExp]> = {
  "a command that names no file of it": [
    withCommand(HELLO, { run: [`./${NAMESPACE}/none.js`] }),
    /there is no/,
  ],
  "a command of a path that leaves it": [withCommand(HELLO, { run: ["../go.js"] }), /there is no/],
  "a permission that leaves the tree": [
    withCommand(HELLO, { permissions: { read: ["../x"] } }),
    /must be a path in the working tree/,
  ],
  "a permission of another kind": [
    withCommand(HELLO, { permissions: { run: ["sh"] } }),
    /known key/,
  ],
  "a schema with a pattern": [
    withCommand(HELLO, { output: { type: "string", pattern: "(a+)+$" } }),
    /does not check/,
  ],
  "a time without end": [withCommand(HELLO, { timeoutSeconds: 86_400 }), /timeoutSeconds/],
};

for (const [name, [files, says]] of Object.entries(REFUSED)) {
  Deno.test(`plugin install refuses ${name}, and writes nothing`, async () => {
    using temp = workspace();
    const source = packageIn(temp, files);
    const before = temp.snapshot();
    const { error } = await temp.json(["plugin", "install", source], YES);
    assertEquals([error.code, temp.snapshot()], ["INVALID_CONFIG", before]);
    assert(says.test(error.message), error.message);
    const dry = await temp.run(["plugin", "install", source, "--dry-run"]);
    assertEquals(dry.code, 2);
    assert(says.test(dry.out.replace(/\s+/g, " ")), dry.out);
  });
}

Deno.test("plugin install refuses a link that leaves the package, and takes one that stays", async () => {
  using temp = workspace();
  const source = packageIn(temp, withCommand(HELLO));
  temp.write("secret", "x");
  Deno.symlinkSync(`${NAMESPACE}/go.js`, `${source}/inside`);
  assertEquals((await temp.run(["plugin", "install", source])).code, 0);
  assertEquals(temp.read(".agentx/plugins/shop/inside"), HELLO);
  Deno.symlinkSync("../secret", `${source}/outside`);
  const { error } = await temp.json(["plugin", "install", source, "--dry-run"]);
  assertEquals([error.code, error.details.path], ["INVALID_CONFIG", "outside"]);
  for (const target of ["../../../secret", "outside"]) {
    const link = `${temp.root}/.agentx/plugins/shop/outside`;
    Deno.symlinkSync(target, link);
    const { plugins: [plugin] } = await temp.json(["plugin"]);
    assertEquals([plugin.problems[0].level, plugin.isAgreed], ["error", false]);
    Deno.removeSync(link);
  }
});

const HOSTILE: Record<string, readonly Entry[]> = {
  "a path that leaves it": [{ name: "../out", text: "x" }],
  "a path of the system": [{ name: "/tmp/out", text: "x" }],
  "a path that goes up and down": [{ name: "skills/../../out", text: "x" }],
  "a link": [{ name: "link", kind: "2" }],
  "a hard link": [{ name: "link", kind: "1" }],
  "a device": [{ name: "null", kind: "3" }],
  "a pipe": [{ name: "pipe", kind: "6" }],
  "too many files": Array.from({ length: 2_001 }, (_, at) => ({ name: `f${at}` })),
};

for (const [name, entries] of Object.entries(HOSTILE)) {
  Deno.test(`plugin install refuses an archive with ${name}`, async () => {
    using temp = workspace();
    const good = Object.entries(withCommand(HELLO)).map(([name, text]) => ({ name, text }));
    Deno.writeFileSync(`${temp.root}/p.tar`, tarOf([...good, ...entries]));
    const before = temp.snapshot();
    for (const dry of [["--dry-run"], []]) {
      const { error } = await temp.json(["plugin", "install", `${temp.root}/p.tar`, ...dry], YES);
      assertEquals([error?.code, temp.snapshot()], ["INVALID_CONFIG", before]);
    }
  });
}

const HOSTILE_FOLDERS: Record<string, (folder: string) => void> = {
  "a file beyond bounds": (folder) => {
    using file = Deno.createSync(`${folder}/large`);
    file.truncateSync(3 * 2 ** 30); // takes no space
  },
  "too many files": (folder) => {
    for (let at = 0; at < 2_000; at++) Deno.writeTextFileSync(`${folder}/f${at}`, "");
  },
  "a pipe": (folder) => void new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).outputSync(),
  "a link without end": (folder) => Deno.symlinkSync("loop", `${folder}/loop`),
  "a link to a folder above": (folder) => Deno.symlinkSync(".", `${folder}/self`),
};

for (const [name, add] of Object.entries(HOSTILE_FOLDERS)) {
  Deno.test(`plugin install refuses a folder with ${name}`, async () => {
    using temp = workspace();
    const source = packageIn(temp, withCommand(HELLO));
    add(source);
    for (const dry of [["--dry-run"], []]) {
      const { error } = await temp.json(["plugin", "install", source, ...dry], YES);
      assertEquals([error?.code, temp.has(".agentx/plugins")], ["INVALID_CONFIG", false]);
    }
  });
}

Deno.test("plugin install stops at an archive that grows beyond bounds, and at a damaged one", async () => {
  using temp = workspace();
  const bomb = await gzip(new Uint8Array(200 * 2 ** 20));
  assert(bomb.length < 2 ** 20);
  Deno.writeFileSync(`${temp.root}/bomb.tgz`, bomb);
  Deno.writeFileSync(`${temp.root}/cut.tgz`, bomb.subarray(0, 1_000));
  Deno.writeTextFileSync(`${temp.root}/text.tar`, "no archive ".repeat(200));
  for (const [name, says] of [["bomb", "larger"], ["cut", "damaged"], ["text", "damaged"]]) {
    const path = `${temp.root}/${name}.${name === "text" ? "tar" : "tgz"}`;
    const { error } = await temp.json(["plugin", "install", path, "--dry-run"]);
    assertEquals(error.code, "INVALID_CONFIG");
    assert(error.message.includes(says), error.message);
  }
});

Deno.test("plugin list names a package in a folder of another name, and runs none of it", async () => {
  using temp = workspace();
  writePackage(`${temp.root}/.agentx/plugins/other`, withCommand(HELLO));
  await temp.trust();
  const { plugins: [{ name, problems }] } = await temp.json(["plugin"]);
  assertEquals([name, problems[0].level], ["other", "error"]);
  assertEquals((await temp.json(["plugin", "run", "other", "go"])).error.code, "INVALID_CONFIG");
});

Deno.test("plugin install --dry-run colours the label of a problem at a terminal", async () => {
  using temp = new TempWorkspace();
  const source = writePackage(`${temp.root}/bad`, { "plugin.json": '{"name": "shop"}' });
  const { out } = await temp.run(["plugin", "install", source, "--dry-run"], { terminal: true });
  assert(out.includes("    \u001b[31merror\u001b[39m: plugin.json $schema must be"), out);
  assert(out.includes("missing") && !out.includes("\\u{1b}"), out);
});
