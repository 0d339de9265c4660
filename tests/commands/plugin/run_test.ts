import { assert, assertEquals } from "@std/assert";
import { sys } from "../../../lib/sys/mod.ts";
import { findProgram } from "../../../lib/sys/find_program.ts";
import { TempWorkspace } from "../../temp_workspace.ts";
import { withCommand, writePackage } from "./packages.ts";

const READ = 'import { readFileSync } from "node:fs";\n' +
  'const input = JSON.parse(readFileSync(0, "utf8"));\n';

/** A workspace with a package that was agreed to, and its command run. */
async function withPackage(files: Record<string, string>): Promise<TempWorkspace> {
  const temp = new TempWorkspace({ isTrusted: false });
  temp.write(".git/HEAD", "ref: refs/heads/main\n");
  writePackage(`${temp.root}/.agentx/plugins/shop`, files);
  assertEquals((await temp.trust()).code, 0);
  return temp;
}

const GO = ["plugin", "run", "shop", "go"];

/** The forms in which a program runs: under Deno with and without a sandbox, under Node, and as any program. */
const FORMS = ["Deno", "Deno alone", "Node", "shell"] as const;

/** Only some programs are there; without Deno, a script runs on Node. */
function withPrograms(
  temp: TempWorkspace,
  programs: readonly string[],
  hasDeno = false,
): Disposable {
  const path = Deno.env.get("PATH")!;
  const execPath = Object.getOwnPropertyDescriptor(sys, "execPath")!;
  const folder = `${temp.user.path}/bin`;
  Deno.mkdirSync(folder, { recursive: true });
  for (const name of programs) Deno.symlinkSync(findProgram(name)!, `${folder}/${name}`);
  Deno.env.set("PATH", folder);
  if (!hasDeno) {
    Object.defineProperty(sys, "execPath", { value: "/opt/agentx", configurable: true });
  }
  return {
    [Symbol.dispose]() {
      Deno.env.set("PATH", path);
      Object.defineProperty(sys, "execPath", execPath);
    },
  };
}

interface Attempt {
  js: string;
  sh: string;
}

/** Runs an attempt in a form; what it prints is `"done"` where it went through. */
async function tried(
  form: typeof FORMS[number],
  { js, sh }: Attempt,
  command: Record<string, unknown> = {},
  setUp: (temp: TempWorkspace) => void = () => {},
): Promise<{ temp: TempWorkspace; said: string }> {
  const script = `import * as fs from "node:fs";\ntry { ${js}; console.log('"done"') } ` +
    "catch (error) { console.log(JSON.stringify(String(error))) }\n";
  const shell = `( ${sh} ) 2>/dev/null && echo '"done"' || echo '"failed"'\n`;
  const files = form === "shell"
    ? withCommand(shell, { ...command, run: ["bash", "./.agentx/plugins/shop/go.sh"] })
    : withCommand(script, command);
  if (form === "shell") files["go.sh"] = shell;
  const temp = await withPackage(files);
  setUp(temp);
  using _ = form === "Node"
    ? withPrograms(temp, ["node", "bwrap", "true"])
    : form === "Deno alone"
    ? withPrograms(temp, [], true)
    : { [Symbol.dispose]() {} };
  const { output, error } = await temp.json(GO);
  return { temp, said: output ?? error.message };
}

for (const form of FORMS) {
  Deno.test(`plugin run holds a command on ${form} to what it may write`, async () => {
    const write = (path: string): Attempt => ({
      js: `fs.writeFileSync(${JSON.stringify(path)}, "x")`,
      sh: `echo x >${path}`,
    });
    const permissions = { write: ["docs"] };
    const setUp = (temp: TempWorkspace) => {
      temp.write("docs/.git/config", "[core]\n");
      temp.write("docs/package.json", "{}");
      Deno.symlinkSync("../other.txt", `${temp.root}/docs/link.txt`);
    };
    const paths = ["other.txt", ".agentx/config.json", ".agentx/plugins/shop/go.js", ".git/config"];
    if (form !== "Deno alone") paths.push("docs/link.txt"); // Deno follows links
    for (const path of paths) {
      const { temp, said } = await tried(form, write(path), { permissions }, setUp);
      using _ = temp;
      assert(said !== "done", `${path}: ${said}`);
      assertEquals(temp.has("other.txt"), false);
    }
    const { temp, said } = await tried(form, write("docs/new.txt"), { permissions }, setUp);
    using _ = temp;
    assertEquals([said, temp.has("docs/new.txt")], ["done", true]);
  });

  Deno.test(`plugin run on ${form} lets a command that may write all write nothing that starts a program`, async () => {
    const permissions = { write: ["."] };
    for (const path of [".git/config", ".agentx/config.json", ".claude/settings.json"]) {
      const { temp, said } = await tried(
        form,
        { js: `fs.writeFileSync("${path}", "mine")`, sh: `echo mine >${path}` },
        { permissions },
        (temp) => {
          temp.write(".claude/settings.json", "{}");
          temp.write(".git/config", "[core]\n");
        },
      );
      using _ = temp;
      assert(said !== "done" && !temp.read(path).includes("mine"), `${path}: ${said}`);
    }
  });

  Deno.test(`plugin run on ${form} gives the network to a command that names it, and to no other`, async () => {
    const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    let connections = 0;
    const accepting = (async () => {
      for await (const connection of server) {
        connections++;
        connection.close();
      }
    })();
    const { port } = server.addr as Deno.NetAddr;
    const attempt = {
      js: `await new Promise((done, fail) => import("node:net").then(({ connect }) => ` +
        `connect(${port}, "127.0.0.1").on("connect", done).on("error", fail)))`,
      sh: `exec 3<>/dev/tcp/127.0.0.1/${port}`,
    };
    try {
      const { temp, said } = await tried(form, attempt);
      temp[Symbol.dispose]();
      assert(said !== "done" && connections === 0, said);
      const allowed = await tried(form, attempt, { permissions: { network: true } });
      allowed.temp[Symbol.dispose]();
      assertEquals([allowed.said, connections], ["done", 1]);
    } finally {
      server.close();
      await accepting;
    }
  });

  Deno.test(`plugin run on ${form} passes on the variables that a command names, and no others`, async () => {
    Deno.env.set("SHOP_KEY", "a");
    Deno.env.set("OTHER_KEY", "b");
    try {
      for (const [name, isSeen] of [["SHOP_KEY", true], ["OTHER_KEY", false]] as const) {
        const { temp, said } = await tried(
          form,
          { js: `if (!process.env.${name}) throw "none"`, sh: `[ -n "$${name}" ]` },
          { permissions: { env: ["SHOP_KEY"] } },
        );
        temp[Symbol.dispose]();
        assertEquals(said === "done", isSeen, said);
      }
    } finally {
      Deno.env.delete("SHOP_KEY");
      Deno.env.delete("OTHER_KEY");
    }
  });

  Deno.test(`plugin run on ${form} ends a command that loops or prints without end`, async () => {
    const loop = { js: "for (;;);", sh: "while :; do :; done" };
    const { temp, said } = await tried(form, loop, { timeoutSeconds: 1 });
    temp[Symbol.dispose]();
    assert(said.includes("did not end within 1 s"), said);
    const flood = {
      js: 'for (;;) fs.writeSync(1, "x".repeat(1e4))',
      sh: "while :; do echo x; done",
    };
    const printed = await tried(form, flood, { maxOutputBytes: 1_000 });
    printed.temp[Symbol.dispose]();
    assert(printed.said.includes("printed more than 1000 bytes"), printed.said);
  });

  Deno.test(`plugin run on ${form} gives a command a folder of its own that stays`, async () => {
    const { temp, said } = await tried(form, {
      js: 'fs.appendFileSync(process.env.PLUGIN_DATA + "/a", "x")',
      sh: 'echo x >>"$PLUGIN_DATA/a"',
    });
    using _ = temp;
    assertEquals(said, "done");
    await temp.run(["plugin", "remove", "shop"]);
    assertEquals([...Deno.readDirSync(`${temp.user.path}/state/agentx/plugins`)].length, 1);
    const [{ name }] = Deno.readDirSync(`${temp.user.path}/state/agentx/plugins`);
    assertEquals([...Deno.readDirSync(`${temp.user.path}/state/agentx/plugins/${name}`)], []);
  });
}

Deno.test("plugin run on Deno reads what a command names, and nothing else", async () => {
  const attempt = { js: 'fs.readFileSync("docs/a.md"); fs.readFileSync("secret")', sh: "" };
  const setUp = (temp: TempWorkspace) => {
    temp.write("docs/a.md", "a");
    temp.write("secret", "s");
  };
  const { temp, said } = await tried("Deno", attempt, { permissions: { read: ["docs"] } }, setUp);
  temp[Symbol.dispose]();
  assert(/requires read access/i.test(said) && said.includes("secret"), said);
});

Deno.test("plugin run on Deno loads no module from outside of the package", async () => {
  for (const from of ["../../../../secret.json", "npm:zod", "https://example.com/a.js"]) {
    const code =
      `import s from "${from}" with { type: "json" };\nconsole.log(JSON.stringify(s));\n`;
    using temp = await withPackage(withCommand(code));
    temp.write("secret.json", '{"a":1}');
    const { error } = await temp.json(GO);
    assert(["UNTRUSTED", "AGENT_ERROR"].includes(error.code), error.message);
  }
});

Deno.test("plugin run refuses a command that nothing here can hold to its permissions", async () => {
  using temp = await withPackage(withCommand(READ));
  using _ = withPrograms(temp, ["node"]);
  const { error } = await temp.json(GO);
  assertEquals(error.code, "UNTRUSTED");
  assert(error.message.includes("neither Deno nor a sandbox"), error.message);
});

Deno.test("plugin run holds a command to hosts on Deno alone, and refuses it elsewhere", async () => {
  const files = withCommand(`${READ}console.log("1")\n`, {
    permissions: { network: ["example.com"] },
  });
  using temp = await withPackage(files);
  assertEquals((await temp.json(GO)).output, 1);
  using _ = withPrograms(temp, ["node", "bwrap", "true"]);
  assertEquals((await temp.json(GO)).error.code, "UNTRUSTED");
});

const PROPERTIES = { document: { type: "string" }, count: { type: "integer", maximum: 9 } };
const INPUT = { type: "object", properties: PROPERTIES, required: ["document"] };

Deno.test("plugin run gives a command its input by its schema, and checks what comes back", async () => {
  const files = withCommand(`${READ}console.log(JSON.stringify(input.count ?? input));\n`, {
    ...{ input: INPUT, output: { type: "integer" } },
  });
  using temp = await withPackage(files);
  assertEquals((await temp.json([...GO, "document=1", "count=3"])).output, 3);
  for (
    const words of [[], ["document=1", "count=10"], ["document=1", "count=x"], [
      "document=1",
      "a=b",
    ]]
  ) {
    assertEquals((await temp.json([...GO, ...words])).error.code, "INVALID_INPUT", words.join(" "));
  }
  const { error } = await temp.json([...GO, "document=1"]);
  assertEquals(error.code, "AGENT_ERROR");
  assert(error.message.includes("does not fit its schema"), error.message);
  assertEquals((await temp.json(["plugin", "run", "shop", "none"])).error.code, "NOT_FOUND");
});

Deno.test("plugin run opens what the input names, if it is in the working tree", async () => {
  const code = `${READ}import { writeFileSync } from "node:fs";\n` +
    'writeFileSync(input.document + ".out", readFileSync(input.document));\nconsole.log("1");\n';
  const permissions = { read: ["@document"], write: ["@document/.."] };
  using temp = await withPackage(withCommand(code, { input: INPUT, permissions }));
  temp.write("docs/a.md", "a");
  assertEquals((await temp.json([...GO, "document=docs/a.md"])).output, 1);
  assertEquals(temp.read("docs/a.md.out"), "a");
  Deno.symlinkSync("/etc/hostname", `${temp.root}/docs/link`);
  for (const path of ["/etc/hostname", "../x", "docs/link"]) {
    const { error } = await temp.json([...GO, `document=${path}`]);
    assertEquals(error?.code, "INVALID_INPUT", path);
  }
});
