/**
 * The board in a real Chromium, as a person uses it.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { createRequire } from "node:module";
import { askWords } from "../gate/samples.ts";
import { TOOLS } from "../hosts/host.ts";
import { ASK, TempWorkspace } from "../temp_workspace.ts";
import { HOSTILE, plant } from "./hostile_state.ts";
import { TempBoard } from "./temp_board.ts";

const CHROMIUM = "/usr/bin/chromium";
const MODULES = `${TOOLS}/browser/node_modules`;
const ignore = !isThere(CHROMIUM) || !isThere(`${MODULES}/playwright-core/index.mjs`);
if (ignore) console.warn("no browser was tried: .ci/run installs Chromium and playwright-core");

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false; // it did not install
  }
}

/** What a page said on its console, and which requests went elsewhere. */
interface Seen {
  errors: string[];
  elsewhere: string[];
}

/** A page of a board, as playwright has it. */
// deno-lint-ignore no-explicit-any -- its types are not in the repository
type Page = any;

/** Opens the board in a fresh browser, and closes it at the end. */
async function inBrowser(
  board: TempBoard,
  use: (page: Page, seen: Seen) => Promise<void>,
): Promise<void> {
  const { chromium } = createRequire(import.meta.url)(`${MODULES}/playwright-core`);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox"], // everybody is root where this runs
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    const seen: Seen = { errors: [], elsewhere: [] };
    page.on("console", (message: Page) => {
      if (message.type() === "error") seen.errors.push(message.text());
    });
    page.on("pageerror", (error: Error) => seen.errors.push(String(error)));
    page.on("request", (request: Page) => {
      const url = request.url();
      const isOwn = [board.origin, "data:", "file:"].some((own) => url.startsWith(own));
      if (!isOwn) seen.elsewhere.push(url);
    });
    await page.goto(board.url);
    await letIn(page, board);
    await use(page, seen);
    assertEquals(seen, { errors: [], elsewhere: [] });
  } finally {
    await browser.close();
  }
}

/** Compares what a page and its terminal show, and presses Enter there. */
async function letIn(page: Page, board: TempBoard): Promise<void> {
  await page.waitForSelector(".code");
  assertEquals(await page.textContent(".code"), await board.asked());
  board.type("\r");
  await page.waitForSelector("#live.ok");
  await page.waitForSelector("main h1");
}

/** Waits for what an expression says; playwright's own way needs `eval`, which the page forbids. */
async function eventually(page: Page, expression: string): Promise<void> {
  for (let turn = 0; !await page.evaluate(expression); turn++) {
    if (turn > 600) throw new Error(`It never was so: ${expression}`);
    await page.waitForTimeout(50);
  }
}

/** Not a view, but what `--out` writes. */
const FILE = "the file";

function browserTest(name: string, fn: () => Promise<void>): void {
  const sanitize = { sanitizeOps: false, sanitizeResources: false }; // the browser is playwright's
  Deno.test({ name, ignore, ...sanitize, fn });
}

browserTest(
  "board: a letter resolves an escalation, and the title says what is left",
  async () => {
    using temp = new TempWorkspace();
    await temp.run(ASK);
    await temp.run(["clarify", "escalate", "CLR-42-001"]);
    await using board = await TempBoard.start(temp);
    await inBrowser(board, async (page) => {
      assertEquals(page.url(), `${board.origin}/#inbox`);
      await eventually(page, "document.title.startsWith('(1)')");
      await page.keyboard.press("j");
      await page.keyboard.press("a");
      await page.waitForSelector(".empty");
      await eventually(page, "document.title.startsWith('Inbox - ')");
    });
    assertEquals(temp.ledger().clarifications[0].status, "resolved");
  },
);

browserTest(
  "board: a question of the gate counts down until it is answered, and the session that waits continues",
  async () => {
    using temp = new TempWorkspace();
    const waiting = temp.spawn(askWords({}));
    await using board = await TempBoard.start(temp);
    await inBrowser(board, async (page) => {
      await page.waitForSelector("time[data-until]");
      const text = await page.textContent("time[data-until]");
      assert(/default in \d+:\d\d/.test(text), text);
      await page.fill("textarea[name=answer]", "Both, by a variable");
      await page.click(".own button");
      await page.waitForSelector(".empty");
    });
    const { code, stdout } = await waiting.output();
    const said = new TextDecoder().decode(stdout);
    assertEquals([code, said.includes("Both, by a variable")], [0, true], said);
  },
);

browserTest("board: what is typed stays while the page changes", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  await temp.run(ASK);
  await using board = await TempBoard.start(temp);
  await inBrowser(board, async (page) => {
    await page.fill("textarea[name=answer]", "half a sen");
    await temp.run(ASK.map((word) => word === "42" ? "43" : word));
    await page.waitForSelector("#entry-CLR-43-001");
    assertEquals(await page.inputValue("#own-CLR-42-001"), "half a sen");
    const focused = await page.evaluate("document.activeElement.id");
    assertEquals(focused, "own-CLR-42-001");
  });
});

browserTest("board: an issue is made, filtered, dragged and moved without a mouse", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  await inBrowser(board, async (page) => {
    await page.click("nav a[data-view=issues]");
    await page.click(".new summary");
    await page.fill("#new-title", "Pay by card");
    await page.selectOption(".new select", "type:story");
    await page.keyboard.press("Tab");
    await page.click(".new button.primary");
    await page.waitForSelector("#issue-1");
    await page.dragAndDrop("#issue-1 a", "[data-status='In Review'] h2");
    await page.waitForSelector("[data-status='In Review'] #issue-1");
    assertEquals(temp.issue(1).status, "In Review");
    await page.focus("#move-1");
    await page.selectOption("#move-1", "Ready");
    await page.waitForSelector("[data-status=Ready] #issue-1");
    await page.fill("#q", "refund");
    await page.waitForSelector(".empty");
    await page.fill("#q", "card");
    await page.waitForSelector("#issue-1");
    await page.reload();
    await page.waitForSelector("#issue-1");
  });
});

browserTest(
  "board: more issues are shown where one is, and a hidden tab reads nothing",
  async () => {
    using temp = new TempWorkspace();
    for (let number = 1; number <= 130; number++) {
      const issue = {
        number,
        title: `Issue ${number}`,
        status: "Backlog",
        labels: [],
        comments: [],
      };
      temp.write(`.agentx/issues/${number}.json`, JSON.stringify(issue));
    }
    await using board = await TempBoard.start(temp);
    await inBrowser(board, async (page) => {
      await page.click("nav a[data-view=issues]");
      await page.click(".more");
      await page.waitForSelector("#issue-100", { state: "attached" });
      assert(await page.evaluate("scrollY > 0"));
      const read: string[] = [];
      page.on("request", (request: Page) => read.push(new URL(request.url()).pathname));
      const hide = (value: boolean) =>
        page.evaluate(
          `Object.defineProperty(document, "hidden", { value: ${value}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`,
        );
      await hide(true);
      await temp.run(["issue", "create", "-t", "Issue 131", "-l", "p0"]);
      await page.waitForTimeout(1_000);
      assertEquals(read, []);
      await hide(false);
      await page.waitForSelector("#issue-131", { state: "attached" });
    });
  },
);

browserTest("board: a short column takes a drop beside any card of a long one", async () => {
  using temp = new TempWorkspace();
  for (let number = 1; number <= 12; number++) {
    await temp.run(["issue", "create", `Card ${number}`]);
  }
  await using board = await TempBoard.start(temp);
  await inBrowser(board, async (page) => {
    await page.evaluate("location.hash = 'issues'");
    const last = page.locator("section[data-status=Backlog] [draggable=true]").last();
    await last.scrollIntoViewIfNeeded();
    const { y, height } = await last.boundingBox();
    const { x, width } = await page.locator("section[data-status=Ready]").boundingBox();
    await last.hover();
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.waitForSelector("section[data-status=Ready] [draggable=true]");
  });
  const { issues } = await temp.json(["issue", "list", "--status", "Ready"]);
  assertEquals(issues.length, 1);
});

browserTest("board: a board that has ended says so", async () => {
  using temp = new TempWorkspace();
  const board = await TempBoard.start(temp);
  await inBrowser(board, async (page, seen) => {
    await board[Symbol.asyncDispose]();
    await page.waitForSelector("#live.lost");
    seen.errors.length = 0; // the browser notes each request that nobody took
  });
});

browserTest("board: axe finds nothing in any view, light or dark, wide or narrow", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  const body = "### Why\n\nText\n\n# Acceptance criteria\n\n- [x] `One`\n- [ ] Two\n- [ ]\n\n" +
    "| a | |\n|---|---|\n| | 1 |\n\n> [l](u) ![i](u)\n\n```\ncode\n```\n\n#### Deep\n";
  const labels = "type:story,p0,shop";
  const made = ["issue", "create", "-t", "Pay by card", "-b", body, "-l", labels];
  await temp.run([...made, "--due", "2026-01-01", "--milestone", "1.0"]);
  await temp.run(["issue", "comment", "1", "--comment", body]);
  await temp.run(["issue", "create", "-t", "Refund", "-l", "type:bug,blocked_by:#1"]);
  await temp.run(ASK.map((word) => word === "42" ? "1" : word));
  await temp.run([...askWords({}), "--no-wait"]);
  const path = `api/${"long_".repeat(30)}auth.py`;
  temp.write(path, "def login():\n    pass\n");
  const note = ["memory", "note", "--agent", "engineer", "--issue", "1"];
  await temp.run([...note, `\`login\` in ${path} needs TZ=UTC.`]);
  temp.write(path, ""); // which puts it in doubt
  await using board = await TempBoard.start(temp);
  const axe = Deno.readTextFileSync(`${MODULES}/axe-core/axe.min.js`);
  await inBrowser(board, async (page) => {
    const found = new Set<string>();
    await temp.run(["board", "--out", `${temp.root}/b.html`, "--with", "threads,memory"]);
    const [observation] = (await temp.json(["memory", "search", "UTC"])).observations;
    const views = [
      ...["inbox", "now", "issues", "issues?as=tree", "threads", "memory", "figures", "activity"],
      ...["issue?n=1", "issue?n=2", "thread?id=CLR-1-001", "memory?as=doubt"],
      `observation?id=${observation.id}`,
      FILE,
    ];
    for (const view of views) {
      if (view === FILE) await page.goto(`file://${temp.root}/b.html`);
      else await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
      await page.waitForTimeout(700);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      for (const [colorScheme, width] of [["light", 1440], ["dark", 360]] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const { violations } = await page.evaluate(`${axe}; axe.run()`);
        for (const { id, nodes } of violations) found.add(`${view}: ${id}: ${nodes[0].html}`);
        const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        if (isWide) found.add(`${view} is wider than ${width}`);
      }
    }
    assertEquals([...found], []);
  });
});

browserTest(
  "board: of two boards and a terminal that decide at once, one wins, and the others are told",
  async () => {
    using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
    await temp.run(ASK);
    await using first = await TempBoard.start(temp);
    await using second = await TempBoard.start(temp);
    await inBrowser(first, async (page) => {
      await page.waitForSelector("button[data-key=a]");
      const words = ["answer", "CLR-42-001", "b, as the terminal says"];
      const [other, terminal] = await Promise.all([
        second.act({ command: "answer", input: { id: "CLR-42-001", answer: "a" } }),
        temp.run(words),
        page.evaluate("document.querySelector('button[data-key=a]').click()"),
      ]);
      await page.waitForSelector("#told p");
      const here = await page.textContent("#told p");
      const told = [here, other.said ?? "", terminal.err].filter((said) =>
        said.includes("the late answer is kept")
      );
      assertEquals(told.length, 2, JSON.stringify([here, other, terminal]));
    });
    const [{ thread }] = temp.ledger().clarifications;
    assertEquals(thread.filter(({ type }) => type === "resolution").length, 1);
  },
);

browserTest("board: after a board was started again on its port, the page asks again", async () => {
  using temp = new TempWorkspace();
  const board = await TempBoard.start(temp);
  const words = ["--port", new URL(board.origin).port];
  await inBrowser(board, async (page, seen) => {
    await board[Symbol.asyncDispose]();
    await page.waitForSelector("#live.lost");
    const again = await TempBoard.start(temp, { words });
    await letIn(page, again);
    assertEquals(await page.textContent("h1"), "Inbox");
    await again[Symbol.asyncDispose]();
    await page.waitForSelector("#live.lost");
    seen.errors.length = 0; // the browser notes each request that nobody took
  });
});

browserTest("board: a second tab is let in by a click in the first, or asks again", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  await inBrowser(board, async (page, seen) => {
    const second = await page.context().browser().newPage();
    await second.goto(board.url);
    await second.waitForSelector(".code");
    const code = await second.textContent(".code");
    await page.waitForSelector("#asks button");
    assert((await page.textContent("#asks p")).includes(`Does it show ${code}?`));
    await page.click("#asks button >> text=Refuse");
    await second.click("main button >> text=Ask again");
    await second.waitForSelector(".code");
    await page.click("#asks button >> text=Let it in");
    await second.waitForSelector("#live.ok");
    await page.waitForSelector("#asks:empty", { state: "attached" });
    assertEquals(await second.textContent("h1"), "Inbox");
    seen.errors.length = 0; // 409 while nobody else may ask
  });
});

browserTest("board: everything is done with the keyboard alone", async () => {
  using temp = new TempWorkspace({ agents: { architect: "cat >/dev/null; exit 1" } });
  await temp.run(["issue", "create", "-t", "Pay by card", "-l", "type:story"]);
  await temp.run(ASK.map((word) => word === "42" ? "1" : word));
  await using board = await TempBoard.start(temp);
  await inBrowser(board, async (page) => {
    const tabTo = async (selector: string) => {
      for (let turn = 0; turn < 60; turn++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) {
          return;
        }
      }
      throw new Error(`Tab does not reach ${selector}`);
    };
    await tabTo("#own-CLR-1-001");
    await page.keyboard.type("Both");
    await tabTo(".own button");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".empty");
    await page.evaluate("document.activeElement.blur()"); // as after its entry is gone
    await tabTo("nav a[data-view=issues]");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#issue-1");
    await tabTo("#move-1");
    await page.keyboard.press("End");
    await page.waitForSelector("[data-status=Done] #issue-1");
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#comment-1");
    await page.waitForSelector("nav [data-view=issues][aria-current=page]");
  });
  assertEquals(temp.ledger(1).clarifications[0].status, "resolved");
});

browserTest("board: hostile texts in every field run nothing and fetch nothing", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  await inBrowser(board, async (page) => {
    const opened: string[] = [];
    page.on("dialog", (dialog: Page) => dialog.dismiss().then(() => opened.push(dialog.message())));
    for (const text of HOSTILE) {
      plant(temp, text);
      for (
        const view of [
          ...["inbox", "now", "issues", "issues?as=tree", "issue?n=42", "threads"],
          ...["thread?id=CLR-42-001", "memory", "activity"],
        ]
      ) {
        await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
        await page.waitForTimeout(150);
      }
    }
    assertEquals(opened, []);
  });
});

browserTest(
  "board: criteria are ticked, and fields, labels and dependencies edited in place",
  async () => {
    using temp = new TempWorkspace();
    await temp.run(["issue", "create", "Keys", "-l", "type:bug"]);
    const body = "## Acceptance criteria\n\n- [ ] One\n- [ ] *Two*\n";
    await temp.run(["issue", "create", "Pay", "-b", body, "-l", "type:story,p2,shop"]);
    await using board = await TempBoard.start(temp);
    await inBrowser(board, async (page) => {
      await page.evaluate("location.hash = 'issue?n=2'");
      await page.click(".task >> text=Two");
      await page.waitForSelector("#criterion-2[checked]");
      assertEquals(temp.issue(2).body, body.replace("[ ] *Two", "[x] *Two"));
      await page.click("#criterion-2");
      await page.waitForSelector("#criterion-2:not([checked])");
      await page.selectOption("#Priority-2", "p0");
      await page.waitForSelector(".meta .tag.p0");
      await page.selectOption("#Priority-2", "");
      await page.waitForSelector(".meta .tag.p0", { state: "detached" });
      await page.selectOption("#Assignee-2", "engineer");
      await page.waitForSelector("text=assigned to");
      await page.fill("#label-2", "urgent");
      await page.keyboard.press("Enter");
      await page.waitForSelector("[aria-label='Remove label urgent']");
      await page.click("[aria-label='Remove label shop']");
      await page.waitForSelector("[aria-label='Remove label shop']", { state: "detached" });
      await page.fill("#on-2", "#1");
      await page.keyboard.press("Enter");
      await page.waitForSelector("[aria-label='Remove #1']");
      const { labels, assignee } = temp.issue(2);
      assertEquals([labels, assignee], [["type:story", "urgent", "blocked_by:#1"], "engineer"]);
      await page.click("[aria-label='Remove #1']");
      await page.waitForSelector("[aria-label='Remove #1']", { state: "detached" });
      await page.evaluate("location.hash = 'issue?n=1'");
      await page.selectOption("#Priority-1", "p1");
      await page.waitForSelector(".meta .tag.p1");
      assertEquals(temp.issue(1).labels, ["type:bug", "p1"]);
    });
  },
);

browserTest(
  "board: an edit names who changed the words meanwhile, and keeps what was typed",
  async () => {
    using temp = new TempWorkspace();
    await temp.run(["issue", "create", "Pay", "-b", "By card."]);
    await using board = await TempBoard.start(temp);
    await inBrowser(board, async (page) => {
      await page.evaluate("location.hash = 'issue?n=1'");
      await page.click("#edit-1 summary");
      assertEquals(await page.inputValue("#body-1"), "By card.");
      await page.fill("#body-1", "Mine.");
      await temp.run(["issue", "edit", "1", "-b", "Theirs.", "--as", "engineer"]);
      await page.waitForSelector(".md >> text=Theirs.");
      await page.click("#edit-1 button.primary");
      await page.waitForSelector("#edit-1 .refused");
      const said = await page.textContent("#edit-1 .refused");
      assert(said.includes("engineer changed its description ("), said);
      assert(!said.includes("agentx issue view"), said);
      assert(!await page.isVisible("#edit-1 summary"));
      assertEquals([temp.issue(1).body, await page.inputValue("#body-1")], ["Theirs.", "Mine."]);
      await page.click("text=Save mine over it");
      await page.waitForSelector(".md >> text=Mine.");
      assertEquals(temp.issue(1).body, "Mine.");
      await page.waitForSelector("#edit-1:not([open])", { state: "attached" });
      assertEquals(await page.inputValue("#body-1"), "Mine.");
    });
  },
);

browserTest("board: on a narrow screen the chosen view stays in sight in the menu", async () => {
  using temp = new TempWorkspace();
  await using board = await TempBoard.start(temp);
  await inBrowser(board, async (page) => {
    await page.evaluate("location.hash = 'activity'");
    await page.waitForSelector("nav [data-view=activity][aria-current]");
    await page.setViewportSize({ width: 390, height: 800 });
    const right = "document.querySelector('nav [aria-current]').getBoundingClientRect().right";
    await eventually(page, `innerWidth === 390 && ${right} <= 390 - 24`);
  });
});
