/**
 * A real VS Code, the web build that `.ci/code_server` installs, with the extension and a real Chromium. Tests are ignored
 * where one of them is not installed.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { createRequire } from "node:module";
import { TOOLS } from "../../hosts/host.ts";
import { removeFolder } from "../../remove_folder.ts";
import { ended } from "../../temp_workspace.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const CHROMIUM = "/usr/bin/chromium";
const MODULES = `${TOOLS}/browser/node_modules`;
const SERVER = Deno.env.get("AGENTX_CODE_SERVER") ?? `${TOOLS}/code-server`;
const ENTRY = `${SERVER}/node_modules/code-server/out/node/entry.js`;
const missing = [CHROMIUM, `${MODULES}/playwright-core/index.mjs`, ENTRY].filter((path) =>
  !isThere(path)
);
export const ignore: boolean = missing.length > 0;
if (ignore) console.warn(`no real VS Code was tried: there is no ${missing.join(", ")}`);

/** Where pictures of the views are written, where somebody wants to look at them. */
const PICTURES = Deno.env.get("AGENTX_PICTURES");

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false; // it was not installed
  }
}

/** A page of the editor, as playwright has it. */
// deno-lint-ignore no-explicit-any -- its types are not in the repository
export type Page = any;

/** A server with the extension, and a browser. */
export class RealEditor implements AsyncDisposable {
  readonly #folder: string;
  readonly #server: Deno.ChildProcess;
  readonly #browser: Page;
  readonly #port: number;

  private constructor(folder: string, server: Deno.ChildProcess, browser: Page, port: number) {
    [this.#folder, this.#server, this.#browser, this.#port] = [folder, server, browser, port];
  }

  /** @param profile what the person's shell runs at login; the editor takes its variables from there */
  static async start(settings: object, profile = ""): Promise<RealEditor> {
    const folder = Deno.makeTempDirSync();
    Deno.writeTextFileSync(`${folder}/.profile`, profile);
    const built = await ended(
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--quiet", ".ci/vscode.ts", folder],
        cwd: ROOT,
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    );
    assertEquals(built.code, 0, built.err);
    Deno.mkdirSync(`${folder}/user/User`, { recursive: true });
    const all = {
      "workbench.startupEditor": "none",
      "telemetry.telemetryLevel": "off",
      "remote.autoForwardPorts": false,
      ...settings,
    };
    Deno.writeTextFileSync(`${folder}/user/User/settings.json`, JSON.stringify(all));
    const port = freePort();
    const words = [ENTRY, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`]
      .concat("--disable-telemetry", "--disable-update-check")
      .concat("--user-data-dir", `${folder}/user`, "--extensions-dir", `${folder}/extensions`);
    const options = {
      env: { HOME: folder, NO_COLOR: "1" },
      cwd: folder,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    } as const;
    const node = `${SERVER}/node/node_modules/.bin/node`;
    const install = ["--install-extension", `${folder}/agentx.vsix`];
    const { success } = await new Deno.Command(node, { args: [...words, ...install], ...options })
      .output();
    assert(success, "the extension does not install");
    const server = new Deno.Command(node, { args: words, ...options }).spawn();
    await until(async () => {
      const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`).then(async (response) => {
        await response.body?.cancel();
        return response;
      }, () => ({ ok: false }));
      return ok;
    });
    const { chromium } = createRequire(import.meta.url)(`${MODULES}/playwright-core`);
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--no-sandbox"], // everybody is root where this runs
    });
    return new RealEditor(folder, server, browser, port);
  }

  /** Opens a folder, or a file of a workspace. */
  async window(query: string): Promise<Page> {
    const page = await this.#browser.newPage({ viewport: { width: 1280, height: 860 } });
    page.setDefaultTimeout(90_000);
    await page.goto(`http://127.0.0.1:${this.#port}/?${query}`);
    return page;
  }

  /** Opens it, and the sidebar of the extension once it has read the workspaces. */
  async open(query: string): Promise<Page> {
    const page = await this.window(query);
    await page.locator('[id="agentx-toolkit.agentx.agentx.inbox"]').waitFor();
    await page.locator('.activitybar [aria-label^="AgentX"]').first().click();
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    this.#server.kill("SIGTERM");
    await this.#server.status;
    removeFolder(this.#folder);
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 90_000;
  while (!await holds()) {
    if (Date.now() > endMs) throw new Error(`It does not hold: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A row of a view. */
export function row(page: Page, text: string): Page {
  return page.locator(".sidebar .monaco-list-row", { hasText: text }).first();
}

/** A row of the list that a command shows. */
export function choice(page: Page, text: string): Page {
  return page.locator(".quick-input-widget .monaco-list-row", { hasText: text }).first();
}

/** Runs a command of the palette. */
export async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").waitFor();
  await page.keyboard.type(`AgentX: ${title}`);
  await choice(page, `AgentX: ${title}`).click();
}

export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png` });
}
