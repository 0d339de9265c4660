/**
 * The extension for VS Code in a process of its own: prints what its views show of the folder that it is given.
 *
 * @module
 */

import { FakeEditor, type Row } from "../vscode/fake_vscode.ts";

const editor = new FakeEditor(Deno.args[0]);
await editor.activate();

async function labels(view: string, below?: Row): Promise<string[]> {
  const rows = await editor.rows(view, below);
  const inner = await Promise.all(
    rows.filter(({ item }) => item.collapsibleState === 2).map((row) => labels(view, row)),
  );
  return [...rows.map(({ item }) => item.label), ...inner.flat()];
}

const views = ["agentx.inbox", "agentx.work", "agentx.memory"];
console.log(JSON.stringify(Object.fromEntries(
  await Promise.all(views.map(async (view) => [view, await labels(view)])),
)));
Deno.exit(0);
