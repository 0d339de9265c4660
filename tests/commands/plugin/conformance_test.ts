/**
 * The checklist of Agent Plugins 1.0.0 for a loader, a row for each requirement. The numbers are the sections of the
 * specification. docs/plugins.md names the requirements for hosts that start servers.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { SERVERS_SCHEMA } from "../../../lib/plugins/manifest.ts";
import { TempWorkspace } from "../../temp_workspace.ts";
import { manifest, skillText, withCommand, writePackage } from "./packages.ts";

interface Requirement {
  /** Besides a manifest with a name, and the skill `wave`. */
  files?: Record<string, string>;
  /** The reason for refusing the package. */
  refuses?: RegExp;
  /** The reports of what is ignored. */
  warns?: RegExp[];
  /** The names of what is left, besides `wave`. */
  skills?: string[];
  servers?: string[];
  copies?: string[];
}

const AUTHOR = { name: "a", email: "none", url: "none" };
const TEXTS = { version: "next", description: "x", homepage: "none", repository: "none" };
const STDIO = { type: "stdio", command: "node" };
const HTTP = { type: "streamable-http", url: "https://example.com/mcp" };

const named = (fields: Record<string, unknown>, rest: Requirement = {}): Requirement => ({
  files: { "plugin.json": manifest(fields) },
  ...rest,
});
const skill = (text: string, rest: Requirement = {}): Requirement => ({
  files: { "skills/greet/SKILL.md": text },
  ...rest,
});
const mcp = (content: unknown, warns: RegExp): Requirement => ({
  files: { "mcp.json": typeof content === "string" ? content : JSON.stringify(content) },
  warns: [warns],
});
/** Beside a server that fits. */
const server = (one: unknown, warns?: RegExp): Requirement => ({
  files: {
    "mcp.json": JSON.stringify({ $schema: SERVERS_SCHEMA, mcpServers: { one, good: STDIO } }),
    "bin/x y": "#!/bin/sh\n",
  },
  warns: warns && [warns],
  servers: warns === undefined ? ["one", "good"] : ["good"],
});

const REQUIREMENTS: Record<string, Requirement> = {
  "5.1 a manifest lies at the top of the package": {
    files: { "plugin.json": "", ".claude-plugin/plugin.json": manifest() },
    refuses: /none at the top of the package, only \.claude-plugin\/plugin\.json/,
  },
  "5.2 a manifest is JSON": { files: { "plugin.json": "{" }, refuses: /must be a JSON object/ },
  "5.2 a manifest is an object": { files: { "plugin.json": "[]" }, refuses: /a JSON object/ },
  "5.2 an unknown field is reported and ignored": named({ hooks: "./x" }, { warns: [/"hooks"/] }),
  "5.2 another $schema is refused": named(
    { $schema: "https://agent-plugins.org/schemas/9.0.0/plugin.schema.json" },
    { refuses: /\$schema must be/ },
  ),
  "5.3 $schema is required": named({ $schema: undefined }, { refuses: /\$schema must be/ }),
  "5.3 a name is required": named({ name: undefined }, { refuses: /name is missing/ }),
  "5.4 a version is a text": named({ version: 1 }, { refuses: /version/ }),
  "5.4 keywords are texts": named({ keywords: [1] }, { refuses: /keywords/ }),
  "5.4 an author has no other field": named(
    { author: { ...AUTHOR, phone: "1" } },
    { refuses: /author\.phone is not a known key/ },
  ),
  "5.4 texts may have any form": named({ ...TEXTS, author: AUTHOR, license: "?", keywords: ["a"] }),
  ...Object.fromEntries(
    ["My-Plugin", "-start", "end-", "has--double", "too.many..dots", "", "a".repeat(65), "a/b"].map(
      (name) => [`5.5 ${name || "no text"} is no name`, named({ name }, { refuses: /name must/ })],
    ),
  ),
  ...Object.fromEntries(
    ["my-plugin", "acme.tools", "lint3r", "a", "a".repeat(64)].map(
      (name) => [`5.5 ${name} is a name`, named({ name })],
    ),
  ),
  "6.1 a manifest contains no components": named(
    { mcpServers: { one: STDIO }, skills: "./other" },
    { warns: [/"mcpServers"/, /"skills"/] },
  ),
  "6.2 components may be missing": {},
  "6.2 a folder in the place of mcp.json is reported": {
    files: { "mcp.json/x": "x" },
    warns: [/mcp\.json must be a file/],
  },
  "7.1 a skill is a folder right below skills": {
    files: {
      "skills/greet/SKILL.md": skillText("greet"),
      "skills/greet/references/inner/SKILL.md": skillText("inner"),
      "skills/notes/README.md": "x",
    },
    skills: ["greet"],
  },
  "7.1 a skill without front matter is skipped": skill("Greet\n", { warns: [/front matter/] }),
  "7.1 a skill without a description is skipped": skill("---\nname: greet\n---\n", {
    warns: [/description is missing/],
  }),
  "7.1 a skill with a long description is skipped": skill(skillText("greet", "x".repeat(1_025)), {
    warns: [/description must have 1 to 1,024 characters, but has 1025/],
  }),
  "7.1 a skill with metadata of no text is skipped": skill(
    "---\nname: greet\ndescription: x\nmetadata:\n  version: 1\n---\n",
    { warns: [/metadata\.version must be of type string/] },
  ),
  "7.1 a skill whose front matter grows without bounds is skipped": skill(
    "---\nname: greet\ndescription: &a [x, x, x, x, x, x, x, x, x]\n" +
      [..."bcdefghij"].map((key, at) => `${key}: &${key} [${`*${"abcdefghi"[at]}, `.repeat(9)}]\n`)
        .join("") +
      "---\n",
    { warns: [/Excessive alias count/] },
  ),
  "7.1 an unknown key of a skill is reported": skill(
    "---\nname: greet\ndescription: x\nmodel: large\n---\n",
    { warns: [/"model" is no field of a skill/], skills: ["greet"] },
  ),
  "7.1 a skill of another name than its folder is refused (ours)": skill(skillText("wink"), {
    refuses: /its name must be that of its folder/,
  }),
  "7.2.1 servers are JSON": mcp('{"mcpServers":', /must be a JSON object/),
  "7.2.1 servers name their $schema": mcp({ mcpServers: {} }, /\$schema must be/),
  "7.2.1 servers are an object": mcp({ $schema: SERVERS_SCHEMA }, /key "mcpServers"/),
  "7.2.1 servers have no other key": mcp(
    { $schema: SERVERS_SCHEMA, mcpServers: { one: STDIO }, inputs: [] },
    /"inputs" is no field/,
  ),
  "7.2.2 servers have the version of the manifest": mcp(
    { $schema: "https://agent-plugins.org/schemas/1.1.0/mcp.schema.json", mcpServers: {} },
    /as in plugin\.json/,
  ),
  "7.2.1 a command is a name": server(STDIO),
  "7.2.1 a command may be a path of the package": server({ ...STDIO, command: "./bin/x y" }),
  "7.2.1 a command may go up within it": server({ ...STDIO, command: "./a/../bin/x y" }),
  "7.2.1 a command stays in it": server({ ...STDIO, command: "./../x" }, /there is no/),
  "7.2.1 a path begins with ./": server({ ...STDIO, command: "../x" }, /begins with/),
  "7.2.1 a command has no placeholder": server(
    { ...STDIO, command: "${PLUGIN_ROOT}/bin/x" },
    /begins with/,
  ),
  "7.2.1 a command is one word": server({ ...STDIO, command: "npx x" }, /command must/),
  "7.2.1 a command is required": server({ type: "stdio" }, /command is missing/),
  "7.2.1 arguments are texts": server({ ...STDIO, args: [1] }, /args/),
  "7.2.1 arguments are no paths": server({ ...STDIO, args: ["../x", "${OTHER}", ""] }),
  ...Object.fromEntries(
    ["./a", "./a/../b", "${PLUGIN_ROOT}", "${PLUGIN_ROOT}/a", "${PLUGIN_DATA}/a"].map(
      (cwd) => [`7.2.1 ${cwd} is a folder to work in`, server({ ...STDIO, cwd })],
    ),
  ),
  ...Object.fromEntries(
    ["a", "/", "./..", "./a/../..", "${PLUGIN_DATA}/..", "${PLUGIN_ROOT}x", "${HOME}"].map(
      (cwd) => [`7.2.1 ${cwd} is no folder to work in`, server({ ...STDIO, cwd }, /cwd must/)],
    ),
  ),
  "7.2.1 a type is required": server({ command: "node" }, /type must be one of/),
  "7.2.1 a type is known": server({ type: "pipe", command: "node" }, /type must be one of/),
  "7.2.1 a server has no other key": server({ ...STDIO, timeout: 1 }, /timeout is not a known/),
  "7.2.1 a server has no key of another type": server({ ...STDIO, url: HTTP.url }, /url is not/),
  "7.2.1 an address may have headers": server({ ...HTTP, headers: { "X-A": "${HOME} b" } }),
  "7.2.1 an address may be of this machine": server({ type: "sse", url: "http://[::1]:80/sse" }),
  "7.2.1 an address of elsewhere is https": server({ ...HTTP, url: "http://a.test" }, /be https/),
  "7.2.1 an address has no user": server({ ...HTTP, url: "https://@a.test" }, /no user/),
  "7.2.1 an address has no fragment": server({ ...HTTP, url: "https://a.test/#" }, /fragment/),
  "7.2.1 an address is absolute": server({ ...HTTP, url: "/mcp" }, /address of http/),
  "7.2.1 a header has a name": server({ ...HTTP, headers: { "X A": "" } }, /name of a header/),
  "7.2.1 a header has a value": server({ ...HTTP, headers: { A: "a\nB: b" } }, /value of a header/),
  "7.2.1 a header is there once": server({ ...HTTP, headers: { A: "", a: "" } }, /twice/),
  "9.2 a server leaves PLUGIN_ROOT to the host": server(
    { ...STDIO, env: { PLUGIN_ROOT: "/" } },
    /leave PLUGIN_ROOT/,
  ),
  "9.2 a server leaves PLUGIN_DATA to the host": server(
    { ...STDIO, env: { PLUGIN_DATA: "/" } },
    /leave PLUGIN_ROOT and PLUGIN_DATA/,
  ),
  "9.2 variables are texts": server({ ...STDIO, env: { A: 1 } }, /env\.A/),
  "8.1 extensions that are no object are ignored": named(
    { extensions: false },
    { warns: [/"extensions" must be an object/] },
  ),
  "8.1 an extension is an object": named(
    { extensions: { "com.example": 1 } },
    { refuses: /extensions/ },
  ),
  "8.1 nobody looks into the extension of another client": {
    files: {
      "plugin.json": manifest({ extensions: { "com.example.client": { commands: 1 } } }),
      "com.example.client/hooks.json": "{",
    },
  },
  "8.2 our files are found in our folder": {
    files: { "dev.agentx/templates/risk.md": "x", "other/templates/risk.md": "x" },
    copies: [".agentx/templates/risk.md"],
  },
};

for (const [name, requirement] of Object.entries(REQUIREMENTS)) {
  Deno.test(`plugin install keeps to ${name}`, async () => {
    using temp = new TempWorkspace({ isTrusted: false });
    const { files, refuses, warns = [], skills = [], servers = [], copies = [] } = requirement;
    const all = { "plugin.json": manifest(), "skills/wave/SKILL.md": skillText("wave"), ...files };
    const source = writePackage(`${temp.root}/source`, all);
    if (all["plugin.json"] === "") Deno.removeSync(`${source}/plugin.json`);
    const dry = await temp.run(["plugin", "install", source, "--dry-run", "--json"]);
    const plan = JSON.parse(dry.out);
    const said = plan.problems.map(({ path, why }: Record<string, string>) => `${path} ${why}`);
    const expected = refuses === undefined ? warns : [refuses];
    assertEquals(
      [dry.code, said.length],
      [expected.length === 0 ? 0 : 2, expected.length],
      said.join(),
    );
    assertEquals(said.filter((why: string, at: number) => !expected[at].test(why)), []);
    const before = temp.snapshot();
    const { code, err } = await temp.run(["plugin", "install", source]);
    if (refuses !== undefined) {
      assertEquals([code, temp.snapshot()], [2, before]);
      return;
    }
    assertEquals([code, (err.match(/warning:/g) ?? []).length], [0, warns.length], err);
    const names = (list: { name: string }[]) => list.map(({ name }) => name).sort();
    assertEquals(names(plan.skills), [...skills, "wave"]);
    assertEquals(names(plan.servers), [...servers].sort());
    assertEquals(plan.copies.map(({ to }: { to: string }) => to), copies);
  });
}

Deno.test("plugin install keeps to 5.2: it fetches no schema", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  let requests = 0;
  await using server = Deno.serve({ port: 0, onListen: () => {} }, () => {
    requests++;
    return new Response("{}");
  });
  const $schema = `http://127.0.0.1:${server.addr.port}/plugin.schema.json`;
  const source = writePackage(`${temp.root}/source`, { "plugin.json": manifest({ $schema }) });
  assertEquals((await temp.run(["plugin", "install", source, "--dry-run"])).code, 2);
  assertEquals(requests, 0);
});

Deno.test("plugin install keeps to 6.2: a file in the place of skills is reported", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  const files = { "plugin.json": manifest(), skills: "x" };
  const source = writePackage(`${temp.root}/source`, files);
  const { problems } = await temp.json(["plugin", "install", source, "--dry-run"]);
  assertEquals(problems, [{ level: "warning", path: "skills", why: "must be a folder" }]);
});

Deno.test("plugin install keeps to 4.1: a skill that leads out of the package is refused", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  const source = writePackage(`${temp.root}/source`, {
    "plugin.json": manifest(),
    "skills/greet/text.md": skillText("greet"),
  });
  temp.write("outside.md", skillText("greet"));
  const install = ["plugin", "install", source, "--dry-run"];
  Deno.symlinkSync("text.md", `${source}/skills/greet/SKILL.md`);
  assertEquals((await temp.json(install)).skills.length, 1);
  Deno.removeSync(`${source}/skills/greet/SKILL.md`);
  Deno.symlinkSync("../../../outside.md", `${source}/skills/greet/SKILL.md`);
  assertEquals((await temp.json(install)).error.details.path, "skills/greet/SKILL.md");
});

Deno.test("plugin run keeps to 9.1: a command knows its package, and its data outlive an update", async () => {
  using temp = new TempWorkspace({ isTrusted: false });
  const code = (version: number) =>
    `import { appendFileSync, readFileSync } from "node:fs";
const { PLUGIN_ROOT: root, PLUGIN_DATA: data } = process.env;
appendFileSync(data + "/runs", "${version}");
console.log(JSON.stringify([root, readFileSync(data + "/runs", "utf8")]));\n`;
  for (const [version, runs] of [[1, "1"], [2, "12"]] as const) {
    const permissions = { env: ["PLUGIN_ROOT"] };
    const source = writePackage(`${temp.root}/source`, withCommand(code(version), { permissions }));
    const yes = { terminal: true, stdin: "y\n" };
    assertEquals((await temp.run(["plugin", "install", source], yes)).code, 0);
    Deno.env.set("PLUGIN_ROOT", "/elsewhere");
    try {
      const { output } = await temp.json(["plugin", "run", "shop", "go"]);
      assertEquals(output, [Deno.realPathSync(`${temp.root}/.agentx/plugins/shop`), runs]);
    } finally {
      Deno.env.delete("PLUGIN_ROOT");
    }
  }
  assert(!temp.has(".agentx/plugins/shop/runs"));
});
