/**
 * One day without a terminal: a repository that knows nothing of agentx, from its first opening to a merge, in a real VS
 * Code. A script stands in for the coding agent.
 *
 * @module
 */

import { assert } from "@std/assert";
import { TempUser } from "../../temp_user.ts";
import { AGENTX } from "../../temp_workspace.ts";
import { choice, ignore, type Page, picture, RealEditor, row, until } from "./real_editor.ts";

/** An architect, who asks the product manager in vain, so that a person decides; asks the person; and decides. */
const CLAUDE = `#!/bin/bash
export XDG_CONFIG_HOME=@USER@/config XDG_STATE_HOME=@USER@/state
prompt=$(cat)
[[ $prompt =~ 'Your step of issue #'([0-9]+)' is "research"' ]] || exit 1
issue=\${BASH_REMATCH[1]}
exec 3>&1 >>@USER@/notes 2>&1
@AGENTX@ ask product-manager --issue $issue --from architect --topic Wording "One word or two?"
@AGENTX@ ask-user --from architect --issue $issue --phase planning --blocker-type missing_external_data \
  --codebase-search "app.txt says nothing" --similar-features "No other greeting exists" \
  --attempted-inference "The issue does not say how long it may be" \
  --fallback a --because "It is shorter" --confidence medium --risk "low - it is one file" \
  --option "One line" --option "Two lines" "How long may the greeting be?" >@USER@/answer
mkdir -p docs/adr
{
  printf '# ADR-%s\\n\\n**Status**: Proposed\\n**Date**: 2026-02-26\\n**Author**: architect\\n**Issue**: #%s\\n' $issue $issue
  printf '\\n## %s\\n\\nTwo lines.\\n' Context Decision "Options Considered" Rationale
  printf '\\n## Consequences\\n\\n### Positive\\n\\nIt is clear.\\n\\n### Negative\\n\\nNone.\\n\\n## Implementation\\n\\nTwo lines.\\n'
} >docs/adr/ADR-$issue.md
echo '{"type":"result","subtype":"success","is_error":false,"session_id":"s","result":"Done."}' >&3
`;

/** A repository, and a user who has one coding agent. */
class Shop implements Disposable {
  readonly user = new TempUser();
  readonly root: string = Deno.makeTempDirSync({ prefix: "shop-" });

  constructor() {
    const { path } = this.user;
    Deno.mkdirSync(`${path}/bin`);
    const script = CLAUDE.replaceAll("@AGENTX@", AGENTX).replaceAll("@USER@", path);
    Deno.writeTextFileSync(`${path}/bin/claude`, script, { mode: 0o755 });
    Deno.writeTextFileSync(`${this.root}/app.txt`, "nothing\n");
    this.git("init", "-q", "-b", "main");
    this.git("config", "user.name", "t");
    this.git("config", "user.email", "t@example.org");
    this.commit("begin");
  }

  git(...args: string[]): string {
    const { stdout } = new Deno.Command("git", { args, cwd: this.root }).outputSync();
    return new TextDecoder().decode(stdout).trim();
  }

  commit(subject: string): void {
    this.git("add", "-A");
    this.git("commit", "-qm", subject);
  }

  [Symbol.dispose](): void {
    this.user[Symbol.dispose]();
    Deno.removeSync(this.root, { recursive: true });
  }
}

/** A notification, which the bell of the status bar shows once it has hidden. */
async function notification(page: Page, text: string): Promise<Page> {
  const found = page.locator(".notification-list-item", { hasText: text }).first();
  await until(async () => {
    if (await found.isVisible()) return true;
    const isOpen = await page.locator(".notifications-center.visible").isVisible();
    if (!isOpen) {
      await page.locator('[id="status.notifications"]').click();
      await page.mouse.move(640, 200); // the tip of the bell would cover buttons
    }
    return false;
  });
  return found;
}

async function pressIn(page: Page, text: string, button: string): Promise<void> {
  const found = await notification(page, text);
  await found.locator(".monaco-button", { hasText: button }).click();
}

/** A button of a row of a view, which shows while the pointer is on the row. */
async function press(page: Page, text: string, button: string): Promise<void> {
  await row(page, text).hover();
  await row(page, text).locator(`.action-label[aria-label^="${button}"]`).click();
}

/** Types into the input that has this title. */
async function type(page: Page, title: string, text: string): Promise<void> {
  await page.locator(".quick-input-title", { hasText: title }).waitFor();
  await page.locator(".quick-input-widget input").last().fill(text);
  await page.keyboard.press("Enter");
}

/** Presses a button of the question that stands in front of everything else. */
async function agree(page: Page, button: string): Promise<void> {
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: button }).click();
}

async function showSidebar(page: Page): Promise<void> {
  await page.locator('.activitybar [aria-label^="AgentX"]').first().click();
}

Deno.test({
  name: "one day without a terminal: from a repository that is new to agentx to a merge",
  ignore,
  // Chromium and the pipes of playwright outlive the test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    using shop = new Shop();
    await using editor = await RealEditor.start({
      "workbench.colorTheme": Deno.env.get("AGENTX_THEME") ?? "Default Dark Modern",
    }, `PATH=${shop.user.path}/bin:$PATH\n`);
    const page = await editor.window(`folder=${shop.root}`);
    try {
      await live(page, shop);
    } catch (error) {
      await picture(page, "day-failed");
      throw error;
    }
  },
});

async function live(page: Page, shop: Shop): Promise<void> {
  // The window is restricted, and says so where the person begins.
  await showSidebar(page);
  await page.getByText("Initialize Workspace").first().click();
  await pressIn(page, "restricted", "Manage Trust");
  await page.locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ }).click();
  await page.getByText("You trust this folder").click();
  await page.keyboard.press("Escape");
  await page.locator(".workspace-trust-editor").waitFor({ state: "hidden" });

  await page.getByText("Initialize Workspace").first().click();
  await notification(page, "Commit its files");
  await row(page, "Ready queue").waitFor();
  await picture(page, "day-initialized");
  await pressIn(page, "Commit its files", "Open Source Control");
  await page.locator(".scm-editor .monaco-editor").first().click();
  await page.keyboard.type("Add AgentX");
  await page.locator(".scm-view .monaco-button", { hasText: "Commit" }).first().click();
  await agree(page, "Yes");
  await until(() => shop.git("log", "--format=%s", "-1") === "Add AgentX");

  await showSidebar(page);
  const header = page.locator('.pane-header[aria-label^="Work"]');
  await header.hover();
  await header.locator('.action-label[aria-label*="New Issue"]').click();
  await type(page, "Title of the issue", "The greeting");
  await choice(page, "spike").click();
  await type(page, "What should be true", "Everybody knows how long it is");

  await row(page, "The greeting").waitFor();
  await press(page, "The greeting", "Run Next Step");
  await picture(page, "day-agent");
  // Only this row: others install something.
  await page.getByRole("option", { name: /^Claude Code/ }).click();
  await picture(page, "day-agree");
  await agree(page, "Run");

  // Its question is not answered: the view says who waits, and the notification takes the person's answer.
  await row(page, "blocked-clarification").waitFor();
  await notification(page, "Wording");
  await picture(page, "day-waits");
  await pressIn(page, "Wording", "Answer...");
  await choice(page, "In my own words").click();
  await type(page, "CLR-1-001", "One word.");
  // The gate asks the person, who decides in the inbox.
  await row(page, "How long may the greeting be?").waitFor();
  await picture(page, "day-gate");
  await press(page, "How long may the greeting be?", "Answer");
  await choice(page, "Two lines").click();
  await until(() => answer(shop, "answer").includes("Two lines"));
  await notification(page, "#1 research: done");
  await picture(page, "day-done");

  await row(page, "not merged").click();
  await row(page, "research").click();
  await row(page, "ADR-1.md").click();
  await page.locator(".view-line", { hasText: "Options Considered" }).first().waitFor();
  await picture(page, "day-diff");

  await press(page, "not merged", "Merge Work");
  await agree(page, "Merge");
  await notification(page, "Merged into main");
  await picture(page, "day-merged");
  assert(Deno.readTextFileSync(`${shop.root}/docs/adr/ADR-1.md`).includes("Two lines."));
}

/** What the agent was told, as far as it is there. */
function answer({ user }: Shop, file: string): string {
  try {
    return Deno.readTextFileSync(`${user.path}/${file}`);
  } catch {
    return ""; // it has not asked yet
  }
}
