// Builds the extension for VS Code: `deno task vscode` makes `dist/agentx.vsix`, which has the program of the npm package
// as it is. `lib/vscode/` runs in the editor, and the program in a thread beside it; as a program of its own it is the
// MCP server.

import { SKILL } from "../lib/setup/content.ts";
import { bundlePrograms, deno, exists, manifest, root, tidyBundles } from "./bundle.ts";

const VSCE = "npm:@vscode/vsce@3.9.2";

const [target = `${root}dist`] = Deno.args;
const vsix = `${target}/agentx.vsix`;
const source = `${root}lib/vscode`;
const folder = `${target}/vscode`;

/** `vscode` exists in the editor only. What comes from the thread is handled there, message by message. */
const EXTENSION = `const { Worker } = require("node:worker_threads");
const vscode = require("vscode");
const { activate } = require("./editor.cjs");
let worker;
exports.activate = (context) => {
  worker = new Worker(require.resolve("./agentx.cjs"));
  const port = {
    send: (message) => worker.postMessage(message),
    receive: (listener) => worker.on("message", listener),
  };
  const program = [process.execPath, require.resolve("./agentx.cjs")];
  return activate({ vscode, context, port, program });
};
exports.deactivate = () => worker?.terminate();
`;

const PROGRAM = `const { isMainThread, parentPort } = require("node:worker_threads");
const { main, runProgram } = require("./program.cjs");
if (isMainThread) runProgram();
else {
  const port = {
    send: (message) => parentPort.postMessage(message),
    receive: (listener) => parentPort.on("message", listener),
  };
  require("./hub.cjs").serveHub(port, main);
}
`;

if (exists(folder)) Deno.removeSync(folder, { recursive: true });
Deno.mkdirSync(folder, { recursive: true });
await bundlePrograms(folder, {
  program: "cli.ts",
  editor: "lib/vscode/extension.ts",
  hub: "lib/vscode/hub.ts",
});
await writeLicenses();
Deno.writeTextFileSync(`${folder}/extension.cjs`, EXTENSION);
Deno.writeTextFileSync(`${folder}/agentx.cjs`, PROGRAM);
const about = JSON.parse(Deno.readTextFileSync(`${source}/manifest.json`));
const { version, license } = manifest;
const roles = Array.from(Deno.readDirSync(`${root}.github/agents`), ({ name }) => name).sort();
for (const inner of ["agents", "skills/agentx"]) {
  Deno.mkdirSync(`${folder}/${inner}`, { recursive: true });
}
for (const name of roles) {
  Deno.copyFileSync(`${root}.github/agents/${name}`, `${folder}/agents/${name}`);
}
Deno.writeTextFileSync(`${folder}/skills/agentx/SKILL.md`, SKILL);
Deno.copyFileSync(`${root}lib/config/config.schema.json`, `${folder}/config.schema.json`);
// A workspace that has roles of its own shows those.
about.contributes.chatAgents = roles.map((name) => ({
  path: `./agents/${name}`,
  when: "!agentx.hasRoles",
}));
Deno.writeTextFileSync(
  `${folder}/package.json`,
  JSON.stringify({ ...about, version, license }, null, 2),
);
Deno.copyFileSync(`${source}/manifest.nls.json`, `${folder}/package.nls.json`);
for (const name of ["README.md", "agentx.svg", "walkthrough.md"]) {
  Deno.copyFileSync(`${source}/${name}`, `${folder}/${name}`);
}
for (const name of ["vscode-dark.png", "vscode-light.png"]) {
  Deno.copyFileSync(`${root}docs/pictures/${name}`, `${folder}/${name}`);
}
Deno.copyFileSync(`${root}LICENSE`, `${folder}/LICENSE`);
// It takes the rules of redaction for secrets of Slack.
const allowed = ["--allow-missing-repository", "--allow-package-secrets", "slack"];
const words = ["package", "--no-dependencies", "--no-rewrite-relative-links", ...allowed]
  .concat("-o", vsix);
const { success } = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--quiet", "--no-config", VSCE, ...words],
  cwd: folder,
  stdout: "inherit",
  stderr: "inherit",
}).outputSync();
if (!success) Deno.exit(1);

/** Only a bundle that is not made small says what is in it. */
async function writeLicenses(): Promise<void> {
  const readable = Deno.makeTempDirSync();
  await deno("bundle", "--quiet", "-o", `${readable}/program.js`, "cli.ts");
  tidyBundles(readable);
  Deno.copyFileSync(`${readable}/THIRD_PARTY_LICENSES`, `${folder}/THIRD_PARTY_LICENSES`);
  Deno.removeSync(readable, { recursive: true });
}
