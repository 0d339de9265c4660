// Draws docs/pictures/, the pictures of the board in README: the workspace of `agentx demo --keep`, with what waits
// for a person and a few issues, in the Chromium that .ci/run installs.

import { createRequire } from "node:module";

const root = new URL("../", import.meta.url).pathname;
const modules = `${Deno.env.get("TMPDIR") ?? "/tmp"}/agentx-ci-tools-${Deno.uid()}/browser/`;
const { chromium } = createRequire(modules)("playwright-core");

/** Wide enough for five columns, and small as a file. */
const WIDTH = 1120;

/** What is shown of each, in pixels. */
const HEIGHTS = { inbox: 600, issues: 420 };

async function agentx(args: string[], cwd = root): Promise<string> {
  const command = ["run", "-A", "--quiet", `${root}cli.ts`, ...args];
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: command,
    cwd,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

const { root: folder } = JSON.parse(await agentx(["demo", "--keep", "--json"]));
const issues = [
  ["Pay by card", "type:story,p1", "Backlog"],
  ["Refund within a minute", "type:feature,p2", "In Progress"],
  ["Foreign cards are refused", "type:bug,p0", "In Review"],
  ["Receipts by mail", "type:story,p2,blocked_by:#1", "Ready"],
  ["Rotate the keys", "type:devops,p1", "Ready"],
  ["Health endpoint in the docs", "type:docs,p3", "Done"],
];
for (const [title, labels, status] of issues) {
  const shown = await agentx(["issue", "create", "-t", title, "-l", labels, "--json"], folder);
  const { number } = JSON.parse(shown).issue;
  await agentx(["issue", "edit", `${number}`, "--status", status], folder);
}
await agentx([
  ...[
    "clarify",
    "ask",
    "--issue",
    "1",
    "--from",
    "engineer",
    "--topic",
    "Stored cards",
    "--to",
    "product-manager",
  ],
  "Are cards stored with us, or with the bank?",
], folder).catch(() => ""); // nobody runs it
await agentx(
  ["clarify", "escalate", "CLR-1-001", "The contract says one, the code the other"],
  folder,
);
await agentx(
  [
    ...["assumptions", "add", "--issue", "2", "--from", "pm", "--because", "As in the old shop"],
    ...["--risk", "high - money goes back twice", "A refund is whole, never in parts"],
  ],
  folder,
);

const board = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", "--quiet", `${root}cli.ts`, "board", "--no-open"],
  cwd: folder,
  stdin: "null", // without a terminal its address has a code
  stdout: "piped",
}).spawn();
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const { value } = await board.stdout.getReader().read();
  const page = await browser.newPage();
  await page.goto(new TextDecoder().decode(value).trim());
  await page.waitForSelector("#live.ok");
  await page.evaluate("document.querySelector('#notify').hidden = true");
  await page.evaluate("document.querySelector('#repository').textContent = 'shop'");
  Deno.mkdirSync(`${root}docs/pictures`, { recursive: true });
  for (const [view, height] of Object.entries(HEIGHTS)) {
    await page.setViewportSize({ width: WIDTH, height });
    await page.evaluate(`location.hash = "${view}"`);
    await page.waitForSelector(view === "inbox" ? ".item" : ".card");
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${root}docs/pictures/${view}.png` });
  }
} finally {
  await browser.close();
  board.kill("SIGINT");
  await board.status;
  Deno.removeSync(folder, { recursive: true });
}
