/**
 * The extension in a real VS Code.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { ADR_ARCHITECT, ASK, TempWorkspace } from "../../temp_workspace.ts";
import { choice, command, ignore, picture, RealEditor, row, until } from "./real_editor.ts";

/** A workspace with an escalated question, an issue, an observation and an architect who answers. */
async function workspace(): Promise<TempWorkspace> {
  const temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  await temp.run(["issue", "create", "-t", "Add a health endpoint", "-l", "type:story"]);
  await temp.run(ASK);
  temp.write("docs/adr/ADR-42.md", "Decision: Repository pattern.\n");
  temp.write("docs/adr/ADR-1.md", "Decision: Repository pattern.\n");
  temp.write("agents/architect.sh", ADR_ARCHITECT.replaceAll("ADR-42", "ADR-1"));
  await temp.run(["memory", "note", "--agent", "engineer", "-i", "1", "The adapter is in src/db"]);
  return temp;
}

Deno.test({
  name: "a real VS Code shows, follows, decides and answers",
  ignore,
  // Chromium and the pipes of playwright outlive the test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    using temp = await workspace();
    await using editor = await RealEditor.start({
      "security.workspace.trust.enabled": false,
      "workbench.colorTheme": Deno.env.get("AGENTX_THEME") ?? "Default Dark Modern",
    });
    const page = await editor.open(`folder=${temp.root}`);
    await row(page, "Database layer").click();
    await page.locator(".tab", { hasText: "CLR-42-001.md" }).waitFor();
    await row(page, "Add a health endpoint").waitFor();
    await picture(page, "views");

    // Another process writes; every view follows.
    await temp.run(["issue", "create", "-t", "Written outside", "-l", "type:docs"]);
    await row(page, "Written outside").waitFor();
    await temp.run(["memory", "note", "--agent", "engineer", "-i", "1", "Remembered outside"]);
    const memory = page.locator(".pane", { hasText: "Memory" }).last();
    await memory.locator(".monaco-list-row", { hasText: "#1" }).first().click();
    await row(page, "Remembered outside").waitFor();
    await picture(page, "memory");

    // The inbox decides.
    await row(page, "Database layer").hover();
    await row(page, "Database layer").locator(".action-label").first().click();
    await choice(page, "In my own words").click();
    await page.locator(".quick-input-message", { hasText: "Enter" }).waitFor();
    await page.locator(".quick-input-widget input").last().fill("PostgreSQL.");
    await picture(page, "answer");
    await page.keyboard.press("Enter");
    await until(() => temp.ledger().clarifications[0].status === "resolved");
    const { from, body } = temp.ledger().clarifications[0].thread.at(-1)!;
    assertEquals([from, body], ["human", "PostgreSQL."]);

    // Without any account the chat answers, and asks an agent of another process.
    await page.locator(
      ".interactive-input-part .monaco-editor, .chat-editor-container .monaco-editor",
    )
      .last().click();
    await page.keyboard.type("@agentx /clarify ask architect #1 Which pattern?", { delay: 20 });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await page.locator(".interactive-item-container", { hasText: "[Architect]" }).waitFor();
    await picture(page, "chat");

    await command(page, "Show Thinking Log");
    const choices = {
      "Since when?": "The last hour",
      "Which kind?": "info",
      "Which agent?": "Everything",
    };
    for (const [title, label] of Object.entries(choices)) {
      await page.locator(".quick-input-title", { hasText: title }).waitFor();
      await choice(page, label).click();
    }
    await page.locator(".view-line", { hasText: "engineer:" }).first().waitFor();
    await picture(page, "log");
  },
});

Deno.test({
  name: "a real VS Code runs nothing in a restricted folder, and names several roots",
  ignore,
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    using other = await workspace();
    using temp = await workspace(); // whose user the server runs as
    await using editor = await RealEditor.start({
      "security.workspace.trust.startupPrompt": "never", // a folder is restricted until somebody trusts it
      "workbench.colorTheme": "Default Light Modern",
    });
    const page = await editor.open(`folder=${temp.root}`);
    await row(page, "Database layer").click();
    await page.locator(".tab", { hasText: "CLR-42-001.md" }).waitFor();
    await page.keyboard.press("F1");
    await page.keyboard.type("AgentX: ");
    await choice(page, "AgentX: Open Inbox").waitFor();
    assertEquals(await choice(page, "AgentX: Answer").count(), 0);
    await picture(page, "restricted");
    await page.keyboard.press("Escape");
    assertEquals(temp.ledger().clarifications[0].status, "escalated");

    const folders = [temp, other].map(({ root }) => ({ path: root }));
    const file = `${other.root}/both.code-workspace`;
    Deno.writeTextFileSync(file, JSON.stringify({ folders }));
    const both = await editor.open(`workspace=${file}`);
    for (const { root } of [temp, other]) {
      await row(both, root.slice(root.lastIndexOf("/") + 1)).waitFor();
    }
    await picture(both, "roots");
  },
});
